#include "compiler/schedule/late.h"

#include <algorithm>
#include <limits>

namespace rlc::schedule {

namespace {

constexpr int64_t kAny = std::numeric_limits<int64_t>::max(),
                  kNone = std::numeric_limits<int64_t>::min();
constexpr int64_t kMostSteps = 200000;  // of looking for what to move into step

// Times are iterations, upward also where the loop descends.
class Mover {
 public:
  Mover(LoopChoice& loop, const std::vector<int>& statements,
        const std::vector<Dependence>& dependences, const Unscheduled& unscheduled)
      : loop_(loop), all_(statements), unscheduled_(unscheduled), sign_(loop.descending ? -1 : 1) {
    for (const Dependence& dependence : dependences) {
      if (!loop.shift.contains(dependence.source) || !loop.shift.contains(dependence.sink))
        continue;
      const auto d = unscheduled.finder().distance(dependence, loop.loopClass);
      if (!d) continue;
      const bool down = loop.descending;
      bounded_ &= down ? d->max != kAny : d->min != kNone;
      const bool ends = down ? d->min != kNone : d->max != kAny;
      if (!bounded_) return;
      const Edge edge{dependence.source, dependence.sink, down ? -d->max : d->min,
                      ends ? std::optional(down ? -d->min : d->max) : std::nullopt};
      from_[edge.source].push_back(edge);
      into_[edge.sink].push_back(edge);
    }
    for (const auto& [statement, shift] : loop.shift)
      if (nodeOf(statement) >= 0) tensors_[nodeOf(statement)].statements.push_back(statement);
    for (auto& [node, tensor] : tensors_)
      for (int s : tensor.statements) tensor.size = std::max(tensor.size, sizeOf(s));
  }

  bool bounded() const { return bounded_; }

  // Those that nothing in the loop reads stay where they are.
  void beginLate() {
    const std::set<int> free = waitingForNothing();
    std::map<int, int64_t> latest;
    for (int s : free) latest[s] = edgesOf(from_, s).empty() ? timeOf(s) : kAny;
    for (bool changed = true; changed;) {
      changed = false;
      for (int s : free) {
        const int64_t time = std::max(timeOf(s), latestFor(s, latest));
        if (time >= latest.at(s)) continue;
        latest.at(s) = time;
        changed = true;
      }
    }
    for (int s : free) moveBy({s}, latest.at(s) - timeOf(s));
  }

  void stayInStep() {
    for (int s : all_)
      if (const int64_t time = timeBehind(s); time > 0 && steps_ < kMostSteps) move(s, time);
  }

 private:
  struct Edge {
    int source, sink;
    int64_t least;  // time from the source's variable to the sink's
    std::optional<int64_t> most;
  };
  using Edges = std::map<int, std::vector<Edge>>;  // [statement]

  struct Tensor {
    std::vector<int> statements;  // that write it
    double size = 0;              // elements of an iteration
  };

  static const std::vector<Edge>& edgesOf(const Edges& edges, int s) {
    static const std::vector<Edge> none;
    const auto found = edges.find(s);
    return found == edges.end() ? none : found->second;
  }

  int64_t timeOf(int s) const { return sign_ * loop_.shift.at(s); }

  void moveBy(const std::set<int>& statements, int64_t time) {
    for (int s : statements) loop_.shift.at(s) += sign_ * time;
  }

  NodeId nodeOf(int s) const { return unscheduled_.statements().list[static_cast<size_t>(s)].node; }

  // As late as a statement may run for its readers and in step with its tensor's others, if those
  // in `latest` run as late as they may.
  int64_t latestFor(int s, const std::map<int, int64_t>& latest) const {
    int64_t time = latest.at(s);
    for (const Edge& e : edgesOf(from_, s)) {
      const auto sink = latest.find(e.sink);
      const int64_t read = sink == latest.end() ? timeOf(e.sink) : sink->second;
      if (read != kAny) time = std::min(time, read + e.least);
    }
    const auto tensor = tensors_.find(nodeOf(s));
    if (tensor == tensors_.end()) return time;
    int64_t fixed = kNone;  // the last of its tensor that can't move
    for (int mate : tensor->second.statements) {
      const auto moves = latest.find(mate);
      if (moves == latest.end())
        fixed = std::max(fixed, timeOf(mate));
      else
        time = std::min(time, moves->second);
    }
    return fixed == kNone ? time : std::min(time, fixed);
  }

  // How long before the last of its tensor's statements it runs.
  int64_t timeBehind(int s) const {
    const auto tensor = tensors_.find(nodeOf(s));
    int64_t latest = timeOf(s);
    if (tensor != tensors_.end())
      for (int mate : tensor->second.statements) latest = std::max(latest, timeOf(mate));
    return latest - timeOf(s);
  }

  // What waits for nothing, then what waits for that only.
  std::set<int> waitingForNothing() const {
    std::map<int, size_t> waits;
    std::vector<int> ready;
    for (int s : all_)
      if ((waits[s] = edgesOf(into_, s).size()) == 0) ready.push_back(s);
    std::set<int> free;
    while (!ready.empty()) {
      const int s = ready.back();
      ready.pop_back();
      free.insert(s);
      for (const Edge& e : edgesOf(from_, s))
        if (--waits[e.sink] == 0) ready.push_back(e.sink);
    }
    return free;
  }

  // With what it pushes, where less is alive then.
  void move(int s, int64_t time) {
    const auto pushed = pushedBy(s, time);
    if (!pushed) return;
    std::set<NodeId> touched;
    for (int moved : *pushed) {
      touched.insert(nodeOf(moved));
      for (const Edge& e : edgesOf(into_, moved)) touched.insert(nodeOf(e.source));
    }
    const double before = keptAlive(touched);
    moveBy(*pushed, time);
    if (keptAlive(touched) >= before) moveBy(*pushed, -time);
  }

  // The statement and all that has to move as far as it does, and what is better moved with it:
  // what is in step with that, and what they read that is as far behind as the statement. Nothing
  // where one is pushed that something was to come into step with.
  std::optional<std::set<int>> pushedBy(int s, int64_t time) {
    std::set<int> pushed{s};
    std::vector<int> added{s};
    const auto add = [&](int other) {
      if (pushed.insert(other).second) added.push_back(other);
    };
    while (!added.empty()) {
      const int at = added.back();
      added.pop_back();
      if (const auto tensor = tensors_.find(nodeOf(at)); tensor != tensors_.end())
        for (int mate : tensor->second.statements)
          if (timeOf(mate) == timeOf(at)) add(mate);
      for (const Edge& e : edgesOf(from_, at))
        if (timeOf(e.sink) + e.least < timeOf(at) + time) add(e.sink);
      for (const Edge& e : edgesOf(into_, at))
        if (timeBehind(e.source) == time) add(e.source);
      steps_ += static_cast<int64_t>(edgesOf(from_, at).size() + edgesOf(into_, at).size());
    }
    for (int other : pushed)
      if (nodeOf(other) == nodeOf(s) && timeOf(other) > timeOf(s)) return std::nullopt;
    return pushed;
  }

  // Numbers of these tensors that are kept from iteration to iteration, roughly: how long points
  // are alive, but for what a tensor's own equations read, which may take their place, and how far
  // those are out of step.
  double keptAlive(const std::set<NodeId>& nodes) const {
    double total = 0;
    for (NodeId node : nodes) {
      const auto found = tensors_.find(node);
      if (found == tensors_.end()) continue;
      int64_t first = kAny, last = kNone, longest = 0;
      for (int s : found->second.statements) {
        first = std::min(first, timeOf(s));
        last = std::max(last, timeOf(s));
        for (const Edge& e : edgesOf(from_, s))
          if (nodeOf(e.sink) != node && e.most)
            longest = std::max(longest, timeOf(e.sink) - timeOf(s) + *e.most);
      }
      total += found->second.size * static_cast<double>(longest + (last - first));
    }
    return total;
  }

  // Elements that the statement writes in an iteration.
  double sizeOf(int s) const {
    double size = unscheduled_.pointsOf(s) / static_cast<double>(std::max<int64_t>(
                                                 1, unscheduled_.extentOf({s}, loop_.loopClass)));
    for (const IndexExpr& extent : unscheduled_.graph().node(nodeOf(s)).shape)
      size *= static_cast<double>(extent.asConstant().value_or(1));
    return size;
  }

  LoopChoice& loop_;
  const std::vector<int>& all_;
  const Unscheduled& unscheduled_;
  const int64_t sign_;
  Edges from_, into_;
  std::map<NodeId, Tensor> tensors_;
  int64_t steps_ = 0;
  bool bounded_ = true;
};

}  // namespace

void runLate(LoopChoice& loop, const std::vector<int>& statements,
             const std::vector<Dependence>& dependences, const Unscheduled& unscheduled) {
  Mover mover(loop, statements, dependences, unscheduled);
  if (!mover.bounded()) return;
  mover.beginLate();
  mover.stayInStep();
}

}  // namespace rlc::schedule
