// Operators: compile-time folding beside the graph's maps, broadcasting over records, conditions as
// sets of points.
#include <algorithm>
#include <cmath>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/sema/elaborator.h"
#include "compiler/sema/fold.h"

namespace rlc::sema {

using syntax::BinaryOp;
using syntax::UnaryOp;

std::optional<Tensor> Elaborator::toTensor(const ValueRef& value, const Place& place, Span span) {
  if (const Tensor* tensor = value->as<Tensor>()) return *tensor;
  if (value->isPoison() || value->isUnknown()) return std::nullopt;
  if (const Tuple* tuple = value->as<Tuple>(); tuple && tuple->list) {
    if (tuple->elements.empty()) {
      return constant(DenseTensor{DType::F32, {0}, {}}, span);
    }
    std::vector<Tensor> parts;
    for (const ValueRef& element : tuple->elements) {
      auto part = toTensor(element, place, span);
      if (!part) return std::nullopt;
      parts.push_back(std::move(*part));
    }
    return stack(parts, 0, place, span);
  }
  fail(Kind::TypeMismatch, span, "expected a tensor, not " + show(value),
       value->as<Class>() ? "`~` draws from a distribution, a call makes a module" : "");
  return std::nullopt;
}

std::optional<Tensor> Elaborator::boolTensor(const ValueRef& value, const Place& place, Span span,
                                             const std::string& what) {
  auto tensor = toTensor(value, place, span);
  if (!tensor) return std::nullopt;
  if (tensor->type != DType::Bool) {
    fail(Kind::TypeMismatch, span, what + " is a bool, not " + show(make(*tensor)),
         "compare it: `x != 0`");
    return std::nullopt;
  }
  return tensor;
}

std::optional<Tensor> Elaborator::oneBool(const ValueRef& value, const Place& place, Span span,
                                          const std::string& what) {
  auto tensor = boolTensor(value, place, span, what);
  if (!tensor || tensor->shape.empty()) return tensor;
  fail(Kind::TypeMismatch, span, what + " is one bool, not " + show(make(*tensor)),
       "`all(...)` or `any(...)` makes one of them");
  return std::nullopt;
}

ValueRef Elaborator::lift(std::vector<ValueRef> values,
                          const std::function<ValueRef(const std::vector<Tensor>&)>& f,
                          const Place& place, Span span) {
  for (const ValueRef& value : values)
    if (value->isPoison()) return poison();
  for (const ValueRef& value : values)
    if (value->isUnknown()) return unknown();
  const Record* record = nullptr;
  const Tuple* tuple = nullptr;
  for (const ValueRef& value : values) {
    if (const Record* r = value->as<Record>()) {
      if (record && (record->fields.size() != r->fields.size()))
        return fail(
            Kind::TypeMismatch, span,
            "the records have different fields: " + show(values[0]) + " and " + show(value));
      if (!record) record = r;
    }
    const Tuple* t = value->as<Tuple>();
    if (t && !t->list) {
      if (tuple && tuple->elements.size() != t->elements.size())
        return fail(Kind::TypeMismatch, span, "the tuples have different lengths");
      tuple = t;
    } else if (t && !tuple &&
               std::any_of(t->elements.begin(), t->elements.end(),
                           [](const ValueRef& e) { return !e->as<Tensor>() && !e->as<Tuple>(); })) {
      tuple = t;  // a list of records
    }
  }
  if (record && tuple)
    return fail(Kind::TypeMismatch, span, "a record and a tuple can't be combined");
  if (record) {
    Record result{record->type, {}};
    for (const auto& [name, field] : record->fields) {
      std::vector<ValueRef> parts;
      for (const ValueRef& value : values) {
        const Record* r = value->as<Record>();
        const ValueRef* part = r ? r->field(name) : &value;
        if (!part)
          return fail(Kind::TypeMismatch, span, "one of the records has no field `" + name + "`");
        parts.push_back(*part);
      }
      result.fields.emplace_back(name, lift(std::move(parts), f, place, span));
    }
    return make(std::move(result));
  }
  if (tuple) {
    Tuple result{{}, tuple->list};
    for (size_t i = 0; i < tuple->elements.size(); ++i) {
      std::vector<ValueRef> parts;
      for (const ValueRef& value : values) {
        const Tuple* t = value->as<Tuple>();
        parts.push_back(t && t->elements.size() == tuple->elements.size() ? t->elements[i] : value);
      }
      result.elements.push_back(lift(std::move(parts), f, place, span));
    }
    return make(std::move(result));
  }
  std::vector<Tensor> tensors;
  for (const ValueRef& value : values) {
    auto tensor = toTensor(value, place, span);
    if (!tensor) return poison();
    tensors.push_back(std::move(*tensor));
  }
  return f(tensors);
}

Tensor Elaborator::binaryTensors(BinaryOp op, const Tensor& a, const Tensor& b, const Place& place,
                                 Span span) {
  switch (op) {
    case BinaryOp::Greater:
      return binaryTensors(BinaryOp::Less, b, a, place, span);
    case BinaryOp::GreaterEqual:
      return binaryTensors(BinaryOp::LessEqual, b, a, place, span);
    case BinaryOp::MatMul:
      return matmul(a, b, place, span);
    default:
      break;
  }
  const auto exponent = b.constant();
  if (op == BinaryOp::Power && isInteger(a.type) && isInteger(b.type) && exponent &&
      *exponent < 0) {
    const auto base = a.constant();
    fail(Kind::TypeMismatch, span, "an integer to a negative power is no integer",
         "a float has one: `" + (base ? std::to_string(*base) + ".0" : "f32(x)") + " ^ " +
             std::to_string(*exponent) + "`");
    return a;
  }
  Tensor folded;
  bool isFolded = foldBinary(op, a, b, folded);
  if (isFolded) {
    folded.params = a.params;
    folded.params.insert(b.params.begin(), b.params.end());
    // A float that is made of a variable is what a derivative comes through.
    const bool variable =
        folded.number && (a.view.producer >= 0 || b.view.producer >= 0) && folded.weak == Weak::No;
    if (folded.params.empty() && !folded.function && !variable) return folded;
  }
  DType type = common({a, b});
  Tensor result;
  auto arithmetic = [&](ScalarOp scalar) {
    DType t = type == DType::Bool ? DType::I32 : type;
    return map(scalar, {a, b}, t, t, place, span);
  };
  auto comparison = [&](ScalarOp scalar) {
    return map(scalar, {a, b}, type, DType::Bool, place, span);
  };
  switch (op) {
    case BinaryOp::Add:
      result = arithmetic(ScalarOp::Add);
      break;
    case BinaryOp::Subtract:
      result = arithmetic(ScalarOp::Sub);
      break;
    case BinaryOp::Multiply:
      result = arithmetic(ScalarOp::Mul);
      break;
    case BinaryOp::FloorDivide:
      result = arithmetic(ScalarOp::FloorDiv);
      break;
    case BinaryOp::Modulo:
      result = arithmetic(ScalarOp::Mod);
      break;
    case BinaryOp::Power:
      result = arithmetic(ScalarOp::Pow);
      break;
    case BinaryOp::Divide: {
      DType t = isFloat(type) ? type : DType::F32;
      result = map(ScalarOp::Div, {a, b}, t, t, place, span);
      break;
    }
    case BinaryOp::Equal:
      result = comparison(ScalarOp::Eq);
      break;
    case BinaryOp::NotEqual:
      result = comparison(ScalarOp::Ne);
      break;
    case BinaryOp::Less:
      result = comparison(ScalarOp::Lt);
      break;
    case BinaryOp::LessEqual:
      result = comparison(ScalarOp::Le);
      break;
    case BinaryOp::And:
      result = map(ScalarOp::And, {a, b}, DType::Bool, DType::Bool, place, span);
      break;
    case BinaryOp::Or:
      result = map(ScalarOp::Or, {a, b}, DType::Bool, DType::Bool, place, span);
      break;
    case BinaryOp::MatMul:
    case BinaryOp::Greater:
    case BinaryOp::GreaterEqual:
      break;
  }
  result.range = rangeOfBinary(op, a, b);
  if (isFolded) {
    result.index = folded.index;
    result.number = folded.number;
    result.condition = folded.condition;
    result.function = folded.function;
    result.params = folded.params;
  }
  return result;
}

// A record's field that is a scalar, by its path; "": it has none.
static std::string scalarField(const ValueRef& value) {
  const Record* record = value->as<Record>();
  if (!record) return "";
  for (const auto& [name, field] : record->fields) {
    const Tensor* tensor = field->as<Tensor>();
    if (tensor && tensor->shape.empty()) return name;
    if (const std::string inner = scalarField(field); !inner.empty()) return name + "." + inner;
  }
  return "";
}

ValueRef Elaborator::binary(BinaryOp op, const ValueRef& a, const ValueRef& b, const Place& place,
                            Span span) {
  if ((op == BinaryOp::Equal || op == BinaryOp::NotEqual) && a->as<Text>() && b->as<Text>())
    return make(
        boolLiteral((a->as<Text>()->text == b->as<Text>()->text) == (op == BinaryOp::Equal)));
  // While types are inferred, what is not known yet takes the type of the other side.
  if (a->isUnknown() || b->isUnknown()) {
    const ValueRef& known = a->isUnknown() ? b : a;
    const Tensor* t = known->as<Tensor>();
    if (known->isPoison()) return poison();
    if (waiting_) return unknown();
    if (known->isUnknown() && (op == BinaryOp::And || op == BinaryOp::Or)) return guessedBool();
    const bool elementwise = op != BinaryOp::MatMul;
    if (t && elementwise && (t->type != DType::Bool || op == BinaryOp::And || op == BinaryOp::Or)) {
      bool compares = op >= BinaryOp::Equal && op <= BinaryOp::GreaterEqual;
      if (compares) return make(identity(kDryNode, {}, DType::Bool, t->shape));
      Tensor other = *t;
      other.index.reset();
      other.number.reset();
      other.condition.reset();
      other.function.reset();
      other.range.reset();
      other.view = identity(kDryNode, {}, t->type, t->shape).view;
      if (t->view.producer >= 0) other.view = t->view;
      if (op == BinaryOp::Divide && !isFloat(other.type))
        other.type = DType::F32, other.weak = other.weak == Weak::No ? Weak::No : Weak::Float;
      return make(other);
    }
    if (known->as<Record>() && elementwise) return known;
    return unknown();
  }
  if (op == BinaryOp::MatMul) {  // once, for the record as a whole
    for (const ValueRef& side : {a, b}) {
      const std::string scalar = scalarField(side);
      if (!scalar.empty())
        return fail(
            Kind::ShapeMismatch, span,
            "`@` takes vectors and matrices, not " + show(a) + " and " + show(b) + ", whose `" +
                scalar + "` is a scalar",
            "take a field of it; what can be seen of an environment is a vector: `E.observe(s)`");
    }
  }
  return lift(
      {a, b},
      [&](const std::vector<Tensor>& operands) {
        bool logic = op == BinaryOp::And || op == BinaryOp::Or;
        for (const Tensor& t : operands)
          if (logic && t.type != DType::Bool)
            return fail(
                Kind::TypeMismatch, span,
                std::string("`") + syntax::spelling(op) + "` takes bools, not " + show(make(t)));
        return make(binaryTensors(op, operands[0], operands[1], place, span));
      },
      place, span);
}

ValueRef Elaborator::guessedBool() const { return make(identity(kDryNode, {}, DType::Bool, {})); }

ValueRef Elaborator::unary(UnaryOp op, const ValueRef& a, const Place& place, Span span) {
  if (op == UnaryOp::Not && a->isUnknown() && !waiting_) return guessedBool();
  return lift(
      {a},
      [&](const std::vector<Tensor>& operands) -> ValueRef {
        const Tensor& t = operands[0];
        if (op == UnaryOp::Not) {
          if (t.type != DType::Bool)
            return fail(Kind::TypeMismatch, span, "`not` takes a bool, not " + show(make(t)));
          if (t.condition && t.params.empty()) return make(conditionValue(!*t.condition));
          Tensor result = map(ScalarOp::Not, {t}, DType::Bool, DType::Bool, place, span);
          if (t.condition) result.condition = !*t.condition;
          if (t.function) result.function = negated(t.function);
          result.params = t.params;
          return make(result);
        }
        if (t.weak != Weak::No && t.params.empty()) {
          if (t.number) return make(floatLiteral(-*t.number));
          if (t.constant()) return make(intLiteral(-*t.constant()));
        }
        Tensor zero = intLiteral(0);
        if (t.index || t.function)
          return make(binaryTensors(BinaryOp::Subtract, zero, t, place, span));
        DType type = t.type == DType::Bool ? DType::I32 : t.type;
        Tensor result = map(ScalarOp::Neg, {t}, type, type, place, span);
        if (t.number) result.number = -*t.number, result.params = t.params;
        if (t.range)
          result.range = ValueRange{IndexExpr(1) - t.range->hi, IndexExpr(1) - t.range->lo};
        return make(result);
      },
      place, span);
}

std::optional<Set> Elaborator::pointsWhere(const Tensor& condition, const Place& place, Span span,
                                           bool& failed) {
  failed = false;
  if (!condition.condition && !condition.function) return std::nullopt;
  useStatically(condition);
  if (dry()) return Set();
  if (condition.condition) {
    std::vector<Var> vars;
    condition.condition->collectVariables(vars);
    std::vector<Var> dims = place.space->order(vars);
    return Set::of(context_, dims, *condition.condition);
  }
  std::vector<Var> dims = place.space->order(condition.function->vars);
  dims.erase(std::unique(dims.begin(), dims.end()), dims.end());
  const Set& where = place.space->over(dims);
  if (!where.isBounded() || where.hasMoreThan(kMaxUnroll)) {
    fail(Kind::StaticLimit, span,
         "this condition on indices is not affine and has more than " + std::to_string(kMaxUnroll) +
             " points to try",
         "write it with `+ - // %` by constants, or let it depend on data");
    failed = true;
    return std::nullopt;
  }
  // Points in lexicographic order; runs along the last variable become one range.
  Condition all = Condition::never();
  std::vector<int64_t> first;
  int64_t last = 0;
  std::vector<Condition> runs;
  auto flush = [&] {
    if (first.empty() && !dims.empty()) return;
    Condition run = Condition::always();
    for (size_t i = 0; i < dims.size(); ++i) {
      bool tail = i + 1 == dims.size();
      run = run && (tail ? Condition::within(IndexExpr(dims[i]), first[i], last + 1)
                         : Condition::equal(IndexExpr(dims[i]), first[i]));
    }
    runs.push_back(run);
    first.clear();
  };
  where.forEachPoint([&](const polyhedral::Point& point) {
    auto at = [&](Var var) {
      return point[static_cast<size_t>(std::find(dims.begin(), dims.end(), var) - dims.begin())];
    };
    bool holds = condition.function->evaluate(at).asBool();
    bool extends = !first.empty() && std::equal(point.begin(), point.end() - 1, first.begin()) &&
                   point.back() == last + 1;
    if (!holds || !extends) flush();
    if (!holds) return;
    if (first.empty()) first = point;
    last = point.back();
  });
  flush();
  Set result = Set::empty(context_, dims);
  for (const Condition& run : runs) result = result.unite(Set::of(context_, dims, run));
  return result.coalesce();
}

ValueRef Elaborator::mergeValues(const Set& where, const std::vector<Var>& vars,
                                 const ValueRef& yes, const ValueRef& no, const Place& place,
                                 Span span) {
  if (yes->isPoison() || no->isPoison()) return poison();
  if (yes->isUnknown()) return no;
  if (no->isUnknown()) return yes;
  auto isInstance = [](const ValueRef& v) { return v->as<Instance>() != nullptr; };
  if (isInstance(yes) && isInstance(no)) {
    const Instance& a = *yes->as<Instance>();
    const Instance& b = *no->as<Instance>();
    if (a.of->item != b.of->item || a.fields.size() != b.fields.size())
      return fail(Kind::TypeMismatch, span,
                  "the branches differ: " + show(yes) + " and " + show(no));
    Instance result = a;
    for (size_t i = 0; i < a.fields.size(); ++i)
      if (a.fields[i].second->as<Tensor>() && b.fields[i].second->as<Tensor>())
        result.fields[i].second =
            mergeValues(where, vars, a.fields[i].second, b.fields[i].second, place, span);
    return make(std::move(result));
  }
  return lift(
      {yes, no},
      [&](const std::vector<Tensor>& branches) {
        if (dry())
          return make(
              mergeByPoint({{Set(), branches[0]}, {Set(), branches[1]}}, vars, place, span));
        Set all = place.space->over(place.space->order(vars));
        Set inside = all.intersect(where);
        return make(mergeByPoint({{inside, branches[0]}, {all.subtract(inside), branches[1]}}, vars,
                                 place, span));
      },
      place, span);
}

}  // namespace rlc::sema
