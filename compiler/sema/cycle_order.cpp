// Points that depend on themselves. A strongly connected part of the graph is fine if, along some
// dimension (after shifting each node by a constant), no dependence goes forward; those that stay
// in place must be fine along the other dimensions. Where that argument fails, dependences are
// followed point by point.
#include <algorithm>

#include "compiler/pdg/strong_components.h"
#include "compiler/sema/cycle_check.h"

namespace rlc::sema {

namespace {

// Which of some vertices, in ascending order, a vertex is.
size_t numberIn(const std::vector<int>& ascending, int vertex) {
  return static_cast<size_t>(std::lower_bound(ascending.begin(), ascending.end(), vertex) -
                             ascending.begin());
}

struct Step {
  size_t from, to;   // consumer, producer: which of the members
  int64_t distance;  // the most that the producer's point lies beyond the consumer's
};

// By how much each of so many members is shifted along a dimension so that no dependence goes
// forward: shift[from] >= distance + shift[to] (Bellman and Ford). nullopt: nothing does.
std::optional<std::vector<int64_t>> shiftsFor(size_t members, const std::vector<Step>& steps) {
  std::vector<int64_t> shift(members, 0);
  for (size_t round = 0; round <= members + 1; ++round) {
    bool changed = false;
    for (const Step& step : steps) {
      const int64_t need = step.distance + shift[step.to];
      if (need <= shift[step.from]) continue;
      shift[step.from] = need;
      changed = true;
    }
    if (!changed) return shift;
  }
  return std::nullopt;
}

}  // namespace

std::vector<CycleCheck::Cycle> CycleCheck::run() {
  std::vector<Cycle> cycles;
  std::vector<Edge> edges;
  for (const Node& node : graph_.nodes()) {
    vertices_.push_back({node.id, -1});
    for (const Read& read : node.inputs)
      if (read.producer >= 0 && read.producer < graph_.size())  // what was in error has no node
        edges.push_back({node.id, read.producer, &read, {}, true, false});
  }
  uniteRoles(edges);
  for (auto& [members, inner] : components(edges)) {
    if (!ordered(members, inner, false)) {
      std::vector<Edge> split = splitPieces(members, inner);
      for (auto& [some, within] : components(split)) {
        if (ordered(some, within, true)) continue;
        Cycle cycle = follow(some, within);
        if (!cycle.empty()) {
          cycles.push_back(std::move(cycle));
          continue;
        }
        for (Edge& edge : within) {
          pointsOf(edge);
          if (edge.unbounded && unbounded.reader < 0)
            unbounded = {nodeOf(edge.from).id, *edge.read, chainOf(edge, within)};
        }
      }
    }
  }
  return cycles;
}

// Breadth first: a shortest way back.
std::vector<NodeId> CycleCheck::chainOf(const Edge& edge, const std::vector<Edge>& within) const {
  std::map<int, int> before{{edge.to, -1}};  // vertex: who reads it, on the way from edge.to
  std::vector<int> queue{edge.to};
  for (size_t k = 0; k < queue.size() && !before.count(edge.from); ++k)
    for (const Edge& next : within)
      if (next.from == queue[k] && before.emplace(next.to, next.from).second)
        queue.push_back(next.to);
  std::vector<NodeId> chain;
  if (before.count(edge.from))
    for (int vertex = edge.from; vertex >= 0; vertex = before.at(vertex))
      chain.push_back(nodeOf(vertex).id);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

std::vector<CycleCheck::Component> CycleCheck::components(const std::vector<Edge>& edges) {
  // Numbered among themselves: most calls are about a few vertices of a large graph.
  std::vector<int> own;
  for (const Edge& edge : edges) own.insert(own.end(), {edge.from, edge.to});
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  const auto number = [&](int vertex) { return numberIn(own, vertex); };
  std::vector<std::vector<int>> successors(own.size());
  for (const Edge& edge : edges)
    successors[number(edge.from)].push_back(static_cast<int>(number(edge.to)));
  const std::vector<int> component = pdg::findStrongComponents(successors).of;
  std::map<int, Component> found;
  for (const Edge& edge : edges) {
    const int c = component[number(edge.from)];
    if (c == component[number(edge.to)]) found[c].second.push_back(edge);
  }
  std::vector<Component> result;
  for (auto& [id, part] : found) {
    std::set<int> members;
    for (const Edge& edge : part.second) members.insert(edge.from);
    part.first.assign(members.begin(), members.end());
    result.push_back(std::move(part));
  }
  return result;
}

const Node& CycleCheck::nodeOf(int vertex) const {
  return graph_.node(vertices_[static_cast<size_t>(vertex)].node);
}

void CycleCheck::uniteRoles(const std::vector<Edge>& edges) {
  for (const Edge& edge : edges) {
    const Node& producer = nodeOf(edge.to);
    for (size_t i = 0; i < producer.dims.size() && i < edge.read->at.size(); ++i)
      if (auto shifted = edge.read->at[i].asShifted(); shifted && !shifted->var.isElement())
        unite(shifted->var, producer.dims[i]);
  }
}

Var CycleCheck::root(Var var) {
  auto it = role_.find(var);
  if (it == role_.end() || it->second == var) return var;
  return it->second = root(it->second);
}

void CycleCheck::unite(Var a, Var b) {
  a = root(a);
  b = root(b);
  if (a != b) role_[std::max(a, b)] = std::min(a, b);
}

CycleCheck::Distance CycleCheck::distance(Edge& edge, Var from, size_t position) {
  const IndexExpr at = target(edge, position);
  if (const auto shifted = at.asShifted(); shifted && shifted->var == from)
    return {shifted->offset, shifted->offset};
  const IndexExpr d = at - IndexExpr(from);
  const Set& where = pointsOf(edge);
  if (edge.unbounded && edge.read->at[position].hasValue()) return {0, 0, false};
  auto lo = where.minimum(d), hi = where.maximum(d);
  if (!lo || !hi) return {0, 0, true, true};
  return {*lo, *hi, *lo != INT64_MIN && *hi != INT64_MAX};
}

bool CycleCheck::ordered(const std::vector<int>& members, std::vector<Edge> edges, bool exact) {
  const std::vector<Var> roles = rolesOf(members);
  for (Var role : roles) {
    const std::optional<Along> along = alongRoles({role}, members);
    if (along && orderedAlong(*along, members, edges, exact)) return true;
  }
  if (!exact) return false;
  // Edges of no points make no cycle.
  std::vector<Edge> live;
  for (Edge& edge : edges)
    if (!pointsOf(edge).isEmpty()) live.push_back(edge);
  if (live.size() < edges.size()) return allOrdered(live, exact);
  int tries = kMostAlignments;
  for (Var role : roles)
    if (!alongRoles({role}, members) && orderedAsOne({role}, members, edges, tries)) return true;
  return false;
}

bool CycleCheck::allOrdered(const std::vector<Edge>& edges, bool exact) {
  const std::vector<Component> parts = components(edges);
  return std::all_of(parts.begin(), parts.end(), [&](const Component& part) {
    return ordered(part.first, part.second, exact);
  });
}

std::vector<Var> CycleCheck::rolesOf(const std::vector<int>& members) {
  std::map<Var, int> users;
  for (int vertex : members) {
    std::set<Var> own;
    for (Var var : nodeOf(vertex).dims) own.insert(root(var));
    for (Var role : own) ++users[role];
  }
  std::vector<Var> roles;
  for (const auto& [role, count] : users) roles.push_back(role);
  std::stable_sort(roles.begin(), roles.end(),
                   [&](Var a, Var b) { return users.at(a) > users.at(b); });
  return roles;
}

std::optional<CycleCheck::Along> CycleCheck::alongRoles(const std::set<Var>& roles,
                                                        const std::vector<int>& members) {
  Along along;
  for (int vertex : members) {
    const std::optional<size_t> position = positionOf(roles, vertex);
    if (!position) return std::nullopt;
    along[vertex] = *position;
  }
  return along;
}

std::optional<size_t> CycleCheck::positionOf(const std::set<Var>& roles, int vertex) {
  const std::vector<Var>& dims = nodeOf(vertex).dims;
  for (size_t i = 0; i < dims.size(); ++i)
    if (roles.contains(root(dims[i]))) return i;
  return std::nullopt;
}

bool CycleCheck::orderedAsOne(const std::set<Var>& roles, const std::vector<int>& members,
                              std::vector<Edge>& edges, int& tries) {
  const auto bare = std::find_if(members.begin(), members.end(),
                                 [&](int vertex) { return !positionOf(roles, vertex); });
  if (bare == members.end())
    return tries-- > 0 && orderedAlong(*alongRoles(roles, members), members, edges, true);
  for (Var var : nodeOf(*bare).dims) {
    std::set<Var> more = roles;
    more.insert(root(var));
    if (tries > 0 && orderedAsOne(more, members, edges, tries)) return true;
  }
  return false;
}

bool CycleCheck::orderedAlong(const Along& along, const std::vector<int>& members,
                              std::vector<Edge>& edges, bool exact) {
  const auto dimOf = [&](int vertex) { return nodeOf(vertex).dims[along.at(vertex)]; };
  std::vector<Distance> distances;
  for (Edge& edge : edges) {
    distances.push_back(distance(edge, dimOf(edge.from), along.at(edge.to)));
    if (!distances.back().ok) return false;
  }
  const auto number = [&](int vertex) { return numberIn(members, vertex); };
  for (int sign : {-1, 1}) {
    const auto worst = [&](size_t i) { return sign < 0 ? distances[i].hi : -distances[i].lo; };
    std::vector<Step> steps;
    for (size_t i = 0; i < edges.size(); ++i)
      if (!distances[i].none)
        steps.push_back({number(edges[i].from), number(edges[i].to), worst(i)});
    const auto shifts = shiftsFor(members.size(), steps);
    if (!shifts) continue;
    std::vector<Edge> rest;
    for (size_t i = 0; i < edges.size(); ++i) {
      if (distances[i].none) continue;
      const int64_t slack = (*shifts)[number(edges[i].from)] - (*shifts)[number(edges[i].to)];
      if (worst(i) < slack) continue;
      Edge edge = edges[i];
      if (distances[i].lo != distances[i].hi) {
        IndexExpr d = target(edge, along.at(edge.to)) - IndexExpr(dimOf(edge.from));
        edge.where =
            pointsOf(edge).intersect(Condition::equal(d, IndexExpr(sign < 0 ? slack : -slack)));
        edge.whole = false;
        if (edge.where.isEmpty()) continue;
      }
      rest.push_back(std::move(edge));
    }
    if (rest.size() == edges.size() &&
        std::equal(rest.begin(), rest.end(), edges.begin(), [](const Edge& a, const Edge& b) {
          return a.from == b.from && a.to == b.to && a.read == b.read;
        }))
      continue;  // nothing gained along this dimension
    if (allOrdered(rest, exact)) return true;
  }
  return false;
}

}  // namespace rlc::sema
