// Expressions to values.
#include <algorithm>
#include <cstdlib>

#include "compiler/sema/elaborator.h"
#include "compiler/sema/env_methods.h"

namespace rlc::sema {

using syntax::BinaryOp;
using syntax::Overloaded;

ValueRef Elaborator::eval(const Expr& expr, const Place& place) {
  const Span span = expr.span;
  const char here = 0;
  if (!stackBase_) stackBase_ = &here;
  if (std::abs(stackBase_ - &here) > kMaxStack) {
    if (dry()) return unknown();
    if (!callLimitReported_)
      fail(Kind::CallLimit, span, "calls and expressions nest too deeply here",
           "functions are inlined; recursion needs a condition on constants to end it");
    callLimitReported_ = true;
    return poison();
  }
  return std::visit(
      Overloaded{
          [&](const syntax::IntLiteral& e) { return make(intLiteral(e.value)); },
          [&](const syntax::FloatLiteral& e) { return make(floatLiteral(e.value)); },
          [&](const syntax::BoolLiteral& e) { return make(boolLiteral(e.value)); },
          [&](const syntax::StringLiteral& e) { return make(Text{e.value}); },
          [&](const syntax::NameExpr& e) { return evalName(e.name, span, place); },
          [&](const syntax::MemberExpr& e) { return evalMember(e, span, place); },
          [&](const syntax::CallExpr& e) { return evalCall(e, span, place); },
          [&](const syntax::SubscriptExpr& e) { return evalSubscript(e, span, place); },
          [&](const syntax::UnaryExpr& e) {
            return unary(e.op, eval(*e.operand, place), place, span);
          },
          [&](const syntax::BinaryExpr& e) {
            if (e.op == BinaryOp::And || e.op == BinaryOp::Or) return evalLogic(e, span, place);
            ValueRef left = eval(*e.left, place);
            ValueRef right = eval(*e.right, place);
            return binary(e.op, left, right, place, span);
          },
          [&](const syntax::IfExpr& e) { return evalIf(e, span, place); },
          [&](const syntax::TupleExpr& e) {
            Tuple tuple;
            for (const auto& element : e.elements) tuple.elements.push_back(eval(*element, place));
            return make(std::move(tuple));
          },
          [&](const syntax::ListExpr& e) { return evalList(e, span, place); },
          [&](const syntax::RecordExpr& e) {
            Record record;
            for (const auto& field : e.fields)
              record.fields.emplace_back(field.name.text, eval(*field.value, place));
            return make(std::move(record));
          },
      },
      expr.node);
}

ValueRef Elaborator::evalName(const std::string& name, Span span, const Place& place) {
  std::shared_ptr<Symbol> symbol = place.scope->find(name);
  if (!symbol) {
    std::vector<std::string> names;
    // A suggestion takes a look at every name; nobody sees those of inference or past the limit.
    if (!dry() && !sink_.full()) place.scope->visibleNames(names);
    std::sort(names.begin(), names.end());
    std::string hint = dry() || sink_.full() ? "" : libraryHint(name);
    if (hint.empty()) hint = diagnostics::didYouMean(name, names);
    return fail(Kind::UnknownName, span, "there is no `" + name + "`", hint);
  }
  if (!dry() && symbol->span.known() && names_.size() < 200'000)
    names_.push_back({span, symbol->span, ""});
  return valueOf(symbol, name, span, place);
}

// An argument of `over t` at the point where the body is; in a reduction `for t` at each of its
// points, as a tensor over t.
ValueRef Elaborator::readOver(const Symbol& symbol, const std::string& name, Span span,
                              const Place& place) {
  std::vector<Slot> slots(symbol.positions.size());
  bool here = true;
  for (size_t k = 0; k < slots.size(); ++k) {
    const auto bound = place.space->index.find(symbol.positions[k].index);
    if (bound == place.space->index.end() || bound->second == IndexExpr(symbol.positions[k].var))
      continue;
    slots[k].kind = Slot::Kind::Fixed;
    slots[k].at = bound->second;
    here = false;
  }
  if (here) return symbol.value;
  // The call has checked the argument along all of the index.
  return readAt(symbol.positions, symbol.value, nullptr, name, slots, span, place);
}

ValueRef Elaborator::valueOf(const std::shared_ptr<Symbol>& symbol, const std::string& name,
                             Span span, const Place& place) {
  switch (symbol->kind) {
    case Symbol::Kind::Value:
      return symbol->value;
    case Symbol::Kind::Over:
      return readOver(*symbol, name, span, place);
    case Symbol::Kind::Param: {
      resolveParam(*symbol);
      return params_[static_cast<size_t>(symbol->param)].value;
    }
    case Symbol::Kind::Index: {
      if (!symbol->indexReady && !symbol->busy)
        return fail(Kind::UnknownName, span, "the index `" + name + "` is declared later",
                    "declare it before it is used in a bound");
      resolveIndex(*symbol, name, programScope_);
      auto expr = lookupIndex(symbol->var, span, place);
      return expr ? make(indexValue(*expr)) : poison();
    }
    case Symbol::Kind::Range:
      return make(indexValue(IndexExpr(symbol->range.var)));
    case Symbol::Kind::Tensor:
      return readTensor(*symbol->tensor, span, place);
    case Symbol::Kind::Static: {
      if (symbol->value) return symbol->value;
      if (symbol->busy) return fail(Kind::InstantCycle, span, "`" + name + "` depends on itself");
      symbol->busy = true;
      auto space = std::make_shared<Space>();
      space->domain = Set::universe(context_, {});
      ValueRef value = eval(*symbol->equation->value, Place{symbol->import, space});
      symbol->busy = false;
      if (!dry()) symbol->value = value;
      return value;
    }
    case Symbol::Kind::Import:
      return poison();
  }
  return poison();
}

std::optional<IndexExpr> Elaborator::lookupIndex(Var index, Span, const Place& place) {
  auto it = place.space->index.find(index);
  if (it != place.space->index.end()) return it->second;
  if (place.space->touched) place.space->touched->insert(index);
  if (place.space->open) return IndexExpr(index);
  return std::nullopt;
}

// An equation's domain has the indices of what it does not need, too: it must not depend on the
// values of params. What a function does with them is its own matter, and a call that is not needed
// may never end.
void Elaborator::touchIndices(const Expr& unneeded, const Place& place) {
  if (!place.space->touched || !place.space->open || callDepth_ != inferringAt_) return;
  DryRun quiet(*this);
  const int errors = unsaidErrors_;
  const void* equation = std::exchange(inferring_, nullptr);
  const bool outer = std::exchange(touching_, true);
  eval(unneeded, place);
  touching_ = outer;
  inferring_ = equation;
  unsaidErrors_ = errors;
}

// While types are guesses, a branch that fails says nothing about the type of the whole.
ValueRef Elaborator::evalBranch(const Expr& expr, const Place& place) {
  const int before = unsaidErrors_;
  ValueRef value = eval(expr, place);
  if (!guessing_ || !dry() || unsaidErrors_ == before) return value;
  unsaidErrors_ = before;
  return poison();
}

ValueRef Elaborator::joinBranches(
    const syntax::IfExpr& e, const Place& place,
    const std::function<ValueRef(const ValueRef&, const ValueRef&)>& join) {
  const int before = unsaidErrors_;
  ValueRef yes = evalBranch(*e.then_value, place);
  ValueRef no = evalBranch(*e.else_value, place);
  if (yes->isUnknown()) return no;
  if (no->isUnknown()) return yes;
  if (guessing_ && dry() && yes->isPoison() != no->isPoison()) return yes->isPoison() ? no : yes;
  if (yes->isPoison() && no->isPoison()) unsaidErrors_ = before + 1;
  return join(yes, no);
}

ValueRef Elaborator::evalIf(const syntax::IfExpr& e, Span span, const Place& place) {
  ValueRef condition =
      guessing_ && dry() ? evalBranch(*e.condition, place) : eval(*e.condition, place);
  const bool guess = guessing_ && dry() && condition->isPoison();
  if (condition->isPoison() && !guess) return poison();
  if (condition->isUnknown() || guess)
    return joinBranches(e, place, [&](const ValueRef& yes, const ValueRef& no) {
      return mapLeaves(joinSignatures(yes, no, false, span),
                       [&](const Tensor& leaf, const std::string&) {
                         Tensor read = leaf;
                         if (!read.isStatic() && read.view.producer < 0)
                           read.view = identity(kDryNode, {}, read.type, read.shape).view;
                         return make(std::move(read));
                       });
    });
  auto test = boolTensor(condition, place, e.condition->span, "a condition");
  if (!test) return poison();
  if (auto fixed = test->constantBool()) {
    useStatically(*test);
    touchIndices(*fixed ? *e.else_value : *e.then_value, place);
    return eval(*fixed ? *e.then_value : *e.else_value, place);
  }
  bool failed = false;
  auto where = pointsWhere(*test, place, e.condition->span, failed);
  if (failed) return poison();
  if (!where)
    return joinBranches(e, place, [&](const ValueRef& yes, const ValueRef& no) {
      return lift(
          {yes, no},
          [&](const std::vector<Tensor>& branches) {
            return make(select(*test, branches[0], branches[1], place, span));
          },
          place, span);
    });
  if (dry())
    return joinBranches(e, place, [&](const ValueRef& yes, const ValueRef& no) {
      return mergeValues(Set(), {}, yes, no, place, span);
    });
  const std::vector<Var> vars = where->vars();
  Set outside = place.space->over(vars).subtract(*where);
  // Lists become tensors where their elements are readable.
  auto branch = [&](const Expr& e_, const Set& points) {
    Place inner{place.scope, place.space->narrow(points)};
    return settled(eval(e_, inner), false, inner, e_.span);
  };
  ValueRef yes = branch(*e.then_value, *where);
  ValueRef no = branch(*e.else_value, outside);
  return mergeValues(*where, vars, yes, no, place, span);
}

ValueRef Elaborator::evalLogic(const syntax::BinaryExpr& e, Span span, const Place& place) {
  const bool isAnd = e.op == BinaryOp::And;
  ValueRef left = eval(*e.left, place);
  const Tensor* test = left->as<Tensor>();
  if (!test || test->type != DType::Bool || !(test->condition || test->function))
    return binary(e.op, left, eval(*e.right, place), place, span);
  if (auto fixed = test->constantBool()) {
    useStatically(*test);
    if (*fixed != isAnd) {
      touchIndices(*e.right, place);
      return left;
    }
    ValueRef right = eval(*e.right, place);
    return binary(e.op, left, right, place, span);
  }
  bool failed = false;
  auto where = pointsWhere(*test, place, e.left->span, failed);
  if (failed || !where) return poison();
  if (dry()) return binary(e.op, left, eval(*e.right, place), place, span);
  Set rest = isAnd ? *where : place.space->over(where->vars()).subtract(*where);
  ValueRef right = eval(*e.right, Place{place.scope, place.space->narrow(rest)});
  const Tensor* other = right->as<Tensor>();
  if (!other || other->condition || other->type != DType::Bool)
    return binary(e.op, left, right, place, span);
  ValueRef shortcut = make(boolLiteral(!isAnd));
  ValueRef value = isAnd ? mergeValues(*where, where->vars(), right, shortcut, place, span)
                         : mergeValues(*where, where->vars(), shortcut, right, place, span);
  if (!other->function) return value;
  // What is known of both at compile time stays known; its value is read from the right side only
  // where that side has one.
  ValueRef known = binary(e.op, left, right, place, span);
  if (!known->as<Tensor>() || !value->as<Tensor>()) return value;
  Tensor both = *known->as<Tensor>();
  both.view = value->as<Tensor>()->view;
  return make(std::move(both));
}

ValueRef Elaborator::evalMember(const syntax::MemberExpr& e, Span span, const Place& place) {
  return member(eval(*e.object, place), e.member.text, span, place);
}

ValueRef Elaborator::member(const ValueRef& object, const std::string& name, Span span,
                            const Place& place) {
  if (object->isPoison() || object->isUnknown()) return object;
  if (const Record* record = object->as<Record>()) {
    if (const ValueRef* field = record->field(name)) return *field;
    std::vector<std::string> names;
    for (const auto& [field, value] : record->fields) names.push_back(field);
    return fail(Kind::UnknownField, span, show(object) + " has no field `" + name + "`",
                diagnostics::didYouMean(name, names));
  }
  if (const Instance* instance = object->as<Instance>()) {
    if (const ValueRef* field = instance->field(name)) {
      if (const Instance* sub = (*field)->as<Instance>();
          sub && instance->weights && sub->hasWeights)
        return withWeights(*sub, member(instance->weights, name, span, place));
      return *field;
    }
    if (instance->weights)
      if (const Record* weights = instance->weights->as<Record>())
        if (const ValueRef* weight = weights->field(name)) return *weight;
    if (hasMethod(object, name)) return make(Bound{object, name});
    if (instance->of->item->kind == syntax::ModuleItem::Kind::Env)
      return isEnvMethod(name) ? make(Bound{object, name})
                               : callEnv(*instance, name, {}, span, place);
    return fail(Kind::UnknownField, span,
                "`" + instance->of->item->name.text + "` has no member `" + name + "`");
  }
  if (const Class* c = object->as<Class>()) {
    if (c->item->kind == syntax::ModuleItem::Kind::Env)
      return member(instantiate(std::make_shared<const Class>(*c), {}, span, place), name, span,
                    place);
    return make(Bound{object, name});
  }
  if (const Tuple* tuple = object->as<Tuple>();
      tuple && tuple->list && !tuple->elements.empty() && tuple->elements[0]->as<Record>())
    return fail(Kind::UnknownField, span, "a list has no field `" + name + "`",
                "take one of its elements first");
  if (const Tensor* tensor = object->as<Tensor>()) {
    if (name == "T") {
      CallArgs args{{{"", object, span}}, span, place};
      return call(evalName("transpose", span, place), std::move(args.args), span, place);
    }
    std::string hint;
    if (name == "log_prob" || name == "entropy")
      hint = "a distribution has it, and a policy gives one: `Categorical(logits = ...)`";
    else if (builtins_->findHere(name))
      hint = "it is a function: `" + name + "(x)`";
    return fail(Kind::UnknownField, span,
                "a tensor " + show(make(*tensor)) + " has no field `" + name + "`", hint);
  }
  return fail(Kind::UnknownField, span, show(object) + " has no field `" + name + "`",
              object->as<BuiltinRef>() && !dry() && !sink_.full() ? libraryHint(name) : "");
}

ValueRef Elaborator::evalList(const syntax::ListExpr& e, Span, const Place& place) {
  Tuple tuple{{}, true};
  bool poisoned = false, open = false;
  for (const auto& element : e.elements) {  // all of them: each may have an error of its own
    tuple.elements.push_back(eval(*element, place));
    poisoned |= tuple.elements.back()->isPoison();
    open |= tuple.elements.back()->isUnknown();
  }
  if (poisoned) return poison();
  return open ? unknown() : make(std::move(tuple));
}

}  // namespace rlc::sema
