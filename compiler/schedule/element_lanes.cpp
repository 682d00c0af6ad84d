#include "compiler/schedule/element_lanes.h"

#include <algorithm>
#include <limits>

#include "compiler/schedule/loop_bounds.h"
#include "compiler/schedule/range_lanes.h"
#include "compiler/schedule/work.h"
#include "compiler/types/lists.h"

namespace rlc::schedule {

namespace {

// Others ask where something is, and look for it one after the other.
bool combinesInAnyOrder(pdg::ReduceKind kind) {
  using Kind = pdg::ReduceKind;
  return kind != Kind::ArgMax && kind != Kind::ArgMin && kind != Kind::FirstTrue;
}

constexpr double kMostlyPlain = 0.99;  // what is not goes without lanes
constexpr double kSeldom = 0.001;      // of what a loop touches

}  // namespace

std::optional<Var> variableOf(const Schedule& schedule, int statement, const ScheduleNode& loop) {
  const Placed& placed = schedule.placed[static_cast<size_t>(statement)];
  const auto found = std::find(placed.loops.begin(), placed.loops.end(), &loop);
  if (found == placed.loops.end()) return std::nullopt;
  return placed.scanned[static_cast<size_t>(found - placed.loops.begin())];
}

bool ElementLanes::have(const ScheduleNode& node) const {
  if (node.kind == ScheduleNode::Kind::Loop)
    return node.parallel && tripCount(node, schedule_) >= kRegisterLanes;
  return node.kind == ScheduleNode::Kind::Statement &&
         hasWideElements(statements_.list[static_cast<size_t>(node.statement)]);
}

bool ElementLanes::areLayer(const ScheduleNode& node, const ScheduleNode& loop) const {
  if (node.kind != ScheduleNode::Kind::Statement) return false;
  const Statement& statement = statements_.list[static_cast<size_t>(node.statement)];
  const auto lane = variableOf(schedule_, node.statement, loop);
  if (!lane || !hasWideElements(statement) || !hasLongSum(graph_.node(statement.node)))
    return false;
  return std::any_of(statement.accesses.begin(), statement.accesses.end(),
                     [&](const Access& access) {
                       std::vector<Var> vars;
                       for (const IndexExpr& e : access.at) e.collectVariables(vars);
                       return access.element.size() > 1 && !contains(vars, *lane);
                     });
}

bool ElementLanes::hasWideElements(const Statement& statement) const {
  if (statement.node < 0 || statement.role == Statement::Role::Update) return false;
  const pdg::Node& n = graph_.node(statement.node);
  if (n.shape.empty()) return hasLongSum(n);
  const auto extent = n.shape.back().asConstant();
  return extent && *extent >= kRegisterLanes;
}

// What is computed where it is read included.
bool ElementLanes::hasLongSum(const pdg::Node& node) const {
  const auto* reduce = std::get_if<pdg::Reduce>(&node.op);
  if (reduce && !reduce->bound.empty() && combinesInAnyOrder(reduce->kind)) {
    const Var innermost = reduce->bound.back();
    std::vector<Var> vars = reduce->domain.vars();
    std::erase(vars, innermost);
    vars.push_back(innermost);
    const auto [lo, hi] = boundsOver({reduce->domain.projectOnto(vars)}, innermost);
    if (isLongRange(hi - lo, reduce->domain)) return true;
  }
  return readsLongSum(node);
}

bool ElementLanes::readsLongSum(const pdg::Node& node) const {
  return anyInline(node, [&](const pdg::Node& read) { return hasLongSum(read); });
}

template <typename Test>
bool ElementLanes::anyInline(const pdg::Node& node, const Test& test) const {
  return std::any_of(node.inputs.begin(), node.inputs.end(), [&](const pdg::Read& read) {
    return statements_.placement[static_cast<size_t>(read.producer)] == Placement::Inline &&
           test(graph_.node(read.producer));
  });
}

// Elements that a statement touches of a tensor, or more, at all points at which it runs.
double ElementLanes::touchesOf(size_t s) const {
  const Statement& statement = statements_.list[s];
  double touched = operationsOf(graph_, statements_, statement);
  if (statement.node >= 0) touched = std::max(touched, elementsOf(graph_.node(statement.node)));
  const Set& domain = schedule_.placed[s].domain;
  return touched * pointsAround(domain, domain.vars());
}

ElementLanes::Loops ElementLanes::preferredTo() const {
  // What a loop touches, all told, of each tensor over which it has its lanes.
  std::map<const ScheduleNode*, std::map<NodeId, double>> tensors;
  std::map<NodeId, Loops> loops;
  for (size_t s = 0; s < statements_.list.size(); ++s) {
    const Statement& statement = statements_.list[s];
    const Placed& placed = schedule_.placed[s];
    std::optional<double> touched;
    for (size_t k = 0; k < placed.loops.size(); ++k) {
      if (!isLanes(*placed.loops[k]) || !placed.scanned[k]) continue;
      if (!touched) touched = touchesOf(s);
      const auto note = [&](NodeId tensor) {
        tensors[placed.loops[k]][tensor] += *touched;
        loops[tensor].insert(placed.loops[k]);
      };
      if (statement.node >= 0 && contains(graph_.node(statement.node).dims, *placed.scanned[k]))
        note(statement.node);
      for (const Access& access : statement.accesses)
        if (std::any_of(access.at.begin(), access.at.end(), [&](const IndexExpr& e) {
              const auto shifted = e.asShifted();
              return e.hasValue() || (shifted && shifted->var == *placed.scanned[k]);
            }))
          note(access.producer);
    }
  }
  Loops found;
  for (const auto& root : schedule_.roots) collect(*root, found);
  // A tensor that another loop goes on to have its lanes over, unless one of both hardly touches
  // it, such as that which draws the first weights of a network.
  const auto isShared = [&](const ScheduleNode* loop) {
    double all = 0.0;
    for (const auto& [tensor, touched] : tensors[loop]) all += touched;
    return std::any_of(tensors[loop].begin(), tensors[loop].end(), [&](const auto& touched) {
      return std::any_of(
          loops[touched.first].begin(), loops[touched.first].end(), [&](const auto* other) {
            return !found.contains(other) &&
                   std::min(touched.second, tensors[other][touched.first]) > kSeldom * all;
          });
    });
  };
  while (std::erase_if(found, isShared) > 0) {
  }
  return found;
}

// Elements that are no sums (rows of few become one loop, jit/cpu/flatten_elements.h), and what
// adds up a sum of each iteration. (One that an iteration has for itself is as well added up lane
// by lane.) A convolution's elements are sums, however short the innermost loop of each is: lanes
// of a batch share its weights, elements gather the pixels.
bool ElementLanes::isPlain(const Statement& statement) const {
  if (statement.node < 0) return false;
  const pdg::Node& node = graph_.node(statement.node);
  if (statement.role == Statement::Role::Update) return readsLongSum(node);
  return !node.shape.empty() && elementsOf(node) >= static_cast<double>(kRegisterLanes) &&
         (statement.role == Statement::Role::Init || !reduces(node));
}

// What is computed where it is read included.
bool ElementLanes::reduces(const pdg::Node& node) const {
  const auto* reduce = std::get_if<pdg::Reduce>(&node.op);
  return (reduce && !reduce->bound.empty()) ||
         anyInline(node, [&](const pdg::Node& read) { return reduces(read); });
}

// Elements and operations of a node, and those of what is plain outside of loops that could be
// lanes.
ElementLanes::Work ElementLanes::plainWorkOf(const ScheduleNode& node) const {
  if (node.kind == ScheduleNode::Kind::Statement) {
    const Statement& statement = statements_.list[static_cast<size_t>(node.statement)];
    double all = operationsOf(graph_, statements_, statement);
    if (statement.node >= 0) all += elementsOf(graph_.node(statement.node));
    return {isPlain(statement) ? all : 0.0, all};
  }
  Work work;
  if (node.kind == ScheduleNode::Kind::Scan) return {0.0, std::numeric_limits<double>::infinity()};
  for (const auto& child : node.children) {
    const Work part = plainWorkOf(*child);
    const bool lanes = child->kind == ScheduleNode::Kind::Loop && child->parallel;
    work.plain += lanes ? 0.0 : part.plain;
    work.all += part.all;
  }
  const auto trip = static_cast<double>(tripCount(node, schedule_));
  return {work.plain * trip, work.all * trip};
}

void ElementLanes::collect(const ScheduleNode& node, Loops& plain) const {
  if (node.kind != ScheduleNode::Kind::Loop) return;
  if (isLanes(node)) {
    const Work work = plainWorkOf(node);
    if (work.plain > 0.0 && work.plain >= kMostlyPlain * work.all) plain.insert(&node);
  }
  for (const auto& child : node.children) collect(*child, plain);
}

}  // namespace rlc::schedule
