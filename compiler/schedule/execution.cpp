#include "compiler/schedule/execution.h"

#include <algorithm>
#include <set>

#include "compiler/schedule/element_lanes.h"
#include "compiler/schedule/work.h"
#include "compiler/types/lists.h"

namespace rlc::schedule {

namespace {

constexpr int64_t kFewestLanes = 4;        // below that, lanes are mostly masked
constexpr double kWorthThreads = 50000.0;  // operations that pay for waking threads, at about 20 us
constexpr double kNearlyAll = 0.9;
// Of an operation whose lanes are elements, beside one whose lanes are iterations: it loads a
// vector of what the others share. Measured with two layers of 64.
constexpr double kElementCost = 3.6;
// Of a layer of so few lanes that vectors have its units, for all of them together, beside one
// whose register they fill. Measured with the same layers and 3 to 8 lanes.
constexpr int64_t kMostUnitLanes = 8;
constexpr double kUnitCost = 0.28, kUnitCostOfLane = 0.07;
constexpr double kScalarCost = 4.0;  // of one without lanes, which often waits for the one before
// How much faster iterations are that two threads share, whose states lie side by side.
constexpr double kShared = 1.5;

class ExecutionChooser {
 public:
  ExecutionChooser(const Graph& graph, const Statements& statements, Schedule& schedule,
                   LaneKind lanes)
      : graph_(graph),
        statements_(statements),
        schedule_(schedule),
        lanes_(lanes),
        elements_(graph, statements, schedule) {}

  void choose() {
    for (const auto& root : schedule_.roots) visit(*root);
    if (lanes_ != LaneKind::Vectors) return;
    const ElementLanes::Loops others = elements_.preferredTo();
    for (const auto& root : schedule_.roots) leaveLanes(*root, others, false);
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
    const bool threads = payForThreads(node, work);
    const int64_t fewest =
        lanes_ == LaneKind::Vectors && trip >= kRegisterLanes ? kRegisterLanes : 2 * kFewestLanes;
    const double inside = parallelWorkInside(node, fewest) * static_cast<double>(trip);
    const bool lanesInside =
        inside > kNearlyAll * work &&
        !(lanes_ == LaneKind::Vectors && trip >= kRegisterLanes &&
          productWork(node, node, {}) * static_cast<double>(trip) > kNearlyAll * work);
    if (trip >= kFewestLanes && !lanesInside && !callsRuntime(node) &&
        lanesPay(node, trip, work, threads)) {
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

  // Takes these loops' lanes from them.
  void leaveLanes(ScheduleNode& node, const ElementLanes::Loops& loops, bool inThreads) const {
    if (loops.contains(&node))
      node.execution = !inThreads && payForThreads(node, workOf(node)) ? Execution::Threads
                                                                       : Execution::Sequential;
    const bool threads = inThreads || node.execution == Execution::Threads;
    for (auto& child : node.children) leaveLanes(*child, loops, threads);
  }

  bool payForThreads(const ScheduleNode& node, double work) const {
    return work >= kWorthThreads && !talksToHost(node) && !isOfWholeGpu(node);
  }

  // Whether a register that fewer iterations share than it has lanes does more than one whose lanes
  // are elements of a single iteration.
  bool lanesPay(const ScheduleNode& node, int64_t trip, double work, bool threads) const {
    if (lanes_ != LaneKind::Vectors || trip >= kRegisterLanes) return true;
    const double each = work / static_cast<double>(trip);
    double vectors = 0.0, layers = 0.0;
    for (const auto& child : node.children) {
      vectors += workWhere(*child, [&](const ScheduleNode& part) { return elements_.have(part); });
      layers += workWhere(*child,
                          [&](const ScheduleNode& part) { return elements_.areLayer(part, node); });
    }
    const double one = kElementCost * vectors / kRegisterLanes + kScalarCost * (each - vectors);
    const double few =
        trip <= kMostUnitLanes ? kUnitCost + kUnitCostOfLane * static_cast<double>(trip) : 1.0;
    return static_cast<double>(trip) * one / (threads ? kShared : 1.0) >=
           each - layers + few * layers;
  }

  // The work of the parts of a node for which the test holds, all iterations of its loops counted.
  template <typename Test>
  double workWhere(const ScheduleNode& node, const Test& test) const {
    if (node.kind == ScheduleNode::Kind::Scan) return 0.0;
    if (test(node)) return workOf(node);
    double total = 0.0;
    for (const auto& child : node.children) total += workWhere(*child, test);
    return node.kind == ScheduleNode::Kind::Loop
               ? total * static_cast<double>(tripCount(node, schedule_))
               : total;
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
  // lanes. (Where the loop itself fills a register, those that don't are not, such as a few
  // networks, whose weights the lanes of a batch share, but for layers that eight lanes share.)
  double parallelWorkInside(const ScheduleNode& node, int64_t fewest) const {
    double total = 0.0;
    for (const auto& child : node.children) {
      if (child->kind != ScheduleNode::Kind::Loop) continue;
      const int64_t trip = tripCount(*child, schedule_);
      if (child->parallel &&
          (trip >= fewest || (trip >= 2 * kFewestLanes && isMostlyLayers(*child)))) {
        total += workOf(*child);
      } else {
        total += static_cast<double>(trip) * parallelWorkInside(*child, fewest);
      }
    }
    return total;
  }

  // Per iteration of `rows`: the work inside of `node`, which lies in it, that multiplies matrices
  // whose rows are its iterations and whose columns are those of a parallel loop inside, one of
  // `columns` and of those in `node`. With rows for lanes a block has several columns' sums in
  // registers and loads each factor once for many of them; with columns for lanes each is loaded
  // for every operation.
  double productWork(const ScheduleNode& node, const ScheduleNode& rows,
                     std::vector<const ScheduleNode*> columns) const {
    if (&node != &rows && node.parallel && tripCount(node, schedule_) >= 2 * kFewestLanes)
      columns.push_back(&node);
    double total = 0.0;
    for (const auto& child : node.children) {
      if (child->kind == ScheduleNode::Kind::Statement) {
        const bool product = std::any_of(columns.begin(), columns.end(), [&](const auto* loop) {
          return isProduct(child->statement, rows, *loop);
        });
        if (product) total += workOf(*child);
      } else if (child->kind == ScheduleNode::Kind::Loop) {
        total +=
            static_cast<double>(tripCount(*child, schedule_)) * productWork(*child, rows, columns);
      }
    }
    return total;
  }

  // Whether a statement reads one factor at its row and one at its column, both along a range.
  bool isProduct(int at, const ScheduleNode& rows, const ScheduleNode& columns) const {
    const Statement& statement = statements_.list[static_cast<size_t>(at)];
    const auto row = variableOf(schedule_, at, rows), column = variableOf(schedule_, at, columns);
    if (statement.node < 0 || !graph_.node(statement.node).shape.empty() || !row || !column)
      return false;
    std::set<Var> left, right;  // what else they are read along
    for (const Access& access : statement.accesses) {
      std::vector<Var> vars;
      for (const IndexExpr& e : access.at) e.collectVariables(vars);
      for (const IndexExpr& e : access.element) e.collectVariables(vars);
      const std::set<Var> read(vars.begin(), vars.end());
      if (read.contains(*row) == read.contains(*column)) continue;
      for (Var var : read)
        if (isRange(statement, var)) (read.contains(*row) ? left : right).insert(var);
    }
    return std::any_of(left.begin(), left.end(), [&](Var var) { return right.contains(var); });
  }

  // A reduction's own variable, not one of those that its value has.
  bool isRange(const Statement& statement, Var var) const {
    const auto& dims = graph_.node(statement.node).dims;
    return !var.isElement() && !contains(dims, var);
  }

  // Whether most of what few iterations of a loop do is vectors of elements
  // (ElementLanes::areLayer).
  bool isMostlyLayers(const ScheduleNode& loop) const {
    if (tripCount(loop, schedule_) > kMostUnitLanes) return false;
    double all = 0.0, layers = 0.0;
    for (const auto& child : loop.children) {
      all += workOf(*child);
      layers += workWhere(*child, [&](const auto& part) { return elements_.areLayer(part, loop); });
    }
    return 2.0 * layers > all;
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
    return any(node, [this](const Statement& s) { return callsRuntime(s); });
  }

  bool callsRuntime(const Statement& s) const {
    if (s.node < 0) return true;
    const pdg::Node& n = graph_.node(s.node);
    const auto* draw = std::get_if<pdg::Draw>(&n.op);
    const bool updatesTree = std::any_of(s.accesses.begin(), s.accesses.end(),
                                         [](const Access& a) { return a.rewritten; });
    return updatesTree || std::holds_alternative<pdg::TreeUpdate>(n.op) ||
           std::holds_alternative<pdg::Sort>(n.op) ||
           (draw && draw->kind == pdg::DrawKind::Permutation);
  }

  // Sorts alone: each takes all of a GPU, one after the other.
  bool isOfWholeGpu(const ScheduleNode& node) const {
    return lanes_ == LaneKind::Threads &&
           !any(node, [this](const Statement& s) { return !callsRuntime(s); });
  }

  const Graph& graph_;
  const Statements& statements_;
  Schedule& schedule_;
  LaneKind lanes_;
  ElementLanes elements_;
};

}  // namespace

int64_t lanesPerBlock(int64_t tripCount) {
  // Two registers of AVX-512 wait for each other's results less than one does, and use each weight
  // that a block reads twice as often, which may come from a cache that holds what a learning step
  // touches at best: an update of DDPG takes 0.8 of the time, a rollout of 64 CartPoles with random
  // actions too. Of fewer than three registers' lanes a second block would be less than half full.
  const int64_t unit = tripCount > 3 * 16 ? 32 : 16;
  const int64_t share = (tripCount + 63) / 64;
  return std::max(unit, (share + unit - 1) / unit * unit);
}

void chooseExecution(const Graph& graph, const Statements& statements, Schedule& schedule,
                     LaneKind lanes) {
  ExecutionChooser(graph, statements, schedule, lanes).choose();
}

}  // namespace rlc::schedule
