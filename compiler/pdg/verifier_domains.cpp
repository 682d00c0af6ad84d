// Every read is defined; a merge defines each of its points once.
#include <algorithm>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/verifier_internal.h"

namespace rlc::pdg::verifying {

namespace {

std::string pointText(const Graph& graph, const std::vector<Var>& vars, const Set& set) {
  const auto point = set.lexmin();
  if (!point) return "";
  std::string text = " at ";
  for (size_t i = 0; i < vars.size(); ++i)
    text += (i ? ", " : "") + graph.namer()(vars[i]) + "=" + std::to_string((*point)[i]);
  return text;
}

// The points of the producer that the read takes from `where`, with elements, less those that the
// producer has.
Set missing(const Graph& graph, const Set& where, const Read& read) {
  const Node& producer = graph.node(read.producer);
  std::vector<IndexExpr> at = read.at;
  at.insert(at.end(), read.element.begin(), read.element.end());
  std::vector<Var> vars = producer.dims;
  for (Var element : elementVars(producer)) vars.push_back(element);
  return imageOf(graph, where, at, vars).subtract(elementDomain(producer));
}

void checkRead(const Graph& graph, const Node& node, int input, Messages& messages) {
  const Read& read = node.inputs[static_cast<size_t>(input)];
  auto unbounded = [](const IndexExpr& e) { return hasUnboundedValue(e); };
  if (std::any_of(read.at.begin(), read.at.end(), unbounded) ||
      std::any_of(read.element.begin(), read.element.end(), unbounded))
    return;  // checked at run time
  const Set absent = missing(graph, readDomain(node, input), read);
  if (absent.isEmpty()) return;
  const auto point = absent.lexmin();
  std::string where;
  for (int64_t coordinate : *point)
    where += (where.empty() ? "" : ", ") + std::to_string(coordinate);
  messages.report(node, "reads " + messages.printer().read(node, read) +
                            ", which is not defined at (" + where + ")");
}

void checkMerge(const Graph& graph, const Node& node, const Merge& merge, Messages& messages) {
  std::vector<Set> pieces;
  for (size_t i = 0; i < merge.pieces.size(); ++i) {
    if (!merge.pieces[i].domain.isSubset(node.domain))
      messages.report(node, "a piece leaves the domain");
    pieces.push_back(readDomain(node, static_cast<int>(i)));
  }
  Set rest = elementDomain(node);
  for (size_t i = 0; i < pieces.size(); ++i) {
    const Set repeated = pieces[i].subtract(rest);
    if (!repeated.isEmpty())
      messages.report(node, "is defined twice" + pointText(graph, repeated.vars(), repeated));
    rest = rest.subtract(pieces[i]).coalesce();
  }
  if (!rest.isEmpty()) messages.report(node, "lacks a piece" + pointText(graph, rest.vars(), rest));
}

}  // namespace

void checkDomains(const Graph& graph, const Node& node, Messages& messages) {
  for (int input = 0; input < static_cast<int>(node.inputs.size()); ++input)
    checkRead(graph, node, input, messages);
  if (const Merge* merge = std::get_if<Merge>(&node.op)) checkMerge(graph, node, *merge, messages);
}

void checkSinks(const Graph& graph, Messages& messages) {
  for (const Sink& sink : graph.sinks()) {
    auto check = [&](const Read& read) {
      if (read.producer < 0 || read.producer >= graph.size()) {
        messages.report("sink \"" + sink.label + "\" reads a node that does not exist");
        return;
      }
      const Node& producer = graph.node(read.producer);
      if (read.at.size() != producer.dims.size() || read.element.size() != producer.shape.size()) {
        messages.report("sink \"" + sink.label + "\" reads " +
                        messages.printer().label(read.producer) +
                        " with the wrong number of subscripts");
        return;
      }
      if (!imageOf(graph, sink.domain, read.at, producer.dims).isSubset(producer.domain))
        messages.report("sink \"" + sink.label + "\" reads points of " +
                        messages.printer().label(read.producer) + " that are not defined");
    };
    forEachLeaf(sink.value, check);
    if (sink.where) check(*sink.where);
  }
}

}  // namespace rlc::pdg::verifying
