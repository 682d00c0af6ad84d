// For tests: a program's text to a graph, or to what is reported.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "compiler/pdg/verifier.h"
#include "compiler/sema/elaborate.h"

namespace rlc::sema::testing {

struct Elaborated {
  // In this order: sets live no longer than their context.
  std::unique_ptr<polyhedral::Context> context = std::make_unique<polyhedral::Context>();
  diagnostics::SourceMap sources;
  diagnostics::DiagnosticSink sink;
  std::optional<Program> program;

  const TensorFact& tensor(const std::string& name) const {
    for (const TensorFact& fact : program->tensors)
      if (fact.name == name) return fact;
    throw std::runtime_error("no tensor " + name);
  }
  const pdg::Node& node(const std::string& name, size_t leaf = 0) const {
    return program->graph.node(tensor(name).leaves.at(leaf));
  }
  const ParamFact& param(const std::string& name) const {
    for (const ParamFact& fact : program->params)
      if (fact.name == name) return fact;
    throw std::runtime_error("no param " + name);
  }
  bool defined(const std::string& name, const polyhedral::Point& point) const {
    return node(name).domain.contains(point);
  }
  // "LINE:COL KIND message", in order.
  std::vector<std::string> errors() const {
    std::vector<std::string> result;
    for (const diagnostics::Diagnostic& d : sink.sorted()) {
      std::string at;
      if (d.span.known()) {
        diagnostics::Position p = sources.begin(d.span);
        at = std::to_string(p.line) + ":" + std::to_string(p.column) + " ";
      }
      result.push_back(at + std::string(diagnostics::info(d.kind).name) + " " + d.message);
    }
    return result;
  }
};

// `library`: the standard library is there. A program without errors must also satisfy the graph's
// verifier.
inline std::unique_ptr<Elaborated> elaborateText(const std::string& text, Options options = {},
                                                 bool library = false) {
  auto result = std::make_unique<Elaborated>();
  if (library) options.libraryPath = {RLC_STDLIB_FOLDER};
  diagnostics::FileId file = result->sources.add("test.rl", text);
  result->program = elaborate(result->sources, file, options, *result->context, result->sink);
  return result;
}

}  // namespace rlc::sema::testing
