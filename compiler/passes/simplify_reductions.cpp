#include "compiler/passes/simplify_reductions.h"

#include "compiler/passes/reduction_factors.h"
#include "compiler/passes/reduction_range.h"
#include "compiler/passes/reduction_recurrence.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/traversal.h"

namespace rlc::passes {

namespace {

using pdg::Merge;
using pdg::Reduce;
using pdg::ReduceKind;
using pdg::Set;

constexpr int64_t kShortest = 4;  // ranges up to this length are quicker as they are

class ReductionSimplifier {
 public:
  ReductionSimplifier(Graph& graph, Notes& notes)
      : graph_(graph),
        notes_(notes),
        pool_(graph),
        names_(pdg::displayNames(graph)),
        recurrent_(pdg::recurrent(graph)) {}

  // Readers first: a weight that is a product is recognized before it becomes a recurrence itself,
  // and is then perhaps no longer read.
  void run() {
    std::vector<NodeId> order = producersFirst(graph_);
    std::vector<bool> live = pdg::reachable(graph_, pdg::roots(graph_));
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
      if (!live[static_cast<size_t>(*id)] || !std::holds_alternative<Reduce>(graph_.node(*id).op))
        continue;
      if (visit(*id)) live = pdg::reachable(graph_, pdg::roots(graph_));
    }
  }

 private:
  // Whether the graph changed.
  bool visit(NodeId id) {
    const Node& node = graph_.node(id);
    const Reduce& reduce = std::get<Reduce>(node.op);
    if (!reduce.keys.empty() || !pdg::constantShape(node)) return false;
    if (reduce.domain.vars().size() != node.dims.size() + reduce.bound.size())
      return false;  // a range for each element
    if (holds([&] { return count(id); })) return true;
    for (Var bound : std::vector<Var>(reduce.bound))
      if (holds([&] { return moves(id, bound) && attempt(id, bound); })) return true;
    return false;
  }

  // A sum of the same value: as often as the range is long.
  bool count(NodeId id) {
    const Node node = graph_.node(id);
    const Reduce& reduce = std::get<Reduce>(node.op);
    const Read body = node.inputs[0];
    if (reduce.kind != ReduceKind::Sum || reduce.bound.size() != 1 || node.inputs.size() != 1 ||
        mentions(node, body, reduce.bound[0]) || node.type == DType::U8 ||
        node.type == DType::BF16)  // these may not hold the length
      return false;
    std::vector<Var> vars = node.dims;
    vars.push_back(reduce.bound[0]);
    const Set range = reduce.domain.extendTo(vars);
    const auto bounds = rangeBounds(range);
    if (!bounds || !node.domain.isSubset(range.projectOnto(node.dims))) return false;
    const Set interval = node.domain.extendTo(vars).intersect(
        pdg::Condition::within(reduce.bound[0], bounds->lo, bounds->hi));
    if (!interval.isSubset(range)) return false;
    const IndexExpr count = bounds->hi - bounds->lo;
    const auto most = node.domain.maximum(count);
    const bool isLong = !most || *most > INT32_MAX;  // for an index's value
    if (isLong && !(count.asConstant() && isFloat(node.type))) return false;

    Node length;
    length.span = node.span;
    length.dims = node.dims;
    length.domain = node.domain;
    length.type = isLong ? node.type : DType::I32;
    if (isLong)
      length.op = pdg::Constant{
          {node.type, {}, {Scalar::ofFloat(node.type, static_cast<double>(*count.asConstant()))}}};
    else
      length.op = pdg::IndexValue{count};
    Read factor{graph_.size(), pdg::identity(node.dims), {}};
    graph_.add(length);
    if (node.type != length.type) {
      length.op = pdg::Map{ScalarOp::Cast};
      length.type = node.type;
      length.inputs = {factor};
      factor.producer = graph_.size();
      graph_.add(std::move(length));
    }
    graph_.node(id).op = pdg::Map{ScalarOp::Mul};
    graph_.node(id).inputs = {factor, body};
    notes_.did(node.span,
               called(names_, id) + " sums the same value: it is multiplied by the length");
    return true;
  }

  // Whether the range of the bound variable depends on a dim, and the ranges of the others on
  // nothing.
  bool moves(NodeId id, Var bound) {
    const Node& node = graph_.node(id);
    const Reduce& reduce = std::get<Reduce>(node.op);
    std::vector<Var> vars = node.dims, all;
    vars.push_back(bound);
    moving_ = MovingReduction{node, {}, {}, !recurrent_[static_cast<size_t>(id)]};
    for (Var var : reduce.bound)
      if (var != bound) moving_.others.push_back(var);
    all = vars;
    all.insert(all.end(), moving_.others.begin(), moving_.others.end());
    const Set domain = reduce.domain.extendTo(all);
    Reduce& own = std::get<Reduce>(moving_.work.op);
    own.bound = {bound};
    own.domain = domain.projectOnto(vars);
    bounds_ = rangeBounds(own.domain);
    if (!bounds_ || (bounds_->lo.asConstant() && bounds_->hi.asConstant())) return false;
    if (moving_.others.empty()) return true;
    moving_.othersRange = domain.projectOnto(moving_.others);
    return own.domain.join(moving_.othersRange).isSubset(domain);
  }

  bool attempt(NodeId id, Var bound) {
    const Node& work = moving_.work;
    const ReduceKind kind = std::get<Reduce>(work.op).kind;
    const std::string name = called(names_, id), range = rangeText(bound);
    const auto longest = work.domain.maximum(bounds_->hi - bounds_->lo);
    if (longest && *longest <= kShortest) return false;
    std::string why;
    for (size_t k = work.dims.size(); k-- > 0;) {
      const Var along = work.dims[k];
      if (!bounds_->lo.mentions(along) && !bounds_->hi.mentions(along)) continue;
      if (!combination(kind)) {
        notes_.didNot(work.span, name + " searches " + range + " anew at each " + dimName(along) +
                                     ": a position cannot be combined from parts");
        return false;
      }
      // As written; then counted from the other end: `r[t + k] for k in 0..T - t` is `r[k] for k in
      // t..T`.
      const IndexExpr here(along), own(bound);
      for (const IndexExpr& position : {own, own - here, here - own}) {
        const int step = tryPosition(id, bound, position, along, why);
        if (step == 0) continue;
        notes_.did(work.span, name + " is a recurrence along " + dimName(along) +
                                  ", each value from the " +
                                  (step < 0 ? "one before" : "next one") + ": its range " + range +
                                  " changes by one element a step");
        return true;
      }
    }
    if (!why.empty())
      notes_.didNot(work.span, name + " goes over " + range + " anew at each point: " + why);
    return false;
  }

  // The step of the recurrence that replaced the node, or 0; `why` keeps the first reason.
  int tryPosition(NodeId id, Var bound, const IndexExpr& position, Var along, std::string& why) {
    const NodeId before = graph_.size();
    RecurrenceResult result;
    holds([&] {
      MovingReduction shifted = moving_;
      if (position != IndexExpr(bound)) shift(shifted.work, bound, position);
      result.why = "the sets of its points are too involved";
      result = makeRecurrence(graph_, pool_, id, std::move(shifted), along);
      return true;
    });
    if (result.step != 0) return result.step;
    // What had been made by then is not read by anyone: a recurrence without equations has no
    // points.
    for (NodeId made = before; made < graph_.size(); ++made)
      if (auto* merge = std::get_if<Merge>(&graph_.node(made).op); merge && merge->pieces.empty())
        graph_.node(made).domain = Set::empty(graph_.context(), graph_.node(made).dims);
    if (why.empty()) why = result.why;
    return 0;
  }

  // The same reduction with `position` for its bound variable.
  static void shift(Node& work, Var bound, const IndexExpr& position) {
    Reduce& reduce = std::get<Reduce>(work.op);
    const std::map<Var, IndexExpr> replacement{{bound, position}};
    for (Read& read : work.inputs)
      pdg::changeExprs(read, [&](const IndexExpr& e) { return e.substitute(replacement); });
    std::vector<IndexExpr> at;
    for (Var var : reduce.domain.vars()) at.push_back(var == bound ? position : IndexExpr(var));
    reduce.domain =
        reduce.domain.preimage(Set::universe(reduce.domain.context(), reduce.domain.vars()), at);
  }

  std::string dimName(Var var) const { return "`" + graph_.dim(var).name + "`"; }
  std::string rangeText(Var bound) const {
    const auto namer = graph_.namer();
    return "`" + graph_.dim(bound).name + " in " + bounds_->lo.toString(namer) + ".." +
           bounds_->hi.toString(namer) + "`";
  }

  Graph& graph_;
  Notes& notes_;
  ConstantPool pool_;
  std::vector<std::string> names_;
  std::vector<bool> recurrent_;  // there, what has left a range may depend on the result
  MovingReduction moving_;       // the reduction that is looked at
  std::optional<RangeBounds> bounds_;
};

}  // namespace

void simplifyReductions(pdg::Graph& graph, Notes& notes) {
  ReductionSimplifier(graph, notes).run();
}

}  // namespace rlc::passes
