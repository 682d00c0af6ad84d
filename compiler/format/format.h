// The one style of .rl programs. Only white space changes: line breaks, indentation, the spaces
// between words, the columns of `=` and of comments. Every word and every comment stays.
//
//   - blocks and continued lines are indented by two spaces; at most one blank line is kept
//   - spaces stand around operators, but not around `^` and not around the arithmetic of subscripts
//     and ranges: x[t+1], 0..n-1
//   - the `=` and `~` of equations on consecutive lines are aligned, and the comments behind them
//   - line breaks inside an item stay where they are; a line of more than 100 columns is broken
//     where it binds least
//   - what `print` shows as its own label keeps its spelling
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/diagnostics/source_map.h"

namespace rlc::format {

inline constexpr int kWidth = 100;

// Of any text; linear in its length. Not checked: format() does that.
std::string layOut(std::string_view text);

struct Result {
  std::optional<std::string> text;  // empty: the file is broken (see the sink), or `differs`
  bool differs = false;             // the text laid out would not mean the same: a bug, reported
};

// Lays a file out and compares the syntax trees of before and after.
Result format(const diagnostics::SourceMap& sources, diagnostics::FileId file,
              diagnostics::DiagnosticSink& sink);

}  // namespace rlc::format
