// Systems of equations to merges: one piece an equation, normalized to the points that it defines.
#include <algorithm>
#include <limits>

#include "compiler/sema/elaborator.h"
#include "compiler/types/lists.h"

namespace rlc::sema {

std::shared_ptr<System> Elaborator::makeSystem(const std::vector<const syntax::Item*>& items,
                                               const std::shared_ptr<Scope>& scope, SpaceRef outer,
                                               std::vector<Var> over, bool program) {
  auto system = std::make_shared<System>();
  system->scope = scope;
  system->outer = std::move(outer);
  system->path = drawPath_;
  system->over = over;
  system->ownIndices.insert(over.begin(), over.end());
  system->program = program;
  for (const syntax::Item* item : items) {
    auto equation = std::make_unique<EquationDef>();
    equation->item = item->as<syntax::EquationItem>();
    equation->system = system.get();
    addTargets(*system, *equation, equation->item->left, {});
    system->equations.push_back(std::move(equation));
  }
  scope->system = system;
  for (auto& tensor : system->tensors) {
    int bare = 0;
    for (Target& target : tensor->targets) bare += target.bare();
    if (bare > 1) {
      const Target* second = nullptr;
      for (Target& target : tensor->targets)
        if (target.bare()) second = &target;
      report(Diagnostic(Kind::DoubleDefinition, second->pattern->span,
                        "`" + tensor->name + "` is defined twice without subscripts")
                 .note(tensor->span, "first here")
                 .hint("give one of them another name, or subscripts"));
      tensor->failed = true;
      second->equation->broken = true;
    }
  }
  return system;
}

void Elaborator::addTargets(System& system, EquationDef& equation, const syntax::Pattern& pattern,
                            std::vector<size_t> path) {
  if (pattern.tuple) {
    for (size_t i = 0; i < pattern.elements.size(); ++i) {
      path.push_back(i);
      addTargets(system, equation, pattern.elements[i], path);
      path.pop_back();
    }
    return;
  }
  if (pattern.name.text == "_") return;
  if (pattern.name.text.empty()) {  // it was said that this can't be defined
    equation.broken = true;
    return;
  }
  auto symbol = system.scope->findHere(pattern.name.text);
  if (symbol && symbol->kind == Symbol::Kind::Value && symbol->value->isPoison())
    symbol = nullptr;  // of a line that was reported
  if (symbol && !(symbol->kind == Symbol::Kind::Tensor && symbol->tensor->system == &system)) {
    Diagnostic twice(Kind::DuplicateName, pattern.name.span,
                     "`" + pattern.name.text + "` is declared already");
    if (symbol->span.known())
      report(
          std::move(twice).note(symbol->span, "here").hint("a name means one thing in its scope"));
    else  // a field of an env's state
      report(
          std::move(twice).hint("its next value has a prime: `" + pattern.name.text + "' = ...`"));
    equation.broken = true;
    return;
  }
  if (!symbol) {
    auto tensor = std::make_unique<TensorDef>();
    tensor->name = pattern.name.text;
    tensor->path = system.path.empty() ? tensor->name : system.path + "." + tensor->name;
    tensor->span = pattern.name.span;
    tensor->system = &system;
    symbol = std::make_shared<Symbol>();
    symbol->kind = Symbol::Kind::Tensor;
    symbol->span = pattern.name.span;
    symbol->tensor = tensor.get();
    system.scope->symbols[pattern.name.text] = symbol;
    system.tensors.push_back(std::move(tensor));
  }
  Target target;
  target.equation = &equation;
  target.pattern = &pattern;
  target.path = std::move(path);
  symbol->tensor->targets.push_back(std::move(target));
  if (!contains(equation.defines, symbol->tensor)) equation.defines.push_back(symbol->tensor);
}

void Elaborator::elaborateSystem(System& system) {
  for (auto& equation : system.equations) resolveLeft(system, *equation);
  if (!system.program && system.ownIndices.empty()) {
    for (auto& tensor : system.tensors) {
      tensor->let = tensor->targets.size() == 1 && tensor->targets[0].bare();
      if (!tensor->let && !tensor->failed && tensor->targets.size() > 1) tensor->failed = true;
    }
  }
  if (std::all_of(system.tensors.begin(), system.tensors.end(),
                  [](const auto& t) { return t->let; }))
    return;
  for (Var index : system.ownIndices) ownVar(system, index);
  orderGroups(system);
  for (auto& group : system.groups)
    if (!group[0]->let) inferGroup(system, group);
  for (auto& tensor : system.tensors) finishPositions(*tensor);
  if (dry()) return;
  for (auto& tensor : system.tensors)
    tensor->domain = Set::universe(
        context_, tensor->dims());  // until they are known: `where` may read one, wrongly
  for (auto& equation : system.equations)
    if (!equation->broken) defineEquationSpace(system, *equation);
  for (auto& tensor : system.tensors) defineTensor(*tensor);
  for (auto& tensor : system.tensors) createMerges(*tensor);
  // First those that are wrong although all that they read is known, then those whose types are
  // guesses: what is wrong with them is said there, and once.
  auto isGuess = [](const EquationDef& equation) {
    return std::any_of(equation.defines.begin(), equation.defines.end(),
                       [](const TensorDef* tensor) { return tensor->doubtful; });
  };
  const auto groupOf = [](const EquationDef& equation) { return equation.defines[0]->group; };
  int firstGuess = std::numeric_limits<int>::max();
  for (auto& equation : system.equations)
    if (isGuess(*equation)) firstGuess = std::min(firstGuess, groupOf(*equation));
  std::set<const EquationDef*> done;
  const auto elaborate = [&](const auto& isNext) {
    for (auto& equation : system.equations) {
      if (equation->broken || done.contains(equation.get()) || !isNext(*equation)) continue;
      done.insert(equation.get());
      elaborateEquation(system, *equation);
      for (TensorDef* tensor : equation->defines)
        if (tensor->doubtful && tensor->failed) tensor->signature = poison();
    }
  };
  elaborate(
      [&](const EquationDef& e) { return unsaid_.contains(e.item) && groupOf(e) < firstGuess; });
  elaborate(isGuess);
  elaborate([](const EquationDef&) { return true; });
  for (auto& tensor : system.tensors) finishMerges(*tensor);
  if (!system.program)
    for (const auto& tensor : system.tensors)
      for (const Target& target : tensor->targets)
        parts_[tensor->path].push_back(target.pattern->span);
  checkComplete(system);
}

void Elaborator::defineEquationSpace(System& system, EquationDef& equation) {
  std::set<Var> named(equation.named.begin(), equation.named.end());
  for (TensorDef* tensor : equation.defines)
    for (Target& target : tensor->targets)
      if (target.equation == &equation)
        for (const Position& p : tensor->positions) {
          if (p.named && target.bare()) named.insert(p.index);
        }
  for (TensorDef* tensor : equation.defines)
    for (Target& target : tensor->targets)
      if (target.equation == &equation && !target.bare() && !equation.broken) {
        equation.named.assign(named.begin(), named.end());
        if (!resolveTarget(system, *tensor, target)) equation.broken = tensor->failed = true;
        named.insert(equation.named.begin(), equation.named.end());
      } else if (target.equation == &equation) {
        resolveTarget(system, *tensor, target);
      }
  equation.named.assign(named.begin(), named.end());
  if (equation.broken) return;
  for (TensorDef* tensor : equation.defines)
    for (Target& target : tensor->targets) {
      if (target.equation != &equation) continue;
      std::vector<Var> used, given;
      for (const IndexExpr& e : target.at) {
        e.collectVariables(used);
        if (auto shifted = e.asShifted()) given.push_back(shifted->var);
      }
      for (Var var : used) {
        if (equation.broken || contains(given, var)) continue;
        bool outer = contains(system.outer->dims, var);
        if (outer) continue;
        fail(Kind::BadLeftIndex, target.pattern->span,
             "a left-hand subscript is an index, an index plus an integer of params, or an integer "
             "of params",
             "restrict an equation by `where`: `x[t] = ... where t % 2 == 0`");
        equation.broken = tensor->failed = true;
      }
    }
  if (equation.broken) return;
  if (system.program) {
    for (Var index : closeIndices(equation.touched)) {
      if (named.count(index)) continue;
      if (brokenIndices_.count(index)) continue;
      for (TensorDef* tensor : equation.defines) tensor->failed = true;
      equation.broken = true;
      reportMissing(equation, index);
    }
    if (equation.broken) return;
  }
  std::vector<Var> ordered = closeIndices(named);
  for (Var index : ordered) equation.own.push_back(ownVar(system, index));
  equation.own.clear();
  for (Var index : ordered) equation.own.push_back(ownVar(system, index));
  if (system.program && equation.overrides.empty()) {
    auto space = declaredSpace(ordered)->clone();
    equation.space = space;
  } else {
    auto space = system.outer->clone();
    for (Var index : ordered) {
      Var own = ownVar(system, index);
      auto override_ = equation.overrides.find(index);
      IndexExpr lo = toOwn(system, override_ != equation.overrides.end() ? override_->second.first
                                                                         : graph_.dim(index).lo);
      IndexExpr hi = toOwn(system, override_ != equation.overrides.end() ? override_->second.second
                                                                         : graph_.dim(index).hi);
      space->index[index] = IndexExpr(own);
      bool have = contains(space->dims, own);
      if (!have) space->dims.push_back(own);
    }
    Condition inside = Condition::always();
    std::vector<Var> bad;
    for (Var index : ordered) {
      Var own = ownVar(system, index);
      auto override_ = equation.overrides.find(index);
      if (override_ == equation.overrides.end() && contains(system.over, index)) continue;
      IndexExpr lo = toOwn(system, override_ != equation.overrides.end() ? override_->second.first
                                                                         : graph_.dim(index).lo);
      IndexExpr hi = toOwn(system, override_ != equation.overrides.end() ? override_->second.second
                                                                         : graph_.dim(index).hi);
      lo.collectVariables(bad);
      hi.collectVariables(bad);
      inside = inside && Condition::within(IndexExpr(own), lo, hi);
    }
    for (Var var : bad)
      if (!contains(space->dims, var)) {
        report(Diagnostic(Kind::MissingIndex, equation.item->left.span,
                          "a range on the left mentions `" + graph_.dim(var).name +
                              "`, which the left side does not name"));
        equation.broken = true;
        for (TensorDef* tensor : equation.defines) tensor->failed = true;
        return;
      }
    space->domain = system.outer->domain.extendTo(space->dims).intersect(inside);
    equation.space = space;
  }
  if (equation.item->where) {
    const auto space = equation.space->clone();
    std::set<Var> mentioned;
    space->touched = &mentioned;
    Place place{system.scope, space};
    auto test = boolTensor(eval(*equation.item->where, place), place, equation.item->where->span,
                           "`where`");
    bool failed = !test;
    if (failed && !mentioned.empty())
      report(Diagnostic(Kind::MissingIndex, equation.item->where->span,
                        "`where` mentions `" + graph_.dim(*mentioned.begin()).name +
                            "`, which the left side does not name"));
    std::optional<Set> where;
    if (test) where = pointsWhere(*test, place, equation.item->where->span, failed);
    if (test && !where && !failed) {
      fail(Kind::NotStatic, equation.item->where->span,
           "`where` takes a condition on indices and params",
           "select data with `if ... then ... else`");
      failed = true;
    }
    if (failed) {
      equation.broken = true;
      for (TensorDef* tensor : equation.defines) tensor->failed = true;
      return;
    }
    equation.space = equation.space->narrow(*where);
  }
  auto final_ = equation.space->clone();
  if (system.program) final_->touched = &equation.missing;
  nameDraws(equation, *final_);
  equation.space = final_;
}

// An index of a function that the value varies over and the left side does not name.
std::optional<Var> Elaborator::unnamedIn(const ValueRef& value, System& system,
                                         const EquationDef& equation) {
  if (system.program) return std::nullopt;
  std::vector<Var> used;
  collectDims(value, used);
  for (Var index : system.ownIndices) {
    const Var own = ownVar(system, index);
    if (contains(used, own) && !contains(equation.own, own)) return index;
  }
  return std::nullopt;
}

void Elaborator::reportMissing(const EquationDef& equation, Var index) {
  const std::string name = graph_.dim(index).name;
  const auto& over = equation.system->over;
  const bool ofArguments = contains(over, index);
  report(Diagnostic(Kind::MissingIndex, equation.item->left.span,
                    "`" + name + "` is missing on the left: the right side varies over it")
             .label(equation.item->value->span, "varies over `" + name + "`")
             .hint(ofArguments
                       ? "name it on the left; other points of an argument are `x[" + name + ": k]`"
                       : "name it on the left, or reduce over it: `sum(... for " + name + ")`"));
}

void Elaborator::nameDraws(EquationDef& equation, Space& space) {
  for (TensorDef* tensor : equation.defines)
    for (Target& target : tensor->targets) {
      if (target.equation != &equation) continue;
      Inverse back = inverse(*tensor, target);
      if (!back.undetermined.empty()) continue;
      auto points = std::make_shared<DrawPoints>();
      std::vector<Var> own = equation.own;
      for (Var var : space.dims)
        if (!contains(own, var)) {
          points->dims.push_back(var);
          points->at.push_back(IndexExpr(var));
        }
      for (size_t i = 0; i < tensor->positions.size(); ++i) {
        points->dims.push_back(tensor->positions[i].var);
        points->at.push_back(target.at[i]);
      }
      points->inverse = back.of;
      points->condition = back.condition;
      space.drawAt = points;
      return;
    }
}

ValueRef Elaborator::part(const ValueRef& value, const std::vector<size_t>& path, Span span,
                          bool distribute) {
  ValueRef here = value;
  for (size_t index : path) {
    if (here->isPoison() || here->isUnknown()) return here;
    if (const Tuple* tuple = here->as<Tuple>()) {
      if (index >= tuple->elements.size())
        return fail(Kind::TypeMismatch, span,
                    "the right side has " + std::to_string(tuple->elements.size()) + " parts");
      here = tuple->elements[index];
    } else if (const Record* record = here->as<Record>()) {
      if (index >= record->fields.size())
        return fail(Kind::TypeMismatch, span,
                    "the right side has " + std::to_string(record->fields.size()) + " fields");
      here = record->fields[index].second;
    } else if (!distribute) {
      return fail(Kind::TypeMismatch, span,
                  "the left side has several parts, and the right side is " + show(here));
    }
  }
  return here;
}

bool Elaborator::namesAllParts(const syntax::Pattern& left, const ValueRef& value) {
  if (!left.tuple) return true;
  std::vector<ValueRef> parts;
  if (const Tuple* tuple = value->as<Tuple>()) parts = tuple->elements;
  if (const Record* record = value->as<Record>())
    for (const auto& [name, field] : record->fields) parts.push_back(field);
  if (parts.size() > left.elements.size()) {
    fail(Kind::TypeMismatch, left.span,
         "the right side has " + std::to_string(parts.size()) + " parts, and here are " +
             std::to_string(left.elements.size()),
         "`_` takes a part that is not needed");
    return false;
  }
  for (size_t i = 0; i < parts.size(); ++i)
    if (!namesAllParts(left.elements[i], parts[i])) return false;
  return true;
}

ValueRef Elaborator::evalRight(System& system, EquationDef& equation, const Place& place) {
  std::string saved = drawPath_;
  drawPath_ = equation.defines.empty() ? "_" : system.stream(equation.defines[0]->path);
  if (system.program && !dry()) drawCounts_.clear();
  const int64_t before = draws;
  ValueRef value = eval(*equation.item->value, place);
  if (equation.item->drawn) {
    const Span span = equation.item->value->span;
    const bool together =
        equation.item->left.tuple && value->as<Instance>() && hasMethod(value, "sample");
    value = together ? sampledTogether(equation.item->left, system, value, place, span)
                     : sampled(value, place, span, before);
  }
  drawPath_ = saved;
  return namesAllParts(equation.item->left, value) ? value : poison();
}

void Elaborator::elaborateEquation(System& system, EquationDef& equation) {
  for (TensorDef* tensor : equation.defines)
    if (tensor->let) return;
  Place place{system.scope, equation.space};
  ValueRef value;
  const size_t errors = sink_.errorCount();
  try {
    value = evalRight(system, equation, place);
  } catch (const polyhedral::OperationLimit&) {
    value = fail(Kind::StaticLimit, equation.item->left.span,
                 "the domains of this equation are too complex to check",
                 "split it, or use simpler conditions on indices");
  }
  if (sink_.errorCount() != errors) {  // nothing is said of what follows from an error
    for (TensorDef* tensor : equation.defines) tensor->failed = true;
    return;
  }
  for (TensorDef* tensor : equation.defines)
    for (Target& target : tensor->targets)
      if (target.equation == &equation) {
        ValueRef here = part(value, target.path, target.pattern->span, false);
        if (const auto index = unnamedIn(here, system, equation)) {
          reportMissing(equation, *index);
          tensor->failed = true;
          continue;
        }
        connect(
            *tensor, target,
            settled(here, tensor->targets.size() == 1 && target.bare() && equation.touched.empty(),
                    place, target.pattern->span),
            place);
      }
}

ValueRef Elaborator::letValue(TensorDef& tensor, Span span) {
  EquationDef& equation = *tensor.targets[0].equation;
  ValueRef& kept = dry() ? equation.dryLetValue : equation.letValue;
  if (!kept) {
    if (tensor.letBusy)
      return fail(Kind::InstantCycle, span, "`" + tensor.name + "` depends on itself");
    for (TensorDef* other : equation.defines) other->letBusy = true;
    ValueRef value = equation.broken ? poison()
                                     : evalRight(*tensor.system, equation,
                                                 Place{tensor.system->scope, tensor.system->outer});
    for (TensorDef* other : equation.defines) other->letBusy = false;
    if (equation.item->where)
      value = fail(Kind::NotStatic, equation.item->where->span,
                   "`where` takes an equation with indices");
    kept = value;
  }
  return part(kept, tensor.targets[0].path, tensor.targets[0].pattern->span, false);
}

}  // namespace rlc::sema
