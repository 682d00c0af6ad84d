// Calls: everything is inlined at the point of the call.
#include <algorithm>

#include "compiler/sema/builtins.h"
#include "compiler/sema/elaborator.h"
#include "compiler/sema/names.h"
#include "compiler/syntax/print.h"
#include "compiler/types/lists.h"

namespace rlc::sema {

using Arg = CallArgs::Arg;

ValueRef Elaborator::evalCall(const syntax::CallExpr& e, Span span, const Place& place) {
  const auto* name = e.callee->as<syntax::NameExpr>();
  auto symbol = name ? place.scope->find(name->name) : nullptr;
  const bool builtin = symbol && symbol == builtins_->findHere(name->name);
  if (builtin && (name->name == "begin" || name->name == "end") && e.arguments.size() == 1) {
    if (const auto* index = e.arguments[0].value->as<syntax::NameExpr>())
      return boundOf(index->name, name->name == "end", e.arguments[0].value->span, place);
    return fail(Kind::TypeMismatch, e.arguments[0].value->span,
                "`" + name->name + "` takes the name of an index");
  }
  if (e.comprehension) {
    if (builtin && isReduction(name->name)) return callReduction(name->name, e, span, place);
    if (name && symbol && isReduction(name->name)) {
      report(Diagnostic(Kind::NotCallable, e.callee->span,
                        "`" + name->name + "` is not the reduction here")
                 .note(symbol->span, "the program has a `" + name->name + "` of its own")
                 .hint("give that one another name"));
      return poison();
    }
    return fail(
        Kind::NotCallable, e.callee->span, "`" + syntax::print(*e.callee) + "` takes no `for`",
        "reductions are sum, mean, prod, max, min, argmax, argmin, any, all, std, var, logsumexp");
  }
  if (builtin && name->name == "grad" && e.arguments.size() == 2) {
    const Expr* wrt = e.arguments[1].value.get();
    while (wrt->as<syntax::MemberExpr>() || wrt->as<syntax::SubscriptExpr>())
      wrt = wrt->as<syntax::MemberExpr>() ? wrt->as<syntax::MemberExpr>()->object.get()
                                          : wrt->as<syntax::SubscriptExpr>()->base.get();
    if (!wrt->as<syntax::NameExpr>())
      return fail(Kind::NotDifferentiable, e.arguments[1].value->span,
                  "`grad` takes a tensor, a record, a tensor at a point or a float param",
                  "give the expression a name, use the name in the loss, and differentiate with "
                  "respect to it");
  }
  ValueRef callee = eval(*e.callee, place);
  Place inner = place;
  std::vector<std::pair<std::string, Var>> over;
  const syntax::FnItem* called = calledBody(callee);
  if (called) {
    for (const syntax::Name& index : called->over) {
      std::string want = index.text;
      for (const syntax::Argument& argument : e.arguments)
        if (argument.name && argument.name->text == index.text)
          if (const auto* given = argument.value->as<syntax::NameExpr>()) want = given->name;
      auto found = place.scope->find(want);
      if (!found || found->kind != Symbol::Kind::Index) found = programScope_->find(want);
      if (!found || found->kind != Symbol::Kind::Index)
        return fail(Kind::UnknownName, span,
                    "`" + called->name.text + "` runs over `" + index.text +
                        "`, and there is no such index here",
                    "say which index is meant: `" + called->name.text + "(..., " + index.text +
                        " = NAME)`");
      auto at = lookupIndex(found->var, span, place);
      if (!at || !at->asVariable())
        return fail(Kind::MissingIndex, span,
                    "`" + called->name.text + "` runs over `" + want +
                        "`, which is not an index of this equation",
                    "name it on the left: `x[" + want + "] = " + called->name.text + "(...)`");
      over.emplace_back(index.text, found->var);
      auto wide = inner.space->clone();
      if (!wide->open) {
        Var var = *at->asVariable();
        std::vector<Var> rest;
        for (Var dim : wide->dims)
          if (dim != var) rest.push_back(dim);
        const pdg::Dim& dim = graph_.dim(found->var);
        std::map<Var, IndexExpr> current;
        for (const auto& [declared, now] : wide->index) current[declared] = now;
        wide->domain = wide->over(rest)
                           .extendTo(wide->dims)
                           .intersect(Condition::within(IndexExpr(var), dim.lo.substitute(current),
                                                        dim.hi.substitute(current)));
        wide = wide->clone();
      }
      inner.space = wide;
    }
  }
  std::vector<Arg> args;
  for (const syntax::Argument& argument : e.arguments) {
    bool overName = argument.name && std::any_of(over.begin(), over.end(), [&](const auto& o) {
                      return o.first == argument.name->text;
                    });
    if (overName) continue;
    args.push_back({argument.name ? argument.name->text : "", eval(*argument.value, inner),
                    argument.value->span, argument.value.get()});
  }
  overArguments_ = std::move(over);
  ValueRef result = call(callee, std::move(args), span, inner, e.callee.get());
  overArguments_.clear();
  return result;
}

ValueRef Elaborator::boundOf(const std::string& name, bool end, Span span, const Place& place) {
  auto symbol = place.scope->find(name);
  if (!symbol) return evalName(name, span, place);
  Var index;
  if (symbol->kind == Symbol::Kind::Index) {
    resolveIndex(*symbol, name, programScope_);
    index = symbol->var;
  } else if (symbol->kind == Symbol::Kind::Range && !symbol->range.range &&
             symbol->range.mentions.size() == 1) {
    index = symbol->range.mentions[0];
  } else {
    return fail(Kind::TypeMismatch, span, "`" + name + "` is not an index");
  }
  if (end && untils_.count(index)) return endOf(index, span, place);
  const pdg::Dim& dim = graph_.dim(index);
  IndexExpr bound = end ? dim.hi : dim.lo;
  std::vector<Var> vars;
  bound.collectVariables(vars);
  std::map<Var, IndexExpr> current;
  for (Var var : vars) {
    auto at = lookupIndex(var, span, place);
    if (!at) return poison();
    current[var] = *at;
  }
  return make(indexValue(bound.substitute(current)));
}

ValueRef Elaborator::call(const ValueRef& callee, std::vector<Arg> args, Span span,
                          const Place& place, const Expr* written) {
  if (callee->isPoison()) return poison();
  if (callee->isUnknown()) return unknown();
  if (touching_ && !callee->as<BuiltinRef>()) return unknown();
  ++callCount_;
  if (callDepth_ >= kMaxCallDepth || callCount_ > kMaxCalls) {
    if (!callLimitReported_ && !dry()) {
      callLimitReported_ = true;
      fail(Kind::CallLimit, span,
           callDepth_ >= kMaxCallDepth
               ? "calls nest more than " + std::to_string(kMaxCallDepth) + " deep"
               : "the program makes more than " + std::to_string(kMaxCalls) + " calls",
           "functions are inlined; recursion needs a condition on constants to end it");
    }
    return dry() ? unknown() : poison();
  }
  struct Depth {
    Elaborator& e;
    Depth(Elaborator& elaborator, CallFrame frame) : e(elaborator) {
      ++e.callDepth_;
      e.calls_.push_back(std::move(frame));
    }
    ~Depth() {
      --e.callDepth_;
      e.calls_.pop_back();
    }
  } depth(*this, {span, {written, place.scope}, {}});
  if (const Function* f = callee->as<Function>())
    return callFunction(*f, std::move(args), f->scope, span, place);
  if (const Class* c = callee->as<Class>()) {
    if (c->item->kind == syntax::ModuleItem::Kind::Policy)
      return callPolicy(*c, std::move(args), span, place);
    return instantiate(std::make_shared<const Class>(*c), std::move(args), span, place);
  }
  if (callee->as<Instance>()) return callInstance(callee, std::move(args), span, place);
  if (const Bound* bound = callee->as<Bound>())
    return callMethod(bound->object, bound->method, std::move(args), span, place);
  if (const BuiltinRef* builtin = callee->as<BuiltinRef>()) {
    CallArgs call{std::move(args), span, place};
    for (const Arg& arg : call.args)
      if (arg.value->isPoison()) return poison();
    for (const Arg& arg : call.args)
      if (arg.value->isUnknown()) return unknown();
    return builtins()[static_cast<size_t>(builtin->id)].call(*this, call);
  }
  if (const TypeValue* type = callee->as<TypeValue>()) {
    CallArgs call{std::move(args), span, place};
    return callType(type->type, call);
  }
  if (const RecordType* type = callee->as<RecordType>()) {
    CallArgs call{std::move(args), span, place};
    return makeRecord(*type, call);
  }
  return fail(Kind::NotCallable, span, show(callee) + " can't be called");
}

bool Elaborator::bindParameters(const std::string& what,
                                const std::vector<syntax::Parameter>& parameters,
                                std::vector<Arg> args, Scope& scope, Span span, const Place& place,
                                std::vector<std::pair<std::string, ValueRef>>* bound,
                                const std::set<std::string>& variables) {
  std::vector<ValueRef> values(parameters.size());
  std::vector<Span> spans(parameters.size(), span);
  std::vector<const Expr*> written(parameters.size(), nullptr);
  size_t next = 0;
  bool ok = true;
  for (Arg& arg : args) {
    size_t at = parameters.size();
    if (arg.name.empty()) {
      at = next++;
    } else {
      for (size_t i = 0; i < parameters.size(); ++i)
        if (parameters[i].name.text == arg.name) at = i;
      if (at == parameters.size()) {
        std::vector<std::string> names;
        for (const auto& p : parameters) names.push_back(p.name.text);
        fail(Kind::BadArguments, arg.span, "`" + what + "` has no parameter `" + arg.name + "`",
             diagnostics::orWhatItHas(arg.name, names));
        ok = false;
        continue;
      }
    }
    if (at >= parameters.size()) {
      fail(Kind::BadArguments, arg.span,
           "`" + what + "` takes " + std::to_string(parameters.size()) +
               (parameters.size() == 1 ? " argument" : " arguments") + ", and here are " +
               std::to_string(args.size()));
      return false;
    }
    if (values[at]) {
      fail(Kind::BadArguments, arg.span, "`" + parameters[at].name.text + "` is given twice");
      ok = false;
      continue;
    }
    values[at] = arg.value;
    spans[at] = arg.span;
    written[at] = arg.written;
  }
  if (!ok) return false;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const syntax::Parameter& p = parameters[i];
    if (!values[i] && p.default_value)
      values[i] = eval(*p.default_value, Place{scope.shared_from_this(), place.space});
    if (!values[i]) {
      fail(Kind::BadArguments, span,
           "the argument `" + p.name.text + "` of `" + what + "` is missing");
      return false;
    }
    if (p.type && !values[i]->isPoison()) {
      values[i] = annotated(values[i], *p.type, scope, "`" + p.name.text + "`", place, spans[i]);
      if (values[i]->isPoison()) return false;
    }
    if (variables.contains(p.name.text)) values[i] = asVariables(values[i], place);
    scope.bind(p.name.text, values[i], p.name.span);
    if (written[i] && !calls_.empty())
      calls_.back().given[scope.findHere(p.name.text)] = {spans[i], {written[i], place.scope}};
    if (bound) bound->emplace_back(p.name.text, values[i]);
  }
  return true;
}

ValueRef Elaborator::callFunction(const Function& f, std::vector<Arg> args,
                                  const std::shared_ptr<Scope>& parent, Span span,
                                  const Place& place) {
  std::vector<std::pair<std::string, Var>> over;
  std::swap(over, overArguments_);
  if (over.size() != f.item->over.size())
    return fail(Kind::NotCallable, span,
                "`" + f.item->name.text + "` runs over an index: call it by its name");
  bool unknownArgument =
      std::any_of(args.begin(), args.end(), [](const Arg& a) { return a.value->isUnknown(); });
  if (unknownArgument && callDepth_ > 32) return unknown();
  auto scope = childOf(parent, f.path);
  if (!bindParameters(f.item->name.text, f.item->parameters, std::move(args), *scope, span, place,
                      nullptr, differentiatedBy(*f.item)))
    return poison();
  for (const auto& [name, index] : over) {
    auto alias = std::make_shared<Symbol>();  // the index, of the program or of a function
    alias->kind = Symbol::Kind::Index;
    alias->span = graph_.dim(index).span;
    alias->var = index;
    alias->indexReady = true;
    scope->symbols[name] = alias;
    auto at = lookupIndex(index, span, place);
    for (const syntax::Parameter& p : f.item->parameters) {
      auto symbol = scope->findHere(p.name.text);
      symbol->kind = Symbol::Kind::Over;
      if (at && at->asVariable())
        symbol->positions.push_back({*at->asVariable(), index, true, graph_.dim(index).name});
    }
  }
  overIndices_.clear();
  for (const auto& [name, index] : over) overIndices_.push_back(index);
  ValueRef result = evalBody(f.item->body, scope, place, span);
  if (f.item->result)
    result = annotated(result, *f.item->result, *scope, "the result of `" + f.item->name.text + "`",
                       place, span);
  return result;
}

ValueRef Elaborator::evalBody(const syntax::Body& body, const std::shared_ptr<Scope>& scope,
                              const Place& place, Span span) {
  if (body.expr) {
    overIndices_.clear();
    return eval(*body.expr, Place{scope, place.space});
  }
  return evalBlock(body.items, scope, place, span, true);
}

ValueRef Elaborator::evalBlock(const syntax::Block& items, const std::shared_ptr<Scope>& scope,
                               const Place& place, Span, bool needResult) {
  std::vector<Var> over;
  std::swap(over, overIndices_);
  std::vector<const syntax::Item*> equations;
  std::vector<Var> own;
  const syntax::Item* result = nullptr;
  const bool closes = std::any_of(items.begin(), items.end(), [](const syntax::Item& i) {
    return !i.as<syntax::EquationItem>() && !i.as<syntax::ExprItem>();
  });
  if (closes) blockScopes_.push_back(scope);
  for (const syntax::Item& item : items) {
    if (item.as<syntax::EquationItem>()) {
      equations.push_back(&item);
    } else if (item.as<syntax::ExprItem>()) {
      result = &item;
    } else if (const auto* fn = item.as<syntax::FnItem>()) {
      scope->bind(fn->name.text, make(Function{fn, scope, scope->path + "." + fn->name.text}),
                  fn->name.span);
    } else if (const auto* record = item.as<syntax::RecordItem>()) {
      scope->bind(record->name.text, make(RecordType{record->name.text, &record->fields, scope}),
                  record->name.span);
    } else if (const auto* module = item.as<syntax::ModuleItem>()) {
      scope->bind(module->name.text,
                  make(Class{module, scope, scope->path + "." + module->name.text}),
                  module->name.span);
    } else if (const auto* index = item.as<syntax::IndexItem>(); index && !index->until) {
      auto lo = affine(*index->range.lo, Place{scope, place.space}, "a range's bound");
      auto hi = affine(*index->range.hi, Place{scope, place.space}, "a range's bound");
      auto symbol = std::make_shared<Symbol>();
      symbol->kind = Symbol::Kind::Index;
      symbol->indexItem = index;
      symbol->indexReady = true;
      pdg::Dim dim;
      dim.name = index->name.text;
      dim.span = index->name.span;
      dim.lo = lo.value_or(IndexExpr(0));
      dim.hi = hi.value_or(IndexExpr(0)) + (index->range.inclusive ? 1 : 0);
      symbol->var = graph_.addDim(std::move(dim));
      own.push_back(symbol->var);
      declare(scope, index->name, symbol);
    } else if (const auto* params = item.as<syntax::ParamItem>()) {
      for (const syntax::ParamDecl& p : params->params) {
        const Place here{scope, place.space};
        ValueRef value = p.value ? eval(*p.value, here) : poison();
        if (p.type && p.value)
          value = annotated(value, *p.type, *scope, "`" + p.name.text + "`", here, p.value->span);
        scope->bind(p.name.text, value, p.name.span);
      }
    } else if (!item.as<syntax::BrokenItem>()) {
      fail(Kind::MisplacedItem, item.span, "this item can't stand in a function's body",
           "a body has params, indices, equations, functions and a result");
    }
  }
  if (!equations.empty()) {
    auto system = makeSystem(equations, scope, place.space, over, false);
    systems_.push_back(system);
    elaborateSystem(*system);
  }
  if (!result) return needResult ? poison() : nullptr;
  const syntax::Expr& written = *result->as<syntax::ExprItem>()->value;
  return leaving(eval(written, Place{scope, place.space}), own, written.span, place);
}

// What a block gives, which can't vary over the indices that are named in the block only.
ValueRef Elaborator::leaving(ValueRef value, const std::vector<Var>& own, Span span,
                             const Place& place) {
  std::vector<Var> used;
  forEachTensor(value, [&](const Tensor& t, const std::string&) { t.view.collectDims(used); });
  const auto left =
      std::find_if(own.begin(), own.end(), [&](Var index) { return contains(used, index); });
  if (left == own.end()) return value;
  const std::string name = graph_.dim(*left).name;
  // The mistake is here, not that an equation's left side lacks the index.
  if (place.space->touched) place.space->touched->erase(*left);
  return fail(Kind::MissingIndex, span,
              "the result varies over `" + name + "`, which is known in this body only",
              "take a part of it, `x[" + name + ": 0..k]` say, or reduce over it: `sum(... for " +
                  name + ")`");
}

}  // namespace rlc::sema
