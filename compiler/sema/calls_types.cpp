// Types as conversions and as annotations; records.
#include <algorithm>

#include "compiler/sema/elaborator.h"
#include "compiler/syntax/print.h"

namespace rlc::sema {

namespace {

bool isAnything(const std::string& name) {
  static const std::set<std::string> names = {"env",  "policy", "module", "list", "fn",  "string",
                                              "dist", "record", "tuple",  "any",  "type"};
  return names.count(name) > 0;
}

}  // namespace

ValueRef Elaborator::callType(DType type, const CallArgs& args) {
  if (args.args.size() != 1)
    return fail(Kind::BadArguments, args.span,
                "`" + std::string(name(type)) + "` converts one value");
  return lift(
      {args.args[0].value},
      [&](const std::vector<Tensor>& t) { return make(cast(t[0], type, args.place, args.span)); },
      args.place, args.span);
}

ValueRef Elaborator::makeRecord(const RecordType& type, const CallArgs& args) {
  Record record{type.name, {}};
  auto scope = childOf(type.scope, type.scope->path);
  size_t next = 0;
  std::vector<ValueRef> values((*type.fields).size());
  for (const CallArgs::Arg& arg : args.args) {
    size_t at = (*type.fields).size();
    if (arg.name.empty()) at = next++;
    for (size_t i = 0; i < (*type.fields).size(); ++i)
      if ((*type.fields)[i].name.text == arg.name) at = i;
    if (at >= (*type.fields).size()) {
      std::vector<std::string> names;
      for (const auto& field : (*type.fields)) names.push_back(field.name.text);
      return fail(Kind::UnknownField, arg.span,
                  "`" + record.type + "` has no field `" + arg.name + "`",
                  diagnostics::didYouMean(arg.name, names));
    }
    values[at] = arg.value;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const syntax::Field& field = (*type.fields)[i];
    if (!values[i] && field.default_value)
      values[i] = eval(*field.default_value, Place{scope, args.place.space});
    if (!values[i])
      return fail(Kind::BadArguments, args.span,
                  "the field `" + field.name.text + "` of `" + record.type + "` is missing");
    values[i] = annotated(values[i], field.type, *scope, "`" + field.name.text + "`", args.place,
                          args.span);
    record.fields.emplace_back(field.name.text, values[i]);
  }
  return make(std::move(record));
}

ValueRef Elaborator::annotated(const ValueRef& value, const syntax::TypeExpr& type, Scope& scope,
                               const std::string& what, const Place& place, Span span) {
  if (value->isPoison() || value->isUnknown()) return value;
  if (type.path.empty()) {
    const Tuple* tuple = value->as<Tuple>();
    if (!tuple || tuple->elements.size() != type.elements.size())
      return fail(Kind::TypeMismatch, span,
                  what + " is " + syntax::print(type) + ", not " + show(value));
    Tuple result{{}, tuple->list};
    for (size_t i = 0; i < type.elements.size(); ++i)
      result.elements.push_back(
          annotated(tuple->elements[i], type.elements[i], scope, what, place, span));
    return make(std::move(result));
  }
  const std::string& head = type.path.front().text;
  auto wanted = type.path.size() == 1 ? typeNamed(head) : std::nullopt;
  auto shadow = scope.find(head);
  if (!wanted) {
    if (type.path.size() == 1 && isAnything(head)) {
      if ((head == "string") != (value->as<Text>() != nullptr) && head == "string")
        return fail(Kind::TypeMismatch, span, what + " is a string, not " + show(value));
      return value;
    }
    if (!shadow) {
      std::vector<std::string> names;
      scope.visibleNames(names);
      std::sort(names.begin(), names.end());
      return fail(Kind::UnknownName, type.span, "there is no type `" + head + "`",
                  diagnostics::didYouMean(head, names));
    }
    ValueRef of = shadow->kind == Symbol::Kind::Value ? shadow->value : nullptr;
    if (of && of->as<RecordType>()) {
      const RecordType& record = *of->as<RecordType>();
      const Record* have = value->as<Record>();
      if (!have || have->fields.size() != (*record.fields).size())
        return fail(Kind::TypeMismatch, span, what + " is a `" + head + "`, not " + show(value));
      Record result{head, {}};
      for (const syntax::Field& field : (*record.fields)) {
        const ValueRef* part = have->field(field.name.text);
        if (!part)
          return fail(
              Kind::TypeMismatch, span,
              what + " is a `" + head + "`: the field `" + field.name.text + "` is missing");
        result.fields.emplace_back(
            field.name.text,
            annotated(*part, field.type, scope, what + "." + field.name.text, place, span));
      }
      return make(std::move(result));
    }
    if (of && of->as<Class>() && type.path.size() == 1) {
      const Instance* have = value->as<Instance>();
      if (have && have->of->item != of->as<Class>()->item &&
          have->of->item->kind != syntax::ModuleItem::Kind::Policy)
        return fail(Kind::TypeMismatch, span,
                    what + " is a `" + head + "`, not a `" + have->of->item->name.text + "`");
      if (!have && !value->as<Class>())
        return fail(Kind::TypeMismatch, span, what + " is a `" + head + "`, not " + show(value));
    }
    return value;  // E.State and the like
  }
  auto tensor = toTensor(value, place, span);
  if (!tensor) return poison();
  Tensor result = *tensor;
  auto mismatch = [&](const std::string& hint) {
    return fail(Kind::TypeMismatch, span,
                what + " is " + syntax::print(type) + ", not " + show(make(*tensor)), hint);
  };
  const bool free = result.weak == Weak::Int || (result.weak == Weak::Float && isFloat(*wanted));
  if (result.type != *wanted) {
    bool up = promote(result.type, *wanted) == *wanted && result.type != DType::Bool &&
              *wanted != DType::Bool;
    if (result.weak == Weak::Float && !isFloat(*wanted))
      return mismatch("convert it: `" + head + "(x)`");
    if (result.weak == Weak::Int && *wanted == DType::Bool) return mismatch("");
    if (!free && !up) return mismatch("convert it: `" + head + "(x)`");
    result = cast(result, *wanted, place, span);
  }
  if (result.shape.size() != type.extents.size())
    return mismatch(type.extents.size() == 1 && result.shape.size() > 1
                        ? "`flatten` makes a vector of it; as a layer: `Activation(flatten)`"
                        : "");
  for (size_t i = 0; i < type.extents.size(); ++i) {
    const Expr& extent = *type.extents[i];
    if (const auto* variable = extent.as<syntax::NameExpr>();
        variable && !scope.find(variable->name)) {
      scope.bind(variable->name, make(indexValue(result.shape[i])), extent.span);
      continue;
    }
    auto expected =
        this->extent(eval(extent, Place{scope.shared_from_this(), place.space}), extent.span);
    if (!expected) return poison();
    if (!sameExtent(*expected, result.shape[i], place)) {
      fail(Kind::ShapeMismatch, span,
           what + " is " + syntax::print(type) + ", not " + show(make(*tensor)) +
               ": the extent is " + show(*expected) + ", not " + show(result.shape[i]));
      return poison();
    }
  }
  if (type.bounds) {
    Place here{scope.shared_from_this(), place.space};
    auto lo = affine(*type.bounds->lo, here, "a range's bound"),
         hi = affine(*type.bounds->hi, here, "a range's bound");
    if (!lo || !hi) return poison();
    return withinRange(result, {*lo, *hi + (type.bounds->inclusive ? 1 : 0)},
                       what + ": " + syntax::print(type), place, span);
  }
  return make(std::move(result));
}

// `value` with the range that its type states: proven now, or else tested wherever it is used. The
// test is a read of the identity on the range, at a subscript of which nothing is known.
ValueRef Elaborator::withinRange(const Tensor& value, const ValueRange& range, std::string what,
                                 const Place& place, Span span) {
  Tensor result = value;
  if (!value.index) result.range = range;
  if (dry()) return make(std::move(result));
  std::vector<Var> vars;
  range.lo.collectVariables(vars);
  range.hi.collectVariables(vars);
  const size_t ofRange = vars.size();
  auto never = [&](const Condition& bad) {
    return place.space->over(place.space->order(vars)).intersect(bad).isEmpty();
  };
  if (value.index && value.shape.empty()) {
    value.index->collectVariables(vars);
    if (never(!Condition::within(*value.index, range.lo, range.hi))) return make(std::move(result));
    return fail(Kind::ElementOutOfRange, span,
                what + ", and " + show(*value.index) + " is not always in this range");
  }
  if (value.range && !value.range->lo.hasValue() && !value.range->hi.hasValue()) {
    value.range->lo.collectVariables(vars);
    value.range->hi.collectVariables(vars);
    if (never(Condition::less(value.range->lo, range.lo) ||
              Condition::less(range.hi, value.range->hi))) {
      result.range = value.range;
      return make(std::move(result));
    }
  }
  vars.resize(ofRange);
  std::erase(what, '`');
  result =
      cast(readWithin(value, range, {"a value of " + what + " is out of range", ""}, place, span),
           value.type, place);
  result.range = range;
  return make(std::move(result));
}

// What the integer is, read from the identity on the range: a fault with this message outside of
// it.
Tensor Elaborator::readWithin(const Tensor& value, const ValueRange& range, Requirement required,
                              const Place& place, Span span) {
  std::vector<Var> vars;
  range.lo.collectVariables(vars);
  range.hi.collectVariables(vars);
  Node node;
  node.name = std::move(required.words);
  node.span = span;
  node.dims = place.space->order(vars);
  node.type = DType::I32;
  Var at = freshDim("", span, range.lo, range.hi, false);
  node.op = pdg::IndexValue{IndexExpr(at), std::move(required.wayOut)};
  std::vector<Slot> slots;
  for (Var var : node.dims) slots.push_back({Slot::Kind::Fixed, IndexExpr(var), {}, {}, span});
  Tensor open = stored(value, place);
  open.range.reset();
  slots.push_back({Slot::Kind::Gather, {}, {}, std::move(open), span});
  Set points = place.space->over(node.dims);
  node.dims.push_back(at);
  node.domain =
      points.extendTo(node.dims).intersect(Condition::within(IndexExpr(at), range.lo, range.hi));
  const std::vector<Var> dims = node.dims;
  Tensor identityOfRange = identity(addNode(std::move(node)), dims, DType::I32, {});
  return applySlots(identityOfRange, dims, slots, false, place);
}

// x, which is there only where the condition, data, holds: 1 and -1 stand for what it is.
ValueRef Elaborator::required(const ValueRef& x, const Tensor& condition, Requirement what,
                              const Place& place, Span span) {
  Tensor holds = condition;
  if (!dry()) {
    const Tensor sign = select(condition, intLiteral(1), intLiteral(-1), place, span);
    const Tensor proven = readWithin(sign, {0, 2}, std::move(what), place, span);
    holds = binaryTensors(syntax::BinaryOp::Less, intLiteral(0), proven, place, span);
  }
  return mapLeaves(x, [&](const Tensor& leaf, const std::string&) {
    const Tensor zero = leaf.type == DType::Bool ? boolLiteral(false) : intLiteral(0);
    Tensor result = select(holds, leaf, cast(zero, leaf.type, place), place, span);
    result.range = leaf.range;
    return make(std::move(result));
  });
}

}  // namespace rlc::sema
