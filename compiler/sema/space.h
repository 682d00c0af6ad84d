// The iteration space that an expression is elaborated in: which variables it may vary over, at
// which points it is needed.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "compiler/sema/value.h"

namespace rlc::sema {

// Draws are counted by the points of the tensor that they define, whichever equation defines them.
struct DrawPoints {
  std::vector<Var> dims;                      // the tensor's
  std::vector<IndexExpr> at;                  // as expressions of the space
  std::map<Var, IndexExpr> inverse;           // the space's variables as expressions of `dims`
  Condition condition = Condition::always();  // over dims
};

struct Space {
  bool open = false;      // inference: no domain, and any declared index may turn up (in `touched`)
  std::vector<Var> dims;  // outermost first
  Set domain;             // over dims; unset when open
  std::map<Var, IndexExpr> index;  // declared index -> what it stands for here
  std::set<Var>* touched =
      nullptr;  // open: declared indices used; closed: those used that `dims` lacks
  std::shared_ptr<const DrawPoints> drawAt;  // null: draws are counted by `dims`

  // The points over `vars` (a subset of dims, in their order) at which a node over them is needed.
  const Set& over(const std::vector<Var>& vars) const;
  std::shared_ptr<Space> clone() const;
  std::shared_ptr<const Space> narrow(const Condition& condition) const;
  std::shared_ptr<const Space> narrow(const Set& set) const;  // over some of dims
  std::shared_ptr<Space> extend(Var var, const IndexExpr& lo, const IndexExpr& hi) const;
  std::vector<Var> order(std::vector<Var> vars) const;  // in the order of dims

 private:
  mutable std::map<std::vector<Var>, Set> projections_;
};

using SpaceRef = std::shared_ptr<const Space>;

}  // namespace rlc::sema
