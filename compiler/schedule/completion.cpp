#include "compiler/schedule/completion.h"

#include <algorithm>

namespace rlc::schedule {

Completion::Completion(const Graph& graph, const Statements& statements, const Schedule& schedule,
                       Interruption where)
    : graph_(graph),
      statements_(statements),
      schedule_(schedule),
      where_(std::move(where)),
      paths_(statements.list.size()) {
  for (const Statement& statement : statements.list) ranges_.emplace_back(statement.vars.size());
  for (size_t root = 0; root < schedule.roots.size(); ++root) {
    Path path;
    path.root = root;
    collect(*schedule.roots[root], path);
  }
  if (where_.statement >= 0)
    where_.root = static_cast<int64_t>(paths_[static_cast<size_t>(where_.statement)].root);
}

void Completion::collect(const ScheduleNode& node, Path& path) {
  switch (node.kind) {
    case ScheduleNode::Kind::Statement:
      paths_[static_cast<size_t>(node.statement)] = path;
      return;
    case ScheduleNode::Kind::Scan:
      for (int s : node.statements) {
        paths_[static_cast<size_t>(s)] = path;
        paths_[static_cast<size_t>(s)].scan = true;
      }
      return;
    case ScheduleNode::Kind::Loop:
      break;
  }
  path.steps.push_back({&node, 0});
  for (size_t k = 0; k < node.children.size(); ++k) {
    path.steps.back().child = k;
    collect(*node.children[k], path);
  }
  path.steps.pop_back();
}

const Completion::Range& Completion::rangeOf(int statement, size_t var) const {
  auto& range = ranges_[static_cast<size_t>(statement)][var];
  if (!range) {
    const Statement& s = statements_.list[static_cast<size_t>(statement)];
    range = Range{};
    const auto lo = s.domain.minimum(IndexExpr(s.vars[var])),
               hi = s.domain.maximum(IndexExpr(s.vars[var]));
    if (lo && hi) range = Range{*lo, *hi};
  }
  return *range;
}

bool Completion::ran(int statement, const std::vector<int64_t>& vars) const {
  const Statement& s = statements_.list[static_cast<size_t>(statement)];
  const Placed& placed = schedule_.placed[static_cast<size_t>(statement)];
  const Path& path = paths_[static_cast<size_t>(statement)];
  const auto root = static_cast<int64_t>(path.root);
  if (root != where_.root) return root < where_.root;
  const Path* end =
      where_.statement >= 0 ? &paths_[static_cast<size_t>(where_.statement)] : nullptr;
  for (size_t k = 0; k < path.steps.size(); ++k) {
    const ScheduleNode& loop = *path.steps[k].loop;
    std::optional<int64_t> reached;
    if (end != nullptr && k < where_.loops.size())
      reached = where_.loops[k];
    else if (k == 0)
      reached = where_.iteration;
    if (!reached) return false;
    int64_t own = placed.shift[k];
    if (const auto& scanned = placed.scanned[k])
      own += vars[static_cast<size_t>(std::find(s.vars.begin(), s.vars.end(), *scanned) -
                                      s.vars.begin())];
    if (own != *reached)
      return loop.execution == ScheduleNode::Execution::Sequential &&
             (loop.descending ? own > *reached : own < *reached);
    if (end == nullptr || k >= end->steps.size()) return false;
    if (path.steps[k].child != end->steps[k].child)
      return path.steps[k].child < end->steps[k].child;
  }
  return false;
}

bool Completion::has(NodeId node, const std::vector<int64_t>& point) const {
  if (statements_.placement[static_cast<size_t>(node)] != Placement::Stored)
    return true;  // part of the program, or of what reads it
  bool any = false;
  for (int w : statements_.writers[static_cast<size_t>(node)]) {
    const auto vars = lastWrite(w, point);
    if (!vars) continue;
    if (!ran(w, *vars)) return false;
    any = true;
  }
  return any;
}

std::optional<std::vector<int64_t>> Completion::lastWrite(int statement,
                                                          const std::vector<int64_t>& point) const {
  const Statement& writer = statements_.list[static_cast<size_t>(statement)];
  const Placed& placed = schedule_.placed[static_cast<size_t>(statement)];
  const auto& dims = graph_.node(writer.node).dims;
  std::vector<int64_t> vars(writer.vars.size());
  for (size_t k = 0; k < vars.size(); ++k) {
    const Range& range = rangeOf(statement, k);
    if (range.lo > range.hi) return std::nullopt;
    const auto dim = std::find(dims.begin(), dims.end(), writer.vars[k]);
    if (dim != dims.end()) {
      vars[k] = point[static_cast<size_t>(dim - dims.begin())];
      if (vars[k] < range.lo || vars[k] > range.hi) return std::nullopt;
      continue;
    }
    const auto depth =
        std::find(placed.scanned.begin(), placed.scanned.end(), std::optional(writer.vars[k]));
    const bool down = depth != placed.scanned.end() &&
                      placed.loops[static_cast<size_t>(depth - placed.scanned.begin())]->descending;
    vars[k] = down ? range.lo : range.hi;
  }
  return vars;
}

}  // namespace rlc::schedule
