#include "compiler/passes/reduction_recurrence.h"

#include <algorithm>

#include "compiler/passes/recurrence_builder.h"

namespace rlc::passes {

using pdg::Merge;
using pdg::Reduce;
using pdg::ReduceKind;
using pdg::Set;

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

namespace {

bool hasNeutral(ReduceKind kind) { return kind != ReduceKind::Max && kind != ReduceKind::Min; }
int64_t neutral(ReduceKind kind) {
  return kind == ReduceKind::Prod || kind == ReduceKind::All ? 1 : 0;
}

// One reduction, seen with its bound variable shifted as `work` has it.
class ReductionRecurrence {
 public:
  ReductionRecurrence(Graph& graph, ConstantPool& pool, NodeId id, MovingReduction reduction)
      : graph_(graph),
        pool_(pool),
        id_(id),
        work_(std::move(reduction.work)),
        others_(std::move(reduction.others)),
        others_range_(std::move(reduction.othersRange)),
        may_lose_(reduction.mayLose),
        kind_(std::get<Reduce>(work_.op).kind),
        bound_(std::get<Reduce>(work_.op).bound[0]),
        range_(std::get<Reduce>(work_.op).domain) {
    // Sums and products of floats accumulate in double precision, as reductions do.
    const bool accumulates = kind_ == ReduceKind::Sum || kind_ == ReduceKind::Prod;
    type_ = accumulates && isFloat(work_.type) ? DType::F64 : work_.type;
  }

  // Replaces the node if the range at each point follows from that of a neighbour along the dim.
  bool transform(Var along) {
    why_.clear();
    for (const bool loses : {false, true}) {
      if (loses && !may_lose_) {
        fail("elements also leave its range, and those that it needs may depend on it");
        break;
      }
      for (int step : {-1, 1})
        if (transform(along, step, loses)) return true;
    }
    return false;
  }

  const std::string& why() const { return why_; }
  int step() const { return motion_.step; }

 private:
  bool isSum() const { return kind_ == ReduceKind::Sum; }

  bool transform(Var along, int step, bool loses) {
    if (step > 0 && graph_.dim(along).end >= 0)
      return fail("it would start at the end of its index, which is known last");
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
    if (weightsMentionOthers()) return fail("its weights change along its other ranges");
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

  // Weights and outer factors stand outside the other ranges.
  bool weightsMentionOthers() const {
    auto any = [&](const Read& read) {
      return std::any_of(others_.begin(), others_.end(),
                         [&](Var var) { return mentions(work_, read, var); });
    };
    return std::any_of(factors_.outer.begin(), factors_.outer.end(),
                       [&](const Factor& factor) { return any(factor.read); }) ||
           std::any_of(factors_.powers.begin(), factors_.powers.end(),
                       [&](const PowerWeight& weight) {
                         return any(weight.base) ||
                                std::any_of(others_.begin(), others_.end(),
                                            [&](Var var) { return weight.exponent.mentions(var); });
                       }) ||
           std::any_of(factors_.products.begin(), factors_.products.end(),
                       [&](const ProductWeight& weight) { return any(weight.body); });
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
    std::optional<Read> value = inner(make, where, domain);
    auto times = [&](const Read& factor) {
      value = value ? make.map(ScalarOp::Mul, work_.type, domain, {*value, factor}) : factor;
    };
    for (const PowerWeight& weight : factors_.powers) {
      const Read base = make.value(weight.base, {}, domain, motion_.along, bound_);
      if (auto power = make.power(base, weight.exponent.substitute(where), domain)) times(*power);
    }
    for (const ProductWeight& weight : factors_.products)
      if (auto product = productAt(make, weight, where, domain)) times(*product);
    if (!value) value = make.constant(work_.type, 1);
    return make.cast(type_, domain, *value);
  }

  // The inner factors and the filter there, combined over the other ranges; nothing: 1.
  std::optional<Read> inner(RecurrenceBuilder& make, const RecurrenceBuilder::Where& where,
                            const Set& domain) {
    if (others_.empty()) return product(make, where, domain);
    std::vector<Var> dims = make.dims();
    dims.insert(dims.end(), others_.begin(), others_.end());
    const Set points = domain.extendTo(make.dims()).join(others_range_).extendTo(dims);
    RecurrenceBuilder body(graph_, pool_, work_, dims);
    std::optional<Read> value = product(body, where, points);
    if (!value) value = make.constant(work_.type, 1);
    Reduce op;
    op.kind = kind_;
    op.bound = others_;
    op.domain = points;
    return make.reduce(work_.type, domain, std::move(op), {*value});
  }

  std::optional<Read> product(RecurrenceBuilder& make, const RecurrenceBuilder::Where& where,
                              const Set& domain) {
    std::optional<Read> value;
    auto apply = [&](ScalarOp op, const Read& factor) {
      const Read other = make.value(factor, where, domain, motion_.along, bound_);
      if (!value && op == ScalarOp::Mul) {
        value = other;
        return;
      }
      if (!value) value = make.constant(work_.type, 1);
      value = make.map(op, work_.type, domain, {*value, other});
    };
    for (const Factor& factor : factors_.inner)
      if (!factor.inverse) apply(ScalarOp::Mul, factor.read);
    for (const Factor& factor : factors_.inner)
      if (factor.inverse) apply(ScalarOp::Div, factor.read);
    if (filter_) {
      const Read kept = make.value(*filter_, where, domain, motion_.along, bound_);
      if (!value) value = make.constant(work_.type, 1);
      value = make.map(ScalarOp::Select, work_.type, domain,
                       {kept, *value, make.constant(work_.type, neutral(kind_))});
    }
    return value;
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
  std::vector<Var> others_;
  Set others_range_;
  bool may_lose_;
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

}  // namespace

RecurrenceResult makeRecurrence(Graph& graph, ConstantPool& pool, NodeId id,
                                MovingReduction reduction, Var along) {
  ReductionRecurrence recurrence(graph, pool, id, std::move(reduction));
  if (recurrence.transform(along)) return {recurrence.step(), ""};
  return {0, recurrence.why()};
}

}  // namespace rlc::passes
