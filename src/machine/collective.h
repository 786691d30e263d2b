// Warp-wide operations: shuffles, votes, match, redux, elect, bar.warp.sync (PTX 9.7.9.6, 9.7.13),
// and those on matrices. They wait until every live lane of the member mask is there.
#pragma once
#include <array>

#include "machine/env.h"
#include "machine/matrix_move.h"
#include "machine/mma.h"

namespace ptxequiv::machine {

class Collectives {
 public:
  Collectives(Env& env, Accesses& accesses) : env_(env), products_(env), moves_(env, accesses) {}

  // Executes the instruction if all its members are there: then the strand may go on. Else it
  // waits.
  bool arrive(const CodeInst& inst, Warp& warp, Strand& strand);
  // Executes operations whose members are spread over waiting strands. Did any?
  bool resolve(Warp& warp);
  // Says which lanes wait for others that will not come.
  void report_stuck(Warp& warp, const Strand& strand);
  void active_mask(const CodeInst& inst, Warp& warp, const Strand& strand);

 private:
  // Per lane, the instruction that it executes; null for lanes that take no part.
  using Members = std::array<const CodeInst*, kWarpSize>;
  uint32_t active_lanes(const CodeInst& inst, Warp& warp, const Strand& strand);
  uint32_t member_mask(const CodeInst& inst, Warp& warp, unsigned lane);
  void execute(Warp& warp, const Members& members, uint32_t lanes, uint32_t mask);
  void shuffle(Warp& warp, const Members& members, uint32_t lanes, uint32_t mask);
  Lane shuffled(Warp& warp, const Members& members, uint32_t lanes, uint32_t mask, unsigned lane,
                unsigned b, unsigned c, bool& in_range);
  void vote(Warp& warp, const Members& members, uint32_t lanes);
  void match(Warp& warp, const Members& members, uint32_t lanes);
  void match_terms(Warp& warp, const Members& members, uint32_t lanes, bool all);
  void redux(Warp& warp, const Members& members, uint32_t lanes);
  void elect(Warp& warp, const Members& members, uint32_t lanes);
  void matrix(const CodeInst& inst, Warp& warp, uint32_t lanes);
  Lane operand(Warp& warp, const CodeInst& inst, unsigned index, unsigned lane);
  void set(Warp& warp, const Members& members, uint32_t lanes, size_t dest,
           const std::array<Lane, kWarpSize>& values);

  Env& env_;
  MatrixProducts products_;
  MatrixMoves moves_;
};

bool is_collective(ir::Opcode opcode);
// Of matrices: all lanes of the warp execute the same instruction (.sync.aligned).
bool is_matrix(ir::Opcode opcode);

}  // namespace ptxequiv::machine
