#include "compiler/pdg/subscript_faults.h"

#include "compiler/pdg/reads.h"
#include "compiler/pdg/requirements.h"

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

}  // namespace rlc::pdg
