#include "compiler/sema/value.h"

#include <algorithm>

#include "compiler/types/lists.h"

namespace rlc::sema {

namespace {

Read substituteRead(const Read& read, const std::map<Var, IndexExpr>& replacement, int shift) {
  Read result{read.producer, {}, {}};
  for (const IndexExpr& e : read.at) result.at.push_back(e.substitute(replacement, shift));
  for (const IndexExpr& e : read.element)
    result.element.push_back(e.substitute(replacement, shift));
  return result;
}

template <typename Pairs>
const ValueRef* find(const Pairs& pairs, const std::string& name) {
  for (const auto& [key, value] : pairs)
    if (key == name) return &value;
  return nullptr;
}

std::string join(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

}  // namespace

View View::substitute(const std::map<Var, IndexExpr>& replacement,
                      const std::vector<Read>& newGathers) const {
  const int shift = static_cast<int>(newGathers.size());
  View result;
  result.gathers = newGathers;
  result.producer = producer;
  for (const IndexExpr& e : at) result.at.push_back(e.substitute(replacement, shift));
  for (const IndexExpr& e : element) result.element.push_back(e.substitute(replacement, shift));
  for (const Read& read : gathers)
    result.gathers.push_back(substituteRead(read, replacement, shift));
  return result;
}

void View::collectDims(std::vector<Var>& out) const {
  std::vector<Var> all;
  auto collect = [&](const std::vector<IndexExpr>& exprs) {
    for (const IndexExpr& e : exprs) e.collectVariables(all);
  };
  collect(at);
  collect(element);
  for (const Read& read : gathers) {
    collect(read.at);
    collect(read.element);
  }
  for (Var var : all)
    if (!var.isElement() && !contains(out, var)) out.push_back(var);
}

std::optional<bool> Tensor::constantBool() const {
  if (!condition) return std::nullopt;
  if (condition->kind() == Condition::Kind::True) return true;
  if (condition->kind() == Condition::Kind::False) return false;
  return std::nullopt;
}

const ValueRef* Record::field(const std::string& name) const { return find(fields, name); }
const ValueRef* Instance::field(const std::string& name) const { return find(fields, name); }

ValueRef poison() {
  static const ValueRef value = make(Poison{});
  return value;
}

ValueRef unknown() {
  static const ValueRef value = make(Unknown{});
  return value;
}

ValueRef mapLeaves(const ValueRef& value, const LeafMap& map, const std::string& path) {
  if (const Tensor* tensor = value->as<Tensor>()) return map(*tensor, path);
  if (const Record* record = value->as<Record>()) {
    Record result{record->type, {}};
    for (const auto& [name, field] : record->fields)
      result.fields.emplace_back(name, mapLeaves(field, map, join(path, name)));
    return make(std::move(result));
  }
  if (const Tuple* tuple = value->as<Tuple>()) {
    Tuple result{{}, tuple->list};
    for (size_t i = 0; i < tuple->elements.size(); ++i)
      result.elements.push_back(mapLeaves(tuple->elements[i], map, join(path, std::to_string(i))));
    return make(std::move(result));
  }
  if (const Instance* instance = value->as<Instance>()) {
    Instance result{instance->of, {}, nullptr, instance->hasWeights, instance->places};
    for (const auto& [name, field] : instance->fields)
      result.fields.emplace_back(name, mapLeaves(field, map, join(path, name)));
    if (instance->weights) result.weights = mapLeaves(instance->weights, map, path);
    return make(std::move(result));
  }
  return value;
}

void forEachTensor(const ValueRef& value,
                   const std::function<void(const Tensor&, const std::string&)>& visit) {
  mapLeaves(value, [&](const Tensor& tensor, const std::string& path) {
    visit(tensor, path);
    return poison();
  });
}

void collectDims(const ValueRef& value, std::vector<Var>& dims) {
  forEachTensor(value, [&](const Tensor& tensor, const std::string&) {
    tensor.view.collectDims(dims);
    if (tensor.index) tensor.index->collectVariables(dims);
    if (tensor.condition) tensor.condition->collectVariables(dims);
  });
}

namespace {

template <typename Test>
bool anyWithin(const ValueRef& value, const Test& test) {
  if (test(*value)) return true;
  if (const Record* record = value->as<Record>())
    return std::any_of(record->fields.begin(), record->fields.end(),
                       [&](const auto& f) { return anyWithin(f.second, test); });
  if (const Tuple* tuple = value->as<Tuple>())
    return std::any_of(tuple->elements.begin(), tuple->elements.end(),
                       [&](const auto& e) { return anyWithin(e, test); });
  if (const Instance* instance = value->as<Instance>()) {
    if (instance->weights && anyWithin(instance->weights, test)) return true;
    return std::any_of(instance->fields.begin(), instance->fields.end(),
                       [&](const auto& f) { return anyWithin(f.second, test); });
  }
  return false;
}

}  // namespace

bool anyUnknown(const ValueRef& value) {
  return anyWithin(value, [](const Value& v) { return v.isUnknown(); });
}
bool anyPoison(const ValueRef& value) {
  return anyWithin(value, [](const Value& v) { return v.isPoison(); });
}
bool hasMoreParts(const ValueRef& value, size_t most) {
  size_t parts = 0;
  return anyWithin(value, [&](const Value&) { return ++parts > most; });
}

ValueRef substitute(const ValueRef& value, const std::map<Var, IndexExpr>& replacement) {
  if (replacement.empty()) return value;
  return mapLeaves(value, [&](const Tensor& tensor, const std::string&) {
    Tensor result = tensor;
    for (IndexExpr& e : result.shape) e = e.substitute(replacement);
    result.view = tensor.view.substitute(replacement);
    if (tensor.index) result.index = tensor.index->substitute(replacement);
    if (tensor.condition) result.condition = tensor.condition->substitute(replacement);
    if (tensor.function) {
      auto moved = std::make_shared<PointFunction>();
      for (Var var : tensor.function->vars) {
        auto it = replacement.find(var);
        if (it == replacement.end())
          moved->vars.push_back(var);
        else
          it->second.collectVariables(moved->vars);
      }
      moved->evaluate = [inner = tensor.function,
                         replacement](const std::function<int64_t(Var)>& at) {
        return inner->evaluate([&](Var var) {
          auto it = replacement.find(var);
          return it == replacement.end() ? at(var) : it->second.evaluate(at);
        });
      };
      result.function = moved;
    }
    if (tensor.range)
      result.range = ValueRange{tensor.range->lo.substitute(replacement),
                                tensor.range->hi.substitute(replacement)};
    return make(std::move(result));
  });
}

Tensor intLiteral(int64_t value) {
  Tensor t;
  t.type = value == static_cast<int32_t>(value) ? DType::I32 : DType::I64;
  t.weak = Weak::Int;
  t.index = IndexExpr(value);
  if (value < INT64_MAX) t.range = ValueRange{value, IndexExpr(value) + 1};
  return t;
}

Tensor floatLiteral(double value) {
  Tensor t;
  t.type = DType::F32;
  t.weak = Weak::Float;
  t.number = value;
  return t;
}

Tensor boolLiteral(bool value) {
  return conditionValue(value ? Condition::always() : Condition::never());
}

Tensor indexValue(IndexExpr expr) {
  Tensor t;
  t.type = DType::I32;
  t.range = ValueRange{expr, expr + 1};
  t.index = std::move(expr);
  return t;
}

Tensor conditionValue(Condition condition) {
  Tensor t;
  t.type = DType::Bool;
  t.condition = std::move(condition);
  return t;
}

std::string describe(const Tensor& tensor, const polyhedral::VarNamer& namer) {
  std::string text(name(tensor.type));
  if (tensor.shape.empty()) return text;
  text += "[";
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    text += (i ? ", " : "") + tensor.shape[i].toString(namer);
  return text + "]";
}

std::string describe(const ValueRef& value, const polyhedral::VarNamer& namer) {
  struct Describe {
    const polyhedral::VarNamer& namer;
    std::string operator()(const Poison&) const { return "?"; }
    std::string operator()(const Unknown&) const { return "?"; }
    std::string operator()(const Tensor& tensor) const { return describe(tensor, namer); }
    std::string operator()(const Record& record) const {
      if (!record.type.empty()) return record.type;
      std::string text = "{";
      for (const auto& [name, field] : record.fields)
        text += (text.size() > 1 ? ", " : "") + name + ": " + describe(field, namer);
      return text + "}";
    }
    std::string operator()(const Tuple& tuple) const {
      std::vector<std::string> parts;
      for (const ValueRef& e : tuple.elements) parts.push_back(describe(e, namer));
      bool alike = tuple.list && !parts.empty();
      for (const std::string& part : parts) alike &= part == parts[0];
      if (alike) {  // a list is a tensor where one is asked for
        std::string extent = std::to_string(parts.size());
        size_t bracket = parts[0].find('[');
        return bracket == std::string::npos ? parts[0] + "[" + extent + "]"
                                            : parts[0].insert(bracket + 1, extent + ", ");
      }
      std::string text = tuple.list ? "[" : "(";
      for (const std::string& part : parts) text += (text.size() > 1 ? ", " : "") + part;
      return text + (tuple.list ? "]" : ")");
    }
    std::string operator()(const Text&) const { return "a string"; }
    std::string operator()(const Function&) const { return "a function"; }
    std::string operator()(const Class& c) const {
      return "the definition of `" + c.item->name.text + "`";
    }
    std::string operator()(const Instance& instance) const { return instance.of->item->name.text; }
    std::string operator()(const Bound&) const { return "a method"; }
    std::string operator()(const BuiltinRef&) const { return "a function"; }
    std::string operator()(const TypeValue& type) const {
      return "the type `" + std::string(name(type.type)) + "`";
    }
    std::string operator()(const RecordType& type) const { return "the type `" + type.name + "`"; }
  };
  return std::visit(Describe{namer}, value->node);
}

}  // namespace rlc::sema
