#include "compiler/polyhedral/scan_direct.h"

#include <algorithm>

#include "compiler/polyhedral/set_impl.h"

namespace rlc::polyhedral {

namespace {

// A statement's instances in the space of time.
struct Timed {
  int id;
  Set times;                        // over the loop variables
  std::vector<IndexExpr> instance;  // its own variables, of the loop variables
};

std::optional<Timed> timed(Context& context, const ScheduledStatement& statement,
                           const std::vector<Var>& loopVars) {
  const std::vector<Var>& own = statement.domain.vars();
  std::vector<IndexExpr> instance(own.size());
  std::vector<bool> placed(own.size());
  Condition constants = Condition::always();
  for (size_t k = 0; k < loopVars.size(); ++k) {
    if (auto constant = statement.time[k].asConstant()) {
      constants = constants && Condition::equal(loopVars[k], *constant);
      continue;
    }
    auto shifted = statement.time[k].asShifted();
    int at = shifted ? findVar(own, shifted->var) : -1;
    if (at < 0 || placed[static_cast<size_t>(at)]) return std::nullopt;
    placed[static_cast<size_t>(at)] = true;
    instance[static_cast<size_t>(at)] = IndexExpr(loopVars[k]) - shifted->offset;
  }
  // A variable that time lacks must have one value.
  for (size_t i = 0; i < own.size(); ++i) {
    if (placed[i]) continue;
    auto value = statement.domain.solve(own[i]);
    if (!value || !value->asConstant()) return std::nullopt;
    instance[i] = *value;
  }
  Set times = statement.domain.preimage(Set::universe(context, loopVars), instance);
  return Timed{statement.id, times.intersect(constants), instance};
}

// Statements with the same points in the time dimensions up to this one.
struct Group {
  Set prefix;
  Interval interval;
  std::vector<const Timed*> members;
};

class Generator {
 public:
  explicit Generator(const std::vector<Var>& loopVars) : loopVars_(loopVars) {}

  // The loops from time dimension `dim` inwards; null: not possible.
  std::unique_ptr<ScanNode> generate(const std::vector<const Timed*>& statements, size_t dim) {
    std::vector<std::unique_ptr<ScanNode>> children;
    if (dim == loopVars_.size()) {
      for (const Timed* statement : statements) children.push_back(instance(*statement));
      return sequence(std::move(children));
    }
    auto groups = groupsAt(statements, dim);
    if (!groups) return nullptr;
    for (const Group& group : *groups) {
      auto body = generate(group.members, dim + 1);
      if (!body) return nullptr;
      children.push_back(loop(group, dim, std::move(body)));
    }
    return sequence(std::move(children));
  }

 private:
  std::optional<std::vector<Group>> groupsAt(const std::vector<const Timed*>& statements,
                                             size_t dim) {
    std::vector<Var> outer(loopVars_.begin(),
                           loopVars_.begin() + static_cast<std::ptrdiff_t>(dim + 1));
    std::vector<Group> groups;
    for (const Timed* statement : statements) {
      Set prefix = statement->times.projectOnto(outer);
      auto found = std::find_if(groups.begin(), groups.end(),
                                [&](const Group& g) { return g.prefix.isEqual(prefix); });
      if (found != groups.end()) {
        found->members.push_back(statement);
        continue;
      }
      auto interval = plainInterval(prefix);
      if (!interval) return std::nullopt;
      groups.push_back({prefix, *interval, {statement}});
    }
    if (!inOrder(groups)) return std::nullopt;
    return groups;
  }

  // Sorts groups whose intervals are constant and apart.
  static bool inOrder(std::vector<Group>& groups) {
    if (groups.size() < 2) return true;
    for (const Group& g : groups) {
      if (!g.interval.lo.asConstant() || !g.interval.hi.asConstant()) return false;
    }
    std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
      return *a.interval.lo.asConstant() < *b.interval.lo.asConstant();
    });
    for (size_t i = 1; i < groups.size(); ++i) {
      if (*groups[i - 1].interval.hi.asConstant() > *groups[i].interval.lo.asConstant())
        return false;
    }
    return true;
  }

  std::unique_ptr<ScanNode> loop(const Group& group, size_t dim, std::unique_ptr<ScanNode> body) {
    if (group.interval.hi == group.interval.lo + 1) {
      substitute(*body, {{loopVars_[dim], group.interval.lo}});
      return body;
    }
    auto result = std::make_unique<ScanNode>();
    result->kind = ScanNode::Kind::For;
    result->var = loopVars_[dim];
    result->timeDim = static_cast<int>(dim);
    result->lo = group.interval.lo;
    result->hi = group.interval.hi;
    result->children.push_back(std::move(body));
    return result;
  }

  static void substitute(ScanNode& node, const std::map<Var, IndexExpr>& values) {
    node.lo = node.lo.substitute(values);
    node.hi = node.hi.substitute(values);
    for (IndexExpr& e : node.instance) e = e.substitute(values);
    for (auto& child : node.children) substitute(*child, values);
  }

  static std::unique_ptr<ScanNode> instance(const Timed& statement) {
    auto result = std::make_unique<ScanNode>();
    result->kind = ScanNode::Kind::Statement;
    result->statement = statement.id;
    result->instance = statement.instance;
    return result;
  }

  static std::unique_ptr<ScanNode> sequence(std::vector<std::unique_ptr<ScanNode>> children) {
    if (children.size() == 1) return std::move(children[0]);
    auto result = std::make_unique<ScanNode>();
    result->kind = ScanNode::Kind::Block;
    for (auto& child : children) {
      if (child->kind != ScanNode::Kind::Block) {
        result->children.push_back(std::move(child));
        continue;
      }
      for (auto& inner : child->children) result->children.push_back(std::move(inner));
    }
    return result;
  }

  const std::vector<Var>& loopVars_;
};

}  // namespace

std::unique_ptr<ScanNode> scanDirectly(Context& context,
                                       const std::vector<ScheduledStatement>& statements,
                                       const std::vector<Var>& loopVars) {
  std::vector<Timed> all;
  for (const ScheduledStatement& statement : statements) {
    if (statement.domain.isEmpty()) continue;
    auto one = timed(context, statement, loopVars);
    if (!one) return nullptr;
    all.push_back(std::move(*one));
  }
  std::vector<const Timed*> pointers;
  for (const Timed& one : all) pointers.push_back(&one);
  return Generator(loopVars).generate(pointers, 0);
}

}  // namespace rlc::polyhedral
