#include <catch2/catch.hpp>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "report/report.h"
#include "support.h"

using namespace ptxequiv;
using report::to_json;

TEST_CASE("JSON is as in the golden files") {
  CHECK(report::dump(to_json(equivalent_report())) == golden("equivalent.json"));
  CHECK(report::dump(to_json(refuted_report())) == golden("refuted.json"));
  CHECK(report::dump(to_json(race_report())) == golden("race.json"));
}

TEST_CASE("what matters stands first") {
  const auto json = to_json(unknown_report());
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  CHECK(std::vector<std::string>(keys.begin(), keys.begin() + 6) ==
        std::vector<std::string>{"schema", "verdict", "category", "level", "demanded", "reason"});
  CHECK(json["verdict"] == "unknown");
  CHECK(json["category"].is_null());
  CHECK(json["reason"] == "timeout");
}

TEST_CASE("one report is itself, several are a list with the worst verdict") {
  CHECK(to_json(std::vector<Report>{equivalent_report()})["verdict"] == "equivalent");
  const auto json =
      to_json(std::vector<Report>{equivalent_report(), refuted_report(), unknown_report()});
  CHECK(json["schema"] == report::kSchema);
  CHECK(json["verdict"] == "not_equivalent");
  CHECK(json["checks"].size() == 3);
  CHECK(to_json(std::vector<Report>{})["verdict"] == "invalid");
}

TEST_CASE("numbers are sane and text is UTF-8 whatever comes") {
  Report r = refuted_report();
  r.seconds = std::numeric_limits<double>::infinity();
  r.timings = {{"load", 0.1234567891}};
  r.witness->ulp = std::numeric_limits<double>::quiet_NaN();
  r.message = "\xff\xfe";
  const std::string text = report::dump(to_json(r));
  const auto json = nlohmann::json::parse(text);
  CHECK(json["seconds"].is_null());
  CHECK(json["witness"]["ulp"].is_null());
  CHECK(json["timings"]["load"] == 0.123457);
}

TEST_CASE("the message has no times, so equal input gives equal text") {
  Report a = equivalent_report(), b = equivalent_report();
  b.seconds = 7;
  CHECK(to_json(a)["message"] == to_json(b)["message"]);
}

TEST_CASE("the published schema names what is written") {
  std::ifstream stream(PTXEQUIV_TEST_DIR "/../docs/report.schema.json");
  const auto schema = nlohmann::ordered_json::parse(stream);
  const auto check = [&](const char* name, const nlohmann::ordered_json& written) {
    INFO(name);
    const auto& definition = schema["$defs"][name];
    for (const auto& item : written.items()) {
      INFO(item.key());
      CHECK(definition["properties"].contains(item.key()));
    }
    for (const auto& key : definition["required"]) {
      INFO(key);
      CHECK(written.contains(key.get<std::string>()));
    }
  };
  const auto refuted = to_json(refuted_report()), race = to_json(race_report());
  const auto equivalent = to_json(equivalent_report()), unknown = to_json(unknown_report());
  check("report", refuted);
  check("witness", refuted["witness"]);
  check("element_value", refuted["witness"]["reference"]);
  check("place", refuted["witness"]["places"][0]);
  check("place", race["witness"]["places"][0]);
  check("finding", race["findings"][0]);
  check("assumption", equivalent["assumptions"][0]);
  check("note", equivalent["notes"][0]);
  check("open_item", unknown["open"][0]);
  check("launch", unknown["scope"]["launches"][0]);
  check("buffer", unknown["scope"]["buffers"][0]);
  check("batch", to_json(std::vector<Report>{equivalent_report(), race_report()}));
}

TEST_CASE("suppressed findings and both runs are in the JSON only where there are some") {
  Report r = refuted_report();
  CHECK(!report::to_json(r).contains("suppressed"));
  CHECK(!report::to_json(r)["witness"].contains("runs"));
  Finding race;
  race.category = "race-shared";
  r.suppressed = {{race, "softmax", "both write the same", true}};
  r.witness->runs = {{"first to last", {"1", "0x1", "1"}}, {"last to first", {"2", "0x2", "2"}}};
  const auto json = report::to_json(r);
  CHECK(json["suppressed"][0]["category"] == "race-shared");
  CHECK(json["suppressed"][0]["suppressed_because"] == "both write the same");
  CHECK(json["witness"]["runs"][1]["schedule"] == "last to first");
  CHECK(json["witness"]["runs"][1]["value"]["real"] == "2");
}
