#include "compiler/sema/ends.h"

#include <algorithm>
#include <map>

namespace rlc::sema {

namespace {

using pdg::Graph;
using pdg::Merge;
using pdg::Node;
using pdg::NodeId;
using pdg::Read;
using pdg::Reduce;
using polyhedral::Condition;
using polyhedral::IndexExpr;
using polyhedral::Set;
using polyhedral::Var;

constexpr int kDeepestComparison = 256;

class EndFollower {
 public:
  explicit EndFollower(Graph& graph) : graph_(graph) {}

  void run() {
    const NodeId before = graph_.size();
    for (int d = 0; d < graph_.dimCount(); ++d) {
      const Var dim = Var::dim(d);
      const NodeId end = graph_.dim(dim).end;
      if (end < 0 || !isFirstTrue(graph_.node(end))) continue;
      const Node last = graph_.node(end);
      for (NodeId id = 0; id < before; ++id) readOne(id, end, last);
      const NodeId exists = addExists(dim, last);
      for (NodeId id = 0; id < before; ++id) follow(id, dim, last, exists);
      askExists(end, exists);
    }
  }

 private:
  static const Reduce* isFirstTrue(const Node& node) {
    const Reduce* reduce = std::get_if<Reduce>(&node.op);
    const bool fits = reduce && reduce->kind == pdg::ReduceKind::FirstTrue &&
                      reduce->bound.size() == 1 && !reduce->hasFilter && reduce->keys.empty() &&
                      node.inputs.size() == 1 && node.shape.empty();
    return fits ? reduce : nullptr;
  }

  Node begin(const Node& last, std::vector<Var> dims, Set domain) const {
    Node node;
    node.span = last.span;
    node.dims = std::move(dims);
    node.domain = std::move(domain);
    node.type = DType::Bool;
    return node;
  }

  NodeId constant(const Node& last, bool value) {
    Node node = begin(last, {}, Set::universe(graph_.context(), {}));
    node.op = pdg::Constant{DenseTensor{DType::Bool, {}, {Scalar::ofInt(DType::Bool, value)}}};
    return graph_.add(std::move(node));
  }

  static std::vector<IndexExpr> identity(const std::vector<Var>& dims) {
    return {dims.begin(), dims.end()};
  }

  // exists: over the end's dims, then the index.
  NodeId addExists(Var dim, const Node& last) {
    const Reduce& reduce = std::get<Reduce>(last.op);
    std::vector<Var> dims = last.dims;
    dims.push_back(dim);
    const IndexExpr lo = graph_.dim(dim).lo, hi = graph_.dim(dim).hi, at(dim);
    const Set all = last.domain.extendTo(dims).intersect(Condition::within(dim, lo, hi + 1));
    const Set first = all.intersect(Condition::equal(at, lo)), rest = all.subtract(first);
    const NodeId yes = constant(last, true), no = constant(last, false);

    const auto id = graph_.size() + 2;  // the two nodes in between read it and are read by it
    Node done = begin(last, dims, rest);
    done.op = pdg::Map{ScalarOp::Not};
    Read read = last.inputs[0];
    for (IndexExpr& e : read.at) e = e.substitute({{reduce.bound[0], at - 1}});
    done.inputs = {read};
    const NodeId notDone = graph_.add(std::move(done));

    Node next = begin(last, dims, rest);
    next.op = pdg::Map{ScalarOp::Select};
    std::vector<IndexExpr> before = identity(last.dims);
    before.push_back(at - 1);
    next.inputs = {Read{static_cast<NodeId>(id), before, {}}, Read{notDone, identity(dims), {}},
                   Read{no, {}, {}}};
    const NodeId step = graph_.add(std::move(next));

    Node exists = begin(last, dims, all);
    Merge merge;
    for (const Set& piece : {first, rest}) {
      if (piece.isEmpty()) continue;
      merge.pieces.push_back({piece, Condition::always()});
      exists.inputs.push_back(merge.pieces.size() == 1 ? Read{yes, {}, {}}
                                                       : Read{step, identity(dims), {}});
    }
    exists.op = std::move(merge);
    return graph_.add(std::move(exists));
  }

  // first k at which not exists[k+1]
  void askExists(NodeId end, NodeId exists) {
    const Node last = graph_.node(end);
    const Reduce& reduce = std::get<Reduce>(last.op);
    std::vector<Var> dims = last.dims;
    dims.push_back(reduce.bound[0]);
    Node gone = begin(last, dims, reduce.domain.projectOnto(dims));
    gone.op = pdg::Map{ScalarOp::Not};
    std::vector<IndexExpr> at = identity(last.dims);
    at.push_back(IndexExpr(reduce.bound[0]) + 1);
    gone.inputs = {Read{exists, at, {}}};
    const NodeId body = graph_.add(std::move(gone));
    graph_.node(end).inputs = {Read{body, identity(dims), {}}};
  }

  // Each mention of an end has made a node: all read the index's own.
  void readOne(NodeId id, NodeId end, const Node& last) {
    for (Read& read : graph_.node(id).inputs) {
      if (read.producer == end || !isFirstTrue(graph_.node(read.producer))) continue;
      const Node& other = graph_.node(read.producer);
      if (!sameEnd(other, last)) continue;
      std::vector<IndexExpr> at;
      for (const size_t place : placesIn(other, last)) at.push_back(read.at[place]);
      read = Read{end, std::move(at), {}};
    }
  }

  // e < end and e <= end become exists[e] and exists[max(e - 1, lo)], where these points are there.
  void follow(NodeId id, Var dim, const Node& last, NodeId exists) {
    const Node& node = graph_.node(id);
    const auto* map = std::get_if<pdg::Map>(&node.op);
    if (!map || (map->op != ScalarOp::Lt && map->op != ScalarOp::Le) || node.inputs.size() != 2)
      return;
    const auto* value = std::get_if<pdg::IndexValue>(&graph_.node(node.inputs[0].producer).op);
    const Node& other = graph_.node(node.inputs[1].producer);
    if (!value || !isFirstTrue(other) || !sameEnd(other, last)) return;
    std::vector<IndexExpr> end;
    for (const size_t place : placesIn(other, last)) end.push_back(node.inputs[1].at[place]);

    std::map<Var, IndexExpr> ofValue, ofEnd;
    const auto& valueDims = graph_.node(node.inputs[0].producer).dims;
    for (size_t k = 0; k < valueDims.size(); ++k) ofValue[valueDims[k]] = node.inputs[0].at[k];
    for (size_t k = 0; k < last.dims.size(); ++k) ofEnd[last.dims[k]] = end[k];
    const IndexExpr lo = graph_.dim(dim).lo.substitute(ofEnd),
                    hi = graph_.dim(dim).hi.substitute(ofEnd);
    const IndexExpr e = value->expr.substitute(ofValue);
    if (!node.domain.isSubset(node.domain.intersect(Condition::within(e, lo, hi + 1)))) return;

    Node asked = node;
    asked.op = Merge{{{node.domain, Condition::always()}}};
    std::vector<IndexExpr> at = end;
    at.push_back(map->op == ScalarOp::Lt ? e : IndexExpr::max(e - 1, lo));
    asked.inputs = {Read{exists, at, {}}};
    graph_.node(id) = std::move(asked);
  }

  // Which dim of one end stands for each of another's, by where both read what they end on: a sum's
  // own order of its ranges is not the index's. Else one after the other.
  static std::vector<size_t> placesIn(const Node& end, const Node& last) {
    std::vector<size_t> places, inOrder;
    const Read &read = end.inputs[0], &own = last.inputs[0];
    for (const Var var : last.dims) {
      inOrder.push_back(inOrder.size());
      const auto at = std::find(own.at.begin(), own.at.end(), IndexExpr(var));
      if (read.producer != own.producer || at == own.at.end()) continue;
      const IndexExpr& there = read.at[static_cast<size_t>(at - own.at.begin())];
      for (size_t k = 0; k < end.dims.size(); ++k)
        if (there == IndexExpr(end.dims[k])) places.push_back(k);
    }
    return places.size() == inOrder.size() ? places : inOrder;
  }

  bool sameEnd(const Node& a, const Node& b) const {
    if (a.dims.size() != b.dims.size()) return false;
    std::map<Var, IndexExpr> names;
    const std::vector<size_t> places = placesIn(a, b);
    for (size_t k = 0; k < places.size(); ++k) names[a.dims[places[k]]] = IndexExpr(b.dims[k]);
    const Reduce &ra = std::get<Reduce>(a.op), &rb = std::get<Reduce>(b.op);
    names[ra.bound[0]] = IndexExpr(rb.bound[0]);
    return sameRead(a.inputs[0], b.inputs[0], names, 0);
  }

  // Whether two reads are the same once the variables of the first are renamed: by the same
  // operations of the same tensors.
  bool sameRead(const Read& a, const Read& b, const std::map<Var, IndexExpr>& names,
                int depth) const {
    if (depth > kDeepestComparison || a.at.size() != b.at.size() || a.element != b.element)
      return false;
    std::map<Var, IndexExpr> inner;
    const Node &x = graph_.node(a.producer), &y = graph_.node(b.producer);
    for (size_t k = 0; k < a.at.size(); ++k) {
      if (a.at[k].hasValue() || b.at[k].hasValue() || !(a.at[k].substitute(names) == b.at[k]))
        return false;
      inner[x.dims[k]] = IndexExpr(y.dims[k]);
    }
    if (a.producer == b.producer) return true;
    if (x.inputs.size() != y.inputs.size() || x.type != y.type || !x.shape.empty() ||
        !y.shape.empty())
      return false;
    const auto *mapX = std::get_if<pdg::Map>(&x.op), *mapY = std::get_if<pdg::Map>(&y.op);
    const auto *indexX = std::get_if<pdg::IndexValue>(&x.op),
               *indexY = std::get_if<pdg::IndexValue>(&y.op);
    if (indexX && indexY) return indexX->expr.substitute(inner) == indexY->expr;
    if (!mapX || !mapY || mapX->op != mapY->op) return false;
    for (size_t k = 0; k < x.inputs.size(); ++k)
      if (!sameRead(x.inputs[k], y.inputs[k], inner, depth + 1)) return false;
    return true;
  }

  Graph& graph_;
};

}  // namespace

void followEnds(Graph& graph) { EndFollower(graph).run(); }

}  // namespace rlc::sema
