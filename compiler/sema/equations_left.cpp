// Left sides: which indices an equation runs over, which points of its tensors it defines.
#include <algorithm>

#include "compiler/sema/elaborator.h"
#include "compiler/sema/names.h"
#include "compiler/syntax/print.h"
#include "compiler/types/lists.h"

namespace rlc::sema {

using syntax::Entry;

Var Elaborator::ownVar(System& system, Var index) {
  if (system.program) return index;
  auto it = system.ownVars.find(index);
  if (it != system.ownVars.end()) return it->second;
  auto bound = system.outer->index.find(index);
  if (contains(system.over, index) && bound != system.outer->index.end() &&
      bound->second.asVariable())
    return system.ownVars[index] = *bound->second.asVariable();
  const pdg::Dim& dim = graph_.dim(index);
  Var own = freshDim(dim.name, dim.span, dim.lo, dim.hi, false);
  return system.ownVars[index] = own;
}

IndexExpr Elaborator::toOwn(System& system, const IndexExpr& declared) {
  std::vector<Var> vars;
  declared.collectVariables(vars);
  std::map<Var, IndexExpr> names;
  for (Var var : vars) {
    if (system.program || var.isElement() || var.id >= graph_.dimCount()) continue;
    if (system.ownIndices.count(var))
      names[var] = IndexExpr(ownVar(system, var));
    else if (auto it = system.outer->index.find(var); it != system.outer->index.end())
      names[var] = it->second;
  }
  return declared.substitute(names);
}

std::optional<IndexExpr> Elaborator::leftExpr(System& system, const Expr& expr) {
  std::set<Var> touched;
  auto open = std::make_shared<Space>();
  open->open = true;
  open->touched = &touched;
  std::shared_ptr<const Space> space = open;
  ValueRef value;
  {
    DryRun quiet(*this);
    value = eval(expr, Place{system.scope, space});
  }
  const Tensor* tensor = value->as<Tensor>();
  if (tensor && tensor->index && tensor->shape.empty()) {
    useStatically(*tensor);
    return tensor->index;
  }
  if (dry()) return std::nullopt;
  const size_t before = sink_.errorCount();
  std::vector<Var> all;
  for (const auto& index : indices_) all.push_back(index->var);
  ValueRef again =
      eval(expr, Place{system.scope, declaredSpace(closeIndices({all.begin(), all.end()}))});
  if (sink_.errorCount() == before)
    fail(Kind::BadLeftIndex, expr.span,
         "a left-hand subscript is an index, an index plus an integer of params, or an integer of "
         "params",
         "restrict an equation by `where`, or by a range: `x[t in 0..n]`");
  return std::nullopt;
}

void Elaborator::resolveLeft(System& system, EquationDef& equation) {
  std::set<Var> named;
  for (TensorDef* tensor : equation.defines) {
    for (Target& target : tensor->targets) {
      if (target.equation != &equation) continue;
      std::set<Var> own;
      bool rest = false;
      for (const Entry& entry : target.pattern->subscripts) {
        LeftEntry left;
        left.entry = &entry;
        switch (entry.kind) {
          case Entry::Kind::Rest:
            if (rest) {
              fail(Kind::BadLeftIndex, entry.span, "`..` stands once on the left");
              equation.broken = true;
            }
            left.rest = rest = true;
            break;
          case Entry::Kind::Slice:
            fail(Kind::BadLeftIndex, entry.span, "a left side defines one point at a time",
                 "give the range a name: `x[t in lo..hi] = ...`");
            equation.broken = true;
            break;
          case Entry::Kind::In: {
            auto symbol = system.scope->find(entry.name->text);
            if (!symbol || symbol->kind != Symbol::Kind::Index) {
              std::vector<std::string> names = indexNames_;
              fail(Kind::UnknownName, entry.name->span,
                   "there is no index `" + entry.name->text + "`",
                   diagnostics::didYouMean(entry.name->text, names));
              equation.broken = true;
              break;
            }
            left.shifted = true;
            left.index = symbol->var;
            left.expr = IndexExpr(symbol->var);
            left.lo = leftExpr(system, *entry.range->lo);
            left.hi = leftExpr(system, *entry.range->hi);
            if (!left.lo || !left.hi) {
              equation.broken = true;
              break;
            }
            if (entry.range->inclusive) left.hi = *left.hi + 1;
            if (left.lo->mentions(symbol->var) || left.hi->mentions(symbol->var)) {
              fail(Kind::BadLeftIndex, entry.span,
                   "the range of `" + entry.name->text + "` mentions `" + entry.name->text +
                       "` itself",
                   "its bounds are constants, params or other indices of the left side");
              equation.broken = true;
              break;
            }
            equation.overrides[symbol->var] = {*left.lo, *left.hi};
            break;
          }
          case Entry::Kind::Point: {
            auto expr = entry.value ? leftExpr(system, *entry.value) : std::nullopt;
            if (!expr) {
              equation.broken = true;
              break;
            }
            left.expr = *expr;
            if (auto shifted = expr->asShifted()) {
              left.shifted = true;
              left.index = shifted->var;
            }
            break;
          }
        }
        if (equation.broken) continue;
        if (left.shifted && !own.insert(left.index).second) {
          fail(Kind::BadLeftIndex, entry.span,
               "`" + graph_.dim(left.index).name + "` stands at two positions of the left side");
          equation.broken = true;
        }
        if (left.shifted) named.insert(left.index);
        target.entries.push_back(std::move(left));
      }
    }
  }
  equation.named.assign(named.begin(), named.end());
  system.ownIndices.insert(named.begin(), named.end());
  if (equation.broken)
    for (TensorDef* tensor : equation.defines) tensor->failed = true;
}

// Positions of a tensor from its left sides; needs the free indices of an equation without
// subscripts, or with `..`.
void Elaborator::finishPositions(TensorDef& tensor) {
  System& system = *tensor.system;
  auto position = [&](Var index) {
    Position p;
    p.index = index;
    p.named = true;
    p.name = graph_.dim(index).name;
    p.var = ownVar(system, index);
    return p;
  };
  for (Target& target : tensor.targets) {
    if (!target.bare()) continue;
    tensor.positions.clear();
    std::set<Var> free(target.equation->touched.begin(), target.equation->touched.end());
    if (!system.program) {
      for (auto it = free.begin(); it != free.end();)
        it = system.ownIndices.count(*it) ? std::next(it) : free.erase(it);
      for (Var index : system.over) free.insert(index);
    }
    for (Var index :
         system.program ? closeIndices(free) : std::vector<Var>(free.begin(), free.end()))
      tensor.positions.push_back(position(index));
    tensor.positionsKnown = true;
    return;
  }
  std::vector<Position> merged;
  bool first = true;
  for (Target& target : tensor.targets) {
    if (target.equation->broken) continue;
    std::vector<Position> here;
    for (const LeftEntry& left : target.entries) {
      if (left.rest) {
        std::set<Var> others(target.equation->touched.begin(), target.equation->touched.end());
        for (const LeftEntry& other : target.entries)
          if (other.shifted) others.erase(other.index);
        std::vector<Var> ordered = closeIndices(others);
        for (Var index : ordered) {
          bool elsewhere =
              std::any_of(target.entries.begin(), target.entries.end(),
                          [&](const LeftEntry& o) { return o.shifted && o.index == index; });
          if (!elsewhere && (system.program || system.ownIndices.count(index)))
            here.push_back(position(index));
        }
      } else if (left.shifted) {
        here.push_back(position(left.index));
      } else {
        here.push_back(Position{});
      }
    }
    if (first) {
      merged = here;
      first = false;
      continue;
    }
    bool restHere = std::any_of(target.entries.begin(), target.entries.end(),
                                [](const LeftEntry& e) { return e.rest; });
    if (here.size() != merged.size()) {
      if (!(restHere && dry()))
        fail(Kind::BadLeftIndex, target.pattern->span,
             "`" + tensor.name + "` has " + std::to_string(merged.size()) +
                 (merged.size() == 1 ? " position" : " positions") + " in another equation, and " +
                 std::to_string(here.size()) + " here",
             "every equation of a tensor has the same positions, in the same order");
      if (!dry()) target.equation->broken = tensor.failed = true;
      continue;
    }
    for (size_t i = 0; i < here.size(); ++i) {
      if (!here[i].named) continue;
      if (merged[i].named && merged[i].index != here[i].index) {
        fail(Kind::BadLeftIndex, target.pattern->span,
             "position " + std::to_string(i + 1) + " of `" + tensor.name + "` is `" +
                 merged[i].name + "` in another equation, and `" + here[i].name + "` here",
             "one index names a position");
        if (!dry()) target.equation->broken = tensor.failed = true;
      } else {
        merged[i] = here[i];
      }
    }
  }
  for (size_t i = 0; i < merged.size(); ++i) {
    if (merged[i].named) continue;
    bool had = i < tensor.positions.size() && !tensor.positions[i].named &&
               (dry() || tensor.positions[i].var.id < kDryDims);
    merged[i].var = had ? tensor.positions[i].var : freshDim("", tensor.span, 0, 1, false);
  }
  tensor.positions = std::move(merged);
  tensor.positionsKnown = true;
}

bool Elaborator::resolveTarget(System& system, TensorDef& tensor, Target& target) {
  EquationDef& equation = *target.equation;
  const size_t n = tensor.positions.size();
  target.at.assign(n, IndexExpr(0));
  auto own = [&](const Position& p) { return IndexExpr(p.var); };
  if (target.bare()) {
    for (size_t i = 0; i < n; ++i) target.at[i] = own(tensor.positions[i]);
    return true;
  }
  bool hasRest = std::any_of(target.entries.begin(), target.entries.end(),
                             [](const LeftEntry& e) { return e.rest; });
  if (hasRest || target.entries.size() != n) {
    // Each entry stands for the position that it mentions; the others are the tensor's own indices.
    std::vector<bool> given(n, false);
    size_t extra = hasRest ? n + 1 - target.entries.size() : 0;
    for (size_t k = 0, at = 0; k < target.entries.size(); ++k) {
      const LeftEntry& left = target.entries[k];
      if (left.rest) {
        at += extra;
        continue;
      }
      size_t position = n;
      if (hasRest) {
        position = at++;
      } else {
        std::vector<int> mentioned =
            mentionedPositions(tensor.positions, *left.entry, Place{system.scope, system.outer});
        if (left.shifted)
          for (size_t i = 0; i < n; ++i)
            if (tensor.positions[i].named && tensor.positions[i].index == left.index)
              mentioned = {static_cast<int>(i)};
        if (left.entry->name)
          for (size_t i = 0; i < n; ++i)
            if (tensor.positions[i].name == left.entry->name->text)
              mentioned = {static_cast<int>(i)};
        if (mentioned.size() == 1) position = static_cast<size_t>(mentioned[0]);
      }
      if (n == 0) {
        const auto bare = std::find_if(tensor.targets.begin(), tensor.targets.end(),
                                       [](const Target& other) { return other.bare(); });
        const Target& first = bare == tensor.targets.end() ? tensor.targets[0] : *bare;
        report(Diagnostic(Kind::BadLeftIndex, left.entry->span,
                          "`" + tensor.name + "` has no indices by its other equation")
                   .note(first.pattern->span, "this is the other one")
                   .hint("an equation without a subscript is for all points: say where it begins, "
                         "`" +
                         tensor.name + "[0]`"));
        return false;
      }
      if (position >= n || given[position]) {
        std::string all;
        for (const Position& p : tensor.positions) all += (all.empty() ? "" : ", ") + p.name;
        fail(Kind::BadLeftIndex, left.entry->span,
             "which position of `" + tensor.name + "[" + all + "]` is `" +
                 syntax::print(*left.entry) + "`?",
             "write all positions, in the order " + all);
        return false;
      }
      given[position] = true;
      target.at[position] = toOwn(system, left.expr);
    }
    for (size_t i = 0; i < n; ++i)
      if (!given[i]) {
        target.at[i] = own(tensor.positions[i]);
        if (tensor.positions[i].named && !contains(equation.named, tensor.positions[i].index))
          equation.named.push_back(tensor.positions[i].index);
      }
    return true;
  }
  for (size_t i = 0; i < n; ++i) target.at[i] = toOwn(system, target.entries[i].expr);
  return true;
}

Elaborator::Inverse Elaborator::inverse(const TensorDef& tensor, const Target& target) const {
  Inverse result;
  const std::vector<Var>& own = target.equation->own;
  for (size_t i = 0; i < tensor.positions.size(); ++i) {
    auto shifted = target.at[i].asShifted();
    if (shifted && contains(own, shifted->var) && !result.of.count(shifted->var))
      result.of[shifted->var] = IndexExpr(tensor.positions[i].var) - shifted->offset;
  }
  for (size_t i = 0; i < tensor.positions.size(); ++i) {
    auto shifted = target.at[i].asShifted();
    if (shifted && result.of.count(shifted->var) &&
        result.of[shifted->var] == IndexExpr(tensor.positions[i].var) - shifted->offset)
      continue;
    result.condition = result.condition && Condition::equal(IndexExpr(tensor.positions[i].var),
                                                            target.at[i].substitute(result.of));
  }
  for (Var var : own)
    if (!result.of.count(var)) result.undetermined.push_back(var);
  return result;
}

}  // namespace rlc::sema
