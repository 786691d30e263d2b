// 8x8 matrices of 16-bit elements between memory and the registers of a warp (PTX 9.7.14.5.15 to
// 9.7.14.5.17). Lane l holds, of row l / 4, elements 2 (l % 4) and the next; transposed, of column
// l / 4.
#pragma once
#include "machine/access.h"

namespace ptxequiv::machine {

class MatrixMoves {
 public:
  MatrixMoves(Env& env, Accesses& accesses) : env_(env), accesses_(accesses) {}
  // All lanes of the warp are there.
  void load(const CodeInst& inst, Warp& warp);
  void store(const CodeInst& inst, Warp& warp);
  void transpose(const CodeInst& inst, Warp& warp);

 private:
  // Where a row may lie; nothing if that was reported as a fault.
  std::vector<Place> row(const CodeInst& inst, Warp& warp, unsigned lane, bool is_write);
  Lane read(const CodeInst& inst, Warp& warp, const std::vector<Place>& places, unsigned lane,
            unsigned offset, unsigned size);

  Env& env_;
  Accesses& accesses_;
};

}  // namespace ptxequiv::machine
