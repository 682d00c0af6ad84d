#include "compiler/pdg/printer.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"

namespace rlc::pdg {

std::string_view name(ReduceKind kind) {
  switch (kind) {
    case ReduceKind::Sum:
      return "sum";
    case ReduceKind::Prod:
      return "prod";
    case ReduceKind::Max:
      return "max";
    case ReduceKind::Min:
      return "min";
    case ReduceKind::All:
      return "all";
    case ReduceKind::Any:
      return "any";
    case ReduceKind::ArgMax:
      return "argmax";
    case ReduceKind::ArgMin:
      return "argmin";
    case ReduceKind::FirstTrue:
      return "first_true";
  }
  return "";
}

std::string emptyRangeText(const Graph& graph, const Node& reduction) {
  const bool counts = splatValue(graph.node(reduction.inputs[0].producer)).has_value();
  const std::string_view kind = counts ? "mean" : name(std::get<Reduce>(reduction.op).kind);
  return "`" + std::string(kind) + "` of an empty range";
}

std::string_view name(DrawKind kind) {
  switch (kind) {
    case DrawKind::Uniform01:
      return "uniform01";
    case DrawKind::StandardNormal:
      return "standard_normal";
    case DrawKind::UniformInt:
      return "uniform_int";
    case DrawKind::Categorical:
      return "categorical";
    case DrawKind::Permutation:
      return "permutation";
    case DrawKind::StandardGamma:
      return "standard_gamma";
  }
  return "";
}

std::string_view opName(const Op& op) {
  static constexpr std::string_view kNames[] = {
      "constant", "index", "param",       "map",       "detach",       "reduce", "merge",
      "draw",     "sort",  "tree update", "tree find", "point update", "grad"};
  static_assert(std::size(kNames) == std::variant_size_v<Op>);
  return kNames[op.index()];
}

std::string printScalar(const Scalar& value) {
  if (value.type == DType::Bool) return value.i ? "true" : "false";
  if (!value.isFloating()) return std::to_string(value.i);
  char text[40];
  // Shortest text that reads back as the same value of its type; bf16 values are f32 values.
  const auto end = value.type == DType::F64
                       ? std::to_chars(text, text + sizeof text, value.f)
                       : std::to_chars(text, text + sizeof text, static_cast<float>(value.f));
  return {text, end.ptr};
}

namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view separator = ", ") {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

bool isIdentity(const std::vector<IndexExpr>& element) {
  for (size_t axis = 0; axis < element.size(); ++axis) {
    const auto var = element[axis].asVariable();
    if (!var || *var != Var::element(static_cast<int>(axis))) return false;
  }
  return true;
}

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

Printer::Printer(const Graph& graph) : graph_(graph), namer_(graph.namer()) {
  std::map<std::string, int> uses;
  for (const Node& node : graph.nodes()) ++uses[node.name];
  for (const Node& node : graph.nodes()) {
    const std::string number = "%" + std::to_string(node.id);
    labels_.push_back(node.name.empty()     ? number
                      : uses[node.name] > 1 ? node.name + number
                                            : node.name);
  }
}

std::string Printer::label(NodeId id) const {
  return id >= 0 && id < graph_.size() ? labels_[static_cast<size_t>(id)]
                                       : "%" + std::to_string(id) + "?";
}

std::string Printer::expr(const IndexExpr& expr) const { return expr.toString(namer_); }

std::string Printer::expr(const Node& consumer, const IndexExpr& e) const {
  return expr(e, consumer.inputs, 0);
}

std::string Printer::expr(const IndexExpr& expr, const std::vector<Read>& inputs, int depth) const {
  std::string text = expr.toString(namer_);
  for (int input : valueInputs(expr)) {
    if (input < 0 || input >= static_cast<int>(inputs.size()) || depth > 3) continue;
    replaceAll(text, "value(" + std::to_string(input) + ")",
               read(inputs[static_cast<size_t>(input)], inputs, depth + 1));
  }
  return text;
}

std::string Printer::read(const Node& consumer, const Read& what) const {
  return read(what, consumer.inputs, 0);
}

std::string Printer::read(const Read& what, const std::vector<Read>& inputs, int depth) const {
  if (what.producer < 0 || what.producer >= graph_.size()) return label(what.producer);
  const Node& producer = graph_.node(what.producer);
  if (auto value = splatValue(producer)) return printScalar(*value);
  std::string text = label(what.producer);
  auto bracket = [&](const std::vector<IndexExpr>& exprs) {
    std::vector<std::string> parts;
    for (const IndexExpr& e : exprs) parts.push_back(expr(e, inputs, depth));
    text += "[" + joined(parts) + "]";
  };
  if (!what.at.empty()) bracket(what.at);
  if (!what.element.empty() && !isIdentity(what.element)) bracket(what.element);
  return text;
}

std::string Printer::set(const Set& set) const {
  if (set.vars().empty()) return set.isEmpty() ? "false" : "true";
  if (auto condition = set.toCondition()) return condition->toString(namer_);
  return set.toString(namer_);
}

std::string Printer::reduction(const Node& node, const Reduce& reduce) const {
  std::string text = std::string(name(reduce.kind)) + "(" + read(node, node.inputs.at(0));
  std::vector<std::string> bound;
  for (Var var : reduce.bound) bound.push_back(namer_(var));
  text += " for " + joined(bound) + " where " + set(reduce.domain);
  if (reduce.hasFilter) text += " if " + read(node, node.inputs.at(1));
  text += keys(node);
  if (reduce.kind == ReduceKind::FirstTrue) text += " otherwise " + expr(reduce.otherwise);
  return text + ")";
}

std::string Printer::keys(const Node& node) const {
  std::string text;
  for (const Reduce::Key& key : keysOf(node))
    text += " at " + namer_(key.own) + " == " + expr(key.expr, node.inputs, 0);
  return text;
}

std::string Printer::op(const Node& node) const {
  auto operands = [&] {
    std::vector<std::string> parts;
    const int data = std::min(node.dataInputs(), static_cast<int>(node.inputs.size()));
    for (int i = 0; i < data; ++i) parts.push_back(read(node, node.inputs[static_cast<size_t>(i)]));
    return joined(parts);
  };
  if (const Constant* constant = std::get_if<Constant>(&node.op)) {
    std::vector<std::string> parts;
    for (const Scalar& element : constant->value.elements) {
      if (parts.size() == 8) {
        parts.push_back("...");
        break;
      }
      parts.push_back(printScalar(element));
    }
    return "constant " + joined(parts);
  }
  if (const IndexValue* value = std::get_if<IndexValue>(&node.op))
    return "index " + expr(value->expr, node.inputs, 0);
  if (const Param* param = std::get_if<Param>(&node.op)) {
    const bool known = param->param >= 0 && param->param < static_cast<int>(graph_.params().size());
    return "param " + (known ? graph_.params()[static_cast<size_t>(param->param)].name : "?");
  }
  if (const Map* map = std::get_if<Map>(&node.op))
    return std::string(rlc::name(map->op)) + " " + operands();
  if (const Reduce* reduce = std::get_if<Reduce>(&node.op)) return reduction(node, *reduce);
  if (const Merge* merge = std::get_if<Merge>(&node.op)) {
    std::string text = "merge";
    for (size_t i = 0; i < merge->pieces.size(); ++i) {
      const Merge::Piece& piece = merge->pieces[i];
      text += "\n        where " + set(piece.domain);
      if (piece.element.kind() != Condition::Kind::True)
        text += " and " + piece.element.toString(namer_);
      text += ": " + read(node, node.inputs.at(i));
    }
    return text;
  }
  if (const Draw* draw = std::get_if<Draw>(&node.op)) {
    std::string text = "draw " + std::string(name(draw->kind)) + " \"" + draw->stream + "\"";
    if (draw->parts > 1)
      text += " part " + std::to_string(draw->part) + " of " + std::to_string(draw->parts);
    const std::string inputs = operands();
    if (!inputs.empty()) text += " of " + inputs;
    if (draw->kind == DrawKind::Categorical)
      text += " for " + namer_(draw->category) + " in 0.." + std::to_string(draw->categories);
    return text;
  }
  if (const Sort* sort = std::get_if<Sort>(&node.op)) {
    return std::string(sort->positions ? "argsort" : "sort") +
           (sort->descending ? " descending" : "") + " axis " + std::to_string(sort->axis) +
           " of " + operands();
  }
  if (const TreeUpdate* update = std::get_if<TreeUpdate>(&node.op))
    return tree(node, update->tree) + " of " + operands();
  if (std::holds_alternative<PointUpdate>(node.op))
    return read(node, node.inputs.at(0)) + " with " + read(node, node.inputs.at(1)) + keys(node);
  if (const TreeFind* find = std::get_if<TreeFind>(&node.op))
    return tree(node, find->tree) + " of " + operands();
  return std::string(opName(node.op)) + " " + operands();
}

std::string Printer::tree(const Node& node, const TreeShape& shape) const {
  const auto range = *boundRange(node);
  return std::string(opName(node.op)) + " capacity " + std::to_string(shape.capacity) +
         " fan-out " + std::to_string(shape.fanout) + " for " + namer_(range.var) + " in 0.." +
         std::to_string(range.extent);
}

std::string Printer::node(NodeId id) const {
  const Node& node = graph_.node(id);
  std::vector<std::string> dims, extents;
  for (Var dim : node.dims) dims.push_back(namer_(dim));
  for (const IndexExpr& extent : node.shape) extents.push_back(expr(extent));
  std::string text = label(id);
  if (!dims.empty()) text += "[" + joined(dims) + "]";
  text += " : " + std::string(rlc::name(node.type));
  if (!extents.empty()) text += "[" + joined(extents) + "]";
  if (!dims.empty()) text += " over " + set(node.domain);
  return text + "\n    = " + op(node) + "\n";
}

std::string Printer::sinkValue(const SinkValue& value) const {
  if (const Read* leaf = std::get_if<0>(&value.node)) return read(*leaf, {}, 0);
  std::vector<std::string> parts;
  if (const auto* fields = std::get_if<1>(&value.node)) {
    for (const auto& [name, field] : *fields) parts.push_back(name + " = " + sinkValue(field));
    return "{" + joined(parts) + "}";
  }
  for (const SinkValue& part : std::get<2>(value.node)) parts.push_back(sinkValue(part));
  return "(" + joined(parts) + ")";
}

std::string Printer::sink(const Sink& sink) const {
  static constexpr std::string_view kKinds[] = {"print", "report", "save"};
  std::string text = std::string(kKinds[static_cast<size_t>(sink.kind)]) + " \"" + sink.label +
                     "\" = " + sinkValue(sink.value);
  if (!sink.dims.empty()) text += " over " + set(sink.domain);
  if (sink.where) text += " if " + read(*sink.where, {}, 0);
  if (sink.everyDim) text += " each " + std::to_string(sink.every) + " " + namer_(*sink.everyDim);
  return text + "\n";
}

std::string Printer::graph() const {
  std::string text;
  for (const Node& each : graph_.nodes()) {
    if (!splatValue(each) || !each.name.empty()) text += node(each.id);
  }
  for (const Sink& each : graph_.sinks()) text += sink(each);
  return text;
}

std::string print(const Graph& graph) { return Printer(graph).graph(); }

}  // namespace rlc::pdg
