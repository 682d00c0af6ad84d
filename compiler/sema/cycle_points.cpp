// The points of dependences, the pieces of merges, and cycles followed point by point.
#include <algorithm>
#include <functional>

#include "compiler/pdg/reads.h"
#include "compiler/sema/cycle_check.h"
#include "compiler/types/lists.h"

namespace rlc::sema {

namespace {

bool openValue(const IndexExpr& e) {
  for (const IndexExpr::Term& term : e.terms()) {
    const IndexExpr::Atom& atom = *term.atom;
    if (atom.kind == IndexExpr::AtomKind::Value && (!atom.lo || !atom.hi)) return true;
    for (const IndexExpr& arg : atom.args)
      if (openValue(arg)) return true;
  }
  return false;
}

// Whether an input says where a piece of a merge is read, or where such a place is read.
bool subscripts(const Node& merge, int piece, int input) {
  std::vector<int> used = pdg::valueInputs(merge.inputs[static_cast<size_t>(piece)]);
  for (size_t k = 0; k < used.size(); ++k)
    for (int more : pdg::valueInputs(merge.inputs[static_cast<size_t>(used[k])]))
      if (!contains(used, more)) used.push_back(more);
  return contains(used, input);
}

}  // namespace

Set CycleCheck::domainOf(const Vertex& vertex) const {
  const Node& node = graph_.node(vertex.node);
  if (vertex.piece < 0) return node.domain;
  return std::get<pdg::Merge>(node.op).pieces[static_cast<size_t>(vertex.piece)].domain;
}

const Set& CycleCheck::pointsOf(Edge& edge) {
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
    bool mentioned = contains(used, own);
    if (reduce) mentioned |= contains(reduce->domain.vars(), own);
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
  if (const auto range = pdg::boundRange(node)) {
    vars.push_back(range->var);
    where = where.extendTo(vars).intersect(
        Condition::within(IndexExpr(range->var), 0, IndexExpr(range->extent)));
  }
  if (values && !edge.unbounded) where = Set::access(where, edge.read->at, outsOf(edge));
  edge.where = where;
  return edge.where;
}

std::vector<Var> CycleCheck::outsOf(const Edge& edge) const {
  std::vector<Var> outs;
  for (size_t i = 0; i < edge.read->at.size(); ++i)
    outs.push_back(Var::dim(kOutVars + static_cast<int32_t>(i)));
  return outs;
}

IndexExpr CycleCheck::target(const Edge& edge, size_t position) const {
  const IndexExpr& at = edge.read->at[position];
  return at.hasValue() ? IndexExpr(Var::dim(kOutVars + static_cast<int32_t>(position))) : at;
}

std::vector<IndexExpr> CycleCheck::targets(const Edge& edge) const {
  std::vector<IndexExpr> result;
  for (size_t i = 0; i < edge.read->at.size(); ++i) result.push_back(target(edge, i));
  return result;
}

std::vector<Var> CycleCheck::withOuts(const Edge& edge, std::vector<Var> vars) const {
  const std::vector<Var> outs = outsOf(edge);
  for (size_t i = 0; i < outs.size(); ++i)
    if (edge.read->at[i].hasValue()) vars.push_back(outs[i]);
  return vars;
}

std::vector<Edge> CycleCheck::splitPieces(const std::vector<int>& members,
                                          const std::vector<Edge>& edges) {
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
      if (piece >= 0 && input != piece &&
          (input < consumer.dataInputs() || !subscripts(consumer, piece, input)))
        continue;
      for (int to : parts[edge.to]) {
        Edge part{from, to, edge.read, {}, true, false};
        if (parts[edge.to].size() > 1) {
          const Set target_ = domainOf(vertices_[static_cast<size_t>(to)]);
          Set where = pointsOf(part);
          if (part.unbounded) where = where.extendTo(withOuts(part, where.vars()));
          part.where = target_.preimage(where, targets(part));
          if (part.where.isEmpty()) continue;
        }
        result.push_back(std::move(part));
      }
    }
  }
  return result;
}

CycleCheck::Cycle CycleCheck::follow(const std::vector<int>& members, std::vector<Edge> edges) {
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
      for (size_t d = 0; d < node.dims.size(); ++d)
        where = where.fix(node.dims[d], state.second[d]);
      const std::vector<Var> vars = where.vars();
      int count = 0;
      if (where.isEmpty() || !where.isBounded()) continue;
      if (vars.size() > node.dims.size() && where.hasMoreThan(4096)) continue;
      where.forEachPoint([&](const polyhedral::Point& point) {
        if (++count > 4096) return;
        auto value = [&](Var var) {
          return point[static_cast<size_t>(std::find(vars.begin(), vars.end(), var) -
                                           vars.begin())];
        };
        polyhedral::Point read;
        for (size_t p = 0; p < edge.read->at.size(); ++p)
          read.push_back(target(edge, p).evaluate(value));
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
            for (size_t i = chain.size(); i-- > 0;)
              result.emplace_back(vertices_[static_cast<size_t>(chain[i].first)].node,
                                  chain[i].second);
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
          if (inside)
            found.emplace_back(vertices_[static_cast<size_t>(f.state.first)].node, f.state.second);
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
      if (!std::holds_alternative<pdg::Merge>(nodeOf(vertex).op) || !where.isBounded() ||
          where.hasMoreThan(256))
        continue;
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
    if (!where.isBounded() || where.hasMoreThan(kMaxVisited / 4)) continue;
    bool hit = false;
    where.forEachPoint(
        [&](const polyhedral::Point& point) { hit = hit || search({vertex, point}); });
    if (hit) return found;
  }
  return {};
}

}  // namespace rlc::sema
