// Systems of equations to merges: one piece an equation, normalized to the points that it defines.
#include <algorithm>

#include "compiler/sema/elaborator.h"

namespace rlc::sema {

std::shared_ptr<System> Elaborator::makeSystem(const std::vector<const syntax::Item*>& items, const std::shared_ptr<Scope>& scope,
                                               SpaceRef outer, std::vector<Var> over, bool program) {
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
      report(Diagnostic(Kind::DoubleDefinition, second->pattern->span, "`" + tensor->name + "` is defined twice without subscripts")
                 .note(tensor->span, "first here")
                 .hint("give one of them another name, or subscripts"));
      tensor->failed = true;
      second->equation->broken = true;
    }
  }
  return system;
}

void Elaborator::addTargets(System& system, EquationDef& equation, const syntax::Pattern& pattern, std::vector<size_t> path) {
  if (pattern.tuple) {
    for (size_t i = 0; i < pattern.elements.size(); ++i) {
      path.push_back(i);
      addTargets(system, equation, pattern.elements[i], path);
      path.pop_back();
    }
    return;
  }
  if (pattern.name.text == "_") return;
  auto symbol = system.scope->findHere(pattern.name.text);
  if (symbol && symbol->kind == Symbol::Kind::Value && symbol->value->isPoison()) symbol = nullptr;  // of a line that was reported
  if (symbol && !(symbol->kind == Symbol::Kind::Tensor && symbol->tensor->system == &system)) {
    report(Diagnostic(Kind::DuplicateName, pattern.name.span, "`" + pattern.name.text + "` is declared already")
               .note(symbol->span, "here")
               .hint("a name means one thing in its scope"));
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
  if (std::find(equation.defines.begin(), equation.defines.end(), symbol->tensor) == equation.defines.end())
    equation.defines.push_back(symbol->tensor);
}

void Elaborator::elaborateSystem(System& system) {
  for (auto& equation : system.equations) resolveLeft(system, *equation);
  if (!system.program && system.ownIndices.empty()) {
    for (auto& tensor : system.tensors) {
      tensor->let = tensor->targets.size() == 1 && tensor->targets[0].bare();
      if (!tensor->let && !tensor->failed && tensor->targets.size() > 1) tensor->failed = true;
    }
  }
  if (std::all_of(system.tensors.begin(), system.tensors.end(), [](const auto& t) { return t->let; })) return;
  for (Var index : system.ownIndices) ownVar(system, index);
  orderGroups(system);
  for (auto& group : system.groups)
    if (!group[0]->let) inferGroup(system, group);
  for (auto& tensor : system.tensors) finishPositions(*tensor);
  if (dry()) return;
  for (auto& tensor : system.tensors) tensor->domain = Set::universe(context_, tensor->dims());  // until they are known: `where` may read one, wrongly
  for (auto& equation : system.equations)
    if (!equation->broken) defineEquationSpace(system, *equation);
  for (auto& tensor : system.tensors) defineTensor(*tensor);
  for (auto& tensor : system.tensors) createMerges(*tensor);
  for (auto& equation : system.equations)
    if (!equation->broken) elaborateEquation(system, *equation);
  for (auto& tensor : system.tensors) finishMerges(*tensor);
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
        if (equation.broken || std::find(given.begin(), given.end(), var) != given.end()) continue;
        bool outer = std::find(system.outer->dims.begin(), system.outer->dims.end(), var) != system.outer->dims.end();
        if (outer) continue;
        fail(Kind::BadLeftIndex, target.pattern->span, "a left-hand subscript is an index, an index plus an integer of params, or an integer of params",
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
      report(Diagnostic(Kind::MissingIndex, equation.item->left.span,
                        "`" + graph_.dim(index).name + "` is missing on the left: the right side varies over it")
                 .label(equation.item->value->span, "varies over `" + graph_.dim(index).name + "`")
                 .hint("name it on the left, or reduce over it: `sum(... for " + graph_.dim(index).name + ")`"));
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
      IndexExpr lo = toOwn(system, override_ != equation.overrides.end() ? override_->second.first : graph_.dim(index).lo);
      IndexExpr hi = toOwn(system, override_ != equation.overrides.end() ? override_->second.second : graph_.dim(index).hi);
      space->index[index] = IndexExpr(own);
      bool have = std::find(space->dims.begin(), space->dims.end(), own) != space->dims.end();
      if (!have) space->dims.push_back(own);
    }
    Condition inside = Condition::always();
    std::vector<Var> bad;
    for (Var index : ordered) {
      Var own = ownVar(system, index);
      auto override_ = equation.overrides.find(index);
      if (override_ == equation.overrides.end() && std::find(system.over.begin(), system.over.end(), index) != system.over.end()) continue;
      IndexExpr lo = toOwn(system, override_ != equation.overrides.end() ? override_->second.first : graph_.dim(index).lo);
      IndexExpr hi = toOwn(system, override_ != equation.overrides.end() ? override_->second.second : graph_.dim(index).hi);
      lo.collectVariables(bad);
      hi.collectVariables(bad);
      inside = inside && Condition::within(IndexExpr(own), lo, hi);
    }
    for (Var var : bad)
      if (std::find(space->dims.begin(), space->dims.end(), var) == space->dims.end()) {
        report(Diagnostic(Kind::MissingIndex, equation.item->left.span, "a range on the left mentions `" + graph_.dim(var).name + "`, which the left side does not name"));
        equation.broken = true;
        for (TensorDef* tensor : equation.defines) tensor->failed = true;
        return;
      }
    space->domain = system.outer->domain.extendTo(space->dims).intersect(inside);
    equation.space = space;
  }
  if (equation.item->where) {
    Place place{system.scope, equation.space};
    auto test = boolTensor(eval(*equation.item->where, place), place, equation.item->where->span, "`where`");
    bool failed = !test;
    std::optional<Set> where;
    if (test) where = pointsWhere(*test, place, equation.item->where->span, failed);
    if (test && !where && !failed) {
      fail(Kind::NotStatic, equation.item->where->span, "`where` takes a condition on indices and params", "select data with `if ... then ... else`");
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

void Elaborator::nameDraws(EquationDef& equation, Space& space) {
  for (TensorDef* tensor : equation.defines)
    for (Target& target : tensor->targets) {
      if (target.equation != &equation) continue;
      Inverse back = inverse(*tensor, target);
      if (!back.undetermined.empty()) continue;
      auto points = std::make_shared<DrawPoints>();
      std::vector<Var> own = equation.own;
      for (Var var : space.dims)
        if (std::find(own.begin(), own.end(), var) == own.end()) {
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

void Elaborator::defineTensor(TensorDef& tensor) {
  std::vector<Var> dims = tensor.dims();
  tensor.domain = Set::empty(context_, dims);
  for (Target& target : tensor.targets) {
    EquationDef& equation = *target.equation;
    target.domain = Set::empty(context_, dims);
    if (equation.broken) {
      tensor.failed = true;
      continue;
    }
    Inverse back = inverse(tensor, target);
    for (Var var : back.undetermined) {
      bool free = target.bare() || std::none_of(equation.touched.begin(), equation.touched.end(),
                                                [&](Var index) { return ownVar(*equation.system, index) == var; });
      if (free && equation.defines.size() > 1) continue;  // another of the tuple's tensors has it
      report(Diagnostic(Kind::MissingIndex, target.pattern->span, "`" + graph_.dim(var).name + "` is missing on the left"));
      tensor.failed = equation.broken = true;
    }
    if (equation.broken) continue;
    bool same = back.condition.kind() == Condition::Kind::True && equation.space->dims == dims;
    for (size_t i = 0; i < tensor.positions.size() && same; ++i) same = target.at[i] == IndexExpr(tensor.positions[i].var);
    if (same) {
      target.domain = equation.space->domain;
    } else {
      std::vector<Var> kept;
      std::vector<IndexExpr> at;
      for (Var var : equation.space->dims) {
        auto it = back.of.find(var);
        bool hidden = std::find(tensor.hidden.begin(), tensor.hidden.end(), var) != tensor.hidden.end();
        bool own = std::find(equation.own.begin(), equation.own.end(), var) != equation.own.end();
        if (own ? it == back.of.end() : !hidden) continue;
        kept.push_back(var);
        at.push_back(own ? it->second : IndexExpr(var));
      }
      Set all = Set::of(context_, dims, back.condition);
      target.domain = equation.space->over(kept).preimage(all, at);
    }
    tensor.domain = tensor.domain.unite(target.domain);
  }
  if (tensor.targets.size() > 1) tensor.domain = tensor.domain.coalesce();
  checkOverlaps(tensor);
}

void Elaborator::checkOverlaps(TensorDef& tensor) {
  Set before;
  for (size_t i = 0; i < tensor.targets.size(); ++i) {
    if (tensor.targets[i].equation->broken) continue;
    for (size_t k = 0; k < i; ++k) {
      if (tensor.targets[k].equation->broken) continue;
      Set both = tensor.targets[i].domain.intersect(tensor.targets[k].domain);
      auto point = both.lexmin();
      if (!point) continue;
      std::vector<Var> dims = tensor.dims();
      std::vector<std::pair<std::string, int64_t>> witness;
      std::string at;
      for (size_t d = tensor.hidden.size(); d < dims.size(); ++d) {
        at += (at.empty() ? "" : ", ") + std::to_string((*point)[d]);
        if (!graph_.dim(dims[d]).name.empty()) witness.emplace_back(graph_.dim(dims[d]).name, (*point)[d]);
      }
      std::string what = "`" + tensor.name + (at.empty() ? "`" : "[" + at + "]`");
      report(Diagnostic(Kind::DoubleDefinition, tensor.targets[i].pattern->span, what + " is defined twice")
                 .note(tensor.targets[k].pattern->span, "it is defined here, too")
                 .at(std::move(witness))
                 .hint("restrict one of the equations by a range on the left, `x[t in lo..hi]`, or by `where`"));
      tensor.failed = true;
      return;
    }
  }
}

void Elaborator::createMerges(TensorDef& tensor) {
  std::vector<Var> dims = tensor.dims();
  if (!tensor.signature || tensor.signature->isUnknown() || anyUnknown(tensor.signature)) {
    bool broken = tensor.failed || tensor.signature == nullptr;
    for (const Target& target : tensor.targets) broken |= target.equation->broken;
    tensor.failed = true;
    if (!broken) uninferred_.push_back(&tensor);
    tensor.signature = poison();
    return;
  }
  tensor.signature = mapLeaves(tensor.signature, [&](const Tensor& t, const std::string& path) {
    Node node;
    node.name = path.empty() ? tensor.path : tensor.path + "." + path;
    node.span = tensor.span;
    node.dims = dims;
    node.domain = tensor.domain;
    node.type = t.type;
    node.shape = t.shape;
    node.op = pdg::Merge{};
    NodeId id = graph_.add(std::move(node));
    owners_[id] = &tensor;
    tensor.leaves.push_back(id);
    Tensor leaf = t;
    leaf.view = identity(id, dims, t.type, t.shape).view;
    return make(std::move(leaf));
  });
}

void Elaborator::finishMerges(TensorDef& tensor) {
  for (const Target& target : tensor.targets)
    if (target.equation->broken || target.views.size() != tensor.leaves.size()) return;
  for (size_t leaf = 0; leaf < tensor.leaves.size(); ++leaf) {
    Node& node = graph_.node(tensor.leaves[leaf]);
    pdg::Merge merge;
    std::vector<View> views;
    for (const Target& target : tensor.targets) {
      merge.pieces.push_back({target.domain, Condition::always()});
      views.push_back(target.views[leaf]);
    }
    node.op = std::move(merge);
    attach(node, views);
  }
}

ValueRef Elaborator::part(const ValueRef& value, const std::vector<size_t>& path, Span span, bool distribute) {
  ValueRef here = value;
  for (size_t index : path) {
    if (here->isPoison() || here->isUnknown()) return here;
    if (const Tuple* tuple = here->as<Tuple>()) {
      if (index >= tuple->elements.size()) return fail(Kind::TypeMismatch, span, "the right side has " + std::to_string(tuple->elements.size()) + " parts");
      here = tuple->elements[index];
    } else if (const Record* record = here->as<Record>()) {
      if (index >= record->fields.size()) return fail(Kind::TypeMismatch, span, "the right side has " + std::to_string(record->fields.size()) + " fields");
      here = record->fields[index].second;
    } else if (!distribute) {
      return fail(Kind::TypeMismatch, span, "the left side has several parts, and the right side is " + show(here));
    }
  }
  return here;
}

ValueRef Elaborator::evalRight(System& system, EquationDef& equation, const Place& place) {
  std::string name = equation.defines.empty() ? "_" : equation.defines[0]->path;
  std::string saved = drawPath_;
  drawPath_ = name;
  if (system.program && !dry()) drawCounts_.clear();
  const int64_t before = draws;
  ValueRef value = eval(*equation.item->value, place);
  if (equation.item->drawn) {
    if (equation.item->left.tuple && value->as<Instance>() && hasMethod(value, "sample")) {
      // Each of the names gets a draw of its own.
      std::function<ValueRef(const syntax::Pattern&)> each = [&](const syntax::Pattern& pattern) -> ValueRef {
        if (pattern.tuple) {
          Tuple tuple;
          for (const syntax::Pattern& element : pattern.elements) tuple.elements.push_back(each(element));
          return make(std::move(tuple));
        }
        drawPath_ = system.path.empty() ? pattern.name.text : system.path + "." + pattern.name.text;
        return sampled(value, {}, place, equation.item->value->span, before);
      };
      value = each(equation.item->left);
    } else {
      value = sampled(value, {}, place, equation.item->value->span, before);
    }
  }
  drawPath_ = saved;
  return value;
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
    value = fail(Kind::StaticLimit, equation.item->left.span, "the domains of this equation are too complex to check",
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
        connect(*tensor, target, settled(here, tensor->targets.size() == 1 && target.bare() && equation.touched.empty(), place, target.pattern->span), place);
      }
}

void Elaborator::connect(TensorDef& tensor, Target& target, const ValueRef& value, const Place& place) {
  if (value->isPoison() || anyPoison(value) || tensor.signature->isPoison()) {
    tensor.failed = true;
    return;
  }
  if (value->isUnknown()) return;
  ValueRef fitted = conform(value, tensor.signature, tensor.name, place, target.pattern->span);
  if (fitted->isPoison() || anyPoison(fitted)) return;
  Inverse back = inverse(tensor, target);
  std::vector<View> views;
  forEachTensor(fitted, [&](const Tensor& t, const std::string&) { views.push_back(t.view.substitute(back.of)); });
  target.views = std::move(views);
}

// The value with the types and shapes of the signature: literals adapt, scalars broadcast; anything else is an error.
ValueRef Elaborator::conform(const ValueRef& value, const ValueRef& signature, const std::string& name, const Place& place, Span span) {
  auto mismatch = [&] {
    return fail(Kind::TypeMismatch, span, "`" + name + "` is " + show(signature) + " in another equation, and " + show(value) + " here");
  };
  if (value->isPoison()) return value;
  if (const Tensor* want = signature->as<Tensor>()) {
    auto have = toTensor(value, place, span);
    if (!have) return poison();
    if ((want->type == DType::Bool) != (have->type == DType::Bool)) return mismatch();
    if (have->shape.size() != want->shape.size()) return mismatch();
    std::vector<IndexExpr> shape = want->shape;
    // The signature is over positions, the value over the equation's own variables: the extents of the value rule.
    for (size_t i = 0; i < have->shape.size(); ++i) {
      IndexExpr& extent = shape[shape.size() - have->shape.size() + i];
      if (extent.asConstant() && have->shape[i].asConstant() && *extent.asConstant() != *have->shape[i].asConstant()) return mismatch();
      extent = have->shape[i];
    }
    Tensor fitted = stored(cast(*have, want->type, place), place);
    return make(stored(expand(fitted, shape, place), place));
  }
  if (const Record* want = signature->as<Record>()) {
    const Record* have = value->as<Record>();
    if (!have || have->fields.size() != want->fields.size()) return mismatch();
    Record result{want->type, {}};
    for (const auto& [field, type] : want->fields) {
      const ValueRef* part = have->field(field);
      if (!part) return mismatch();
      result.fields.emplace_back(field, conform(*part, type, name + "." + field, place, span));
    }
    return make(std::move(result));
  }
  if (const Tuple* want = signature->as<Tuple>()) {
    const Tuple* have = value->as<Tuple>();
    if (!have || have->elements.size() != want->elements.size()) return mismatch();
    Tuple result{{}, want->list};
    for (size_t i = 0; i < want->elements.size(); ++i) result.elements.push_back(conform(have->elements[i], want->elements[i], name, place, span));
    return make(std::move(result));
  }
  if (const Instance* want = signature->as<Instance>()) {
    const Instance* have = value->as<Instance>();
    if (!have || have->of->item != want->of->item || have->fields.size() != want->fields.size()) return mismatch();
    Instance result = *want;
    for (size_t i = 0; i < want->fields.size(); ++i)
      result.fields[i].second = conform(have->fields[i].second, want->fields[i].second, name, place, span);
    if (want->weights) {
      if (!have->weights) return mismatch();
      result.weights = conform(have->weights, want->weights, name, place, span);
    }
    return make(std::move(result));
  }
  return value;
}

ValueRef Elaborator::letValue(TensorDef& tensor, Span span) {
  EquationDef& equation = *tensor.targets[0].equation;
  ValueRef& kept = dry() ? equation.dryLetValue : equation.letValue;
  if (!kept) {
    if (tensor.letBusy) return fail(Kind::InstantCycle, span, "`" + tensor.name + "` depends on itself");
    for (TensorDef* other : equation.defines) other->letBusy = true;
    ValueRef value = equation.broken ? poison() : evalRight(*tensor.system, equation, Place{tensor.system->scope, tensor.system->outer});
    for (TensorDef* other : equation.defines) other->letBusy = false;
    if (equation.item->where) value = fail(Kind::NotStatic, equation.item->where->span, "`where` takes an equation with indices");
    kept = value;
  }
  return part(kept, tensor.targets[0].path, tensor.targets[0].pattern->span, false);
}

}  // namespace rlc::sema
