#include "compiler/pdg/subscript_faults.h"

#include "compiler/pdg/reads.h"
#include "compiler/pdg/requirements.h"
#include "compiler/pdg/traversal.h"

namespace rlc::pdg {

namespace {

constexpr size_t kLongestText = 120;  // of a part of a message

// Nodes without a name are numbers.
bool tells(const std::string& text) {
  return text.find('%') == std::string::npos && text.size() <= kLongestText;
}

}  // namespace

std::vector<TestedSubscript> testedSubscripts(const Graph& graph, const Printer& printer,
                                              const Node& consumer, const Read& read) {
  std::vector<TestedSubscript> result;
  if (requirementOf(graph.node(read.producer))) return result;
  size_t position = 0;
  for (const auto* exprs : {&read.at, &read.element})
    for (const IndexExpr& e : *exprs) {
      if (hasUnboundedValue(e)) {
        const std::string text = printer.expr(consumer, e);
        const bool number = text.find_first_not_of("-0123456789") == std::string::npos;
        result.push_back({position, tells(text) && !number ? text : "the subscript"});
      }
      ++position;
    }
  return result;
}

std::string outsideText(const Graph& graph, const Printer& printer, const Node& consumer,
                        const Read& read) {
  const Node& producer = graph.node(read.producer);
  if (auto required = requirementText(producer)) return *required;
  const std::string name = producer.name.empty() ? "a tensor" : "`" + producer.name + "`";
  const std::string place = printer.read(consumer, read);
  std::string text = tells(place) ? "`" + place + "`: a" : "a";
  text += " subscript of " + name + " is outside of ";
  const std::string domain = producer.domain.toString(graph.namer());
  if (producer.dims.empty()) return text + "its shape";
  text += "its domain";
  return domain.size() <= kLongestText ? text + " " + domain : text;
}

std::vector<Var> toldVariables(const Graph& graph, const Node& consumer) {
  std::vector<Var> vars = consumer.dims;
  if (const auto* reduce = std::get_if<Reduce>(&consumer.op))
    for (Var bound : reduce->bound)
      if (graph.dim(bound).span.known()) vars.push_back(bound);
  return vars;
}

ReadOrigin originOf(const Graph& graph, const Printer& printer, const std::string& tensor,
                    const Node& consumer, const Read& read) {
  ReadOrigin origin;
  origin.span = consumer.span;
  origin.tensor = tensor;
  origin.message = outsideText(graph, printer, consumer, read);
  for (Var var : toldVariables(graph, consumer))
    origin.point.push_back({graph.dim(var).name, IndexExpr(var)});
  for (const auto& [position, text] : testedSubscripts(graph, printer, consumer, read))
    origin.point.push_back({text, position < read.at.size()
                                      ? read.at[position]
                                      : read.element[position - read.at.size()]});
  return origin;
}

void noteOrigins(Graph& graph) {
  std::optional<Printer> printer;  // most programs have no such reads
  std::vector<std::string> names;
  for (NodeId id = 0; id < graph.size(); ++id) {
    Node& node = graph.node(id);
    for (Read& read : node.inputs) {
      if (read.origin || !isTested(read)) continue;
      if (!printer) printer.emplace(graph), names = displayNames(graph);
      read.origin = std::make_shared<const ReadOrigin>(
          originOf(graph, *printer, names[static_cast<size_t>(id)], node, read));
    }
  }
}

}  // namespace rlc::pdg
