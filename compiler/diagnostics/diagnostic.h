// What is wrong with a program, where, and the way out. Messages: lower case, what happened, no
// full stop.
//   sink.report(Diagnostic(Kind::UnknownName, span, "there is no `x`").hint("did you mean `y`?"));
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compiler/diagnostics/kinds.h"
#include "compiler/diagnostics/span.h"

namespace rlc::diagnostics {

enum class Severity { Error, Warning, Fault };  // Fault: at run time

// Another place that matters: carets with words in the same excerpt, or an excerpt of its own.
struct Label {
  Span span;
  std::string message;
};

struct Edit {
  Span span;  // empty: an insertion
  std::string replacement;
};

struct QuickFix {
  std::string title;
  std::vector<Edit> edits;
};

struct Diagnostic {
  Kind kind;
  Severity severity = Severity::Error;
  Span span;
  std::string message;
  std::string caret;  // words beside the carets; may be empty
  std::vector<Label> labels;
  std::vector<Label> notes;                              // a note's span may be unknown: words only
  std::vector<std::pair<std::string, int64_t>> witness;  // a point: {"t", 3}, {"b", 0}
  std::string hint_text;
  std::vector<QuickFix> fixes;

  Diagnostic(Kind kind, Span span, std::string message, Severity severity = Severity::Error)
      : kind(kind), severity(severity), span(span), message(std::move(message)) {}

  Diagnostic&& caretText(std::string words) && {
    caret = std::move(words);
    return std::move(*this);
  }
  Diagnostic&& label(Span at, std::string words) && {
    labels.push_back({at, std::move(words)});
    return std::move(*this);
  }
  Diagnostic&& note(Span at, std::string words) && {
    notes.push_back({at, std::move(words)});
    return std::move(*this);
  }
  Diagnostic&& note(std::string words) && {
    notes.push_back({Span{}, std::move(words)});
    return std::move(*this);
  }
  Diagnostic&& at(std::vector<std::pair<std::string, int64_t>> point) && {
    witness = std::move(point);
    return std::move(*this);
  }
  Diagnostic&& hint(std::string words) && {
    hint_text = std::move(words);
    return std::move(*this);
  }
  Diagnostic&& fix(std::string title, Span where, std::string replacement) && {
    fixes.push_back({std::move(title), {{where, std::move(replacement)}}});
    return std::move(*this);
  }
};

// Collects; drops repetitions (same kind, place and message), and errors past the limit (counted).
class DiagnosticSink {
 public:
  explicit DiagnosticSink(size_t limit = 100) : limit_(limit) {}

  void report(Diagnostic diagnostic);
  bool hasErrors() const { return errors_ > 0; }
  size_t errorCount() const { return errors_; }  // those dropped past the limit too
  size_t droppedCount() const { return dropped_; }
  bool empty() const { return diagnostics_.empty(); }
  bool full() const { return diagnostics_.size() >= limit_; }  // more are counted only
  // By file, place, and order of report.
  std::vector<Diagnostic> sorted() const;

 private:
  size_t limit_;
  size_t errors_ = 0, dropped_ = 0;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace rlc::diagnostics
