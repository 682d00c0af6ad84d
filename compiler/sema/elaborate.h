// From syntax trees to the dependence graph: names, types, shapes, domains, readings; everything is
// inlined. One call elaborates a whole program; all errors go to the sink.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/diagnostics/source_map.h"
#include "compiler/pdg/graph.h"
#include "compiler/syntax/ast.h"

namespace rlc::sema {

struct Options {
  std::vector<std::pair<std::string, std::string>>
      params;                            // overrides: name, value as written on a command line
  std::vector<std::string> libraryPath;  // folders that hold `std/`
};

struct ParamFact {
  std::string name, doc;
  diagnostics::Span span;
  std::string type;   // "i32", "f32", "string"
  std::string value;  // as text, after overrides
  bool overridden = false;
  bool compileTime = false;  // used in a range, a shape, a subscript or a condition on indices:
                             // another value compiles again
  bool givesOthers = false;  // the value of another param is computed from it
};
struct IndexFact {
  std::string name, doc;
  diagnostics::Span span;
  std::string range;  // "0..500"
  polyhedral::Var var;
};
struct TensorFact {
  std::string name;
  diagnostics::Span span;  // the name in its first equation
  std::vector<std::string> dims;
  std::string type;    // "f32[4]", "CartPole.State", "Categorical"
  std::string domain;  // "{ [t] : 0 <= t < 10 }"
  std::vector<pdg::NodeId> leaves;
  std::vector<diagnostics::Span> equations;
};
// Anything else a tool may want to say about a place: a use of a name and what it means.
struct NameFact {
  diagnostics::Span use, definition;
  std::string text;  // "fn gae(r: f32, ...) -> f32", "t in 0..500"
};

struct Program {
  pdg::Graph graph;
  std::vector<ParamFact> params;
  std::vector<IndexFact> indices;
  std::vector<TensorFact> tensors;
  // The equations of functions that have indices of their own, as a whole algorithm does, by the
  // path of what they define: "run.s".
  std::map<std::string, std::vector<diagnostics::Span>> parts;
  std::vector<NameFact> names;
  // Paths at which no file was found; with one there the program may mean another.
  std::set<std::string> absent;
};

// nullopt: errors were reported. `entry` has been added to `sources`; imported files are loaded
// into it.
std::optional<Program> elaborate(diagnostics::SourceMap& sources, diagnostics::FileId entry,
                                 const Options& options, polyhedral::Context& context,
                                 diagnostics::DiagnosticSink& sink);
// The same for a file that has been parsed already.
std::optional<Program> elaborate(diagnostics::SourceMap& sources, const syntax::File& entry,
                                 const Options& options, polyhedral::Context& context,
                                 diagnostics::DiagnosticSink& sink);

// The built-in functions: for completion and hover.
struct BuiltinFact {
  std::string name, signature, doc;
};
const std::vector<BuiltinFact>& builtinFacts();

}  // namespace rlc::sema
