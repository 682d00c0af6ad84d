#include "compiler/passes/testing.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compiler/interpreter/interpreter.h"
#include "compiler/pdg/printer.h"
#include "compiler/pdg/verifier.h"

namespace rlc::passes::testing {

namespace {

void flatten(const runtime::ShownValue& value, std::vector<double>& out) {
  if (const auto* tensor = std::get_if<0>(&value.node)) {
    for (const Scalar& element : tensor->elements) out.push_back(element.asDouble());
  } else if (const auto* record = std::get_if<1>(&value.node)) {
    for (const auto& [name, field] : *record) flatten(field, out);
  } else {
    for (const auto& part : std::get<2>(value.node)) flatten(part, out);
  }
}

class Recorder : public runtime::SinkOutput {
 public:
  void show(const runtime::SinkInfo& sink, int number,
            const std::vector<std::pair<std::string, int64_t>>& index,
            const runtime::ShownValue& value) override {
    std::string where = std::to_string(number) + " " + sink.label + "[";
    for (const auto& [name, at] : index) where += name + "=" + std::to_string(at) + " ";
    flatten(value, values[where + "]"]);
  }
  Shown values;
};

bool close(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return tolerance > 0 || std::signbit(a) == std::signbit(b);
  return std::abs(a - b) <= tolerance * std::max(1.0, std::max(std::abs(a), std::abs(b)));
}

}  // namespace

Shown shown(const pdg::Graph& graph) {
  Recorder recorder;
  interpreter::Interpreter(graph, {.seed = 7, .params = {}}).run(recorder);
  return recorder.values;
}

std::string difference(const Shown& expected, const Shown& actual, double tolerance) {
  if (expected.size() != actual.size()) return "other points are shown";
  for (const auto& [where, values] : expected) {
    auto found = actual.find(where);
    if (found == actual.end() || found->second.size() != values.size()) return where + " is gone";
    for (size_t k = 0; k < values.size(); ++k)
      if (!close(values[k], found->second[k], tolerance))
        return where + " is " + std::to_string(found->second[k]) + ", not " +
               std::to_string(values[k]);
  }
  return "";
}

Notes apply(void (*pass)(pdg::Graph&, Notes&), pdg::Graph& graph, double tolerance) {
  EXPECT_EQ(pdg::verify(graph), std::vector<std::string>{});
  const Shown before = shown(graph);
  Notes notes;
  pass(graph, notes);
  EXPECT_EQ(pdg::verify(graph), std::vector<std::string>{}) << pdg::print(graph);
  EXPECT_EQ(difference(before, shown(graph), tolerance), "") << pdg::print(graph);
  return notes;
}

std::string text(const Notes& notes) {
  std::string result;
  for (const Note& note : notes.list()) result += (note.happened ? "" : "not: ") + note.text + "\n";
  return result;
}

const pdg::Node& named(const pdg::Graph& graph, const std::string& name) {
  for (const pdg::Node& node : graph.nodes())
    if (node.name == name) return node;
  throw std::runtime_error("no node is called " + name);
}

std::string definition(const pdg::Graph& graph, const std::string& name) {
  const std::string lines = pdg::Printer(graph).node(named(graph, name).id);
  return lines.substr(lines.find('\n') + 1);
}

int countOf(const pdg::Graph& graph, std::string_view op) {
  int count = 0;
  for (const pdg::Node& node : graph.nodes()) count += pdg::opName(node.op) == op;
  return count;
}

}  // namespace rlc::passes::testing
