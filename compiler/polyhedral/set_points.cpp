// The points of a set, one by one and counted.
#include <algorithm>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/polyhedral/scan.h"
#include "compiler/polyhedral/set_impl.h"

namespace rlc::polyhedral {

namespace {

constexpr int64_t kMostSteps = 1 << 22;  // to find that there are few points

void requireBounded(const Set& set) {
  if (!set.isBounded()) throw InternalError("the points of an unbounded set were asked for");
}

void visitBox(const Box& box, const std::function<void(const Point&)>& visit) {
  if (box.empty) return;
  size_t dims = box.ranges.size();
  Point point;
  for (const Range& range : box.ranges) point.push_back(range.lo);
  for (;;) {
    visit(point);
    size_t i = dims;
    while (i > 0 && ++point[i - 1] == box.ranges[i - 1].hi) {
      point[i - 1] = box.ranges[i - 1].lo;
      --i;
    }
    if (i == 0) return;
  }
}

// More points than fit are as many as can be said.
int64_t saturatingAdd(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? kNoUpper : sum;
}

int64_t saturatingMul(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? kNoUpper : product;
}

// Runs the loops that scan a set in the order of its own variables, which are the loop variables
// too.
class Walker {
 public:
  explicit Walker(const std::vector<Var>& vars) : vars_(vars), point_(vars.size()) {}

  void visit(const ScanNode& node, const std::function<void(const Point&)>& visitor) {
    switch (node.kind) {
      case ScanNode::Kind::Block:
        for (const auto& child : node.children) visit(*child, visitor);
        return;
      case ScanNode::Kind::For: {
        int64_t hi = value(node.hi);
        for (int64_t i = value(node.lo); i < hi; i += node.step) {
          at(node) = i;
          visit(*node.children[0], visitor);
        }
        return;
      }
      case ScanNode::Kind::If:
        if (const ScanNode* taken = branch(node)) visit(*taken, visitor);
        return;
      case ScanNode::Kind::Statement: {
        Point instance;
        for (const IndexExpr& e : node.instance) instance.push_back(value(e));
        visitor(instance);
        return;
      }
    }
  }

  // No further than to what exceeds `most`, and in no more iterations than `steps`, which is then
  // 0.
  int64_t count(const ScanNode& node, int64_t most, int64_t& steps) {
    switch (node.kind) {
      case ScanNode::Kind::Block: {
        int64_t sum = 0;
        for (const auto& child : node.children)
          sum = saturatingAdd(sum, count(*child, most, steps));
        return sum;
      }
      case ScanNode::Kind::For: {
        int64_t lo = value(node.lo);
        int64_t hi = value(node.hi);
        if (lo >= hi) return 0;
        if (!dependsOn(*node.children[0], node.var)) {
          int64_t trips = saturatingAdd((hi - 1 - lo) / node.step, 1);
          return saturatingMul(trips, count(*node.children[0], most, steps));
        }
        int64_t sum = 0;
        for (int64_t i = lo; i < hi && sum <= most && steps > 0; i += node.step) {
          --steps;
          at(node) = i;
          sum = saturatingAdd(sum, count(*node.children[0], most, steps));
        }
        return sum;
      }
      case ScanNode::Kind::If: {
        const ScanNode* taken = branch(node);
        return taken ? count(*taken, most, steps) : 0;
      }
      case ScanNode::Kind::Statement:
        return 1;
    }
    return 0;
  }

 private:
  int64_t& at(const ScanNode& node) { return point_[static_cast<size_t>(node.timeDim)]; }

  int64_t variable(Var var) const { return point_[static_cast<size_t>(findVar(vars_, var))]; }

  int64_t value(const IndexExpr& e) const {
    if (e.terms().empty()) return e.constantTerm();
    if (auto shifted = e.asShifted()) return variable(shifted->var) + shifted->offset;
    return e.evaluate([this](Var var) { return variable(var); });
  }

  const ScanNode* branch(const ScanNode& node) const {
    bool holds = node.condition.evaluate([this](Var var) { return variable(var); });
    if (holds) return node.children[0].get();
    return node.children.size() > 1 ? node.children[1].get() : nullptr;
  }

  // Whether how many points `node` has depends on the variable.
  bool dependsOn(const ScanNode& node, Var var) const {
    bool own = false;
    if (node.kind == ScanNode::Kind::For) own = node.lo.mentions(var) || node.hi.mentions(var);
    if (node.kind == ScanNode::Kind::If) {
      std::vector<Var> mentioned;
      node.condition.collectVariables(mentioned);
      own = findVar(mentioned, var) >= 0;
    }
    return own || std::any_of(node.children.begin(), node.children.end(),
                              [&](const auto& child) { return dependsOn(*child, var); });
  }

  const std::vector<Var>& vars_;
  Point point_;
};

std::unique_ptr<ScanNode> loopsOver(const Set& set) {
  std::vector<IndexExpr> time;
  for (Var var : set.vars()) time.push_back(IndexExpr(var));
  return scan(set.context(), {{0, set, time}}, set.vars());
}

}  // namespace

bool Set::contains(const Point& point) const {
  const Impl& own = *impl_;
  if (point.size() != own.vars.size()) throw InternalError("a point has the wrong dimension");
  if (own.box) {
    if (own.box->empty) return false;
    for (size_t i = 0; i < point.size(); ++i) {
      if (!own.box->ranges[i].contains(point[i])) return false;
    }
    return true;
  }
  if (auto condition = toCondition()) {
    return condition->evaluate(
        [&](Var var) { return point[static_cast<size_t>(own.position(var))]; });
  }
  isl_ctx* ctx = startOperation(*own.context);
  isl_set* fixed = own.isl().copy();
  for (size_t i = 0; i < point.size(); ++i) {
    fixed = isl_set_fix_val(fixed, isl_dim_set, static_cast<unsigned>(i),
                            isl_val_int_from_si(ctx, point[i]));
  }
  SetHandle remaining(fixed);
  return !checked(ctx, isl_set_is_empty(remaining.get()));
}

int64_t Set::count() const {
  requireBounded(*this);
  if (impl_->box) return polyhedral::count(*impl_->box);
  auto loops = loopsOver(*this);
  int64_t steps = INT64_MAX;
  return Walker(vars()).count(*loops, INT64_MAX, steps);
}

bool Set::hasMoreThan(int64_t points) const {
  requireBounded(*this);
  if (impl_->box) return polyhedral::count(*impl_->box) > points;
  auto loops = loopsOver(*this);
  int64_t steps = kMostSteps;
  return Walker(vars()).count(*loops, points, steps) > points || steps == 0;
}

void Set::forEachPoint(const std::function<void(const Point&)>& visit) const {
  requireBounded(*this);
  if (impl_->box) return visitBox(*impl_->box, visit);
  auto loops = loopsOver(*this);
  Walker(vars()).visit(*loops, visit);
}

}  // namespace rlc::polyhedral
