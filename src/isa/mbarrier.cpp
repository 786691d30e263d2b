// Barriers in memory and between the CTAs of a cluster, multimem, fences of other proxies (PTX
// manual, 9.7.13): known, without a meaning here.
#include "isa/table.h"

namespace ptxequiv::isa {
namespace {

#define OWN "{.shared|.shared::cta<78,80>}"
#define RELEASE "{.(release<80,80>|relaxed<86,90>).(cta<80,80>|cluster<80,90>)}"
#define ACQUIRE "{.(acquire<80,80>|relaxed<86,90>).(cta<80,80>|cluster<80,90>)}"
#define SCOPE ".(cta|cluster|gpu|sys)"

constexpr Row kRows[] = {
    {"mbarrier", ".init" OWN ".b64 [a], count:u32", 70, 80, lower_unsupported, "9.7.13.15.9"},
    {"mbarrier", ".inval" OWN ".b64 [a]", 70, 80, lower_unsupported, "9.7.13.15.10"},
    {"mbarrier",
     ".(expect_tx|complete_tx){.relaxed.(cta|cluster)}{.shared|.shared::cta|.shared::cluster}.b64 "
     "[a], count:u32",
     80, 90, lower_unsupported, "9.7.13.15.11"},
    {"mbarrier", ".(arrive|arrive_drop)" RELEASE OWN ".b64 d:b64, [a]", 70, 80, lower_unsupported,
     "9.7.13.15.13"},
    {"mbarrier", ".(arrive|arrive_drop)" RELEASE OWN ".b64 d:_, [a]", 71, 80, lower_unsupported,
     "9.7.13.15.13"},
    {"mbarrier", ".(arrive|arrive_drop)" RELEASE OWN ".b64 d:b64|_, [a], count:u32", 78, 90,
     lower_unsupported, "9.7.13.15.13"},
    {"mbarrier", ".(arrive|arrive_drop)" RELEASE ".shared::cluster.b64 d:_, [a]{, count:u32}", 80,
     90, lower_unsupported, "9.7.13.15.13"},
    {"mbarrier", ".(arrive|arrive_drop).expect_tx" RELEASE OWN ".b64 d:b64|_, [a], count:u32", 80,
     90, lower_unsupported, "9.7.13.15.13"},
    {"mbarrier",
     ".(arrive|arrive_drop).expect_tx" RELEASE ".shared::cluster.b64 d:_, [a], count:u32", 80, 90,
     lower_unsupported, "9.7.13.15.13"},
    {"mbarrier",
     ".(arrive|arrive_drop).noComplete{.release.cta}<80,80>" OWN ".b64 d:b64|_, [a], count:u32", 70,
     80, lower_unsupported, "9.7.13.15.13"},
    {"mbarrier", ".test_wait" ACQUIRE OWN ".b64 p:pred, [a], state:b64", 70, 80, lower_unsupported,
     "9.7.13.15.16"},
    {"mbarrier", ".test_wait.parity" ACQUIRE OWN ".b64 p:pred, [a], parity:u32", 71, 80,
     lower_unsupported, "9.7.13.15.16"},
    {"mbarrier", ".try_wait" ACQUIRE OWN ".b64 p:pred, [a], state:b64{, hint:u32}", 78, 90,
     lower_unsupported, "9.7.13.15.16"},
    {"mbarrier", ".try_wait.parity" ACQUIRE OWN ".b64 p:pred, [a], parity:u32{, hint:u32}", 78, 90,
     lower_unsupported, "9.7.13.15.16"},
    {"mbarrier", ".pending_count.b64 d:u32, state:b64", 70, 80, lower_unsupported, "9.7.13.15.17"},
    {"cp", ".async.mbarrier.arrive{.noinc}" OWN ".b64 [a]", 70, 80, lower_unsupported,
     "9.7.13.15.18"},
    {"barrier", ".cluster.arrive{.release<80,90>|.relaxed<80,90>}{.aligned}", 78, 90,
     lower_unsupported, "9.7.13.3"},
    {"barrier", ".cluster.wait{.acquire}<80,90>{.aligned}", 78, 90, lower_unsupported, "9.7.13.3"},
    {"fence", ".mbarrier_init.release.cluster", 80, 90, lower_unsupported, "9.7.13.4"},
    {"fence", ".acquire.sync_restrict::shared::cluster.cluster", 86, 90, lower_unsupported,
     "9.7.13.4"},
    {"fence", ".release.sync_restrict::shared::cta.cluster", 86, 90, lower_unsupported, "9.7.13.4"},
    {"fence", ".proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster", 86, 90,
     lower_unsupported, "9.7.13.4"},
    {"fence", ".proxy.async::generic.release.sync_restrict::shared::cta.cluster", 86, 90,
     lower_unsupported, "9.7.13.4"},
    {"fence", ".proxy.tensormap::generic.release" SCOPE, 83, 90, lower_unsupported, "9.7.13.4"},
    {"fence", ".proxy.tensormap::generic.acquire" SCOPE " [a], size:imm(128)", 83, 90,
     lower_unsupported, "9.7.13.4"},
    {"multimem", ".ld_reduce{.weak}{.global}.(min|max).(u32|s32|u64|s64) d, [a]", 81, 90,
     lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".ld_reduce.(relaxed|acquire).(cta|cluster|gpu|sys){.global}.(min|max).(u32|s32|u64|s64) d, "
     "[a]",
     81, 90, lower_unsupported, "9.7.9.14"},
    {"multimem", ".ld_reduce{.weak}{.global}.add.(u32|s32|u64) d, [a]", 81, 90, lower_unsupported,
     "9.7.9.14"},
    {"multimem",
     ".ld_reduce.(relaxed|acquire).(cta|cluster|gpu|sys){.global}.add.(u32|s32|u64) d, [a]", 81, 90,
     lower_unsupported, "9.7.9.14"},
    {"multimem", ".ld_reduce{.weak}{.global}.(and|or|xor).(b32|b64) d, [a]", 81, 90,
     lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".ld_reduce.(relaxed|acquire).(cta|cluster|gpu|sys){.global}.(and|or|xor).(b32|b64) d, [a]",
     81, 90, lower_unsupported, "9.7.9.14"},
    {"multimem", ".ld_reduce{.weak}{.global}.(min|max).(v2|v4|v8).(f16|bf16) d:vN:t1, [a]", 81, 90,
     lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".ld_reduce.(relaxed|acquire).(cta|cluster|gpu|sys){.global}.(min|max).(v2|v4|v8).(f16|bf16) "
     "d:vN:t1, [a]",
     81, 90, lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".ld_reduce{.weak}{.global}.add{.acc::f32}<82,90>.(v2|v4|v8).(f16|bf16) d:vN:t1, [a]", 81, 90,
     lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".ld_reduce.(relaxed|acquire).(cta|cluster|gpu|sys){.global}.add{.acc::f32}<82,90>.(v2|v4|v8)."
     "(f16|bf16) d:vN:t1, [a]",
     81, 90, lower_unsupported, "9.7.9.14"},
    {"multimem", ".ld_reduce{.weak}{.global}.(min|max){.v2|.v4}.(f16x2|bf16x2) d:vN:t1, [a]", 81,
     90, lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".ld_reduce.(relaxed|acquire).(cta|cluster|gpu|sys){.global}.(min|max){.v2|.v4}.(f16x2|bf16x2)"
     " d:vN:t1, [a]",
     81, 90, lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".ld_reduce{.weak}{.global}.add{.acc::f32}<82,90>{.v2|.v4}.(f16x2|bf16x2) d:vN:t1, [a]", 81,
     90, lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".ld_reduce.(relaxed|acquire).(cta|cluster|gpu|sys){.global}.add{.acc::f32}<82,90>{.v2|.v4}.("
     "f16x2|bf16x2) d:vN:t1, [a]",
     81, 90, lower_unsupported, "9.7.9.14"},
    {"multimem", ".ld_reduce{.weak}{.global}.add{.v2|.v4}.f32 d:vN:t1, [a]", 81, 90,
     lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".ld_reduce.(relaxed|acquire).(cta|cluster|gpu|sys){.global}.add{.v2|.v4}.f32 d:vN:t1, [a]",
     81, 90, lower_unsupported, "9.7.9.14"},
    {"multimem", ".ld_reduce{.weak}{.global}.add.f64 d, [a]", 81, 90, lower_unsupported,
     "9.7.9.14"},
    {"multimem", ".ld_reduce.(relaxed|acquire).(cta|cluster|gpu|sys){.global}.add.f64 d, [a]", 81,
     90, lower_unsupported, "9.7.9.14"},
    {"multimem", ".ld_reduce{.weak}{.global}.(min|max).(v4|v8).(e5m2|e4m3) d:vN:t1, [a]", 86,
     "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".ld_reduce.(relaxed|acquire).(cta|cluster|gpu|sys){.global}.(min|max).(v4|v8).(e5m2|e4m3) "
     "d:vN:t1, [a]",
     86, "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem", ".ld_reduce{.weak}{.global}.(min|max).(v2|v4|v8).(e5m2x2|e4m3x2) d:vN:t1, [a]", 86,
     "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".ld_reduce.(relaxed|acquire).(cta|cluster|gpu|sys){.global}.(min|max).(v2|v4|v8).(e5m2x2|"
     "e4m3x2) d:vN:t1, [a]",
     86, "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem", ".ld_reduce{.weak}{.global}.(min|max){.v2|.v4}.(e5m2x4|e4m3x4) d:vN:t1, [a]", 86,
     "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".ld_reduce.(relaxed|acquire).(cta|cluster|gpu|sys){.global}.(min|max){.v2|.v4}.(e5m2x4|"
     "e4m3x4) d:vN:t1, [a]",
     86, "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem", ".ld_reduce{.weak}{.global}.add{.acc::f16}.(v4|v8).(e5m2|e4m3) d:vN:t1, [a]", 86,
     "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".ld_reduce.(relaxed|acquire).(cta|cluster|gpu|sys){.global}.add{.acc::f16}.(v4|v8).(e5m2|"
     "e4m3) d:vN:t1, [a]",
     86, "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".ld_reduce{.weak}{.global}.add{.acc::f16}.(v2|v4|v8).(e5m2x2|e4m3x2) d:vN:t1, [a]", 86,
     "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".ld_reduce.(relaxed|acquire).(cta|cluster|gpu|sys){.global}.add{.acc::f16}.(v2|v4|v8).("
     "e5m2x2|e4m3x2) d:vN:t1, [a]",
     86, "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem", ".ld_reduce{.weak}{.global}.add{.acc::f16}{.v2|.v4}.(e5m2x4|e4m3x4) d:vN:t1, [a]",
     86, "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".ld_reduce.(relaxed|acquire).(cta|cluster|gpu|sys){.global}.add{.acc::f16}{.v2|.v4}.(e5m2x4|"
     "e4m3x4) d:vN:t1, [a]",
     86, "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem", ".st{.weak}{.global}.(b32|b64|u32|u64|s32|s64|f64) [a], b", 81, 90,
     lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".st.(relaxed|release).(cta|cluster|gpu|sys){.global}.(b32|b64|u32|u64|s32|s64|f64) [a], b",
     81, 90, lower_unsupported, "9.7.9.14"},
    {"multimem", ".st{.weak}{.global}.(v2|v4|v8).(f16|bf16) [a], b:vN:t1", 81, 90,
     lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".st.(relaxed|release).(cta|cluster|gpu|sys){.global}.(v2|v4|v8).(f16|bf16) [a], b:vN:t1", 81,
     90, lower_unsupported, "9.7.9.14"},
    {"multimem", ".st{.weak}{.global}{.v2|.v4}.(f16x2|bf16x2|f32) [a], b:vN:t1", 81, 90,
     lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".st.(relaxed|release).(cta|cluster|gpu|sys){.global}{.v2|.v4}.(f16x2|bf16x2|f32) [a], "
     "b:vN:t1",
     81, 90, lower_unsupported, "9.7.9.14"},
    {"multimem", ".st{.weak}{.global}.(v4|v8).(e5m2|e4m3) [a], b:vN:t1", 86,
     "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".st.(relaxed|release).(cta|cluster|gpu|sys){.global}.(v4|v8).(e5m2|e4m3) [a], b:vN:t1", 86,
     "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem", ".st{.weak}{.global}.(v2|v4|v8).(e5m2x2|e4m3x2) [a], b:vN:t1", 86,
     "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".st.(relaxed|release).(cta|cluster|gpu|sys){.global}.(v2|v4|v8).(e5m2x2|e4m3x2) [a], b:vN:t1",
     86, "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem", ".st{.weak}{.global}{.v2|.v4}.(e5m2x4|e4m3x4) [a], b:vN:t1", 86,
     "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".st.(relaxed|release).(cta|cluster|gpu|sys){.global}{.v2|.v4}.(e5m2x4|e4m3x4) [a], b:vN:t1",
     86, "100f|101f|110f|120a|121a", lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".red{.(relaxed|release).(cta|cluster|gpu|sys)}{.global}.(min|max).(u32|s32|u64|s64) [a], b",
     81, 90, lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".red{.(relaxed|release).(cta|cluster|gpu|sys)}{.global}.add.(u32|s32|u64|f64) [a], b", 81, 90,
     lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".red{.(relaxed|release).(cta|cluster|gpu|sys)}{.global}.(and|or|xor).(b32|b64) [a], b", 81,
     90, lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".red{.(relaxed|release).(cta|cluster|gpu|sys)}{.global}.add.(v2|v4|v8).(f16|bf16) [a], "
     "b:vN:t1",
     81, 90, lower_unsupported, "9.7.9.14"},
    {"multimem",
     ".red{.(relaxed|release).(cta|cluster|gpu|sys)}{.global}.add{.v2|.v4}.(f16x2|bf16x2|f32) [a], "
     "b:vN:t1",
     81, 90, lower_unsupported, "9.7.9.14"},
    {"clusterlaunchcontrol",
     ".try_cancel.async{.shared::cta}.mbarrier::complete_tx::bytes{.multicast::cluster::all}<86,"
     "100f|101f|110f|120f>.b128 [a], [mbar]",
     86, 100, lower_unsupported, "9.7.13.17.1"},
    {"clusterlaunchcontrol", ".query_cancel.is_canceled.pred.b128 p:pred, a:b128", 86, 100,
     lower_unsupported, "9.7.13.17.2"},
    {"clusterlaunchcontrol", ".query_cancel.get_first_ctaid.v4.b32.b128 d:v4:b32, a:b128", 86, 100,
     lower_unsupported, "9.7.13.17.2"},
    {"clusterlaunchcontrol",
     ".query_cancel.(get_first_ctaid::x|get_first_ctaid::y|get_first_ctaid::z).b32.b128 d:b32, "
     "a:b128",
     86, 100, lower_unsupported, "9.7.13.17.2"},
};

#undef OWN
#undef RELEASE
#undef ACQUIRE
#undef SCOPE

}  // namespace

std::span<const Row> mbarrier_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
