#include "compiler/schedule/recompute.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/pdg/past_end.h"
#include "compiler/pdg/shape.h"
#include "compiler/schedule/work.h"

namespace rlc::schedule {

namespace {

using pdg::Merge;
using pdg::Node;
using pdg::Read;

// To write a number to a file and read it back takes as long as this many operations, at 2 GB/s
// against 60 operations a nanosecond.
constexpr double kMostRecomputed = 256;

// An input of a node.
using Place = std::pair<NodeId, size_t>;

class Readers {
 public:
  Readers(const Graph& graph, const Statements& statements, const Schedule& schedule, NodeId node)
      : graph_(graph), statements_(statements), node_(node) {
    const auto& writers = statements.writers[static_cast<size_t>(node)];
    for (size_t s = 0; s < statements.list.size(); ++s) {
      const auto& accesses = statements.list[s].accesses;
      if (std::none_of(accesses.begin(), accesses.end(),
                       [&](const Access& access) { return access.producer == node; }))
        continue;
      const bool near = std::all_of(writers.begin(), writers.end(), [&](int writer) {
        const auto &own = schedule.placed[static_cast<size_t>(writer)].loops,
                   &theirs = schedule.placed[s].loops;
        return own.size() <= theirs.size() && std::equal(own.begin(), own.end(), theirs.begin());
      });
      collect(statements.list[s], near ? near_ : far_);
    }
    // An input that serves statements of both kinds stays.
    for (const Place& place : near_) far_.erase(place);
  }

  const std::set<Place>& near() const { return near_; }
  const std::set<Place>& far() const { return far_; }

 private:
  void collect(const Statement& statement, std::set<Place>& places) {
    std::set<NodeId> seen;
    if (statement.node < 0) {
      for (const Read& read :
           pdg::hostReads(graph_, graph_.sinks()[static_cast<size_t>(statement.sink)]))
        follow(read, places, seen);
      return;
    }
    const Node& node = graph_.node(statement.node);
    const Merge* merge = std::get_if<Merge>(&node.op);
    for (size_t k = 0; k < node.inputs.size(); ++k)
      if (!merge || k >= merge->pieces.size() || static_cast<int>(k) == statement.piece)
        note({node.id, k}, places, seen);
  }

  void note(Place place, std::set<Place>& places, std::set<NodeId>& seen) {
    const Read& read = graph_.node(place.first).inputs[place.second];
    if (read.producer == node_) places.insert(place);
    follow(read, places, seen);
  }

  // Into what is inlined.
  void follow(const Read& read, std::set<Place>& places, std::set<NodeId>& seen) {
    const auto producer = static_cast<size_t>(read.producer);
    if (statements_.placement[producer] != Placement::Inline || !seen.insert(read.producer).second)
      return;
    for (size_t k = 0; k < graph_.node(read.producer).inputs.size(); ++k)
      note({read.producer, k}, places, seen);
  }

  const Graph& graph_;
  const Statements& statements_;
  const NodeId node_;
  std::set<Place> near_, far_;
};

bool reduces(const Graph& graph, const Statements& statements, NodeId id) {
  const Node& node = graph.node(id);
  return std::holds_alternative<pdg::Reduce>(node.op) ||
         std::any_of(node.inputs.begin(), node.inputs.end(), [&](const Read& read) {
           return statements.placement[static_cast<size_t>(read.producer)] == Placement::Inline &&
                  reduces(graph, statements, read.producer);
         });
}

// Made of scalar operations only. A tree, a sorted list, a permutation are the work of functions
// that want their elements to lie side by side.
bool isScalarWork(const Graph& graph, const Statements& statements, const Node& node) {
  const auto* draw = std::get_if<pdg::Draw>(&node.op);
  const bool expression = (draw && draw->kind != pdg::DrawKind::Permutation) ||
                          std::holds_alternative<pdg::Map>(node.op) ||
                          std::holds_alternative<Merge>(node.op) ||
                          std::holds_alternative<pdg::Reduce>(node.op) ||
                          std::holds_alternative<pdg::Constant>(node.op) ||
                          std::holds_alternative<pdg::Param>(node.op) ||
                          std::holds_alternative<pdg::IndexValue>(node.op) ||
                          std::holds_alternative<pdg::Detach>(node.op);
  return expression && std::all_of(node.inputs.begin(), node.inputs.end(), [&](const Read& read) {
           return statements.placement[static_cast<size_t>(read.producer)] != Placement::Inline ||
                  isScalarWork(graph, statements, graph.node(read.producer));
         });
}

bool isCheap(const Graph& graph, const Statements& statements, const Schedule& schedule,
             const Node& node) {
  const auto shape = pdg::constantShape(node);
  if (!shape || !statements.scheduledBound[static_cast<size_t>(node.id)].empty()) return false;
  const auto elements = static_cast<double>(std::max<int64_t>(1, pdg::elementCount(*shape)));
  const auto& writers = statements.writers[static_cast<size_t>(node.id)];
  return isScalarWork(graph, statements, node) &&
         addsUpInOrder(graph, statements, schedule, node.id) &&
         std::all_of(writers.begin(), writers.end(), [&](int w) {
           const Statement& statement = statements.list[static_cast<size_t>(w)];
           return statement.role == Statement::Role::Compute &&
                  operationsOf(graph, statements, statement) <= kMostRecomputed * elements &&
                  std::none_of(statement.accesses.begin(), statement.accesses.end(),
                               [&](const Access& access) { return access.producer == node.id; });
         });
}

// With all that is inlined into it: a second reader would have to find that stored.
NodeId copied(Graph& graph, const Statements& statements, NodeId id,
              std::map<NodeId, NodeId>& copies) {
  if (const auto known = copies.find(id); known != copies.end()) return known->second;
  Node copy = graph.node(id);
  copy.again = true;
  for (Read& read : copy.inputs)
    if (copies.contains(read.producer) ||
        statements.placement[static_cast<size_t>(read.producer)] == Placement::Inline)
      read.producer = copied(graph, statements, read.producer, copies);
  return copies[id] = graph.add(std::move(copy));
}

}  // namespace

// Where a loop around it has lanes, each adds up its own.
bool addsUpInOrder(const Graph& graph, const Statements& statements, const Schedule& schedule,
                   NodeId node) {
  if (!reduces(graph, statements, node)) return true;
  const auto& writers = statements.writers[static_cast<size_t>(node)];
  return !writers.empty() && std::all_of(writers.begin(), writers.end(), [&](int w) {
    const auto& loops = schedule.placed[static_cast<size_t>(w)].loops;
    return std::any_of(loops.begin(), loops.end(),
                       [](const ScheduleNode* loop) { return isLanes(*loop); });
  });
}

std::vector<NodeId> recomputable(const Graph& graph, const Statements& statements,
                                 const Schedule& schedule) {
  std::vector<NodeId> result;
  for (const Node& node : graph.nodes()) {
    const auto id = static_cast<size_t>(node.id);
    if (statements.placement[id] != Placement::Stored || statements.writers[id].empty() ||
        statements.escapes[id] || !isCheap(graph, statements, schedule, node))
      continue;
    const Readers readers(graph, statements, schedule, node.id);
    if (!readers.near().empty() && !readers.far().empty()) result.push_back(node.id);
  }
  return result;
}

NodeId recomputeWhereRead(Graph& graph, const Statements& statements, const Schedule& schedule,
                          NodeId node, std::map<NodeId, NodeId>& copies) {
  const Readers readers(graph, statements, schedule, node);
  const NodeId copy = copied(graph, statements, node, copies);
  for (const auto& [reader, input] : readers.far())
    graph.node(reader).inputs[input].producer = copy;
  return copy;
}

}  // namespace rlc::schedule
