// The pieces of a loop over samples (unit_pieces.h), written for a block of samples: loops whose
// lanes are units, and such whose lanes are the block's samples. What a sample keeps from one to
// the next is in arrays for all samples of the block.
#pragma once

#include "jit/cpu/tile.h"
#include "jit/cpu/unit_pieces.h"

namespace rlc::cpu {

class UnitWriter {
 public:
  // The samples [first, first + count).
  UnitWriter(Program& program, const TileOptions& options, const UnitPieces& of, const Expr& first,
             int64_t count, UnitPacks& packs);

  Block write();

 private:
  struct Dot {
    BufferId buffer = -1;
    const Stmt* rows = nullptr;
  };

  BufferId newBuffer(const std::string& name, DType type, int64_t elements);
  StmtPtr samplesLoop(const Stmt& like, Stmt::Loop kind);
  StmtPtr unitLanes(const Stmt& loop) const;

  StmtPtr bySamples(const UnitPiece& piece);
  Block written(const Block& block);
  Block written(const Stmt& stmt);
  Block stretch(const Stmt& loop, const Expr& first, int64_t length);
  bool goesAlongUnits(const Stmt& loop) const;

  StmtPtr byUnits(const UnitPiece& piece);
  Block writtenForUnits(const Block& block);
  StmtPtr sum(const UnitPiece& piece);
  Block dot(const UnitPiece& piece);

  void translate(Stmt& stmt);
  Expr place(BufferId id, const Expr& index) const;
  Expr place(const Dot& dot) const;
  Expr translated(const Expr& e);
  Expr changed(const Expr& e);
  Expr rebuilt(const Expr& e);
  bool isPacked(const Expr& load) const;

  Program& program_;
  const TileOptions& options_;
  const UnitPieces& of_;
  Expr first_;
  int64_t count_;
  UnitPacks& packs_;
  std::map<BufferId, BufferId> arrays_;  // of private storage
  std::map<VarId, BufferId> values_;     // of variables that other pieces read
  std::map<const Stmt*, Dot> dots_;      // by declaration
  // Of the piece at hand:
  size_t piece_ = 0;
  Expr sample_;                           // its number in the block
  std::vector<const Stmt*> along_;        // loops inside of that over units
  std::map<const ExprNode*, Expr> done_;  // what expressions have become
  Block copies_;  // statements of stretches, whose expressions no other may take the place of
};

}  // namespace rlc::cpu
