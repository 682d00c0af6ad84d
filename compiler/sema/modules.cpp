// Modules and policies: compile-time instances whose weights are a record, nested by the names of
// sub-modules.
#include <algorithm>

#include "compiler/sema/elaborator.h"
#include "compiler/sema/names.h"

namespace rlc::sema {

using Arg = CallArgs::Arg;
using syntax::ModuleItem;

namespace {

using Functions = std::set<const syntax::FnItem*>;

bool hasParameter(const syntax::FnItem& fn, const std::string& name) {
  return std::any_of(
      fn.parameters.begin(), fn.parameters.end(),
      [&](const syntax::Parameter& parameter) { return parameter.name.text == name; });
}

// Whether an equation of a module makes a sub-module (or a list of them), by the look of its right
// side, and of those of the functions it calls; `within` are these, the last of which is `around`:
// its parameters are not what has their names elsewhere.
bool makesModule(const Expr& expr, const Scope& scope, const Functions& within = {},
                 const syntax::FnItem* around = nullptr) {
  if (const auto* call = expr.as<syntax::CallExpr>()) {
    const auto* name = call->callee->as<syntax::NameExpr>();
    if (!name || (around && hasParameter(*around, name->name))) return false;
    auto symbol = scope.find(name->name);
    if (!symbol || symbol->kind != Symbol::Kind::Value || !symbol->value) return false;
    if (const Class* c = symbol->value->as<Class>())
      return c->item->kind == ModuleItem::Kind::Module;
    if (symbol->value->as<BuiltinRef>() && name->name == "list" && call->comprehension &&
        !call->arguments.empty())
      return makesModule(*call->arguments[0].value, scope, within, around);
    if (const Function* f = symbol->value->as<Function>();
        f && f->item->body.expr && !within.count(f->item)) {
      Functions inner = within;
      inner.insert(f->item);
      return makesModule(*f->item->body.expr, *f->scope, inner, f->item);
    }
    return false;
  }
  if (const auto* choice = expr.as<syntax::IfExpr>())
    return makesModule(*choice->then_value, scope, within, around) ||
           makesModule(*choice->else_value, scope, within, around);
  if (const auto* list = expr.as<syntax::ListExpr>())
    return !list->elements.empty() && makesModule(*list->elements[0], scope, within, around);
  return false;
}

bool carriesWeights(const ValueRef& value) {
  if (const Instance* instance = value->as<Instance>()) return instance->hasWeights;
  if (const Tuple* tuple = value->as<Tuple>())
    return std::any_of(tuple->elements.begin(), tuple->elements.end(), carriesWeights);
  return false;
}

const syntax::FnItem* ownMethod(const ModuleItem& item, const std::string& name) {
  for (const syntax::Item& member : item.members)
    if (const auto* fn = member.as<syntax::FnItem>(); fn && fn->name.text == name) return fn;
  return nullptr;
}

// Whether a method reads the instance's weights, itself or through other members.
bool readsWeights(const Instance& instance, const syntax::FnItem& method) {
  std::set<std::string> names, seen;
  collectNames(method, names);
  while (!names.empty()) {
    const std::string name = *names.begin();
    names.erase(names.begin());
    if (!seen.insert(name).second) continue;
    if (const ValueRef* field = instance.field(name); field && carriesWeights(*field)) return true;
    for (const syntax::Item& member : instance.of->item->members) {
      if (const auto* weight = member.as<syntax::WeightItem>(); weight && weight->name.text == name)
        return true;
      if (const auto* fn = member.as<syntax::FnItem>(); fn && fn->name.text == name)
        collectNames(*fn, names);
      if (const auto* equation = member.as<syntax::EquationItem>();
          equation && equation->left.name.text == name)
        collectNames(*equation->value, names);
    }
  }
  return false;
}

// One that may make a sub-module: `name = ...`.
const syntax::EquationItem* plainEquation(const syntax::Item& item) {
  const auto* equation = item.as<syntax::EquationItem>();
  const bool plain =
      equation && !equation->drawn && !equation->left.tuple && !equation->left.subscripted;
  return plain ? equation : nullptr;
}

const syntax::EquationItem* subModule(const syntax::Item& item, const Scope& scope) {
  const syntax::EquationItem* equation = plainEquation(item);
  return equation && makesModule(*equation->value, scope) ? equation : nullptr;
}

// Whether it calls what neither the module nor anything around it defines: a sub-module whose `use`
// is missing, perhaps.
bool callsUnknown(const syntax::Item& item, const ModuleItem& module, const Scope& scope) {
  const syntax::EquationItem* equation = plainEquation(item);
  const auto* call = equation ? equation->value->as<syntax::CallExpr>() : nullptr;
  const auto* callee = call ? call->callee->as<syntax::NameExpr>() : nullptr;
  if (!callee || scope.find(callee->name)) return false;
  std::set<std::string> free;
  collectNames(module, free);  // but for what its members define
  return free.contains(callee->name);
}

}  // namespace

// The value with weights bound to every instance in it, by structure.
static ValueRef bindWeights(Elaborator& e, const ValueRef& value, const ValueRef& weights) {
  if (const Instance* instance = value->as<Instance>())
    return instance->hasWeights ? e.withWeights(*instance, weights) : value;
  const Tuple* tuple = value->as<Tuple>();
  const Tuple* parts = weights->as<Tuple>();
  if (!tuple || !parts || tuple->elements.size() != parts->elements.size()) return value;
  Tuple result{{}, tuple->list};
  for (size_t i = 0; i < tuple->elements.size(); ++i)
    result.elements.push_back(bindWeights(e, tuple->elements[i], parts->elements[i]));
  return make(std::move(result));
}

ValueRef Elaborator::withWeights(const Instance& instance, const ValueRef& weights) {
  Instance bound = instance;
  bound.weights = weights;
  return make(std::move(bound));
}

// The scope of a module's members: its class's, with `bound` and the plain equations as lets.
std::shared_ptr<Scope> Elaborator::memberScope(
    const Class& c, const std::vector<std::pair<std::string, ValueRef>>& bound,
    const ValueRef& self, const BlockEquations& block, const Place& place, const Instance* made) {
  auto scope = childOf(c.scope, c.path);
  for (const auto& [name, value] : bound) scope->bind(name, value);
  if (const Instance* instance = self ? self->as<Instance>() : made; instance && !calls_.empty())
    for (const auto& [name, at] : instance->places)
      calls_.back().given[scope->findHere(name)] = {at, {}};
  if (self)
    for (const syntax::Item& item : c.item->members)
      if (const auto* fn = item.as<syntax::FnItem>(); fn && !scope->findHere(fn->name.text))
        scope->bind(fn->name.text, make(Bound{self, fn->name.text}), fn->name.span);
  std::vector<const syntax::Item*> equations = block.items;
  for (const syntax::Item& item : c.item->members)
    if (const auto* equation = item.as<syntax::EquationItem>();
        equation && !scope->findHere(equation->left.name.text) && !subModule(item, *scope))
      equations.push_back(&item);
  if (!equations.empty()) {
    auto system = makeSystem(equations, scope, place.space, {}, false);
    system->renews = block.renews;
    systems_.push_back(system);
    elaborateSystem(*system);
  }
  return scope;
}

ValueRef Elaborator::instantiate(const std::shared_ptr<const Class>& c, std::vector<Arg> args,
                                 Span span, const Place& place) {
  const ModuleItem& item = *c->item;
  Instance instance;
  instance.of = c;
  auto scope = childOf(c->scope, c->path);
  // `param` members are arguments by name, too.
  std::vector<Arg> own;
  std::map<std::string, ValueRef> overrides;
  for (Arg& arg : args) {
    bool isParam = false;
    for (const syntax::Item& member : item.members)
      if (const auto* params = member.as<syntax::ParamItem>())
        for (const syntax::ParamDecl& p : params->params)
          isParam |= !arg.name.empty() && p.name.text == arg.name;
    if (isParam)
      overrides[arg.name] = arg.value;
    else
      own.push_back(std::move(arg));
  }
  const bool policy = item.kind == ModuleItem::Kind::Policy;
  if (policy) {
    for (const syntax::Parameter& p : item.parameters)
      scope->bind(p.name.text, unknown(), p.name.span);
  } else if (!bindParameters(item.name.text, item.parameters, std::move(own), *scope, span, place,
                             &instance.fields)) {
    return poison();
  }
  for (const auto& [name, value] : instance.fields) {
    instance.hasWeights |= carriesWeights(value);
    if (const auto at = argumentOf(scope->findHere(name), 0))
      instance.places.emplace_back(name, *at);
  }
  for (const syntax::Item& member : item.members)
    if (const auto* params = member.as<syntax::ParamItem>())
      for (const syntax::ParamDecl& p : params->params) {
        ValueRef value = overrides.count(p.name.text) ? overrides[p.name.text]
                         : p.value                    ? eval(*p.value, Place{scope, place.space})
                                                      : poison();
        scope->bind(p.name.text, value, p.name.span);
        instance.fields.emplace_back(p.name.text, value);
      }
  // Sub-modules see the plain equations as names.
  std::vector<std::pair<std::string, ValueRef>> bound = instance.fields;
  if (policy)
    for (const syntax::Parameter& p : item.parameters) bound.emplace_back(p.name.text, unknown());
  std::shared_ptr<Scope> members = memberScope(*c, bound, nullptr, {}, place, &instance);
  for (const syntax::Item& member : item.members) {
    if (member.as<syntax::WeightItem>()) instance.hasWeights = true;
    if (callsUnknown(member, item, *members)) {
      eval(*plainEquation(member)->value, Place{members, place.space});  // says so
      return poison();
    }
    if (const auto* equation = subModule(member, *members)) {
      ValueRef value = eval(*equation->value, Place{members, place.space});
      if (value->isPoison()) return poison();
      instance.hasWeights |= carriesWeights(value);
      members->bind(equation->left.name.text, value, equation->left.name.span);
      instance.fields.emplace_back(equation->left.name.text, value);
    }
  }
  return make(std::move(instance));
}

std::shared_ptr<Scope> Elaborator::instanceScope(const Instance& instance, const Place& place) {
  std::vector<std::pair<std::string, ValueRef>> bound;
  const Record* weights = instance.weights ? instance.weights->as<Record>() : nullptr;
  for (const auto& [name, value] : instance.fields) {
    const ValueRef* part = weights ? weights->field(name) : nullptr;
    bound.emplace_back(name,
                       part && carriesWeights(value) ? bindWeights(*this, value, *part) : value);
  }
  if (weights)
    for (const syntax::Item& member : instance.of->item->members)
      if (const auto* weight = member.as<syntax::WeightItem>())
        if (const ValueRef* value = weights->field(weight->name.text))
          bound.emplace_back(weight->name.text, *value);
  return memberScope(*instance.of, bound, make(instance), {}, place);
}

bool Elaborator::hasMethod(const ValueRef& object, const std::string& method) const {
  const Instance* instance = object->as<Instance>();
  const Class* c = object->as<Class>();
  if (!instance && !c) return false;
  const ModuleItem& item = *(instance ? instance->of->item : c->item);
  if (ownMethod(item, method)) return true;
  if (method == "init") return item.kind != ModuleItem::Kind::Env;
  return false;
}

const syntax::FnItem* Elaborator::calledBody(const ValueRef& callee) const {
  if (const Function* f = callee->as<Function>()) return f->item;
  const Bound* bound = callee->as<Bound>();
  const ValueRef& object = bound ? bound->object : callee;
  const Instance* instance = object->as<Instance>();
  const Class* c = object->as<Class>();
  if (!instance && !(bound && c)) return nullptr;
  return ownMethod(*(instance ? instance->of->item : c->item), bound ? bound->method : "apply");
}

ValueRef Elaborator::callMethod(const ValueRef& object, const std::string& method,
                                std::vector<Arg> args, Span span, const Place& place) {
  std::vector<std::pair<std::string, Var>> over;
  std::swap(over, overArguments_);  // they are for the method, not for what its scope needs
  if (object->isPoison() || object->isUnknown()) return object;
  if (const Class* c = object->as<Class>()) {
    if (c->item->kind == ModuleItem::Kind::Module &&
        ownMethod(*c->item, method)) {  // Adam.step: with the default arguments
      ValueRef instance = instantiate(std::make_shared<const Class>(*c), {}, span, place);
      overArguments_ = std::move(over);
      return callMethod(instance, method, std::move(args), span, place);
    }
    if (method != "init" || c->item->kind == ModuleItem::Kind::Env)
      return fail(Kind::UnknownField, span,
                  "`" + c->item->name.text + "` has no method `" + method + "`");
    ValueRef instance =
        instantiate(std::make_shared<const Class>(*c), std::move(args), span, place);
    return instance->as<Instance>() ? initWeights(*instance->as<Instance>(), span, place)
                                    : instance;
  }
  const Instance* instance = object->as<Instance>();
  if (!instance) return fail(Kind::NotCallable, span, show(object) + " has no methods");
  if (instance->of->item->kind == ModuleItem::Kind::Env) {
    overArguments_ = std::move(over);
    return callEnv(*instance, method, std::move(args), span, place);
  }
  const syntax::FnItem* fn = ownMethod(*instance->of->item, method);
  if (!fn && method == "init") return initWeights(*instance, span, place);
  if (!fn) {
    std::vector<std::string> names;
    for (const syntax::Item& member : instance->of->item->members)
      if (const auto* f = member.as<syntax::FnItem>()) names.push_back(f->name.text);
    return fail(Kind::UnknownField, span,
                "`" + instance->of->item->name.text + "` has no method `" + method + "`",
                diagnostics::didYouMean(method, names));
  }
  ValueRef self = object;
  if (instance->hasWeights && !instance->weights && readsWeights(*instance, *fn)) {
    if (args.empty() || !args[0].name.empty())
      return fail(Kind::BadArguments, span,
                  "the first argument is the weights of `" + instance->of->item->name.text + "`",
                  "`w[0] ~ net.init()`, then `net(w, x)`");
    if (args[0].value->isPoison() || args[0].value->isUnknown()) return args[0].value;
    if (!args[0].value->as<Record>())
      return fail(Kind::TypeMismatch, args[0].span,
                  "the first argument is the weights of `" + instance->of->item->name.text +
                      "`, a record, not " + show(args[0].value));
    self = withWeights(*instance, args[0].value);
    args.erase(args.begin());
  }
  auto scope = instanceScope(*self->as<Instance>(), place);
  Function f{fn, scope, instance->of->path + "." + method};
  overArguments_ = std::move(over);
  return callFunction(f, std::move(args), scope, span, place);
}

ValueRef Elaborator::callInstance(const ValueRef& object, std::vector<Arg> args, Span span,
                                  const Place& place) {
  if (!hasMethod(object, "apply")) {
    const Instance* instance = object->as<Instance>();
    return fail(Kind::NotCallable, span,
                "a `" + instance->of->item->name.text + "` can't be called",
                "a module is called by its method `apply`");
  }
  return callMethod(object, "apply", std::move(args), span, place);
}

ValueRef Elaborator::initWeights(const Instance& instance, Span span, const Place& place) {
  Record record;
  auto scope = instanceScope(instance, place);
  std::function<ValueRef(const ValueRef&)> initOf = [&](const ValueRef& value) -> ValueRef {
    if (const Instance* sub = value->as<Instance>()) return initWeights(*sub, span, place);
    Tuple result{{}, true};
    if (const Tuple* tuple = value->as<Tuple>())
      for (size_t i = 0; i < tuple->elements.size(); ++i) {
        DrawPath path(*this, std::to_string(i));
        result.elements.push_back(initOf(tuple->elements[i]));
      }
    return make(std::move(result));
  };
  // What was given with weights of its own (a block of layers) comes first, by its parameter's
  // name.
  for (const syntax::Parameter& p : instance.of->item->parameters) {
    const ValueRef* field = instance.field(p.name.text);
    if (!field || !carriesWeights(*field)) continue;
    DrawPath path(*this, p.name.text);
    ValueRef value = initOf(*field);
    if (value->isPoison()) return poison();
    record.fields.emplace_back(p.name.text, value);
  }
  for (const syntax::Item& member : instance.of->item->members) {
    if (const auto* weight = member.as<syntax::WeightItem>()) {
      DrawPath path(*this, weight->name.text);
      Place here{scope, place.space};
      std::vector<IndexExpr> shape;
      for (const auto& extent : weight->type.extents) {
        auto e = this->extent(eval(*extent, here), extent->span);
        if (!e) return poison();
        shape.push_back(*e);
      }
      ValueRef value = eval(*weight->value, here);
      if (weight->drawn) {
        if (!value->isPoison() && !value->isUnknown())
          value = sample(value, shape, false, here, weight->value->span);
      }
      if (const Tensor* t = value->as<Tensor>(); t && t->shape.size() < shape.size())
        value = make(expand(stored(cast(*t, t->type, here), here), shape, here));
      value = annotated(value, weight->type, *scope, "the weight `" + weight->name.text + "`", here,
                        weight->value->span);
      if (value->isPoison()) return poison();
      record.fields.emplace_back(weight->name.text, value);
      scope->bind(weight->name.text, value, weight->name.span);
    } else if (const auto* equation = member.as<syntax::EquationItem>();
               equation && !equation->left.tuple) {
      const ValueRef* field = instance.field(equation->left.name.text);
      if (!field || !carriesWeights(*field)) continue;
      DrawPath path(*this, equation->left.name.text);
      ValueRef value = initOf(*field);
      if (value->isPoison()) return poison();
      record.fields.emplace_back(equation->left.name.text, value);
    }
  }
  ++draws;  // a value that `~` accepts, even if all of its weights are constants
  return make(std::move(record));
}

ValueRef Elaborator::callPolicy(const Class& c, std::vector<Arg> args, Span span,
                                const Place& place) {
  ValueRef made = instantiate(std::make_shared<const Class>(c), {}, span, place);
  const Instance* instance = made->as<Instance>();
  if (!instance) return made;
  const ModuleItem& item = *c.item;
  Instance bound = *instance;
  if (instance->hasWeights) {
    if (args.empty() || !args[0].name.empty())
      return fail(Kind::BadArguments, span,
                  "the first argument is the weights of `" + item.name.text + "`",
                  "`θ[0] ~ " + item.name.text + ".init()`, then `" + item.name.text + "(θ, obs)`");
    if (args[0].value->isPoison() || args[0].value->isUnknown()) return args[0].value;
    if (!args[0].value->as<Record>())
      return fail(Kind::TypeMismatch, args[0].span,
                  "the first argument is the weights of `" + item.name.text + "`, a record, not " +
                      show(args[0].value));
    bound.weights = args[0].value;
    args.erase(args.begin());
  }
  for (const Arg& arg : args)
    if (arg.value->isUnknown()) return unknown();
  auto parameters = childOf(c.scope, c.path);
  if (!bindParameters(item.name.text, item.parameters, std::move(args), *parameters, span, place,
                      &bound.fields))
    return poison();
  auto scope = instanceScope(bound, place);
  const syntax::Item* result = nullptr;
  for (const syntax::Item& member : item.members)
    if (member.as<syntax::ExprItem>()) result = &member;
  if (!result)
    return fail(Kind::MisplacedItem, item.name.span,
                "a policy ends in its result, a distribution or an action");
  ValueRef value = eval(*result->as<syntax::ExprItem>()->value, Place{scope, place.space});
  if (item.result)
    value = annotated(value, *item.result, *scope, "the result of `" + item.name.text + "`", place,
                      span);
  return value;
}

}  // namespace rlc::sema
