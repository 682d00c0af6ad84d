// The body of a sum as a product of factors that a recurrence can treat one by one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/passes/reduction_range.h"
#include "compiler/passes/rewrite.h"

namespace rlc::passes {

struct Factor {
  Read read;
  bool inverse = false;  // it divides
};

// base ^ exponent, where the exponent at a point less that at its neighbour is `perStep` >= 0, for
// every value of the bound variable.
struct PowerWeight {
  Read base;
  IndexExpr exponent;
  int64_t perStep = 0;
};

// A product whose range at a point has one element more than at its neighbour: the one at
// `entering`.
struct ProductWeight {
  Read body;  // over the reduction's variables and `bound`
  Var bound;
  IndexExpr entering;  // over the dims
  pdg::Set range;      // over the reduction's dims and bound variable, then `bound`
};

// All reads are over the variables of the reduction, and may take values of its inputs.
struct Factors {
  bool negative = false;
  std::vector<Factor> outer;  // the same for all of the range
  std::vector<Factor> inner;  // the same at all points along the dim
  std::vector<PowerWeight> powers;
  std::vector<ProductWeight> products;
};

class Factorizer {
 public:
  // `reduction`: a copy, which gets further inputs for the values of subscripts.
  Factorizer(const Graph& graph, Node& reduction, Var bound, const RangeMotion& motion)
      : graph_(graph), reduction_(reduction), bound_(bound), motion_(motion) {}

  // nullopt: `why` says which factor does not fit.
  std::optional<Factors> factorize(const Read& body);
  // Whether the value is the same at all points along the dim (as far as can be told).
  bool isFreeOf(Var var, const Read& read);
  const std::string& why() const { return why_; }

 private:
  template <typename Test>
  bool reachesOnly(const Read& read, Var var, const Test& test);
  // Whether the value can be computed without the bound variable (RecurrenceBuilder::value).
  bool standsOutside(const Read& read);
  bool add(const Read& read, bool inverse, Factors& factors);
  bool addPower(const Node& power, const Read& read, Factors& factors);
  bool addProduct(const Node& product, const Read& read, Factors& factors);
  bool fail(const std::string& why);
  std::optional<IndexExpr> asIndex(const Read& read, int depth = 0);

  const Graph& graph_;
  Node& reduction_;
  Var bound_;
  const RangeMotion& motion_;
  int count_ = 0;
  std::string why_;
};

// Whether the read's subscripts, or values that they take, depend on the variable.
bool mentions(const Node& reader, const Read& read, Var var);

}  // namespace rlc::passes
