#include "jit/cpu/sections.h"

#include <algorithm>
#include <optional>

#include "compiler/loops/fuse_elements.h"
#include "jit/cpu/division.h"
#include "jit/cpu/items.h"
#include "jit/cpu/turn_loops.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

class Sections {
 public:
  explicit Sections(Program& program) : program_(program) {}

  void visit(Block& block, bool inLoop) {
    if (inLoop && hasTwoHeavy(block)) divide(block);
    for (size_t at = 0; at < block.size(); ++at) {
      const bool loop = block[at]->kind == Stmt::Kind::For;
      if (loop && block[at]->loop != Stmt::Loop::Sequential) continue;
      if (loop) at = turnLoop(program_, block, at, around_);
      Stmt& stmt = *block[at];
      if (loop) noteRange(stmt, around_);
      visit(stmt.body, loop);
      visit(stmt.otherwise, false);
      if (loop) around_.erase(stmt.var);
    }
  }

 private:
  void divide(Block& block) {
    Items items = takeItems(program_, block, around_);
    if (items.size() > kMostItems) return putItems(block, items, allOf(items));
    const Division division(items);
    if (const auto sides = division.best(allOf(items))) {
      putAround(block, items, division.inFront(*sides), sides->before);
      putSections(block, items, *sides);
      putAround(block, items, division.behind(*sides), sides->behind);
    } else {
      putItems(block, items, allOf(items));
    }
  }

  void putAround(Block& block, Items& items, const std::optional<Sides>& sides,
                 const Indices& all) {
    if (!sides) return putItems(block, items, all);
    putItems(block, items, sides->before);
    putSections(block, items, *sides);
    putItems(block, items, sides->behind);
  }

  void putSections(Block& block, Items& items, const Sides& sides) {
    const Stmt& like = *items[sides.first.front()].statements.front();
    StmtPtr sections = makeLoop(like, Stmt::Loop::Parallel, program_.variables++, loops::index(0),
                                loops::index(2));
    sections->comment = "sections";
    auto choice = std::make_unique<Stmt>();
    choice->kind = Stmt::Kind::If;
    choice->span = like.span;
    choice->value =
        loops::op(ScalarOp::Eq, {loops::variable(sections->var, DType::I64), loops::index(0)});
    putItems(choice->body, items, sides.first);
    putItems(choice->otherwise, items, sides.second);
    // Neighbours now, which were not: a gradient's clipping and the step that it is for.
    for (Block* part : {&choice->body, &choice->otherwise})
      loops::fuseElements(*part, program_.variables);
    double most = -1.0;  // of a region inside, which names them all in a profile
    for (const Block* part : {&choice->body, &choice->otherwise})
      forEachStmt(*part, [&](const Stmt& stmt) {
        const double operations = stmt.region < 0 ? -1.0 : operationsIn(stmt);
        if (operations <= most) return;
        most = operations;
        sections->region = stmt.region;
      });
    sections->body.push_back(std::move(choice));
    block.push_back(std::move(sections));
  }

  Program& program_;
  Ranges around_;  // of the variables of the sequential loops around the block
};

}  // namespace

void makeSections(Program& program) { Sections(program).visit(program.body, false); }

bool isSections(const Stmt& loop) {
  if (loop.loop != Stmt::Loop::Parallel || tripCount(loop).value_or(0) != 2 ||
      loop.body.size() != 1)
    return false;
  const Stmt& choice = *loop.body.front();
  return choice.kind == Stmt::Kind::If && !choice.otherwise.empty() &&
         choice.value->kind == ExprNode::Kind::Op && choice.value->op == ScalarOp::Eq &&
         choice.value->args[0]->kind == ExprNode::Kind::Variable &&
         choice.value->args[0]->var == loop.var && constantOf(choice.value->args[1]) == 0;
}

}  // namespace rlc::cpu
