// A source line as it is shown: tabs expanded, control characters made visible, cut around what
// matters.
#pragma once

#include <string>

#include "compiler/diagnostics/source_map.h"

namespace rlc::diagnostics {

struct Excerpt {
  std::string line;
  int caret_begin = 0;  // display columns from 0
  int caret_width = 1;  // at least 1
};

// The first line of `span`, in at most `width` columns.
Excerpt excerpt(const SourceMap& sources, Span span, int width);

}  // namespace rlc::diagnostics
