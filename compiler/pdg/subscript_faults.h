// What is said where a subscript that is data leaves the domain of what it reads, and at which
// point of which equation.
#pragma once

#include <string>
#include <vector>

#include "compiler/pdg/graph.h"
#include "compiler/pdg/printer.h"

namespace rlc::pdg {

// A subscript whose range is known only when the program runs.
struct TestedSubscript {
  size_t position = 0;  // in the read's `at`, or, behind those, in its `element`
  std::string text;     // as the source says it: "k[t]"; "the subscript" where that is not known
};

// Those of the read; none where it is a requirement, whose sentence says all (requirements.h).
std::vector<TestedSubscript> testedSubscripts(const Graph& graph, const Printer& printer,
                                              const Node& consumer, const Read& read);

// "`y[k[t]]`: a subscript of `y` is outside of its domain { [t] : 0 <= t < 5 }", or what is
// required, without the parts that have no name in the source.
std::string outsideText(const Graph& graph, const Printer& printer, const Node& consumer,
                        const Read& read);

// The variables of the reader's point: its dims and those that it reduces over, without axes.
std::vector<Var> toldVariables(const Graph& graph, const Node& consumer);

// Of a read where the source has it: the reader's place and point, and the subscripts. `tensor`:
// what to call the reader.
ReadOrigin originOf(const Graph& graph, const Printer& printer, const std::string& tensor,
                    const Node& consumer, const Read& read);

// Gives each such read its origin: before anything moves reads.
void noteOrigins(Graph& graph);

}  // namespace rlc::pdg
