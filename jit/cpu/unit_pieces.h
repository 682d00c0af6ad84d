// A loop over samples taken apart: loops over the units of layers, and what stands between them.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/unit_packs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

// Statements of a sample that stand together: a loop over units, or what keeps samples for lanes.
struct UnitPiece {
  std::vector<const Stmt*> statements;
  const Stmt* units = nullptr;  // the loop that becomes lanes; null: samples stay lanes
  const Stmt* rows = nullptr;   // of a sum: the loop around or inside of that over units; or null
  const Stmt* sum = nullptr;    // what adds up over samples, if it does
  const Stmt* dot = nullptr;    // the declaration of a sum over units, a number of each sample
  Expr index, value;            // of a sum: where, and what is added, with lets inlined
};

inline Expr at(VarId var) { return loops::variable(var, DType::I64); }

class UnitPieces {
 public:
  // `lanes`: the loop over samples, which has to stay where it is.
  UnitPieces(const Program& program, const Stmt& lanes);

  // Whether units can be lanes in it, and a good part of the work is sums over samples. `packs`,
  // `inside`: see UnitPacks; `written`: buffers that the parallel loop around it writes.
  bool take(const UnitPacks& packs, const std::function<bool(VarId)>& inside,
            const std::set<BufferId>& written);

  const Stmt& lanes() const { return lanes_; }
  const std::vector<UnitPiece>& pieces() const { return pieces_; }
  bool isPrivate(BufferId id) const;
  // An expression of a sample, with what is computed again where it is used.
  Expr inlined(const Expr& e) const { return inlined_(e); }
  // The piece that defines a variable which others read, and their types.
  size_t homeOf(VarId var) const { return home_.at(var); }
  const std::map<VarId, DType>& crossing() const { return crossing_; }
  // Private storage that goes from piece to piece, and whether its neighbours are units.
  const std::set<BufferId>& shared() const { return shared_; }
  bool isByUnits(BufferId id) const { return byUnits_.contains(id); }
  bool isDotLoop(const Stmt& loop) const { return dotLoops_.contains(&loop); }

  // The statements of a piece, outer before inner, but for loops that are pieces of their own.
  void forEachStatement(const UnitPiece& piece,
                        const std::function<void(const Stmt&)>& visit) const;

 private:
  struct UnitLoad {
    Expr load;
    std::vector<const Stmt*> along;  // the loops around it, inside of that over units
  };

  void split();
  bool checkInOnePiece() const;
  std::optional<UnitPiece> unitLoop(const Stmt& loop) const;
  std::optional<UnitPiece> sumOverSamples(const Stmt& loop, const Stmt* inner, const Stmt& sum,
                                          Renaming& lets) const;
  bool isPlain(const Block& block, VarId unit) const;
  void findDot(const Block& block, size_t i, const Stmt* rows);
  bool isKnownBefore(const Expr& e, const Stmt& loop) const;
  bool pays() const;
  bool noteUses();
  bool readsSideBySide(const UnitPacks& packs, const std::function<bool(VarId)>& inside,
                       const std::set<BufferId>& written);
  bool collectLoads(const Block& block, std::vector<const Stmt*> along, VarId unit,
                    std::vector<UnitLoad>& loads) const;
  static void noteLoads(const Expr& e, const std::vector<const Stmt*>& along,
                        std::vector<UnitLoad>& loads);
  bool storesInOrder() const;
  bool varies(const Expr& e) const;
  void visitStatement(const Stmt& stmt, const std::function<void(const Stmt&)>& visit) const;

  const Program& program_;
  const Stmt& lanes_;
  std::vector<UnitPiece> pieces_;
  std::set<VarId> varying_;  // the sample's number, and what it defines
  mutable Renaming inlined_;
  std::map<VarId, size_t> home_;
  std::map<VarId, DType> crossing_;
  std::set<BufferId> shared_, byUnits_;
  std::set<const Stmt*> dotLoops_;
};

}  // namespace rlc::cpu
