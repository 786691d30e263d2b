// Instructions that parse and have no meaning here yet: an error only where one is executed. Their
// modifiers and operands are not checked.
#include "isa/context.h"

namespace ptxequiv::isa {
namespace {

void lower_unsupported(Context& c) {
  c.unsupported();
}

constexpr Row kRows[] = {
    // Arithmetic
    {"fns", ".* ...", 60, 30, lower_unsupported, "9.7.1.17"},
    // Not in the manual, taken by ptxas; hardware rounds in its own way (shared/vectors).
    {"fma", ".(rz|rm|rp){.relu}.(bf16|bf16x2) ...", 70, 80, lower_unsupported, "9.7.4.4"},
    {"rcp", ".(rn|rz|rm|rp).ftz.f64 ...", 21, 20, lower_unsupported, "9.7.3.13"},
    {"fma", ".oob.(f16|f16x2|bf16|bf16x2).* ...", 81, 90, lower_unsupported, "9.7.4.4"},
    // Data movement
    {"st", ".async.* ...", 81, 90, lower_unsupported, "9.7.9.12"},
    {"st", ".bulk.* ...", 86, 100, lower_unsupported, "9.7.9.13"},
    {"multimem", ".* ...", 81, 90, lower_unsupported, "9.7.9.14"},
    {"discard", ".* ...", 74, 80, lower_unsupported, "9.7.9.17"},
    {"mapa", ".* ...", 78, 90, lower_unsupported, "9.7.9.23"},
    {"getctarank", ".* ...", 78, 90, lower_unsupported, "9.7.9.24"},
    {"cp", ".async.bulk.* ...", 80, 90, lower_unsupported, "9.7.9.25.4"},
    {"cp", ".async.mbarrier.* ...", 70, 80, lower_unsupported, "9.7.13.15.16"},
    {"cp", ".reduce.* ...", 80, 90, lower_unsupported, "9.7.9.25.4"},
    {"tensormap", ".* ...", 83, 90, lower_unsupported, "9.7.9.26"},
    // Textures and surfaces
    {"tex", ".* ...", 10, 10, lower_unsupported, "9.7.10.3"},
    {"tld4", ".* ...", 20, 20, lower_unsupported, "9.7.10.4"},
    {"txq", ".* ...", 15, 15, lower_unsupported, "9.7.10.5"},
    {"istypep", ".* ...", 40, 30, lower_unsupported, "9.7.10.6"},
    {"suld", ".* ...", 15, 20, lower_unsupported, "9.7.11.1"},
    {"sust", ".* ...", 15, 20, lower_unsupported, "9.7.11.2"},
    {"sured", ".* ...", 20, 20, lower_unsupported, "9.7.11.3"},
    {"suq", ".* ...", 15, 20, lower_unsupported, "9.7.11.4"},
    // Synchronisation
    {"barrier", ".cluster.* ...", 78, 90, lower_unsupported, "9.7.13.3"},
    {"fence", ".mbarrier_init.* ...", 80, 90, lower_unsupported, "9.7.13.4"},
    {"fence", ".sync_restrict::shared::cta.* ...", 86, 90, lower_unsupported, "9.7.13.4"},
    {"fence", ".sync_restrict::shared::cluster.* ...", 86, 90, lower_unsupported, "9.7.13.4"},
    {"fence", ".proxy.(tensormap::generic|async::generic).* ...", 83, 90, lower_unsupported,
     "9.7.13.4"},
    {"mbarrier", ".* ...", 70, 80, lower_unsupported, "9.7.13.15"},
    {"clusterlaunchcontrol", ".* ...", 86, 100, lower_unsupported, "9.7.13.17"},
    // Matrices
    {"wmma", ".* ...", 60, 70, lower_unsupported, "9.7.14.4"},
    {"mma", ".* ...", 64, 70, lower_unsupported, "9.7.14.5"},
    {"stmatrix", ".* ...", 78, 90, lower_unsupported, "9.7.14.5.16"},
    {"movmatrix", ".* ...", 78, 75, lower_unsupported, "9.7.14.5.17"},
    {"wgmma", ".* ...", 80, 90, lower_unsupported, "9.7.15"},
    {"tcgen05", ".* ...", 86, 100, lower_unsupported, "9.7.16"},
    // Stack
    {"stacksave", ".* ...", 73, 52, lower_unsupported, "9.7.17.1"},
    {"stackrestore", ".* ...", 73, 52, lower_unsupported, "9.7.17.2"},
    {"alloca", ".* ...", 73, 52, lower_unsupported, "9.7.17.3"},
    // Video
    {"vadd", ".* ...", 20, 20, lower_unsupported, "9.7.18.1"},
    {"vsub", ".* ...", 20, 20, lower_unsupported, "9.7.18.1"},
    {"vabsdiff", ".* ...", 20, 20, lower_unsupported, "9.7.18.1"},
    {"vmin", ".* ...", 20, 20, lower_unsupported, "9.7.18.1"},
    {"vmax", ".* ...", 20, 20, lower_unsupported, "9.7.18.1"},
    {"vshl", ".* ...", 20, 20, lower_unsupported, "9.7.18.2"},
    {"vshr", ".* ...", 20, 20, lower_unsupported, "9.7.18.2"},
    {"vmad", ".* ...", 20, 20, lower_unsupported, "9.7.18.3"},
    {"vset", ".* ...", 20, 20, lower_unsupported, "9.7.18.4"},
    {"vadd2", ".* ...", 30, 30, lower_unsupported, "9.7.18.5"},
    {"vsub2", ".* ...", 30, 30, lower_unsupported, "9.7.18.5"},
    {"vavrg2", ".* ...", 30, 30, lower_unsupported, "9.7.18.5"},
    {"vabsdiff2", ".* ...", 30, 30, lower_unsupported, "9.7.18.5"},
    {"vmin2", ".* ...", 30, 30, lower_unsupported, "9.7.18.5"},
    {"vmax2", ".* ...", 30, 30, lower_unsupported, "9.7.18.5"},
    {"vset2", ".* ...", 30, 30, lower_unsupported, "9.7.18.6"},
    {"vadd4", ".* ...", 30, 30, lower_unsupported, "9.7.18.7"},
    {"vsub4", ".* ...", 30, 30, lower_unsupported, "9.7.18.7"},
    {"vavrg4", ".* ...", 30, 30, lower_unsupported, "9.7.18.7"},
    {"vabsdiff4", ".* ...", 30, 30, lower_unsupported, "9.7.18.7"},
    {"vmin4", ".* ...", 30, 30, lower_unsupported, "9.7.18.7"},
    {"vmax4", ".* ...", 30, 30, lower_unsupported, "9.7.18.7"},
    {"vset4", ".* ...", 30, 30, lower_unsupported, "9.7.18.8"},
};

}  // namespace

std::span<const Row> unsupported_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
