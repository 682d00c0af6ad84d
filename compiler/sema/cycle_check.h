// Looks for points that depend on themselves (cycle_order.cpp says how).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "compiler/pdg/graph.h"

namespace rlc::sema {

using pdg::Node;
using pdg::NodeId;
using pdg::Read;
using polyhedral::Condition;
using polyhedral::IndexExpr;
using polyhedral::Set;
using polyhedral::Var;

inline constexpr int32_t kOutVars = 1 << 28;  // variables of the points read through values
inline constexpr int kMaxVisited = 60'000;    // points that are followed one by one
inline constexpr int kMostAlignments = 16;    // choices of dims as one that are tried

struct Vertex {
  NodeId node = -1;
  int piece = -1;  // of a merge; -1: all of it
};

struct Edge {
  int from = 0, to = 0;  // consumer, producer
  const Read* read = nullptr;
  Set where;  // over the consumer's variables that matter, then outs where the read has Value atoms
  bool whole = true;  // `where` not computed yet: all of the consumer's points
  bool unbounded = false;
};

class CycleCheck {
 public:
  explicit CycleCheck(const pdg::Graph& graph) : graph_(graph) {}

  // Vertices, consumer before producer, each with its point.
  using Cycle = std::vector<std::pair<NodeId, polyhedral::Point>>;

  // One cycle of each part of the graph that has one.
  std::vector<Cycle> run();

  // A possible cycle through a subscript without a range.
  struct Unbounded {
    NodeId reader = -1;         // -1: there is none
    Read read;                  // what it reads that way
    std::vector<NodeId> chain;  // from what is read back to the reader, each reading the next
  };
  Unbounded unbounded;

 private:
  std::vector<NodeId> chainOf(const Edge& edge, const std::vector<Edge>& within) const;
  using Component = std::pair<std::vector<int>, std::vector<Edge>>;

  std::vector<Component> components(const std::vector<Edge>& edges);

  const Node& nodeOf(int vertex) const;

  // Dims that are read at one another play the same role: k in `sum(r[k] for k in t..T)` and t.
  void uniteRoles(const std::vector<Edge>& edges);
  Var root(Var var);
  void unite(Var a, Var b);

  Set domainOf(const Vertex& vertex) const;

  // The points of an edge, over the consumer's dims, bound variables and element positions used,
  // and, for reads through values, outs.
  const Set& pointsOf(Edge& edge);

  std::vector<Var> outsOf(const Edge& edge) const;

  // What is read at a position: an out, which may be any number, where values say it.
  IndexExpr target(const Edge& edge, size_t position) const;
  std::vector<IndexExpr> targets(const Edge& edge) const;
  std::vector<Var> withOuts(const Edge& edge, std::vector<Var> vars) const;

  struct Distance {
    int64_t lo, hi;
    bool ok = true, none = false;
  };
  Distance distance(Edge& edge, Var from, size_t position);

  // Whether some order along dimensions exists for these vertices.
  bool ordered(const std::vector<int>& members, std::vector<Edge> edges, bool exact);
  bool allOrdered(const std::vector<Edge>& edges, bool exact);  // each part of them

  // A dimension of the order: which dim of each vertex it is, by position.
  using Along = std::map<int, size_t>;

  // Those of any member; the ones that most of them have first.
  std::vector<Var> rolesOf(const std::vector<int>& members);
  // nullopt: some member has no dim of these roles.
  std::optional<Along> alongRoles(const std::set<Var>& roles, const std::vector<int>& members);
  std::optional<size_t> positionOf(const std::set<Var>& roles, int vertex);

  // Whether no dependence goes forward along it, and those that stay in place are ordered.
  bool orderedAlong(const Along& along, const std::vector<int>& members, std::vector<Edge>& edges,
                    bool exact);

  // The same where dims that are only read at one another through `max`, a value or a condition
  // count as one: roles are added until every member has one of them. `tries`: how many orders may
  // be looked at, which this counts down.
  bool orderedAsOne(const std::set<Var>& roles, const std::vector<int>& members,
                    std::vector<Edge>& edges, int& tries);

  std::vector<Edge> splitPieces(const std::vector<int>& members, const std::vector<Edge>& edges);

  // Depth first from some points of each vertex; all of them where they are few.
  Cycle follow(const std::vector<int>& members, std::vector<Edge> edges);

  const pdg::Graph& graph_;
  std::vector<Vertex> vertices_;
  std::map<Var, Var> role_;
};

}  // namespace rlc::sema
