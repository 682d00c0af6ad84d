// Rewriting nodes and their reads.
#pragma once

#include <map>
#include <vector>

#include "compiler/pdg/graph.h"

namespace rlc::passes {

using pdg::Graph;
using pdg::IndexExpr;
using pdg::Node;
using pdg::NodeId;
using pdg::Read;
using pdg::Var;

bool sameRead(const Read& a, const Read& b);
// Every node before the nodes that read it, as far as recurrences allow.
std::vector<NodeId> producersFirst(const Graph& graph);

// What `outer.producer` reads with `inner`, read by `consumer` itself: the composition of the two
// access functions. Inputs that serve the Value atoms of `inner` become the consumer's.
Read compose(const Graph& graph, Node& consumer, const Read& outer, const Read& inner);
// The same where the consumer's variables stand for the producer's in `values`: one entry for each
// of its dims, element positions and bound variables that `inner` mentions.
Read composeWith(Node& consumer, const Node& producer, const std::map<Var, IndexExpr>& values,
                 const Read& inner);

bool hasValues(const Read& read);  // of inputs, or of ends that it is checked for
// Value atoms of the given inputs, replaced in every expression of the node.
void replaceValues(Node& node, const std::map<int, IndexExpr>& values);
// Removes a piece of a merge, which covers no points or will not be asked for, and its input.
void removePiece(Node& node, size_t piece);
// Removes the inputs that only served Value atoms which are gone; returns how many.
int dropUnusedInputs(Node& node);

// The scalar constant of that value, made if the graph has none.
class ConstantPool {
 public:
  explicit ConstantPool(Graph& graph);
  NodeId get(const Scalar& value);
  Read read(const Scalar& value) { return {get(value), {}, {}}; }

 private:
  Graph& graph_;
  std::map<std::pair<int, int64_t>, NodeId> nodes_;
};

// The answer to a question about sets: no where the polyhedral library runs out of its budget.
template <typename Question>
bool holds(const Question& question) {
  try {
    return question();
  } catch (const polyhedral::OperationLimit&) {
    return false;
  }
}

// Removes the nodes that are not kept (nothing kept reads them) and numbers the others anew.
void compact(Graph& graph, const std::vector<bool>& keep);

// How messages call a node: its name or that of what it is computed for, in backquotes.
std::string called(const std::vector<std::string>& displayNames, NodeId id);

}  // namespace rlc::passes
