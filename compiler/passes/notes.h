// What a pass did, and why a transformation that someone would want did not happen: shown by
// `rlc explain passes` beside the source lines.
#pragma once

#include <string>
#include <vector>

#include "compiler/diagnostics/span.h"

namespace rlc::passes {

struct Note {
  diagnostics::Span span;
  std::string text;
  bool happened = true;  // false: it did not, and the text says why
};

class Notes {
 public:
  void did(diagnostics::Span span, std::string text) {
    list_.push_back({span, std::move(text), true});
  }
  void didNot(diagnostics::Span span, std::string text) {
    list_.push_back({span, std::move(text), false});
  }
  // "4 nodes removed"; nothing for 0.
  void count(int number, const std::string& what);
  const std::vector<Note>& list() const { return list_; }

 private:
  std::vector<Note> list_;
};

}  // namespace rlc::passes
