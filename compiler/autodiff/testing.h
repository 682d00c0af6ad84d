// Gradients compared with central differences, in f64, by the interpreter.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "compiler/autodiff/gradients.h"
#include "compiler/interpreter/interpreter.h"
#include "compiler/pdg/printer.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/testing.h"
#include "compiler/pdg/verifier.h"

namespace rlc::autodiff::testing {

using namespace pdg;  // NOLINT: this header is for tests
using pdg::testing::GraphBuilder;
using polyhedral::Point;

inline IndexExpr e(int axis) { return Var::element(axis); }
inline Read half(GraphBuilder& g) { return g.at(g.constant(0.5, DType::F64), {}, {}); }

// What is differentiated by what: loss[lossAt(d)] by wrt[wrtAt(d)], for d over `dims`.
struct Derivative {
  NodeId loss = -1;
  std::vector<IndexExpr> lossAt;
  NodeId wrt = -1;
  std::vector<IndexExpr> wrtAt;
  std::vector<Var> dims;
  Set domain;
};

// With what both have in common once: the dims of the loss, then the others of `wrt`, over both
// domains.
inline Derivative derivative(GraphBuilder& g, NodeId loss, NodeId wrt) {
  const Node& l = g.node(loss);
  const Node& w = g.node(wrt);
  return {loss,
          identity(l.dims),
          wrt,
          identity(w.dims),
          l.domain.join(w.domain).vars(),
          l.domain.join(w.domain)};
}

inline NodeId addGrad(GraphBuilder& g, const Derivative& d) {
  const Node& w = g.node(d.wrt);
  return g.add("", d.dims, d.domain, w.type, w.shape, Grad{},
               {g.at(d.loss, d.lossAt, {}), g.at(d.wrt, d.wrtAt)});
}

// An f64 tensor of irregular values in (-1, 1), shifted and scaled.
inline NodeId leaf(GraphBuilder& g, const std::string& name, const std::vector<Var>& dims,
                   std::vector<IndexExpr> shape = {}, double seed = 1, double offset = 0,
                   double scale = 1) {
  IndexExpr mixed = 0;
  int64_t factor = 3;
  for (Var dim : dims) mixed = mixed + IndexExpr(dim) * factor, factor = factor * 5 + 2;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    mixed = mixed + IndexExpr(Var::element(static_cast<int>(axis))) * factor,
    factor = factor * 5 + 2;
  const std::vector<IndexExpr> at = identity(dims);
  const NodeId number = g.indexValue(dims, mixed, shape);
  const NodeId real = g.cast(DType::F64, dims, g.at(number, at), shape);
  auto constant = [&](double v) { return g.at(g.constant(v, DType::F64), {}, {}); };
  const NodeId spread = g.map(ScalarOp::Mul, dims, {g.at(real, at), constant(0.7)}, shape);
  const NodeId moved = g.map(ScalarOp::Add, dims, {g.at(spread, at), constant(seed)}, shape);
  const NodeId sine = g.map(ScalarOp::Sin, dims, {g.at(moved, at)}, shape);
  const NodeId scaled = g.map(ScalarOp::Mul, dims, {g.at(sine, at), constant(scale)}, shape);
  const NodeId result = g.map(ScalarOp::Add, dims, {g.at(scaled, at), constant(offset)}, shape);
  g.node(result).name = name;
  return result;
}

// Everyone who reads `tensor` reads it with `step` added at one point and element.
inline void perturb(GraphBuilder& g, NodeId tensor, const Point& point, const Point& element,
                    double step) {
  const int before = g.graph().size();
  const Node original = g.node(tensor);
  Condition here = Condition::always(), there = Condition::always();
  for (size_t i = 0; i < point.size(); ++i)
    here = here && Condition::equal(original.dims[i], point[i]);
  for (size_t i = 0; i < element.size(); ++i)
    there = there && Condition::equal(Var::element(static_cast<int>(i)), element[i]);
  const Read small = g.at(g.constant(step, original.type), {}, {}),
             none = g.at(g.constant(0, original.type), {}, {});
  const NodeId delta = g.declare("", original.dims, original.domain, original.type, original.shape);
  const Set hit = original.domain.intersect(here);
  g.piece(delta, hit, small, there);
  if (!element.empty()) g.piece(delta, hit, none, !there);
  if (!point.empty()) g.piece(delta, original.domain.subtract(hit), none);
  const NodeId moved =
      g.add("", original.dims, original.domain, original.type, original.shape, Map{ScalarOp::Add},
            {g.at(tensor, identity(original.dims)), g.at(delta, identity(original.dims))});
  for (NodeId id = 0; id < before; ++id)
    for (Read& read : g.node(id).inputs)
      if (read.producer == tensor) read.producer = moved;
}

using Build = std::function<Derivative(GraphBuilder&)>;

inline double lossAfter(const Build& build, const Point& d, const Point& element, double step) {
  GraphBuilder g;
  const Derivative what = build(g);
  auto position = [&](Var var) {
    for (size_t i = 0; i < what.dims.size(); ++i)
      if (what.dims[i] == var) return d[i];
    return int64_t{0};
  };
  Point lossPoint, wrtPoint;
  for (const IndexExpr& e : what.lossAt) lossPoint.push_back(e.evaluate(position));
  for (const IndexExpr& e : what.wrtAt) wrtPoint.push_back(e.evaluate(position));
  const NodeId wrt = what.wrt;
  perturb(g, wrt, wrtPoint, element, step);
  expandGradients(g.graph());
  // A loss that is the tensor itself is read moved, too.
  const NodeId loss = what.loss == wrt ? static_cast<NodeId>(g.graph().size()) - 1 : what.loss;
  return interpreter::Interpreter(g.graph()).evaluate(loss, lossPoint).elements.at(0).asDouble();
}

struct Check {
  double tolerance = 1e-6;
  double step = 1e-5;
  int every = 1;  // elements compared
  bool print = false;
};

// Expands, verifies, and compares every element at every point. Returns the gradient's values in
// order.
inline std::vector<double> checkGradient(const Build& build, Check options = {}) {
  std::vector<double> values;
  GraphBuilder g;
  const Derivative what = build(g);
  const NodeId grad = addGrad(g, what);
  g.node(grad).name = "gradient";
  expandGradients(g.graph());
  if (options.print) std::cout << print(g.graph()) << "\n";
  const std::vector<std::string> problems = verify(g.graph());
  for (const std::string& problem : problems) ADD_FAILURE() << problem;
  if (!problems.empty()) {
    std::cout << print(g.graph()) << "\n";
    return values;
  }
  interpreter::Interpreter interpreter(g.graph());
  what.domain.forEachPoint([&](const Point& d) {
    const DenseTensor value = interpreter.evaluate(grad, d);
    std::vector<int64_t> element(value.shape.size());
    for (const Scalar& scalar : value.elements) {
      values.push_back(scalar.asDouble());
      if (options.step > 0 && static_cast<int>(values.size()) % options.every == 0) {
        const double numeric = (lossAfter(build, d, element, options.step) -
                                lossAfter(build, d, element, -options.step)) /
                               (2 * options.step);
        std::string where;
        for (int64_t c : d) where += " " + std::to_string(c);
        for (int64_t c : element) where += " e" + std::to_string(c);
        EXPECT_NEAR(values.back(), numeric, options.tolerance * (1 + std::abs(numeric)))
            << "at" << where;
      }
      for (size_t axis = element.size(); axis-- > 0;) {
        if (++element[axis] < value.shape[axis]) break;
        element[axis] = 0;
      }
    }
  });
  return values;
}

// sum of a * weights over the dims and elements of `a`: a scalar loss without dims.
inline NodeId weightedSum(GraphBuilder& g, NodeId a, double seed = 2) {
  const Node node = g.node(a);
  std::vector<Var> bound = node.dims;
  std::vector<IndexExpr> element, lo, hi;
  const int before = g.graph().size();
  const NodeId weights = leaf(g, "", node.dims, node.shape, seed, 0.3);
  for (NodeId id = before; id <= weights; ++id)
    if (g.node(id).dims == node.dims) g.node(id).domain = node.domain;
  const NodeId product =
      g.add("", node.dims, node.domain, node.type, node.shape, Map{ScalarOp::Mul},
            {g.at(a, identity(node.dims)), g.at(weights, identity(node.dims))});
  Condition inShape = Condition::always();
  for (const IndexExpr& extent : node.shape) {
    bound.push_back(g.range("s" + std::to_string(element.size())));
    element.push_back(bound.back());
    inShape = inShape && Condition::within(bound.back(), 0, extent);
  }
  const Set domain = node.domain.extendTo(bound).intersect(inShape);
  return g.reduce(ReduceKind::Sum, {}, bound, domain, g.at(product, identity(node.dims), element));
}

}  // namespace rlc::autodiff::testing
