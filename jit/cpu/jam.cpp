#include "jit/cpu/jam.h"

#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

class Jammer {
 public:
  Jammer(Program& program, Ranges& ranges) : program_(program), ranges_(ranges) {}

  Block jam(const Stmt& loop, int64_t factor, int64_t trip) {
    Block result;
    const int64_t blocks = trip / factor, rest = trip % factor;
    if (blocks == 1) {
      append(result, copies(loop, factor, loop.lo));
    } else {
      StmtPtr outer =
          makeLoop(loop, loop.loop, program_.variables++, loops::index(0), loops::index(blocks));
      outer->reductions = loop.reductions;
      outer->comment = loop.comment + " by " + std::to_string(factor);
      ranges_[outer->var] = {0, blocks - 1};
      const Expr first = loop.lo + loops::variable(outer->var, DType::I64) * loops::index(factor);
      outer->body = copies(loop, factor, first);
      result.push_back(std::move(outer));
    }
    if (rest > 0) append(result, copies(loop, rest, loop.lo + loops::index(blocks * factor)));
    return result;
  }

 private:
  Block copies(const Stmt& loop, int64_t count, const Expr& first) {
    std::vector<Renaming> renamings(static_cast<size_t>(count));
    for (int64_t j = 0; j < count; ++j)
      renamings[static_cast<size_t>(j)].replace(loop.var, first + loops::index(j));
    return jamBlock(loop.body, renamings);
  }

  // Statements once for each copy; loops and conditions that all copies share, once, around copies
  // of their bodies.
  Block jamBlock(const Block& block, std::vector<Renaming>& renamings) {
    Block result;
    for (const auto& stmt : block) {
      const bool nests = stmt->kind == Stmt::Kind::For || stmt->kind == Stmt::Kind::If;
      const bool shared = nests && !differs(stmt->lo, renamings) && !differs(stmt->hi, renamings) &&
                          !differs(stmt->value, renamings);
      if (!shared) {
        for (Renaming& renaming : renamings)
          result.push_back(copyStmt(*stmt, renaming, program_.variables));
        continue;
      }
      StmtPtr copy = copyHead(*stmt, renamings.front());
      if (stmt->kind == Stmt::Kind::For) {
        copy->var = program_.variables++;
        if (const auto range = ranges_.find(stmt->var); range != ranges_.end())
          ranges_[copy->var] = range->second;
        copy->reductions.clear();
        for (const auto& reduction : stmt->reductions) {
          if (reduction.local < 0) {
            copy->reductions.push_back(reduction);
            continue;
          }
          for (Renaming& renaming : renamings)
            copy->reductions.push_back(
                {reduction.buffer, renaming.local(reduction.local), reduction.combine});
        }
        for (Renaming& renaming : renamings)
          renaming.replace(stmt->var, loops::variable(copy->var, DType::I64));
      }
      copy->body = jamBlock(stmt->body, renamings);
      copy->otherwise = jamBlock(stmt->otherwise, renamings);
      result.push_back(std::move(copy));
    }
    return result;
  }

  // Whether the copies of the expression are not all the same.
  static bool differs(const Expr& e, std::vector<Renaming>& renamings) {
    if (!e || !renamings.front().touches(e)) return false;
    const Expr first = renamings.front()(e);
    for (Renaming& renaming : renamings)
      if (!sameExpr(first, renaming(e))) return true;
    return false;
  }

  Program& program_;
  Ranges& ranges_;
};

}  // namespace

Block jam(Program& program, Ranges& ranges, const Stmt& loop, int64_t factor) {
  return Jammer(program, ranges).jam(loop, factor, *tripCount(loop));
}

}  // namespace rlc::cpu
