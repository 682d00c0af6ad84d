#include "compiler/sema/builtins.h"

namespace rlc::sema {

const std::vector<Builtin>& builtins() {
  static const std::vector<Builtin> table = [] {
    std::vector<Builtin> all;
    addElementwise(all);
    addShapes(all);
    addReductions(all);
    addCreation(all);
    addRandom(all);
    addStatics(all);
    addTrees(all);
    return all;
  }();
  return table;
}

const std::vector<BuiltinFact>& builtinFacts() {
  static const std::vector<BuiltinFact> facts = [] {
    std::vector<BuiltinFact> all;
    for (const Builtin& b : builtins()) all.push_back({b.name, b.signature, b.doc});
    return all;
  }();
  return facts;
}

Given::Given(Elaborator& e, CallArgs& call, const std::string& function,
             std::vector<std::string> names, size_t required)
    : e_(e), call_(call), function_(function), names_(std::move(names)), values_(names_.size()) {
  size_t next = 0;
  for (const CallArgs::Arg& arg : call.args) {
    size_t at = names_.size();
    if (arg.name.empty()) {
      at = next++;
    } else {
      for (size_t i = 0; i < names_.size(); ++i)
        if (names_[i] == arg.name) at = i;
      if (at == names_.size()) {
        e.fail(Kind::BadArguments, arg.span,
               "`" + function + "` has no parameter `" + arg.name + "`",
               diagnostics::orWhatItHas(arg.name, names_));
        ok_ = false;
        return;
      }
    }
    if (at >= names_.size() || values_[at]) {
      e.fail(Kind::BadArguments, call.span,
             "`" + function + "` takes " + std::to_string(names_.size()) +
                 (names_.size() == 1 ? " argument" : " arguments"));
      ok_ = false;
      return;
    }
    values_[at] = arg.value;
  }
  for (size_t i = 0; i < required; ++i)
    if (!values_[i]) {
      e.fail(Kind::BadArguments, call.span,
             "the argument `" + names_[i] + "` of `" + function + "` is missing");
      ok_ = false;
      return;
    }
}

std::optional<Tensor> Given::tensor(size_t i) {
  auto t = e_.toTensor(values_[i], call_.place, call_.span);
  if (!t) ok_ = false;
  return t;
}

std::optional<int64_t> Given::integer(size_t i, int64_t otherwise) {
  if (!values_[i]) return otherwise;
  auto value = e_.staticInt(values_[i], call_.span, "`" + names_[i] + "`");
  if (!value) ok_ = false;
  return value;
}

std::optional<bool> Given::flag(size_t i, bool otherwise) {
  if (!values_[i]) return otherwise;
  auto value = e_.staticBool(values_[i], call_.span, "`" + names_[i] + "`");
  if (!value) ok_ = false;
  return value;
}

std::optional<std::vector<ValueRef>> partsOf(Elaborator& e, const CallArgs& call,
                                             std::map<std::string, ValueRef>& named) {
  std::vector<ValueRef> parts;
  for (const CallArgs::Arg& arg : call.args) {
    if (!arg.name.empty())
      named[arg.name] = arg.value;
    else
      parts.push_back(arg.value);
  }
  if (parts.size() == 1) {
    if (const Tuple* tuple = parts[0]->as<Tuple>()) parts = tuple->elements;
  }
  if (parts.empty()) {
    e.fail(Kind::BadArguments, call.span, "there is nothing to put together");
    return std::nullopt;
  }
  return parts;
}

}  // namespace rlc::sema
