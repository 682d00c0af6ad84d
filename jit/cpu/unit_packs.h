// Elements that neighbouring units read far apart, copied so that they lie side by side:
//   packed[l * m + j] = W[j * n + l]
// in front of the loops that read them again and again.
#pragma once

#include <functional>
#include <vector>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

class UnitPacks {
 public:
  // `kind`: of the buffers that it makes, Thread or Scratch.
  UnitPacks(Program& program, Buffer::Kind kind) : program_(program), kind_(kind) {}

  // Whether what a load reads in loops `around` it, the sum's and then the units', is small enough
  // and known in front of them. `inside`: whether a variable changes behind the packs; `certain`:
  // whether all of it is read in any case.
  bool can(const Expr& load, const std::vector<const Stmt*>& around,
           const std::function<bool(VarId)>& inside, bool certain) const;

  // The load from where it is packed, or has been for another loop.
  Expr packed(const Expr& load, const std::vector<const Stmt*>& around);

  bool empty() const { return statements_.empty(); }
  Block take();  // the statements that pack; begins anew

 private:
  struct Packed {
    Expr load;                 // as it is in the loop that it was packed for
    std::vector<VarId> loops;  // of the sum, then of the units
    std::vector<int64_t> trips;
    BufferId buffer = -1;
  };

  bool isSame(const Packed& before, const Packed& own,
              const std::vector<const Stmt*>& around) const;
  void pack(const Packed& packed, const std::vector<const Stmt*>& around);
  StmtPtr loop(const Stmt& like, int64_t count, Stmt::Loop kind);

  Program& program_;
  Buffer::Kind kind_;
  std::vector<Packed> packed_;
  Block statements_;
};

}  // namespace rlc::cpu
