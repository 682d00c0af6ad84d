// Environments: reset, step, observe as functions of records. Primed names are the next state's.
#include <algorithm>

#include "compiler/sema/elaborator.h"
#include "compiler/sema/env_methods.h"

namespace rlc::sema {

using Arg = CallArgs::Arg;

namespace {

const syntax::StateItem* stateOf(const syntax::ModuleItem& env) {
  for (const syntax::Item& item : env.members)
    if (const auto* state = item.as<syntax::StateItem>()) return state;
  return nullptr;
}

// As far as it is known.
bool sameShape(const Tensor& a, const Tensor& b) {
  return std::ranges::equal(a.shape, b.shape, [](const IndexExpr& x, const IndexExpr& y) {
    return !x.asConstant() || !y.asConstant() || x.asConstant() == y.asConstant();
  });
}

const syntax::BlockItem* blockOf(const syntax::ModuleItem& env, const std::string& name) {
  for (const syntax::Item& member : env.members)
    if (const auto* block = member.as<syntax::BlockItem>(); block && block->name.text == name)
      return block;
  return nullptr;
}

bool definesEquation(const syntax::ModuleItem& env, const std::string& name) {
  return std::ranges::any_of(env.members, [&](const syntax::Item& member) {
    const auto* equation = member.as<syntax::EquationItem>();
    return equation && !equation->left.tuple && equation->left.name.text == name;
  });
}

// What `E.name` may say: what every env has, and its own functions and equations, but for those of
// a step.
std::vector<std::string> membersOf(const syntax::ModuleItem& item) {
  std::vector<std::string> names(kEnvMethods.begin(), kEnvMethods.end());
  names.insert(names.end(), {"action_space", "actions", "choices"});
  const auto add = [&](const std::string& name) {
    const bool ofStep = name == "reward" || name == "terminated" || name == "truncated";
    if (!name.empty() && !ofStep && std::ranges::find(names, name) == names.end())
      names.push_back(name);
  };
  for (const syntax::Item& member : item.members) {
    if (const auto* fn = member.as<syntax::FnItem>()) add(fn->name.text);
    if (const auto* equation = member.as<syntax::EquationItem>())
      if (!equation->left.tuple) add(equation->left.name.text);
  }
  return names;
}

std::vector<const syntax::Item*> equationsOf(const std::vector<syntax::Item>& items) {
  std::vector<const syntax::Item*> equations;
  for (const syntax::Item& item : items)
    if (item.as<syntax::EquationItem>()) equations.push_back(&item);
  return equations;
}

// The number of choices of a discrete space; null: it is none.
const ValueRef* choicesOf(const ValueRef& space) {
  const Instance* instance = space->as<Instance>();
  return instance && instance->of->item->name.text == "Discrete" ? instance->field("n") : nullptr;
}

}  // namespace

ValueRef Elaborator::callEnv(const Instance& env, const std::string& method, std::vector<Arg> args,
                             Span span, const Place& place) {
  std::vector<std::pair<std::string, Var>> over;
  std::swap(over, overArguments_);
  const syntax::ModuleItem& item = *env.of->item;
  const std::string& name = item.name.text;
  const syntax::StateItem* state = stateOf(item);
  if (!state)
    return fail(Kind::MisplacedItem, item.name.span,
                "the env `" + name + "` has no `state { ... }`");
  for (const Arg& arg : args) {
    if (arg.value->isPoison()) return poison();
    if (arg.value->isUnknown()) return unknown();
  }
  const syntax::FnItem* step = nullptr;
  const syntax::FnItem* own = nullptr;
  for (const syntax::Item& member : item.members)
    if (const auto* fn = member.as<syntax::FnItem>()) {
      if (fn->name.text == "step") step = fn;
      if (fn->name.text == method) own = fn;
    }
  if (method == "final_observation" && !own)
    return callEnv(env, "observe", std::move(args), span, place);
  const bool takesAction = method == "step" || method == "autoreset";
  const bool renews = method == "renew" && !own;
  const bool takesState = takesAction || method == "observe" || renews;
  const ValueRef self = make(env);
  std::vector<std::pair<std::string, ValueRef>> bound = env.fields;
  auto complete = [&](std::shared_ptr<Scope> scope, const std::string& prime,
                      const std::string& what) -> ValueRef {
    Record record{name + ".State", {}};
    for (const syntax::Field& field : state->fields) {
      auto next = scope->findHere(field.name.text + prime);
      if (!next && !prime.empty()) next = scope->findHere(field.name.text);
      ValueRef value;
      if (next)
        value = valueOf(next, field.name.text, field.name.span, Place{scope, place.space});
      else if (field.default_value)
        value = eval(*field.default_value, Place{scope, place.space});
      else
        return fail(
            Kind::BadArguments, field.name.span,
            "`" + what + "` of the env `" + name + "` does not define `" + field.name.text + "`");
      value = annotated(value, field.type, *scope, "`" + field.name.text + prime + "`", place,
                        field.name.span);
      if (value->isPoison()) return poison();
      record.fields.emplace_back(field.name.text, value);
    }
    return make(std::move(record));
  };
  if (takesState) {
    if (args.size() != (takesAction ? 2 : 1))
      return fail(Kind::BadArguments, span,
                  "`" + name + "." + method + "` takes " +
                      (takesAction ? "a state and an action" : "a state"));
    const Record* given = args[0].value->as<Record>();
    if (!given)
      return fail(Kind::TypeMismatch, args[0].span,
                  "the first argument of `" + name + "." + method + "` is a state, not " +
                      show(args[0].value));
    for (const syntax::Field& field : state->fields) {
      const ValueRef* value = given->field(field.name.text);
      if (!value)
        return fail(Kind::TypeMismatch, args[0].span,
                    "this is no state of `" + name + "`: it has no `" + field.name.text + "`");
      bound.emplace_back(field.name.text, *value);
    }
  }
  if (method == "State") return make(RecordType{name + ".State", &state->fields, env.of->scope});
  if (method == "reset") {
    ++draws;  // its result may be drawn, `~`, even if all of it is constant
    if (!args.empty())
      return fail(Kind::BadArguments, span, "`" + name + ".reset` takes no arguments");
    const syntax::BlockItem* reset = blockOf(item, "reset");
    if (!reset)
      return fail(Kind::MisplacedItem, item.name.span,
                  "the env `" + name + "` has no `reset { ... }`");
    return complete(memberScope(*env.of, bound, self, {equationsOf(reset->items)}, place), "",
                    "reset");
  }
  if (renews) {
    const syntax::BlockItem* renew = blockOf(item, "renew");
    if (!renew) return callEnv(env, "reset", {}, span, place);
    ++draws;
    return complete(memberScope(*env.of, bound, self, {equationsOf(renew->items), true}, place),
                    "'", "renew");
  }
  if (method == "observe") {
    auto scope = memberScope(*env.of, bound, self, {}, place);
    auto symbol = scope->findHere("observe");
    if (!symbol)
      return fail(Kind::MisplacedItem, item.name.span,
                  "the env `" + name + "` has no `observe = ...`");
    ValueRef value = valueOf(symbol, "observe", span, Place{scope, place.space});
    if (const Tuple* tuple = value->as<Tuple>(); tuple && tuple->list) {
      auto tensor = toTensor(value, place, span);
      return tensor ? make(*tensor) : poison();
    }
    return value;
  }
  if (method == "step") {
    if (!step)
      return fail(Kind::MisplacedItem, item.name.span,
                  "the env `" + name + "` has no `step(a) { ... }`");
    if (step->parameters.size() != 1)
      return fail(Kind::BadArguments, step->name.span, "`step` has one parameter, the action");
    if (!acceptsAction(env, args[1], place)) return poison();
    bound.emplace_back(step->parameters[0].name.text, args[1].value);
    auto scope = memberScope(*env.of, bound, self, {equationsOf(step->body.items)}, place);
    Tuple result;
    result.elements.push_back(complete(scope, "'", "step"));
    Place here{scope, place.space};
    for (const char* part : {"reward", "terminated", "truncated"}) {
      auto symbol = scope->findHere(part);
      if (!symbol && std::string(part) == "reward")
        return fail(Kind::MisplacedItem, item.name.span,
                    "the env `" + name + "` has no `reward = ...`");
      ValueRef value = symbol ? valueOf(symbol, part, span, here) : make(boolLiteral(false));
      if (const Tensor* t = value->as<Tensor>();
          t && std::string(part) == "reward" && !isFloat(t->type))
        value = make(cast(*t, DType::F32, here));
      result.elements.push_back(value);
    }
    return make(std::move(result));
  }
  if (method == "autoreset") {
    ValueRef stepped = callEnv(env, "step", args, span, place);
    const Tuple* parts = stepped->as<Tuple>();
    if (!parts) return stepped;
    const std::vector<Arg> ended{{"", parts->elements[0], span}};
    ValueRef fresh = blockOf(item, "renew") ? callEnv(env, "renew", ended, span, place)
                                            : callEnv(env, "reset", {}, span, place);
    ValueRef seen = callEnv(env, "final_observation", ended, span, place);
    auto over = boolTensor(
        binary(syntax::BinaryOp::Or, parts->elements[2], parts->elements[3], place, span), place,
        span, "the end of an episode");
    if (!over) return poison();
    ValueRef state2 = lift(
        {fresh, parts->elements[0]},
        [&](const std::vector<Tensor>& t) { return make(select(*over, t[0], t[1], place, span)); },
        place, span);
    return make(
        Tuple{{state2, parts->elements[1], parts->elements[2], parts->elements[3], seen}, false});
  }
  const bool counts = method == "choices" && !definesEquation(item, method) && !own;
  if (method == "actions" || method == "action_space" || counts) {
    ValueRef space = actionSpace(env, place);
    if (!space)
      return fail(Kind::MisplacedItem, item.name.span, "the env `" + name + "` has no `action`");
    const ValueRef* choices = choicesOf(space);
    if (counts) return choices ? *choices : make(intLiteral(0));
    return method == "actions" && choices ? *choices : space;
  }
  if (own) {
    auto scope = memberScope(*env.of, bound, self, {}, place);
    overArguments_ = std::move(over);
    return callFunction(Function{own, scope, env.of->path + "." + method}, std::move(args), scope,
                        span, place);
  }
  if (const ValueRef* field = env.field(method)) return *field;
  if (definesEquation(item, method)) {
    auto scope = memberScope(*env.of, bound, self, {}, place);
    return valueOf(scope->findHere(method), method, span, Place{scope, place.space});
  }
  const std::vector<std::string> members = membersOf(item);
  const std::string hint =
      method == "observations"
          ? "add the bounds of what `observe` gives: `observations = Box(low = ..., high = ...)`"
          : diagnostics::orWhatItHas(method, members);
  return fail(Kind::UnknownField, span, "the env `" + name + "` has no `" + method + "`", hint);
}

// What `action SPACE` says; null where an env does not.
ValueRef Elaborator::actionSpace(const Instance& env, const Place& place) {
  for (const syntax::Item& member : env.of->item->members)
    if (const auto* action = member.as<syntax::ActionItem>()) {
      auto scope = memberScope(*env.of, env.fields, make(env), {}, place);
      return eval(*action->space, Place{scope, place.space});
    }
  return nullptr;
}

// An action must be one that the env's space has: a choice where it is discrete, else of the shape
// of its bounds.
bool Elaborator::acceptsAction(const Instance& env, const Arg& action, const Place& place) {
  const ValueRef space = actionSpace(env, place);
  std::optional<Tensor> list;
  if (const Tuple* tuple = action.value->as<Tuple>(); tuple && tuple->list)
    list = toTensor(action.value, place, action.span);
  const Tensor* given = list ? &*list : action.value->as<Tensor>();
  const std::string who = "`" + env.of->item->name.text + "`";
  if (!space || !given) return true;
  if (const ValueRef* choices = choicesOf(space)) {
    if (isFloat(given->type) || !given->shape.empty()) {
      fail(Kind::TypeMismatch, action.span,
           "an action of " + who + " is one of its choices, an i32, not " + show(action.value),
           "a discrete policy gives one: `Categorical(logits = ...)`");
      return false;
    }
    const Tensor* count = (*choices)->as<Tensor>();
    if (!count || !count->constant() || !given->range) return true;
    const int64_t most = count->constant().value_or(0);
    const int64_t first = given->range->lo.asConstant().value_or(0);
    const int64_t end = given->range->hi.asConstant().value_or(most);
    if (first >= 0 && end <= most) return true;
    fail(Kind::TypeMismatch, action.span,
         "an action of " + who + " is one of its " + std::to_string(most) +
             " choices, and this is a number from " + std::to_string(first) + " to " +
             std::to_string(end - 1),
         "a policy has as many choices as the environment, `" + env.of->item->name.text +
             ".actions`");
    return false;
  }
  const Instance* box = space->as<Instance>();
  const ValueRef* low = box ? box->field("low") : nullptr;
  auto bound = low ? toTensor(*low, place, action.span) : std::nullopt;
  if (!bound || (isFloat(given->type) && sameShape(*given, *bound))) return true;
  fail(Kind::TypeMismatch, action.span,
       "an action of " + who + " is " + show(make(*bound)) + ", not " + show(action.value),
       isFloat(given->type)   ? ""
       : bound->shape.empty() ? "a continuous policy gives one: `Normal(...)`"
                              : "a continuous policy gives one: `Independent(Normal(...))`");
  return false;
}

}  // namespace rlc::sema
