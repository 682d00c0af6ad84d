// Points that depend on themselves. A strongly connected part of the graph is fine if, along some dimension (after shifting each node by a
// constant), no dependence goes forward; those that stay in place must be fine along the other dimensions. Where that argument fails,
// dependences are followed point by point.
#include <algorithm>
#include <climits>
#include <map>
#include <numeric>

#include "compiler/sema/elaborator.h"

namespace rlc::sema {

namespace {

constexpr int32_t kOutVars = 1 << 28;
constexpr int kMaxVisited = 60'000;

struct Vertex {
  NodeId node = -1;
  int piece = -1;  // of a merge; -1: all of it
};

struct Edge {
  int from = 0, to = 0;  // consumer, producer
  const Read* read = nullptr;
  Set where;             // over the consumer's variables that matter, then outs where the read has Value atoms
  bool whole = true;     // `where` not computed yet: all of the consumer's points
  bool unbounded = false;
};

bool openValue(const IndexExpr& e) {
  for (const IndexExpr::Term& term : e.terms()) {
    const IndexExpr::Atom& atom = *term.atom;
    if (atom.kind == IndexExpr::AtomKind::Value && (!atom.lo || !atom.hi)) return true;
    for (const IndexExpr& arg : atom.args)
      if (openValue(arg)) return true;
  }
  return false;
}

class CycleCheck {
 public:
  explicit CycleCheck(const pdg::Graph& graph) : graph_(graph) {}

  // The vertices of a cycle, consumer before producer, with the point; empty: none was found.
  std::vector<std::pair<NodeId, polyhedral::Point>> run() {
    std::vector<Edge> edges;
    for (const Node& node : graph_.nodes()) {
      vertices_.push_back({node.id, -1});
      for (const Read& read : node.inputs) edges.push_back({node.id, read.producer, &read, {}, true, false});
    }
    uniteRoles(edges);
    for (auto& [members, inner] : components(edges)) {
      if (!ordered(members, inner, false)) {
        std::vector<Edge> split = splitPieces(members, inner);
        for (auto& [some, within] : components(split)) {
          if (ordered(some, within, true)) continue;
          auto cycle = follow(some, within);
          if (!cycle.empty()) return cycle;
          for (Edge& edge : within) {
            pointsOf(edge);
            if (edge.unbounded) unboundedRead = vertices_[static_cast<size_t>(edge.from)].node;
          }
        }
      }
    }
    return {};
  }

  NodeId unboundedRead = -1;  // a node on a possible cycle through a subscript without a range

 private:
  using Component = std::pair<std::vector<int>, std::vector<Edge>>;

  std::vector<Component> components(const std::vector<Edge>& edges) {
    const size_t n = vertices_.size();
    std::vector<std::vector<int>> out(n);
    for (size_t i = 0; i < edges.size(); ++i) out[static_cast<size_t>(edges[i].from)].push_back(static_cast<int>(i));
    std::vector<int> order(n, -1), low(n, 0), component(n, -1);
    std::vector<size_t> stack;
    std::vector<bool> onStack(n, false);
    int counter = 0, parts = 0;
    std::set<int> roots;
    for (const Edge& edge : edges) roots.insert(edge.from);
    struct Frame {
      size_t vertex, next;
    };
    for (int root : roots) {
      if (order[static_cast<size_t>(root)] >= 0) continue;
      std::vector<Frame> frames{{static_cast<size_t>(root), 0}};
      while (!frames.empty()) {
        size_t v = frames.back().vertex;
        if (order[v] < 0) {
          order[v] = low[v] = counter++;
          stack.push_back(v);
          onStack[v] = true;
        }
        if (frames.back().next < out[v].size()) {
          size_t w = static_cast<size_t>(edges[static_cast<size_t>(out[v][frames.back().next++])].to);
          if (order[w] < 0) frames.push_back({w, 0});
          else if (onStack[w]) low[v] = std::min(low[v], order[w]);
          continue;
        }
        if (low[v] == order[v]) {
          size_t w;
          do {
            w = stack.back();
            stack.pop_back();
            onStack[w] = false;
            component[w] = parts;
          } while (w != v);
          ++parts;
        }
        frames.pop_back();
        if (!frames.empty()) low[frames.back().vertex] = std::min(low[frames.back().vertex], low[v]);
      }
    }
    std::map<int, Component> found;
    for (const Edge& edge : edges) {
      int c = component[static_cast<size_t>(edge.from)];
      if (c >= 0 && c == component[static_cast<size_t>(edge.to)]) found[c].second.push_back(edge);
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

  const Node& nodeOf(int vertex) const { return graph_.node(vertices_[static_cast<size_t>(vertex)].node); }

  // Dims that are read at one another play the same role: k in `sum(r[k] for k in t..T)` and t.
  void uniteRoles(const std::vector<Edge>& edges) {
    for (const Edge& edge : edges) {
      const Node& producer = nodeOf(edge.to);
      for (size_t i = 0; i < producer.dims.size() && i < edge.read->at.size(); ++i)
        if (auto shifted = edge.read->at[i].asShifted(); shifted && !shifted->var.isElement()) unite(shifted->var, producer.dims[i]);
    }
  }
  Var root(Var var) {
    auto it = role_.find(var);
    if (it == role_.end() || it->second == var) return var;
    return it->second = root(it->second);
  }
  void unite(Var a, Var b) {
    a = root(a);
    b = root(b);
    if (a != b) role_[std::max(a, b)] = std::min(a, b);
  }

  Set domainOf(const Vertex& vertex) const {
    const Node& node = graph_.node(vertex.node);
    if (vertex.piece < 0) return node.domain;
    return std::get<pdg::Merge>(node.op).pieces[static_cast<size_t>(vertex.piece)].domain;
  }

  // The points of an edge, over the consumer's dims, bound variables and element positions used, and, for reads through values, outs.
  const Set& pointsOf(Edge& edge) {
    if (!edge.whole) return edge.where;
    edge.whole = false;
    const Node& node = nodeOf(edge.from);
    Set where = domainOf(vertices_[static_cast<size_t>(edge.from)]);
    std::vector<Var> vars = node.dims;
    Condition elements = Condition::always();
    std::vector<Var> used;
    bool values = false;
    for (const IndexExpr& e : edge.read->at) {
      e.collectVariables(used);
      values |= e.hasValue();
      edge.unbounded |= openValue(e);
    }
    const auto* reduce = std::get_if<pdg::Reduce>(&node.op);
    std::vector<Var> extra;
    for (size_t axis = 0; axis < node.shape.size(); ++axis) {
      Var own = Var::element(static_cast<int>(axis));
      bool mentioned = std::find(used.begin(), used.end(), own) != used.end();
      if (reduce) mentioned |= std::find(reduce->domain.vars().begin(), reduce->domain.vars().end(), own) != reduce->domain.vars().end();
      if (!mentioned) continue;
      extra.push_back(own);
      elements = elements && Condition::within(IndexExpr(own), 0, node.shape[axis]);
    }
    vars.insert(vars.end(), extra.begin(), extra.end());
    if (!extra.empty()) where = where.extendTo(vars).intersect(elements);
    if (reduce) {
      vars.insert(vars.end(), reduce->bound.begin(), reduce->bound.end());
      where = where.extendTo(vars).intersect(reduce->domain.extendTo(vars));
    }
    if (const auto* draw = std::get_if<pdg::Draw>(&node.op); draw && draw->kind == pdg::DrawKind::Categorical) {
      vars.push_back(draw->category);
      where = where.extendTo(vars).intersect(Condition::within(IndexExpr(draw->category), 0, IndexExpr(draw->categories)));
    }
    if (values && !edge.unbounded) where = Set::access(where, edge.read->at, outsOf(edge));
    edge.where = where;
    return edge.where;
  }

  std::vector<Var> outsOf(const Edge& edge) const {
    std::vector<Var> outs;
    for (size_t i = 0; i < edge.read->at.size(); ++i) outs.push_back(Var::dim(kOutVars + static_cast<int32_t>(i)));
    return outs;
  }

  IndexExpr target(const Edge& edge, size_t position) const {
    bool values = false;
    for (const IndexExpr& e : edge.read->at) values |= e.hasValue();
    return values ? IndexExpr(Var::dim(kOutVars + static_cast<int32_t>(position))) : edge.read->at[position];
  }

  struct Distance {
    int64_t lo, hi;
    bool ok = true, none = false;
  };
  Distance distance(Edge& edge, Var from, size_t position) {
    IndexExpr d = target(edge, position) - IndexExpr(from);
    if (auto c = d.asConstant()) return {*c, *c};
    const Set& where = pointsOf(edge);
    if (edge.unbounded) return {0, 0, false};
    auto lo = where.minimum(d), hi = where.maximum(d);
    if (!lo || !hi) return {0, 0, true, true};
    return {*lo, *hi, *lo != INT64_MIN && *hi != INT64_MAX};
  }

  // Whether some order along dimensions exists for these vertices.
  bool ordered(const std::vector<int>& members, std::vector<Edge> edges, bool exact) {
    std::set<Var> roles;
    for (Var var : nodeOf(members[0]).dims) roles.insert(root(var));
    for (Var role : roles) {
      // Each vertex's dim of this role.
      std::map<int, std::pair<Var, size_t>> dim;
      bool all = true;
      for (int vertex : members) {
        const Node& node = nodeOf(vertex);
        bool found = false;
        for (size_t i = 0; i < node.dims.size() && !found; ++i)
          if (root(node.dims[i]) == role) {
            dim[vertex] = {node.dims[i], i};
            found = true;
          }
        all &= found;
      }
      if (!all) continue;
      std::vector<Distance> distances;
      bool usable = true;
      for (Edge& edge : edges) {
        distances.push_back(distance(edge, dim[edge.from].first, dim[edge.to].second));
        usable &= distances.back().ok;
        if (!usable) break;
      }
      if (!usable) continue;
      for (int sign : {-1, 1}) {
        // Potentials s with sign * (producer + s[to]) >= sign * (consumer + s[from]) for no edge in the wrong direction.
        std::map<int, int64_t> shift;
        for (int v : members) shift[v] = 0;
        auto worst = [&](size_t i) { return sign < 0 ? distances[i].hi : -distances[i].lo; };
        bool changed = true, feasible = true;
        for (size_t round = 0; changed && feasible; ++round) {
          changed = false;
          if (round > members.size()) feasible = false;
          for (size_t i = 0; i < edges.size(); ++i) {
            if (distances[i].none) continue;
            int64_t need = worst(i) + shift[edges[i].to];
            if (need > shift[edges[i].from]) {
              shift[edges[i].from] = need;
              changed = true;
            }
          }
        }
        if (!feasible) continue;
        std::vector<Edge> rest;
        for (size_t i = 0; i < edges.size(); ++i) {
          if (distances[i].none) continue;
          int64_t slack = shift[edges[i].from] - shift[edges[i].to];
          if (worst(i) < slack) continue;
          Edge edge = edges[i];
          if (distances[i].lo != distances[i].hi) {
            IndexExpr d = target(edge, dim[edge.to].second) - IndexExpr(dim[edge.from].first);
            edge.where = pointsOf(edge).intersect(Condition::equal(d, IndexExpr(sign < 0 ? slack : -slack)));
            edge.whole = false;
            if (edge.where.isEmpty()) continue;
          }
          rest.push_back(std::move(edge));
        }
        if (rest.size() == edges.size() && std::equal(rest.begin(), rest.end(), edges.begin(), [](const Edge& a, const Edge& b) {
              return a.from == b.from && a.to == b.to && a.read == b.read;
            }))
          continue;  // nothing gained along this dimension
        bool fine = true;
        for (auto& [some, within] : components(rest)) fine &= ordered(some, within, exact);
        if (fine) return true;
      }
    }
    // Edges of no points make no cycle.
    if (exact) {
      std::vector<Edge> live;
      for (Edge& edge : edges)
        if (!pointsOf(edge).isEmpty()) live.push_back(edge);
      if (live.size() < edges.size()) {
        bool fine = true;
        for (auto& [some, within] : components(live)) fine &= ordered(some, within, exact);
        return fine;
      }
    }
    return false;
  }

  std::vector<Edge> splitPieces(const std::vector<int>& members, const std::vector<Edge>& edges) {
    std::map<int, std::vector<int>> parts;
    for (int vertex : members) {
      const Node& node = nodeOf(vertex);
      const auto* merge = std::get_if<pdg::Merge>(&node.op);
      bool byPoint = merge && merge->pieces.size() > 1;
      if (!byPoint) {
        parts[vertex] = {vertex};
        continue;
      }
      for (size_t piece = 0; piece < merge->pieces.size(); ++piece) {
        vertices_.push_back({node.id, static_cast<int>(piece)});
        parts[vertex].push_back(static_cast<int>(vertices_.size()) - 1);
      }
    }
    std::vector<Edge> result;
    for (const Edge& edge : edges) {
      const Node& consumer = nodeOf(edge.from);
      int input = static_cast<int>(edge.read - consumer.inputs.data());
      for (int from : parts[edge.from]) {
        int piece = vertices_[static_cast<size_t>(from)].piece;
        if (piece >= 0 && input < consumer.dataInputs() && input != piece) continue;
        for (int to : parts[edge.to]) {
          Edge part{from, to, edge.read, {}, true, false};
          if (parts[edge.to].size() > 1) {
            const Set& where = pointsOf(part);
            Set target_ = domainOf(vertices_[static_cast<size_t>(to)]);
            bool values = false;
            for (const IndexExpr& e : edge.read->at) values |= e.hasValue();
            if (!part.unbounded) {
              if (values) {
                std::map<Var, Var> names;
                const Node& producer = nodeOf(edge.to);
                std::vector<Var> outs = outsOf(part);
                for (size_t i = 0; i < outs.size(); ++i) names[producer.dims[i]] = outs[i];
                part.where = where.intersect(target_.rename(names).extendTo(where.vars()));
              } else {
                part.where = target_.preimage(where, edge.read->at);
              }
              if (part.where.isEmpty()) continue;
            }
          }
          result.push_back(std::move(part));
        }
      }
    }
    return result;
  }

  // Depth first from some points of each vertex; all of them where they are few.
  std::vector<std::pair<NodeId, polyhedral::Point>> follow(const std::vector<int>& members, std::vector<Edge> edges) {
    std::map<int, std::vector<size_t>> out;
    for (size_t i = 0; i < edges.size(); ++i) out[edges[i].from].push_back(i);
    using State = std::pair<int, polyhedral::Point>;
    std::map<State, int> color;  // 1: on the path, 2: done
    int visited = 0;
    std::vector<State> path;
    std::vector<std::pair<NodeId, polyhedral::Point>> found;
    struct Frame {
      State state;
      std::vector<State> next;
      size_t at = 0;
    };
    auto expand = [&](const State& state) {
      std::vector<State> next;
      const Node& node = nodeOf(state.first);
      for (size_t i : out[state.first]) {
        Edge& edge = edges[i];
        Set where = pointsOf(edge);
        if (edge.unbounded) continue;
        for (size_t d = 0; d < node.dims.size(); ++d) where = where.fix(node.dims[d], state.second[d]);
        const std::vector<Var> vars = where.vars();
        int count = 0;
        if (where.isEmpty() || !where.isBounded()) continue;
        if (vars.size() > node.dims.size() && where.count() > 4096) continue;
        where.forEachPoint([&](const polyhedral::Point& point) {
          if (++count > 4096) return;
          auto value = [&](Var var) { return point[static_cast<size_t>(std::find(vars.begin(), vars.end(), var) - vars.begin())]; };
          polyhedral::Point read;
          for (size_t p = 0; p < edge.read->at.size(); ++p) read.push_back(target(edge, p).evaluate(value));
          next.push_back({edge.to, std::move(read)});
        });
      }
      return next;
    };
    // The shortest way from a point back to itself.
    auto shortest = [&](const State& start, size_t limit) {
      std::map<State, State> from;
      std::vector<State> layer{start};
      std::vector<std::pair<NodeId, polyhedral::Point>> result;
      for (size_t length = 1; length < limit && !layer.empty() && from.size() < 2000; ++length) {
        std::vector<State> next;
        for (const State& state : layer)
          for (State& read : expand(state)) {
            if (read == start) {
              std::vector<State> chain{state};
              while (chain.back() != start) chain.push_back(from.at(chain.back()));
              for (size_t i = chain.size(); i-- > 0;) result.emplace_back(vertices_[static_cast<size_t>(chain[i].first)].node, chain[i].second);
              return result;
            }
            if (from.emplace(read, state).second) next.push_back(read);
          }
        layer = std::move(next);
      }
      return result;
    };
    auto search = [&](const State& start) {
      if (color.count(start) || visited > kMaxVisited) return false;
      std::vector<Frame> frames;
      auto enter = [&](const State& state) {
        color[state] = 1;
        ++visited;
        frames.push_back({state, expand(state), 0});
      };
      enter(start);
      while (!frames.empty()) {
        Frame& frame = frames.back();
        if (frame.at == frame.next.size()) {
          color[frame.state] = 2;
          frames.pop_back();
          continue;
        }
        State next = frame.next[frame.at++];
        auto it = color.find(next);
        if (it != color.end() && it->second == 1) {
          bool inside = false;
          for (const Frame& f : frames) {
            inside |= f.state == next;
            if (inside) found.emplace_back(vertices_[static_cast<size_t>(f.state.first)].node, f.state.second);
          }
          return true;
        }
        if (it == color.end() && visited <= kMaxVisited) enter(next);
      }
      return false;
    };
    for (int vertex : members) {
      Set where = domainOf(vertices_[static_cast<size_t>(vertex)]);
      for (auto point : {where.lexmin(), where.lexmax()})
        if (point && found.empty()) search({vertex, *point});
    }
    if (!found.empty()) {
      size_t tries = 0;
      for (int vertex : members) {
        Set where = domainOf(vertices_[static_cast<size_t>(vertex)]);
        if (!std::holds_alternative<pdg::Merge>(nodeOf(vertex).op) || !where.isBounded() || where.count() > 256) continue;
        where.forEachPoint([&](const polyhedral::Point& point) {
          if (++tries > 512) return;
          auto shorter = shortest({vertex, point}, found.size());
          if (!shorter.empty()) found = std::move(shorter);
        });
      }
      return found;
    }
    for (int vertex : members) {
      Set where = domainOf(vertices_[static_cast<size_t>(vertex)]);
      if (!where.isBounded() || where.count() > kMaxVisited / 4) continue;
      bool hit = false;
      where.forEachPoint([&](const polyhedral::Point& point) { hit = hit || search({vertex, point}); });
      if (hit) return found;
    }
    return {};
  }

  const pdg::Graph& graph_;
  std::vector<Vertex> vertices_;
  std::map<Var, Var> role_;
};

}  // namespace

void Elaborator::checkCycles() {
  std::vector<std::pair<NodeId, polyhedral::Point>> cycle;
  try {
    CycleCheck check(graph_);
    cycle = check.run();
    if (cycle.empty() && check.unboundedRead >= 0) {
      fail(Kind::InstantCycle, graph_.node(check.unboundedRead).span, "a value may depend on itself through a subscript that is computed and has no known range",
           "bound it: `clip(j, 0, t - 1)`, `j % n`, `min(j, t - 1)`");
      return;
    }
  } catch (const polyhedral::OperationLimit&) {
    return;
  }
  if (cycle.empty()) return;
  // Named tensors on the cycle, the earliest equation first.
  struct Stop {
    const TensorDef* tensor;
    polyhedral::Point point;
    Span span;
  };
  std::vector<Stop> stops;
  for (const auto& [node, point] : cycle) {
    auto owner = owners_.find(node);
    if (owner == owners_.end()) continue;
    Span span = owner->second->span;
    for (const Target& target : owner->second->targets)
      if (target.domain.contains(point)) span = target.pattern->span;
    stops.push_back({owner->second, point, span});
  }
  auto text = [&](const Stop& stop) {
    std::string at;
    for (size_t i = stop.tensor->hidden.size(); i < stop.point.size(); ++i) at += (at.empty() ? "" : ", ") + std::to_string(stop.point[i]);
    return "`" + stop.tensor->name + (at.empty() ? "`" : "[" + at + "]`");
  };
  if (stops.empty()) {
    fail(Kind::InstantCycle, graph_.node(cycle.front().first).span, "this value depends on itself");
    return;
  }
  size_t first = 0;
  for (size_t i = 1; i < stops.size(); ++i) {
    const Span &a = stops[i].span, &b = stops[first].span;
    if (a.file == b.file && a.begin < b.begin) first = i;
  }
  std::rotate(stops.begin(), stops.begin() + static_cast<std::ptrdiff_t>(first), stops.end());
  std::string chain = text(stops[0]);
  for (size_t i = 1; i < stops.size() && i < 6; ++i) chain += " needs " + text(stops[i]);
  Diagnostic diagnostic(Kind::InstantCycle, stops[0].span,
                        stops.size() == 1 ? text(stops[0]) + " depends on itself" : text(stops[0]) + " depends on itself: " + chain + (stops.size() > 6 ? " needs ..." : " needs " + text(stops[0])));
  std::vector<std::pair<std::string, int64_t>> witness;
  std::vector<Var> dims = stops[0].tensor->dims();
  for (size_t i = stops[0].tensor->hidden.size(); i < dims.size(); ++i)
    if (!graph_.dim(dims[i]).name.empty()) witness.emplace_back(graph_.dim(dims[i]).name, stops[0].point[i]);
  diagnostic.witness = std::move(witness);
  std::set<uint32_t> noted{stops[0].span.begin};
  for (const Stop& stop : stops)
    if (noted.insert(stop.span.begin).second) diagnostic.notes.push_back({stop.span, text(stop) + " is on the cycle"});
  diagnostic.hint_text = "somewhere on the cycle an earlier or a later point was meant, such as `x[t-1]`";
  report(std::move(diagnostic));
}

}  // namespace rlc::sema
