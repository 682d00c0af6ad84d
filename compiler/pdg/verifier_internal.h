// The verifier's parts; verifier.cpp puts them together.
#pragma once

#include <string>
#include <vector>

#include "compiler/pdg/graph.h"
#include "compiler/pdg/printer.h"

namespace rlc::pdg::verifying {

class Messages {
 public:
  explicit Messages(const Graph& graph) : printer_(graph) {}
  void report(const Node& node, const std::string& what) {
    texts_.push_back(printer_.label(node.id) + " (" + std::string(opName(node.op)) + "): " + what);
  }
  void report(const std::string& what) { texts_.push_back(what); }
  const Printer& printer() const { return printer_; }
  bool empty() const { return texts_.empty(); }
  std::vector<std::string> take() { return std::move(texts_); }

 private:
  Printer printer_;
  std::vector<std::string> texts_;
};

// Operand counts, variables in scope: what the other checks take for granted. False: they can't run
// on this node.
bool checkStructure(const Graph& graph, const Node& node, Messages& messages);
void checkTypes(const Graph& graph, const Node& node, Messages& messages);
void checkDomains(const Graph& graph, const Node& node, Messages& messages);
void checkSinks(const Graph& graph, Messages& messages);

}  // namespace rlc::pdg::verifying
