// Reductions: bound points in lexicographic order, sums of floats in double precision.
#include <cmath>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/interpreter/evaluator.h"
#include "compiler/interpreter/evaluator_elements.h"
#include "compiler/interpreter/scalar_eval.h"
#include "compiler/pdg/printer.h"

namespace rlc::interpreter {

namespace {

using pdg::ReduceKind;

constexpr double kMaxPoints = 1e12;
constexpr size_t kMaxMissing = size_t{1} << 20;  // of one attempt: bounds the work stack

// What has been combined so far.
class Accumulator {
 public:
  Accumulator(ReduceKind kind, DType body) : kind_(kind), type_(body) {
    if (kind == ReduceKind::Prod) sum_ = 1, integer_ = 1;
    if (kind == ReduceKind::All) integer_ = 1;
  }

  // `position`: the value of the first bound variable. False: no further point matters.
  bool add(Cell value, int64_t position) {
    switch (kind_) {
      case ReduceKind::Sum:
        sum_ += asDouble(type_, value);
        if (!isFloat(type_)) integer_ += static_cast<uint64_t>(value.i);
        break;
      case ReduceKind::Prod:
        sum_ *= asDouble(type_, value);
        if (!isFloat(type_)) integer_ *= static_cast<uint64_t>(value.i);
        break;
      case ReduceKind::Max:
      case ReduceKind::ArgMax:
        if (empty_ ||
            (!isNan(type_, best_) && (isNan(type_, value) || lessCell(type_, best_, value))))
          best_ = value, position_ = position;
        break;
      case ReduceKind::Min:
      case ReduceKind::ArgMin:
        if (empty_ ||
            (!isNan(type_, best_) && (isNan(type_, value) || lessCell(type_, value, best_))))
          best_ = value, position_ = position;
        break;
      case ReduceKind::All:
        integer_ = integer_ && value.i;
        break;
      case ReduceKind::Any:
        integer_ = integer_ || value.i;
        break;
      case ReduceKind::FirstTrue:
        if (!value.i) return true;
        position_ = position + 1;
        empty_ = false;
        return false;
    }
    empty_ = false;
    return true;
  }

  bool empty() const { return empty_; }

  Cell result(DType type, int64_t otherwise) const {
    switch (kind_) {
      case ReduceKind::Sum:
      case ReduceKind::Prod:
        return isFloat(type) ? roundTo(type, sum_)
                             : intCell(Scalar::ofInt(type, static_cast<int64_t>(integer_)).i);
      case ReduceKind::Max:
      case ReduceKind::Min:
        return best_;
      case ReduceKind::ArgMax:
      case ReduceKind::ArgMin:
        return intCell(position_);
      case ReduceKind::All:
      case ReduceKind::Any:
        return intCell(static_cast<int64_t>(integer_));
      case ReduceKind::FirstTrue:
        return intCell(empty_ ? otherwise : position_);
    }
    throw InternalError("an unknown reduction");
  }

 private:
  ReduceKind kind_;
  DType type_;
  bool empty_ = true;
  double sum_ = 0;
  uint64_t integer_ = 0;  // wraps
  Cell best_ = intCell(0);
  int64_t position_ = 0;
};

bool hasNoValueIfEmpty(ReduceKind kind) {
  switch (kind) {
    case ReduceKind::Max:
    case ReduceKind::Min:
    case ReduceKind::ArgMax:
    case ReduceKind::ArgMin:
      return true;
    case ReduceKind::Sum:
    case ReduceKind::Prod:
    case ReduceKind::All:
    case ReduceKind::Any:
    case ReduceKind::FirstTrue:
      return false;
  }
  return false;
}

}  // namespace

void Evaluator::evaluateReduce(CompiledNode& node, const pdg::Reduce& reduce, Pending& pending,
                               Cell* out) {
  const DType body = graph_.node(node.node->inputs[0].producer).type;
  const bool ordered = reduce.kind == ReduceKind::FirstTrue;
  // A search goes on where it stopped; what lies behind the first hit may not even have a value.
  const bool resumes = ordered && node.axes == 0 && reduce.bound.size() == 1;
  const size_t firstBound = static_cast<size_t>(node.boundSlot(0));
  for (int axis = 0; axis < node.axes; ++axis)
    vars_[static_cast<size_t>(node.elementSlot(axis))] = 0;
  if (!ordered && node.scan.estimate(vars_.data()) > kMaxPoints)
    fault(node, diagnostics::Kind::TooManyPoints,
          "a reduction of more points than the interpreter can visit");
  forEachElement(node, vars_.data(), extents_.data(), [&](int64_t offset) {
    // What is missing comes first; then the scan starts anew.
    if (missing_.size() > kMaxMissing) return;
    Accumulator accumulator(reduce.kind, body);
    bool waiting = false;
    size_t known = 0;  // points whose filter is
    // True: go on and find what else is missing.
    using Next = CompiledScan::Next;
    auto wait = [&] {
      return waiting = true, !ordered && missing_.size() <= kMaxMissing ? Next::On : Next::Stop;
    };
    auto visit = [&] {
      const int64_t position = reduce.bound.empty() ? 0 : vars_[firstBound];
      if (resumes) pending.cursor = position;
      Cell value;
      if (reduce.hasFilter) {
        if (!fetch(node, 1, value)) {
          const Next next = wait();
          // Past the end nothing should be asked for: only as many points ahead as are known to be
          // there.
          return node.filterEnds && missing_.size() > std::max<size_t>(16, known) ? Next::Stop
                                                                                  : next;
        }
        ++known;
        if (!value.i) return node.filterEnds ? Next::SkipRest : Next::On;
      }
      for (const CompiledKey& key : node.keys) {
        if (!fetchValues(node, key.values)) return wait();
        if (key.expr(vars_.data(), values_.data()) != vars_[static_cast<size_t>(key.own)])
          return Next::On;
      }
      if (!fetch(node, 0, value)) return wait();
      return waiting || accumulator.add(value, position) ? Next::On : Next::Stop;
    };
    node.scan.forEach(vars_.data(), visit, resumes ? pending.cursor : INT64_MIN);
    if (waiting) return;
    if (accumulator.empty() && hasNoValueIfEmpty(reduce.kind))
      fault(node, diagnostics::Kind::EmptyReductionFault, pdg::emptyRangeText(graph_, *node.node));
    out[offset] = accumulator.result(node.node->type, node.otherwise(vars_.data(), nullptr));
  });
}

}  // namespace rlc::interpreter
