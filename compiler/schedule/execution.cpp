#include "compiler/schedule/execution.h"

#include <algorithm>

#include "compiler/schedule/work.h"

namespace rlc::schedule {

namespace {

constexpr int64_t kFewestLanes = 4;        // below that, lanes are mostly masked
constexpr double kWorthThreads = 50000.0;  // operations that pay for waking threads, at about 20 us
constexpr double kNearlyAll = 0.9;

class ExecutionChooser {
 public:
  ExecutionChooser(const Graph& graph, const Statements& statements, Schedule& schedule)
      : graph_(graph), statements_(statements), schedule_(schedule) {}

  void choose() {
    for (const auto& root : schedule_.roots) visit(*root);
  }

 private:
  using Execution = ScheduleNode::Execution;

  void visit(ScheduleNode& node) {
    if (node.kind != ScheduleNode::Kind::Loop) return;
    const int64_t trip = tripCount(node, schedule_);
    if (!node.parallel || trip < 2) {
      for (auto& child : node.children) visit(*child);
      return;
    }
    const double work = workOf(node);
    const bool threads = work >= kWorthThreads && !talksToHost(node);
    const double inside = parallelWorkInside(node) * static_cast<double>(trip);
    const bool lanesInside = inside > kNearlyAll * work;
    if (trip >= kFewestLanes && !lanesInside && !callsRuntime(node)) {
      node.execution =
          threads && trip > lanesPerBlock(trip) ? Execution::ThreadedLanes : Execution::Lanes;
      return;
    }
    if (threads) {
      node.execution = Execution::Threads;
      for (auto& child : node.children) visitInsideThreads(*child);
      return;
    }
    for (auto& child : node.children) visit(*child);
  }

  // The loops are already spread over threads: only lanes remain to be found.
  void visitInsideThreads(ScheduleNode& node) {
    if (node.kind != ScheduleNode::Kind::Loop) return;
    if (node.parallel && tripCount(node, schedule_) >= kFewestLanes && !callsRuntime(node)) {
      node.execution = Execution::Lanes;
      return;
    }
    for (auto& child : node.children) visitInsideThreads(*child);
  }

  // Per iteration of `node`: the work in parallel loops directly inside that are wide enough for
  // lanes.
  double parallelWorkInside(const ScheduleNode& node) const {
    double total = 0.0;
    for (const auto& child : node.children) {
      if (child->kind != ScheduleNode::Kind::Loop) continue;
      const int64_t trip = tripCount(*child, schedule_);
      if (child->parallel && trip >= 2 * kFewestLanes) {
        total += workOf(*child);
      } else {
        total += static_cast<double>(trip) * parallelWorkInside(*child);
      }
    }
    return total;
  }

  double workOf(const ScheduleNode& node) const {
    if (node.kind == ScheduleNode::Kind::Statement)
      return operationsOf(graph_, statements_,
                          statements_.list[static_cast<size_t>(node.statement)]);
    double total = 0.0;
    if (node.kind == ScheduleNode::Kind::Scan) {
      for (int s : node.statements)
        total += operationsOf(graph_, statements_, statements_.list[static_cast<size_t>(s)]) *
                 static_cast<double>(schedule_.placed[static_cast<size_t>(s)].domain.count());
      return total;
    }
    for (const auto& child : node.children) total += workOf(*child);
    return total * static_cast<double>(tripCount(node, schedule_));
  }

  template <typename Test>
  bool any(const ScheduleNode& node, const Test& test) const {
    const auto passes = [&](int s) { return test(statements_.list[static_cast<size_t>(s)]); };
    if (node.kind == ScheduleNode::Kind::Statement) return passes(node.statement);
    if (node.kind == ScheduleNode::Kind::Scan)
      return std::any_of(node.statements.begin(), node.statements.end(), passes);
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](const auto& child) { return any(*child, test); });
  }

  bool talksToHost(const ScheduleNode& node) const {
    return any(node, [](const Statement& s) { return s.role == Statement::Role::Emit; });
  }

  bool callsRuntime(const ScheduleNode& node) const {
    return any(node, [this](const Statement& s) {
      if (s.node < 0) return true;
      const pdg::Node& n = graph_.node(s.node);
      const auto* draw = std::get_if<pdg::Draw>(&n.op);
      const bool updatesTree = std::any_of(s.accesses.begin(), s.accesses.end(),
                                           [](const Access& a) { return a.rewritten; });
      return updatesTree || std::holds_alternative<pdg::TreeUpdate>(n.op) ||
             std::holds_alternative<pdg::Sort>(n.op) ||
             (draw && draw->kind == pdg::DrawKind::Permutation);
    });
  }

  const Graph& graph_;
  const Statements& statements_;
  Schedule& schedule_;
};

}  // namespace

int64_t lanesPerBlock(int64_t tripCount) {
  // Two registers of AVX-512 wait for each other's results less than one does, and use each weight
  // that a block reads twice as often, which may come from a cache that holds what a learning step
  // touches at best: an update of DDPG takes 0.8 of the time. Enough blocks are left to threads.
  const int64_t unit = tripCount >= 4 * 32 ? 32 : 16;
  const int64_t share = (tripCount + 63) / 64;
  return std::max(unit, (share + unit - 1) / unit * unit);
}

void chooseExecution(const Graph& graph, const Statements& statements, Schedule& schedule) {
  ExecutionChooser(graph, statements, schedule).choose();
}

}  // namespace rlc::schedule
