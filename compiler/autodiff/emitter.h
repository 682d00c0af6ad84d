// Makes element-wise nodes over one space, without those that change nothing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/autodiff/source.h"

namespace rlc::autodiff {

// Constants of this expansion, each made once.
class Constants {
 public:
  explicit Constants(Graph& graph) : graph_(graph) {}
  Source number(double value, DType type);
  // The value of a source that is the same number everywhere.
  std::optional<double> valueOf(const Source& source) const;

 private:
  Graph& graph_;
  std::map<std::pair<DType, double>, NodeId> nodes_;
};

// Where the nodes made have a value.
struct Space {
  std::vector<Var> dims;
  Set domain;
  std::vector<IndexExpr> shape;
  pdg::Span span;
};

class Emitter {
 public:
  Emitter(Graph& graph, Constants& constants, Space space)
      : graph_(graph), constants_(constants), space_(std::move(space)) {}

  Graph& graph() { return graph_; }
  const Space& space() const { return space_; }
  DType typeOf(const Source& source) const { return graph_.node(source.read.producer).type; }

  Source node(DType type, pdg::Op op, std::vector<Read> inputs, std::string name = "");
  Source number(double value, DType type) { return constants_.number(value, type); }
  Source index(const IndexExpr& expr);
  Source map(ScalarOp op, const std::vector<Source>& operands);
  Source cast(const Source& a, DType type);

  // These see through 0, 1 and -1.
  Source add(const Source& a, const Source& b);
  Source sub(const Source& a, const Source& b);
  Source mul(const Source& a, const Source& b);
  Source div(const Source& a, const Source& b);
  Source neg(const Source& a);
  Source select(const Source& condition, const Source& a, const Source& b);
  Source less(const Source& a, const Source& b) { return map(ScalarOp::Lt, {a, b}); }
  Source equal(const Source& a, const Source& b) { return map(ScalarOp::Eq, {a, b}); }
  Source both(const Source& a, const Source& b) { return map(ScalarOp::And, {a, b}); }

  Source plus(const Source& a, double b) { return add(a, number(b, typeOf(a))); }
  Source times(const Source& a, double b) { return mul(a, number(b, typeOf(a))); }
  Source zeroLike(const Source& a) { return number(0, typeOf(a)); }

 private:
  bool is(const Source& source, double value) const { return constants_.valueOf(source) == value; }

  Graph& graph_;
  Constants& constants_;
  Space space_;
};

}  // namespace rlc::autodiff
