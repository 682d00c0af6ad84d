#include "compiler/passes/reduction_factors.h"

#include <algorithm>
#include <cmath>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/types/lists.h"

namespace rlc::passes {

namespace {

constexpr int kMostFactors = 64;
constexpr int kDeepest = 16;

bool mentionsWithin(const Node& reader, const Read& read, Var var, int depth) {
  auto in = [&](const std::vector<IndexExpr>& exprs) {
    return std::any_of(exprs.begin(), exprs.end(),
                       [&](const IndexExpr& e) { return e.mentions(var); });
  };
  if (in(read.at) || in(read.element)) return true;
  for (int input : pdg::valueInputs(read))
    if (depth > kDeepest ||
        mentionsWithin(reader, reader.inputs[static_cast<size_t>(input)], var, depth + 1))
      return true;
  return false;
}

}  // namespace

bool mentions(const Node& reader, const Read& read, Var var) {
  return mentionsWithin(reader, read, var, 0);
}

bool Factorizer::fail(const std::string& why) {
  why_ = why;
  return false;
}

std::optional<Factors> Factorizer::factorize(const Read& body) {
  Factors factors;
  if (!add(body, false, factors)) return std::nullopt;
  return factors;
}

bool Factorizer::isFreeOf(Var var, const Read& read) {
  return reachesOnly(read, var, [](const Read&) { return true; });
}

bool Factorizer::standsOutside(const Read& read) {
  return reachesOnly(read, bound_, [](const Read& part) { return !hasValues(part); });
}

// Whether all that the value is made of is read without the variable, and each read on the way
// passes the test.
template <typename Test>
bool Factorizer::reachesOnly(const Read& read, Var var, const Test& test) {
  if (!test(read)) return false;
  if (!mentions(reduction_, read, var)) return true;
  if (++count_ > kMostFactors) return false;
  const Node& node = graph_.node(read.producer);
  const auto rest = [&](const Read& operand) {
    return reachesOnly(compose(graph_, reduction_, read, operand), var, test);
  };
  if (const Read* same = pdg::passedOn(node)) return rest(*same);
  return std::holds_alternative<pdg::Map>(node.op) &&
         std::all_of(node.inputs.begin(), node.inputs.begin() + node.dataInputs(), rest);
}

bool Factorizer::add(const Read& read, bool inverse, Factors& factors) {
  if (++count_ > kMostFactors) return fail("it has too many factors");
  if (!mentions(reduction_, read, bound_)) {
    factors.outer.push_back({read, inverse});
    return true;
  }
  if (!mentions(reduction_, read, motion_.along)) {
    factors.inner.push_back({read, inverse});
    return true;
  }
  const Node& node = graph_.node(read.producer);
  auto operand = [&](size_t k) { return compose(graph_, reduction_, read, node.inputs[k]); };
  if (const Read* same = pdg::passedOn(node))
    return add(compose(graph_, reduction_, read, *same), inverse, factors);
  if (const auto* map = std::get_if<pdg::Map>(&node.op)) {
    if (map->op == ScalarOp::Mul && (!inverse || isFloat(node.type)))
      return add(operand(0), inverse, factors) && add(operand(1), inverse, factors);
    if (map->op == ScalarOp::Div)
      return add(operand(0), inverse, factors) && add(operand(1), !inverse, factors);
    if (map->op == ScalarOp::Neg) {
      factors.negative = !factors.negative;
      return add(operand(0), inverse, factors);
    }
    if (map->op == ScalarOp::Pow && !inverse) return addPower(node, read, factors);
  }
  if (const auto* reduce = std::get_if<pdg::Reduce>(&node.op);
      reduce && reduce->kind == pdg::ReduceKind::Prod && !inverse)
    return addProduct(node, read, factors);
  if (isFreeOf(motion_.along, read)) {
    factors.inner.push_back({read, inverse});
    return true;
  }
  if (standsOutside(read)) {
    factors.outer.push_back({read, inverse});
    return true;
  }
  return fail("its body changes along it");
}

bool Factorizer::addPower(const Node& power, const Read& read, Factors& factors) {
  const Read base = compose(graph_, reduction_, read, power.inputs[0]);
  const auto exponent = asIndex(compose(graph_, reduction_, read, power.inputs[1]));
  if (!isFreeOf(bound_, base) || mentions(reduction_, base, bound_) ||
      mentions(reduction_, base, motion_.along))
    return fail("the base of a power changes along it");
  if (!exponent) return fail("an exponent is not an index expression");
  const IndexExpr neighbour =
      exponent->substitute({{motion_.along, IndexExpr(motion_.along) + motion_.step}});
  const auto perStep = (*exponent - neighbour).asConstant();
  if (!perStep) return fail("an exponent does not change by the same amount at each step");
  if (*perStep < 0)
    return fail("a weight grows from step to step, and dividing by it would lose digits");
  factors.powers.push_back({base, *exponent, *perStep});
  return true;
}

bool Factorizer::addProduct(const Node& product, const Read& read, Factors& factors) {
  const auto& reduce = std::get<pdg::Reduce>(product.op);
  if (reduce.bound.size() != 1 || reduce.hasFilter || !reduce.keys.empty() || hasValues(read))
    return fail("a product among its factors is not over one plain range");
  const Var inner = reduce.bound[0];
  std::vector<Var> all = motion_.gained.vars();
  if (contains(all, inner)) return fail("a product among its factors uses the same variable");
  std::map<Var, IndexExpr> values = valuesOf(product, read);
  values.emplace(inner, IndexExpr(inner));
  const Read body = composeWith(reduction_, product, values, product.inputs[0]);
  if (mentions(reduction_, body, motion_.along) || mentions(reduction_, body, bound_))
    return fail("the body of a product among its factors changes with its range");

  all.push_back(inner);
  std::vector<IndexExpr> at;
  for (Var var : reduce.domain.vars()) {
    auto found = values.find(var);
    if (found == values.end() || var.isElement())
      return fail("a product among its factors has a range of its own for each element");
    at.push_back(found->second);
  }
  const pdg::Set everywhere = pdg::Set::universe(graph_.context(), all);
  const pdg::Set range = reduce.domain.preimage(everywhere, at);
  const pdg::Set common = motion_.common.extendTo(all);
  const pdg::Set here = range.intersect(common);
  const pdg::Set there = movedBy(range, motion_.along, motion_.step).intersect(common);
  const pdg::Set gained = here.subtract(there);
  const bool onlyGrows =
      there.isSubset(here) && motion_.common.isSubset(gained.projectOnto(motion_.common.vars()));
  const auto entering = gained.isEmpty() ? std::nullopt : gained.solve(inner);
  if (!onlyGrows || !entering || entering->mentions(bound_))
    return fail("a product among its factors does not grow by one element at each step");
  factors.products.push_back({body, inner, *entering, range});
  return true;
}

// The value as an index expression of the reduction's variables.
std::optional<IndexExpr> Factorizer::asIndex(const Read& read, int depth) {
  if (depth > kDeepest) return std::nullopt;
  const Node& node = graph_.node(read.producer);
  auto operand = [&](size_t k) {
    return asIndex(compose(graph_, reduction_, read, node.inputs[k]), depth + 1);
  };
  if (const auto known = pdg::splatValue(node)) {
    const double value = known->asDouble();
    if (std::trunc(value) != value || std::abs(value) > 1e6) return std::nullopt;
    return IndexExpr(static_cast<int64_t>(value));
  }
  if (const auto* value = std::get_if<pdg::IndexValue>(&node.op)) {
    if (value->expr.hasValue() || hasValues(read)) return std::nullopt;
    return value->expr.substitute(valuesOf(node, read));
  }
  if (const Read* same = pdg::passedOn(node))
    return asIndex(compose(graph_, reduction_, read, *same), depth + 1);
  const auto* map = std::get_if<pdg::Map>(&node.op);
  if (!map) return std::nullopt;
  switch (map->op) {
    case ScalarOp::Cast:
      if (isInteger(graph_.node(node.inputs[0].producer).type) && node.type != DType::U8 &&
          node.type != DType::Bool)
        return operand(0);
      return std::nullopt;
    case ScalarOp::Neg:
      if (auto a = operand(0)) return -*a;
      return std::nullopt;
    case ScalarOp::Add:
    case ScalarOp::Sub: {
      const auto a = operand(0), b = operand(1);
      if (!a || !b) return std::nullopt;
      return map->op == ScalarOp::Add ? *a + *b : *a - *b;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace rlc::passes
