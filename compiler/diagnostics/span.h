// Places in source text.
#pragma once

#include <cstdint>

namespace rlc::diagnostics {

using FileId = int32_t;  // index into SourceMap; -1: no place (built-in)

// Half-open byte range of one file.
struct Span {
  FileId file = -1;
  uint32_t begin = 0;
  uint32_t end = 0;

  bool known() const { return file >= 0; }
};

}  // namespace rlc::diagnostics
