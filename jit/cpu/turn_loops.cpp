#include "jit/cpu/turn_loops.h"

#include <algorithm>
#include <optional>
#include <set>

#include "jit/cpu/division.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

class Turning {
 public:
  Turning(Program& program, Stmt& loop, const Ranges& around)
      : program_(program), loop_(loop), ranges_(around) {
    noteRange(loop, ranges_);
    items_ = takeItems(program, loop.body, ranges_);
  }

  // What is done once, in front of the loop; null: nothing.
  StmtPtr turn() {
    const auto lo = constantOf(loop_.lo), hi = constantOf(loop_.hi);
    if (!lo || !hi || *lo >= *hi || items_.size() > kMostItems) return asItWas();
    const Division division(items_);
    const Indices once = doneOnce(division, *lo);
    const Indices rest = without(allOf(items_), once);
    const auto sides = division.best(rest);
    // What would still stand in front of the parts is no better off with more to it.
    if (!sides || division.inFront(*sides) || !division.behind(*sides) ||
        !mayWait(sides->behind, *hi - 1))
      return asItWas();
    const Indices others = without(rest, sides->behind);
    StmtPtr first = once.empty() ? nullptr : firstIteration(once);
    Items late = ofIterationBefore(sides->behind, *lo);
    putItems(loop_.body, late, allOf(late));
    putItems(loop_.body, items_, others);
    return first;
  }

 private:
  StmtPtr asItWas() {
    putItems(loop_.body, items_, allOf(items_));
    return nullptr;
  }

  static Indices without(const Indices& list, const Indices& some) {
    Indices rest;
    std::set_difference(list.begin(), list.end(), some.begin(), some.end(),
                        std::back_inserter(rest));
    return rest;
  }

  // The iterations in which it may run.
  Interval iterations(const Item& item) const {
    Ranges inside = ranges_;
    if (item.guard) narrowRanges(item.guard, inside);
    return inside.at(loop_.var);
  }

  // What runs in the first iteration alone and waits there for nothing else.
  Indices doneOnce(const Division& division, int64_t first) const {
    std::set<size_t> once;
    const auto mayStandBefore = [&](size_t earlier) {
      return once.contains(earlier) || iterations(items_[earlier]).lo > first;
    };
    for (size_t item = 0; item < items_.size(); ++item) {
      if (items_[item].barrier || iterations(items_[item]).hi > first) continue;
      bool alone = true;
      for (size_t earlier = 0; earlier < item && alone; ++earlier)
        alone = !division.waitsFor(item, earlier) || mayStandBefore(earlier);
      if (alone) once.insert(item);
    }
    return {once.begin(), once.end()};
  }

  // Whether the items can run an iteration later: none does anything in the last one, and nothing
  // comes between that others see.
  bool mayWait(const Indices& items, int64_t last) const {
    return std::all_of(items.begin(), items.end(), [&](size_t item) {
      return !items_[item].barrier && iterations(items_[item]).hi < last;
    });
  }

  StmtPtr firstIteration(const Indices& once) {
    const Stmt& like = *items_[once.front()].statements.front();
    Renaming renaming;
    const VarId var = program_.variables++;
    renaming.replace(loop_.var, loops::variable(var, DType::I64));
    StmtPtr first =
        makeLoop(like, Stmt::Loop::Sequential, var, loop_.lo, loop_.lo + loops::index(1));
    Items items = renamed(once, renaming);
    putItems(first->body, items, allOf(items));
    return first;
  }

  Items ofIterationBefore(const Indices& late, int64_t first) const {
    const Expr var = loops::variable(loop_.var, DType::I64);
    Renaming renaming;
    renaming.replace(loop_.var, var - loops::index(1));
    Items items = renamed(late, renaming);
    // As what is computed from the iteration before has it.
    const Expr begun = loops::op(ScalarOp::Le, {loops::index(0), var + loops::index(-first - 1)});
    Ranges ranges = ranges_;
    narrowRanges(begun, ranges);
    for (Item& item : items) {
      const Expr rest = item.guard ? whatIsAsked(item.guard, ranges) : nullptr;
      item.guard = rest ? loops::op(ScalarOp::And, {rest, begun}) : begun;
    }
    return items;
  }

  // A condition without the parts that hold throughout the ranges; null: nothing is left.
  static Expr whatIsAsked(const Expr& condition, const Ranges& ranges) {
    if (condition->kind != ExprNode::Kind::Op) return condition;
    if (condition->op == ScalarOp::And) {
      const Expr a = whatIsAsked(condition->args[0], ranges),
                 b = whatIsAsked(condition->args[1], ranges);
      return a && b ? loops::op(ScalarOp::And, {a, b}) : a ? a : b;
    }
    if (condition->op != ScalarOp::Le || constantOf(condition->args[0]) != 0) return condition;
    const auto range = rangeOf(condition->args[1], ranges);
    return range && range->lo >= 0 ? nullptr : condition;
  }

  Items renamed(const Indices& which, Renaming& renaming) const {
    Items result;
    for (size_t at : which) {
      const Item& item = items_[at];
      Item& copy = result.emplace_back();
      if (item.guard) copy.guard = renaming(item.guard);
      for (const StmtPtr& stmt : item.statements)
        copy.statements.push_back(copyAlike(*stmt, renaming));
    }
    return result;
  }

  Program& program_;
  Stmt& loop_;
  Ranges ranges_;
  Items items_;
};

}  // namespace

size_t turnLoop(Program& program, Block& block, size_t at, const Ranges& around) {
  if (!isUpward(*block[at]) || !hasTwoHeavy(block[at]->body)) return at;
  StmtPtr first = Turning(program, *block[at], around).turn();
  if (!first) return at;
  block.insert(block.begin() + static_cast<std::ptrdiff_t>(at), std::move(first));
  return at + 1;
}

}  // namespace rlc::cpu
