// Diagnostics as text for people and as JSON for tools.
#pragma once

#include <string>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/diagnostics/source_map.h"

namespace rlc::diagnostics {

struct RenderOptions {
  bool color = false;
  int width = 100;  // longer source lines are cut around the carets
};

// FILE:LINE:COL: error[E0123]: message, the line with carets, labels, notes, the point, the hint.
std::string render(const Diagnostic& diagnostic, const SourceMap& sources,
                   const RenderOptions& options = {});
// All, in order, then "... and N more errors" where some were dropped.
std::string render(const DiagnosticSink& sink, const SourceMap& sources,
                   const RenderOptions& options = {});

// One object without line breaks: {"code","kind","severity","file","line","column",...}.
std::string renderJson(const Diagnostic& diagnostic, const SourceMap& sources);
// An object a line.
std::string renderJson(const DiagnosticSink& sink, const SourceMap& sources);

}  // namespace rlc::diagnostics
