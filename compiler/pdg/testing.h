// Hand-made graphs for tests.
//
//   GraphBuilder g;
//   Var t = g.index("t", 0, 10);
//   NodeId one = g.constant(1.0);
//   NodeId x = g.declare("x", {t}, g.box({t}, {0}, {11}));
//   g.piece(x, g.where({t}, Condition::equal(t, 0)), g.at(one));
//   NodeId half = g.map(ScalarOp::Mul, {t}, {g.at(x, {t}), g.at(g.constant(0.5))});
//   g.piece(x, g.box({t}, {1}, {11}), g.at(half, {IndexExpr(t) - 1}));
#pragma once

#include <string>
#include <vector>

#include "compiler/pdg/graph.h"

namespace rlc::pdg::testing {

class GraphBuilder {
 public:
  GraphBuilder() : graph_(context_) {}
  // With less of isl's work allowed.
  explicit GraphBuilder(unsigned long budget) : context_(budget), graph_(context_) {}

  Context& context() { return context_; }
  Graph& graph() { return graph_; }
  Node& node(NodeId id) { return graph_.node(id); }

  Var index(const std::string& name, IndexExpr lo, IndexExpr hi);  // lo <= name < hi
  Var range(const std::string& name);  // a range variable: bounds come with its reduction

  Set box(const std::vector<Var>& vars, const std::vector<IndexExpr>& lo,
          const std::vector<IndexExpr>& hi);
  Set where(const std::vector<Var>& vars, const Condition& condition);
  Set declared(const std::vector<Var>& dims);  // the box of the declared ranges

  // A read; without `element` the producer's elements are read at the consumer's own positions.
  Read at(NodeId producer, std::vector<IndexExpr> points = {});
  Read at(NodeId producer, std::vector<IndexExpr> points, std::vector<IndexExpr> element);

  NodeId constant(double value, DType type = DType::F32);
  NodeId constant(const std::vector<double>& values, DType type = DType::F32,
                  std::vector<int64_t> shape = {});
  NodeId param(const std::string& name, double value, DType type = DType::F32);
  NodeId indexValue(const std::vector<Var>& dims, const IndexExpr& expr,
                    std::vector<IndexExpr> shape = {});

  // Domains: the declared ranges of dims. Types: by the operands.
  NodeId map(ScalarOp op, const std::vector<Var>& dims, std::vector<Read> operands,
             std::vector<IndexExpr> shape = {});
  NodeId cast(DType to, const std::vector<Var>& dims, Read operand,
              std::vector<IndexExpr> shape = {});
  NodeId reduce(ReduceKind kind, const std::vector<Var>& dims, std::vector<Var> bound, Set domain,
                Read body, std::vector<IndexExpr> shape = {});
  NodeId draw(DrawKind kind, const std::string& stream, const std::vector<Var>& dims,
              std::vector<Read> inputs = {}, std::vector<IndexExpr> shape = {});
  NodeId sort(const std::vector<Var>& dims, Read vector, std::vector<IndexExpr> shape,
              bool positions = false, bool descending = false);

  // A tensor by its equations, which may read it.
  NodeId declare(const std::string& name, const std::vector<Var>& dims, Set domain,
                 DType type = DType::F32, std::vector<IndexExpr> shape = {});
  void piece(NodeId tensor, Set domain, Read value, Condition element = Condition::always());

  NodeId add(const std::string& name, const std::vector<Var>& dims, Set domain, DType type,
             std::vector<IndexExpr> shape, Op op, std::vector<Read> inputs);
  void print(const std::string& label, NodeId tensor);
  void sink(Sink::Kind kind, const std::string& label, NodeId tensor);

 private:
  Context context_;
  Graph graph_;
};

}  // namespace rlc::pdg::testing
