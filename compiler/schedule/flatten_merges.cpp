#include "compiler/schedule/flatten_merges.h"

#include <algorithm>
#include <map>

#include "compiler/pdg/traversal.h"

namespace rlc::schedule {

namespace {

using pdg::Merge;
using pdg::Node;
using pdg::Read;
using polyhedral::Condition;
using polyhedral::IndexExpr;
using polyhedral::Set;
using polyhedral::Var;

bool isPlain(const Read& read) {
  if (!read.past.empty()) return false;
  for (const auto* list : {&read.at, &read.element})
    for (const IndexExpr& e : *list)
      if (e.hasValue()) return false;
  return true;
}

// Whether the point that is read goes by the element that is computed, as where points are put into
// a vector: what is read is a piece of a node at some elements then and another one at others.
bool goesByElement(const Read& read) {
  std::vector<Var> vars;
  for (const IndexExpr& e : read.at) e.collectVariables(vars);
  return std::any_of(vars.begin(), vars.end(), [](Var var) { return var.isElement(); });
}

// A merge whose inputs are its pieces and nothing else.
const Merge* plainMerge(const Node& node) {
  const Merge* merge = std::get_if<Merge>(&node.op);
  if (!merge || node.inputs.size() != merge->pieces.size()) return nullptr;
  for (const Read& read : node.inputs)
    if (!isPlain(read)) return nullptr;
  return merge;
}

std::vector<IndexExpr> substituted(const std::vector<IndexExpr>& exprs,
                                   const std::map<Var, IndexExpr>& values) {
  std::vector<IndexExpr> result;
  for (const IndexExpr& e : exprs) result.push_back(e.substitute(values));
  return result;
}

// Replaces piece `k` of `node` by the pieces of the merge that it reads.
void inlinePiece(Node& node, size_t k, const Node& inner) {
  const Merge& choice = std::get<Merge>(inner.op);
  const Merge::Piece piece = std::get<Merge>(node.op).pieces[k];
  const Read read = node.inputs[k];
  std::map<Var, IndexExpr> values;
  for (size_t d = 0; d < inner.dims.size(); ++d) values[inner.dims[d]] = read.at[d];
  for (size_t e = 0; e < read.element.size(); ++e)
    values[Var::element(static_cast<int>(e))] = read.element[e];

  std::vector<Merge::Piece> pieces;
  std::vector<Read> inputs;
  for (size_t j = 0; j < choice.pieces.size(); ++j) {
    const Set& reached = choice.pieces[j].domain;
    if (reached.isEmpty()) continue;
    Merge::Piece part;
    part.domain = inner.dims.empty() ? piece.domain
                                     : reached.projectOnto(inner.dims)
                                           .preimage(piece.domain, read.at)
                                           .projectOnto(node.dims);
    part.element = piece.element && choice.pieces[j].element.substitute(values);
    if (part.domain.isEmpty()) continue;
    pieces.push_back(std::move(part));
    Read composed;
    composed.producer = inner.inputs[j].producer;
    composed.at = substituted(inner.inputs[j].at, values);
    composed.element = substituted(inner.inputs[j].element, values);
    inputs.push_back(std::move(composed));
  }
  auto& all = std::get<Merge>(node.op).pieces;
  const auto at = static_cast<std::ptrdiff_t>(k);
  all.erase(all.begin() + at);
  all.insert(all.begin() + at, pieces.begin(), pieces.end());
  node.inputs.erase(node.inputs.begin() + at);
  node.inputs.insert(node.inputs.begin() + at, inputs.begin(), inputs.end());
}

}  // namespace

void flattenMerges(pdg::Graph& graph) {
  std::vector<int> uses = pdg::readCounts(graph);
  for (const pdg::Sink& sink : graph.sinks())
    pdg::forEachLeaf(sink.value,
                     [&](const Read& read) { uses[static_cast<size_t>(read.producer)] += 2; });
  for (pdg::NodeId id = 0; id < graph.size(); ++id) {
    size_t k = 0;
    while (plainMerge(graph.node(id)) && k < graph.node(id).inputs.size()) {
      const pdg::NodeId producer = graph.node(id).inputs[k].producer;
      const Merge* choice = plainMerge(graph.node(producer));
      const bool mayInline = choice && producer != id && choice->pieces.size() > 1 &&
                             uses[static_cast<size_t>(producer)] == 1 &&
                             !goesByElement(graph.node(id).inputs[k]);
      if (!mayInline) {
        ++k;
        continue;
      }
      const Node inner = graph.node(producer);
      inlinePiece(graph.node(id), k, inner);
    }
  }
}

}  // namespace rlc::schedule
