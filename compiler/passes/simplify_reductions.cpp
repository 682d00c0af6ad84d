#include "compiler/passes/simplify_reductions.h"

#include <algorithm>

#include "compiler/passes/recurrence_builder.h"
#include "compiler/pdg/printer.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/traversal.h"

namespace rlc::passes {

namespace {

using pdg::Merge;
using pdg::Reduce;
using pdg::ReduceKind;
using pdg::Set;

constexpr int64_t kShortest = 4;  // ranges up to this length are quicker as they are

std::optional<ScalarOp> combination(ReduceKind kind) {
  switch (kind) {
    case ReduceKind::Sum:
      return ScalarOp::Add;
    case ReduceKind::Prod:
      return ScalarOp::Mul;
    case ReduceKind::Max:
      return ScalarOp::Max;
    case ReduceKind::Min:
      return ScalarOp::Min;
    case ReduceKind::All:
      return ScalarOp::And;
    case ReduceKind::Any:
      return ScalarOp::Or;
    case ReduceKind::ArgMax:
    case ReduceKind::ArgMin:
    case ReduceKind::FirstTrue:
      return std::nullopt;
  }
  return std::nullopt;
}

bool hasNeutral(ReduceKind kind) { return kind != ReduceKind::Max && kind != ReduceKind::Min; }
int64_t neutral(ReduceKind kind) {
  return kind == ReduceKind::Prod || kind == ReduceKind::All ? 1 : 0;
}

// One reduction, seen with its bound variable shifted as `work` has it.
class Candidate {
 public:
  Candidate(Graph& graph, ConstantPool& pool, Node work, NodeId id)
      : graph_(graph),
        pool_(pool),
        id_(id),
        work_(std::move(work)),
        kind_(std::get<Reduce>(work_.op).kind),
        bound_(std::get<Reduce>(work_.op).bound[0]),
        range_(std::get<Reduce>(work_.op).domain) {
    // Sums and products of floats accumulate in double precision, as reductions do.
    const bool accumulates = kind_ == ReduceKind::Sum || kind_ == ReduceKind::Prod;
    type_ = accumulates && isFloat(work_.type) ? DType::F64 : work_.type;
  }

  // Replaces the node if the range at each point follows from that of a neighbour along the dim.
  // With `mayLose`, elements may leave the range, too.
  bool transform(Var along, bool mayLose) {
    why_.clear();
    for (const bool loses : {false, true}) {
      if (loses && !mayLose) {
        fail("elements also leave its range, and those that it needs may depend on it");
        break;
      }
      for (int step : {-1, 1})
        if (transform(along, step, loses)) return true;
    }
    return false;
  }

  const std::string& why() const { return why_; }
  const RangeMotion& motion() const { return motion_; }

 private:
  bool isSum() const { return kind_ == ReduceKind::Sum; }

  bool transform(Var along, int step, bool loses) {
    motion_ = rangeMotion(work_.domain, range_, along, step);
    if (motion_.recurring.isEmpty() || motion_.lost.isEmpty() == loses) return false;
    if (!motion_.base.isEmpty() && !motion_.base.solve(along))
      return fail("its points are not next to each other");
    if (!solveEnds()) return false;
    Factorizer factorizer(graph_, work_, bound_, motion_);
    if (!splitBody(factorizer)) return false;
    build();
    return true;
  }

  // Keeps the first reason.
  bool fail(const std::string& why) {
    if (why_.empty()) why_ = why;
    return false;
  }

  // Which element enters at each recurring point, and which leaves.
  bool solveEnds() {
    entering_ = motion_.gained.isEmpty() ? std::nullopt : motion_.gained.solve(bound_);
    if (!motion_.gained.isEmpty() && (!entering_ || entering_->mentions(bound_))) {
      return fail("its range changes by more than one element at a step");
    }
    leaving_.reset();
    if (motion_.lost.isEmpty()) return true;
    if (!isSum() || isFloat(work_.type)) {
      return fail(
          isSum() ? "elements also leave its range, and taking them from a running sum of floats "
                    "would lose digits"
                  : "elements also leave its range, and cannot be taken out of the result");
    }
    leaving_ = motion_.lost.solve(bound_);
    if (!leaving_ || leaving_->mentions(bound_)) {
      return fail("its range changes by more than one element at a step");
    }
    return true;
  }

  bool splitBody(Factorizer& factorizer) {
    const auto& reduce = std::get<Reduce>(work_.op);
    const Read body = work_.inputs[0];
    filter_.reset();
    if (reduce.hasFilter) {
      filter_ = work_.inputs[1];
      if (!hasNeutral(kind_) || !factorizer.isFreeOf(motion_.along, *filter_)) {
        return fail(hasNeutral(kind_) ? "its filter changes along it"
                                      : "with a filter there may be no first element");
      }
    }
    if (!isSum()) {
      factors_ = Factors{};
      factors_.inner.push_back({body, false});
      if (factorizer.isFreeOf(motion_.along, body)) return true;
      return fail("its body changes along it");
    }
    auto factors = factorizer.factorize(body);
    if (!factors) {
      return fail(factorizer.why());
    }
    factors_ = std::move(*factors);
    const bool weighted = !factors_.products.empty() ||
                          std::any_of(factors_.powers.begin(), factors_.powers.end(),
                                      [](const PowerWeight& w) { return w.perStep != 0; });
    if (weighted && leaving_) {
      return fail("elements also leave its range, with a weight");
    }
    const Set nonempty = motion_.common.projectOnto(work_.dims);
    if (!factors_.products.empty() && !motion_.recurring.isSubset(nonempty)) {
      return fail("its range is empty at some points, where its weights have no value");
    }
    return true;
  }

  // ---- building -------------------------------------------------------------------------------

  void build() {
    RecurrenceBuilder make(graph_, pool_, work_, work_.dims);
    const Set filled = range_.projectOnto(work_.dims);
    const bool everywhere = work_.domain.isSubset(filled);
    const bool direct = type_ == work_.type && factors_.outer.empty() && !factors_.negative;
    const NodeId sum = direct ? id_ : make.declare(type_, work_.domain);

    std::vector<Merge::Piece> pieces;
    std::vector<Read> inputs;
    auto piece = [&](const Set& domain, auto&& value) {
      if (domain.isEmpty()) return;
      pieces.push_back({domain});
      inputs.push_back(value(domain));
    };
    addBase(make, piece);
    const Set gains = motion_.gained.projectOnto(work_.dims);
    const Set loses = motion_.lost.projectOnto(work_.dims);
    for (const bool enters : {true, false})
      for (const bool leaves : {true, false}) {
        Set domain = motion_.recurring;
        domain = enters ? domain.intersect(gains) : domain.subtract(gains);
        domain = leaves ? domain.intersect(loses) : domain.subtract(loses);
        piece(domain, [&](const Set& where) { return advance(make, sum, where, enters, leaves); });
      }
    Node& node = graph_.node(sum);
    node.op = Merge{std::move(pieces)};
    node.inputs = std::move(inputs);
    if (!direct) finish(make, sum, everywhere ? work_.domain : filled);
  }

  // What stays the same over the range comes last: node = outer factors * sum.
  void finish(RecurrenceBuilder& make, NodeId sum, const Set& filled) {
    Read value = make.cast(work_.type, filled, make.read(sum));
    if (factors_.negative) value = make.map(ScalarOp::Neg, work_.type, filled, {value});
    value = multiply(make, value, factors_.outer, {}, filled);
    std::vector<Merge::Piece> pieces{{filled}};
    std::vector<Read> inputs{value};
    if (const Set rest = work_.domain.subtract(filled); !rest.isEmpty()) {
      pieces.push_back({rest});
      inputs.push_back(make.constant(work_.type, neutral(kind_)));
    }
    Node& node = graph_.node(id_);
    node.op = Merge{std::move(pieces)};
    node.inputs = std::move(inputs);
  }

  Read multiply(RecurrenceBuilder& make, Read value, const std::vector<Factor>& factors,
                const RecurrenceBuilder::Where& where, const Set& domain) {
    for (const Factor& factor : factors) {
      const Read other = make.value(factor.read, where, domain, motion_.along, bound_);
      value = make.map(factor.inverse ? ScalarOp::Div : ScalarOp::Mul, work_.type, domain,
                       {value, other});
    }
    return value;
  }

  // The points without a neighbour.
  template <typename Piece>
  void addBase(RecurrenceBuilder& make, const Piece& piece) {
    const Set range = range_.intersect(motion_.base.extendTo(range_.vars()));
    const Set filled = range.projectOnto(work_.dims);
    piece(motion_.base.subtract(filled),
          [&](const Set&) { return make.constant(type_, neutral(kind_)); });
    const auto only = range.isEmpty() ? std::nullopt : range.solve(bound_);
    piece(motion_.base.intersect(filled), [&](const Set& domain) {
      if (only && !only->mentions(bound_)) return term(make, *only, domain);
      return wholeRange(range, domain);
    });
  }

  // The combination of a whole range, at the few points where a recurrence starts.
  Read wholeRange(const Set& range, const Set& domain) {
    std::vector<Var> dims = work_.dims;
    dims.push_back(bound_);
    RecurrenceBuilder body(graph_, pool_, work_, dims);
    const Set points = range.extendTo(dims);
    Reduce op;
    op.kind = kind_;
    op.bound = {bound_};
    op.domain = points;
    RecurrenceBuilder make(graph_, pool_, work_, work_.dims);
    return make.reduce(type_, domain, std::move(op), {term(body, IndexExpr(bound_), points)});
  }

  // sum[x] from sum[neighbour].
  Read advance(RecurrenceBuilder& make, NodeId sum, const Set& domain, bool enters, bool leaves) {
    Read value = make.read(sum);
    for (size_t k = 0; k < work_.dims.size(); ++k)
      if (work_.dims[k] == motion_.along) value.at[k] = value.at[k] + motion_.step;
    for (const PowerWeight& weight : factors_.powers) {
      if (weight.perStep == 0) continue;
      const Read base = make.value(weight.base, {}, domain, motion_.along, bound_);
      const auto ratio = make.power(make.cast(type_, domain, base), weight.perStep, domain);
      value = make.map(ScalarOp::Mul, type_, domain, {*ratio, value});
    }
    for (const ProductWeight& weight : factors_.products) {
      const Read ratio =
          make.value(weight.body, {{weight.bound, weight.entering}}, domain, motion_.along, bound_);
      value = make.map(ScalarOp::Mul, type_, domain, {make.cast(type_, domain, ratio), value});
    }
    const ScalarOp op = *combination(kind_);
    if (leaves)
      value = make.map(ScalarOp::Sub, type_, domain, {value, term(make, *leaving_, domain)});
    if (enters) {
      const Read entering = term(make, *entering_, domain);
      value =
          make.map(op, type_, domain,
                   motion_.step > 0 ? std::vector{entering, value} : std::vector{value, entering});
    }
    return value;
  }

  // The element of the range at `at`, without the outer factors.
  Read term(RecurrenceBuilder& make, const IndexExpr& at, const Set& domain) {
    RecurrenceBuilder::Where where;
    if (at != IndexExpr(bound_)) where.emplace(bound_, at);
    std::optional<Read> value;
    auto times = [&](const Read& factor) {
      value = value ? make.map(ScalarOp::Mul, work_.type, domain, {*value, factor}) : factor;
    };
    for (const Factor& factor : factors_.inner)
      if (!factor.inverse) times(make.value(factor.read, where, domain, motion_.along, bound_));
    for (const PowerWeight& weight : factors_.powers) {
      const Read base = make.value(weight.base, {}, domain, motion_.along, bound_);
      if (auto power = make.power(base, weight.exponent.substitute(where), domain)) times(*power);
    }
    for (const ProductWeight& weight : factors_.products)
      if (auto product = productAt(make, weight, where, domain)) times(*product);
    if (!value) value = make.constant(work_.type, 1);
    for (const Factor& factor : factors_.inner)
      if (factor.inverse)
        value = make.map(ScalarOp::Div, work_.type, domain,
                         {*value, make.value(factor.read, where, domain, motion_.along, bound_)});
    if (filter_) {
      const Read kept = make.value(*filter_, where, domain, motion_.along, bound_);
      value = make.map(ScalarOp::Select, work_.type, domain,
                       {kept, *value, make.constant(work_.type, neutral(kind_))});
    }
    return make.cast(type_, domain, *value);
  }

  // A weight that is itself a product, at a point: nothing where its range is empty.
  std::optional<Read> productAt(RecurrenceBuilder& make, const ProductWeight& weight,
                                const RecurrenceBuilder::Where& where, const Set& domain) {
    std::vector<Var> vars = domain.vars();
    vars.push_back(weight.bound);
    std::vector<IndexExpr> at;
    for (Var var : weight.range.vars()) {
      auto found = where.find(var);
      at.push_back(found == where.end() ? IndexExpr(var) : found->second);
    }
    const Set range = weight.range.preimage(domain.extendTo(vars), at);
    if (range.isEmpty()) return std::nullopt;
    std::vector<Var> dims = domain.vars();
    RecurrenceBuilder inner(graph_, pool_, work_, vars);
    Reduce op;
    op.kind = ReduceKind::Prod;
    op.bound = {weight.bound};
    op.domain = range;
    const Read body = inner.value(weight.body, where, range, motion_.along, bound_);
    return make.reduce(work_.type, domain, std::move(op), {body});
  }

  Graph& graph_;
  ConstantPool& pool_;
  NodeId id_;
  Node work_;
  ReduceKind kind_;
  Var bound_;
  Set range_;  // over the dims, then the bound variable
  DType type_;
  RangeMotion motion_;
  std::optional<IndexExpr> entering_, leaving_;
  Factors factors_;
  std::optional<Read> filter_;
  std::string why_;
};

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
    std::vector<bool> live = pdg::reachable(graph_, roots(graph_));
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
      if (!live[static_cast<size_t>(*id)] || !std::holds_alternative<Reduce>(graph_.node(*id).op))
        continue;
      if (visit(*id)) live = pdg::reachable(graph_, roots(graph_));
    }
  }

 private:
  // Whether the graph changed.
  bool visit(NodeId id) {
    Node work = graph_.node(id);
    Reduce& reduce = std::get<Reduce>(work.op);
    if (reduce.bound.size() != 1 || !reduce.keys.empty() || !pdg::constantShape(work)) return false;
    std::vector<Var> vars = work.dims;
    vars.push_back(reduce.bound[0]);
    if (reduce.domain.vars().size() != vars.size()) return false;  // a range for each element
    for (Var var : reduce.domain.vars())
      if (var.isElement()) return false;
    reduce.domain = reduce.domain.extendTo(vars);
    return holds([&] { return moves(reduce) && attempt(id, work); });
  }

  // Whether the range depends on a dim.
  bool moves(const Reduce& reduce) {
    bounds_ = rangeBounds(reduce.domain);
    if (!bounds_) return false;
    return !bounds_->lo.asConstant() || !bounds_->hi.asConstant();
  }

  bool attempt(NodeId id, const Node& work) {
    const Reduce& reduce = std::get<Reduce>(work.op);
    const std::string name = called(names_, id);
    const auto longest = work.domain.maximum(bounds_->hi - bounds_->lo);
    if (longest && *longest <= kShortest) return false;
    std::string why;
    for (size_t k = work.dims.size(); k-- > 0;) {
      const Var along = work.dims[k];
      if (!bounds_->lo.mentions(along) && !bounds_->hi.mentions(along)) continue;
      const std::string range = rangeText(reduce.bound[0]);
      if (!combination(reduce.kind)) {
        notes_.didNot(work.span, name + " searches " + range + " anew at each " + dimName(along) +
                                     ": a position cannot be combined from parts");
        return false;
      }
      // As written; then counted from the other end: `r[t + k] for k in 0..T - t` is `r[k] for k in
      // t..T`.
      const IndexExpr bound(reduce.bound[0]), here(along);
      std::string reason;
      for (const IndexExpr& position : {bound, bound - here, here - bound}) {
        const int step = tryPosition(id, shifted(work, position), along, reason);
        if (step == 0) continue;
        notes_.did(work.span, name + " is a recurrence along " + dimName(along) +
                                  ", each value from the " +
                                  (step < 0 ? "one before" : "next one") + ": its range " + range +
                                  " changes by one element a step");
        return true;
      }
      if (why.empty()) why = reason;
    }
    if (!why.empty())
      notes_.didNot(work.span, name + " goes over " + rangeText(reduce.bound[0]) +
                                   " anew at each point: " + why);
    return false;
  }

  // The step of the recurrence that replaced the node, or 0; `why` keeps the first reason.
  int tryPosition(NodeId id, Node work, Var along, std::string& why) {
    const NodeId before = graph_.size();
    Candidate candidate(graph_, pool_, std::move(work), id);
    if (holds([&] { return candidate.transform(along, !recurrent_[static_cast<size_t>(id)]); }))
      return candidate.motion().step;
    // What had been made by then is not read by anyone: a recurrence without equations has no
    // points.
    for (NodeId made = before; made < graph_.size(); ++made)
      if (auto* merge = std::get_if<Merge>(&graph_.node(made).op); merge && merge->pieces.empty())
        graph_.node(made).domain = Set::empty(graph_.context(), graph_.node(made).dims);
    if (why.empty()) why = candidate.why();
    return 0;
  }

  // The same reduction with `position` for its bound variable.
  static Node shifted(Node work, const IndexExpr& position) {
    Reduce& reduce = std::get<Reduce>(work.op);
    const Var bound = reduce.bound[0];
    if (position == IndexExpr(bound)) return work;
    const std::map<Var, IndexExpr> replacement{{bound, position}};
    for (Read& read : work.inputs) {
      for (IndexExpr& e : read.at) e = e.substitute(replacement);
      for (IndexExpr& e : read.element) e = e.substitute(replacement);
    }
    std::vector<IndexExpr> at;
    for (Var var : reduce.domain.vars()) at.push_back(var == bound ? position : IndexExpr(var));
    reduce.domain =
        reduce.domain.preimage(Set::universe(reduce.domain.context(), reduce.domain.vars()), at);
    return work;
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
  std::optional<RangeBounds> bounds_;
};

}  // namespace

void simplifyReductions(pdg::Graph& graph, Notes& notes) {
  ReductionSimplifier(graph, notes).run();
}

}  // namespace rlc::passes
