#include "compiler/interpreter/evaluator.h"

#include <algorithm>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/interpreter/evaluator_elements.h"
#include "compiler/interpreter/scalar_eval.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/requirements.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/subscript_faults.h"
#include "compiler/pdg/traversal.h"
#include "compiler/pdg/truths.h"

namespace rlc::interpreter {

Evaluator::Evaluator(const pdg::Graph& graph, uint64_t seed, std::vector<Scalar> params)
    : graph_(graph),
      seed_(seed),
      params_(std::move(params)),
      names_(pdg::displayNames(graph)),
      endings_(pdg::endingIndices(graph)),
      nodes_(static_cast<size_t>(graph.size())) {
  for (int i = 0; i < graph.dimCount(); ++i) {
    const NodeId end = graph.dim(Var::dim(i)).end;
    if (end >= 0) before_end_.try_emplace(end, graph, end, graph.node(end).dims);
  }
  // Large enough for every node: evaluation holds pointers into them.
  size_t variables = 1, rank = 1, axes = 1, inputs = 1;
  for (const pdg::Node& node : graph.nodes()) {
    variables = std::max(variables, pdg::readVariables(node).size());
    rank = std::max(rank, node.dims.size());
    axes = std::max(axes, node.shape.size());
    inputs = std::max(inputs, node.inputs.size());
  }
  for (const pdg::Sink& sink : graph.sinks()) variables = std::max(variables, sink.dims.size());
  vars_.resize(variables);
  coordinates_.resize(rank);
  extents_.resize(axes);
  values_.resize(inputs);
}

CompiledNode& Evaluator::compiled(NodeId id) {
  auto& entry = nodes_.at(static_cast<size_t>(id));
  if (!entry) {
    entry =
        std::make_unique<CompiledNode>(compileNode(graph_, graph_.node(id), params_, before_end_));
    const pdg::Node& own = graph_.node(id);
    const auto* map = std::get_if<pdg::Map>(&own.op);
    entry->endsFirst = map && map->op == ScalarOp::And;
    if (entry->endsFirst)
      pdg::forEachConjunct(graph_, own.inputs[0], [&](const pdg::Read& truth) {
        entry->endsFirst = entry->endsFirst && pdg::asExists(graph_, endings_, truth);
      });
    const auto* reduce = std::get_if<pdg::Reduce>(&own.op);
    entry->filterEnds =
        reduce && reduce->hasFilter && !reduce->bound.empty() &&
        pdg::staysFalse(graph_, endings_, graph_.node(id).inputs[1], reduce->bound.back());
  }
  return *entry;
}

int64_t Evaluator::keyOf(const CompiledNode& node, const int64_t* coordinates) const {
  int64_t key = 0;
  for (int i = 0; i < node.rank; ++i) {
    const size_t at = static_cast<size_t>(i);
    if (coordinates[i] < node.lo[at] || coordinates[i] - node.lo[at] >= node.extent[at]) return -1;
    key = key * node.extent[at] + (coordinates[i] - node.lo[at]);
  }
  return key;
}

DenseTensor Evaluator::evaluate(NodeId id, const Point& point) {
  CompiledNode& node = compiled(id);
  if (static_cast<int>(point.size()) != node.rank)
    throw InternalError("a point with the wrong number of coordinates");
  const int64_t key = keyOf(node, point.data());
  if (key < 0 || (node.rank > 0 && !node.domain.contains(point.data())))
    throw InternalError("`" + names_[static_cast<size_t>(id)] +
                        "` is evaluated at a point that it lacks");
  run(id, key);

  std::copy(point.begin(), point.end(), vars_.begin());
  DenseTensor result;
  result.type = node.node->type;
  for (const CompiledExpr& extent : node.shape)
    result.shape.push_back(std::max<int64_t>(0, extent(vars_.data(), nullptr)));
  std::copy(result.shape.begin(), result.shape.end(), extents_.begin());
  const Cell* cells =
      node.isConstant ? node.constant.data() : node.memo.cells(node.memo.findDone(key));
  forEachElement(node, vars_.data(), extents_.data(), [&](int64_t offset) {
    result.elements.push_back(toScalar(result.type, cells[offset]));
  });
  return result;
}

Evaluator::OutsideRead Evaluator::prepare(const pdg::Read& read, const std::vector<Var>& dims) {
  OutsideRead outside;
  Slots slots;
  for (Var dim : dims) slots.emplace(dim, static_cast<int>(slots.size()));
  outside.read_.producer = read.producer;
  for (const IndexExpr& expr : read.at) outside.read_.at.emplace_back(expr, slots);
  outside.read_.untils = untilChecks(graph_, read, slots, before_end_, -1);
  return outside;
}

DenseTensor Evaluator::evaluate(const OutsideRead& outside, const Point& at) {
  const CompiledRead& read = outside.read_;
  CompiledNode& producer = compiled(read.producer);
  for (;;) {
    std::copy(at.begin(), at.end(), vars_.begin());
    for (int i = 0; i < producer.rank; ++i)
      coordinates_[static_cast<size_t>(i)] = read.at[static_cast<size_t>(i)](vars_.data(), nullptr);
    missing_.clear();
    if (checkUntil(read, "", producer.node->span)) break;
    const Demand end = missing_.front();
    run(end.node, end.key);
  }
  return evaluate(read.producer, Point(coordinates_.begin(), coordinates_.begin() + producer.rank));
}

bool Evaluator::isDone(const OutsideRead& outside, const Point& at) {
  CompiledNode& producer = compiled(outside.read_.producer);
  if (producer.isConstant) return true;
  std::copy(at.begin(), at.end(), vars_.begin());
  for (int i = 0; i < producer.rank; ++i)
    coordinates_[static_cast<size_t>(i)] =
        outside.read_.at[static_cast<size_t>(i)](vars_.data(), nullptr);
  const int64_t key = keyOf(producer, coordinates_.data());
  return key >= 0 && producer.memo.findDone(key) >= 0;
}

void Evaluator::run(NodeId id, int64_t key) {
  stack_.push_back({id, key, INT64_MIN, false});
  try {
    drain();
  } catch (...) {
    for (const Pending& pending : stack_) {
      CompiledNode& node = *nodes_[static_cast<size_t>(pending.node)];
      if (pending.started && !node.isConstant)
        node.memo.setState(node.memo.slot(pending.key), PointState::Unknown);
    }
    stack_.clear();
    throw;
  }
}

void Evaluator::drain() {
  while (!stack_.empty()) {
    Pending& top = stack_.back();
    CompiledNode& node = compiled(top.node);
    if (node.isConstant) {
      stack_.pop_back();
      continue;
    }
    const int64_t slot = node.memo.slot(top.key);
    const PointState state = node.memo.state(slot);
    if (state == PointState::Done) {
      stack_.pop_back();
      continue;
    }
    enterPoint(node, top.key);
    if (!top.started) {
      if (state == PointState::Running)
        throw InternalError("`" + names_[static_cast<size_t>(top.node)] + "` depends on itself");
      if (node.rank > 0 && !node.domain.contains(vars_.data()))
        throw InternalError("a point of `" + names_[static_cast<size_t>(top.node)] +
                            "` is read that it lacks");
      node.memo.setState(slot, PointState::Running);
      top.started = true;
    }
    missing_.clear();
    attempt(node, top, node.memo.cells(slot));
    if (missing_.empty()) {
      node.memo.setState(slot, PointState::Done);
      account(node);
      if (!first_nan_ && isFloat(node.node->type)) watchNan(node, node.memo.cells(slot));
      stack_.pop_back();
      continue;
    }
    // In reverse, so that what was asked for first is computed first.
    for (size_t i = missing_.size(); i-- > 0;) {
      const bool repeated = i > 0 && missing_[i].node == missing_[i - 1].node &&
                            missing_[i].key == missing_[i - 1].key;
      if (!repeated) stack_.push_back({missing_[i].node, missing_[i].key, INT64_MIN, false});
    }
  }
}

void Evaluator::account(const CompiledNode& node) {
  ++points_computed_;
  // Cells, and what a hash table needs for an entry.
  memory_used_ += node.elements * static_cast<int64_t>(sizeof(Cell)) + (node.memo.dense() ? 1 : 96);
  if (memory_used_ + static_cast<int64_t>(stack_.capacity() * sizeof(Pending)) > memory_limit_) {
    fault(
        node, diagnostics::Kind::OutOfMemory,
        "the interpreter's " + std::to_string(memory_limit_ >> 20) + " MiB of memory are used up");
  }
  if (points_computed_ % 4096 == 0 && stop_ && stop_()) throw StopRequested{};
}

void Evaluator::watchNan(const CompiledNode& node, const Cell* cells) {
  bool found = false;
  forEachElement(node, vars_.data(), extents_.data(),
                 [&](int64_t offset) { found = found || isNan(node.node->type, cells[offset]); });
  if (!found) return;
  first_nan_ = NanOrigin{names_[static_cast<size_t>(node.node->id)], {}, node.node->span};
  for (size_t i = 0; i < node.node->dims.size(); ++i)
    first_nan_->point.emplace_back(graph_.dim(node.node->dims[i]).name, vars_[i]);
}

void Evaluator::enterPoint(CompiledNode& node, int64_t key) {
  for (int i = node.rank; i-- > 0;) {
    const size_t at = static_cast<size_t>(i);
    vars_[at] = node.lo[at] + key % node.extent[at];
    key /= node.extent[at];
  }
  for (int axis = 0; axis < node.axes; ++axis) {
    const size_t at = static_cast<size_t>(axis);
    extents_[at] = node.fixedShape ? node.maxShape[at] : node.shape[at](vars_.data(), nullptr);
  }
}

void Evaluator::attempt(CompiledNode& node, Pending& pending, Cell* out) {
  const pdg::Op& op = node.node->op;
  if (const auto* map = std::get_if<pdg::Map>(&op)) return evaluateMap(node, *map, out);
  if (std::get_if<pdg::Merge>(&op)) return evaluateMerge(node, out);
  if (const auto* reduce = std::get_if<pdg::Reduce>(&op))
    return evaluateReduce(node, *reduce, pending, out);
  if (std::get_if<pdg::IndexValue>(&op)) return evaluateIndex(node, out);
  if (const auto* draw = std::get_if<pdg::Draw>(&op)) return evaluateDraw(node, *draw, out);
  if (const auto* sort = std::get_if<pdg::Sort>(&op)) return evaluateSort(node, *sort, out);
  if (const auto* update = std::get_if<pdg::TreeUpdate>(&op))
    return evaluateTreeUpdate(node, *update, out);
  if (const auto* find = std::get_if<pdg::TreeFind>(&op)) return evaluateTreeFind(node, *find, out);
  if (std::get_if<pdg::PointUpdate>(&op)) return evaluatePointUpdate(node, out);
  if (std::get_if<pdg::Detach>(&op)) {
    return forEachElement(node, vars_.data(), extents_.data(),
                          [&](int64_t offset) { fetch(node, 0, out[offset]); });
  }
  throw InternalError("a gradient has not been replaced by equations");
}

int64_t Evaluator::demand(CompiledNode& producer, int64_t key) {
  const int64_t slot = producer.memo.findDone(key);
  if (slot < 0) missing_.push_back({producer.node->id, key});
  return slot;
}

bool Evaluator::fetchValues(CompiledNode& node, const std::vector<int>& inputs) {
  for (int input : inputs) {
    Cell value;
    if (!fetch(node, input, value)) return false;
    values_[static_cast<size_t>(input)] = value.i;
  }
  return true;
}

bool Evaluator::checkUntil(const CompiledRead& read, const std::string& reader,
                           diagnostics::Span span) {
  for (const UntilCheck& check : read.untils) {
    CompiledNode& end = compiled(check.end);
    int64_t key = 0;
    bool ends = true;  // what goes on to another index's end has one point there: x[i+1, 0] = ...
    for (size_t i = 0; i < check.at.size() && ends; ++i) {
      const int64_t x = check.at[i](vars_.data(), values_.data()) - end.lo[i];
      ends = x >= 0 && x < end.extent[i];
      key = key * end.extent[i] + x;
    }
    if (!ends) continue;
    int64_t limit;
    if (end.isConstant) {
      limit = end.constant.front().i;
    } else {
      const int64_t slot = demand(end, key);
      if (slot < 0) return false;
      limit = end.memo.cells(slot)->i;
    }
    const int64_t position = coordinates_[static_cast<size_t>(check.coordinate)];
    if (position < limit + check.offset) continue;
    const pdg::Node& producer = graph_.node(read.producer);
    const std::string dim = graph_.dim(producer.dims[static_cast<size_t>(check.coordinate)]).name;
    const std::string name = names_[static_cast<size_t>(read.producer)];
    std::vector<std::pair<std::string, int64_t>> point;
    for (size_t i = 0; i < producer.dims.size(); ++i)
      point.emplace_back(graph_.dim(producer.dims[i]).name, coordinates_[i]);
    throw runtime::RuntimeFault(diagnostics::Kind::PastEndFault,
                                "`" + name + "` is read at " + dim + " = " +
                                    std::to_string(position) + ", past end(" + dim +
                                    ") = " + std::to_string(limit),
                                span, reader.empty() ? name : reader, std::move(point));
  }
  return true;
}

bool Evaluator::fetch(CompiledNode& node, int input, Cell& out) {
  const CompiledRead& read = node.inputs[static_cast<size_t>(input)];
  if (!fetchValues(node, read.values)) return false;
  CompiledNode& producer = compiled(read.producer);
  int64_t key = 0;
  for (int i = 0; i < producer.rank; ++i) {
    const size_t at = static_cast<size_t>(i);
    const int64_t coordinate = read.at[at](vars_.data(), values_.data());
    if (coordinate < producer.lo[at] || coordinate - producer.lo[at] >= producer.extent[at])
      failRead(node, input);
    coordinates_[at] = coordinate;
    key = key * producer.extent[at] + (coordinate - producer.lo[at]);
  }
  if (read.checked && !producer.domain.contains(coordinates_.data())) failRead(node, input);
  if (!read.untils.empty() &&
      !checkUntil(read, names_[static_cast<size_t>(node.node->id)], node.node->span))
    return false;
  int64_t offset = 0;
  for (int axis = 0; axis < producer.axes; ++axis) {
    const size_t at = static_cast<size_t>(axis);
    const int64_t position = read.element[at](vars_.data(), values_.data());
    const int64_t extent = producer.fixedShape ? producer.maxShape[at]
                                               : producer.shape[at](coordinates_.data(), nullptr);
    if (position < 0 || position >= extent) failRead(node, input);
    offset += position * producer.strides[at];
  }
  if (producer.isConstant) {
    out = producer.constant[static_cast<size_t>(offset)];
    return true;
  }
  const int64_t slot = demand(producer, key);
  if (slot < 0) return false;
  out = producer.memo.cells(slot)[offset];
  return true;
}

void Evaluator::failRead(const CompiledNode& node, int input) {
  const pdg::Node& consumer = *node.node;
  const pdg::Read& read = consumer.inputs[static_cast<size_t>(input)];
  const pdg::Printer printer(graph_);
  const std::string what = pdg::outsideText(graph_, printer, consumer, read);
  const CompiledRead& compiled = node.inputs[static_cast<size_t>(input)];
  if (compiled.values.empty()) throw InternalError(what);
  Told told;
  const std::vector<Var> slots = pdg::readVariables(consumer),
                         variables = pdg::toldVariables(graph_, consumer);
  for (size_t k = consumer.dims.size(); k < variables.size(); ++k) {
    const auto slot = std::find(slots.begin(), slots.end(), variables[k]) - slots.begin();
    told.emplace_back(graph_.dim(variables[k]).name, vars_[static_cast<size_t>(slot)]);
  }
  for (const auto& [position, text] : pdg::testedSubscripts(graph_, printer, consumer, read)) {
    const auto& value = position < compiled.at.size()
                            ? compiled.at[position]
                            : compiled.element[position - compiled.at.size()];
    told.emplace_back(text, value(vars_.data(), values_.data()));
  }
  fault(node, pdg::faultOutside(graph_.node(read.producer)), what, told);
}

void Evaluator::fault(const CompiledNode& node, diagnostics::Kind kind, const std::string& message,
                      const Told& more) {
  Told point;
  for (size_t i = 0; i < node.node->dims.size(); ++i)
    point.emplace_back(graph_.dim(node.node->dims[i]).name, vars_[i]);
  point.insert(point.end(), more.begin(), more.end());
  throw runtime::RuntimeFault(kind, message, node.node->span,
                              names_[static_cast<size_t>(node.node->id)], std::move(point));
}

}  // namespace rlc::interpreter
