// What went wrong while a program ran, and where.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"

namespace rlc::runtime {

// The program's fault, not the compiler's: `message` says what ("division by zero"), in a second
// line, if there is one, the way out; `tensor` is the nearest named tensor (may be empty), `point`
// its index point.
class RuntimeFault : public std::runtime_error {
 public:
  RuntimeFault(diagnostics::Kind kind, const std::string& message, diagnostics::Span span,
               std::string tensor, std::vector<std::pair<std::string, int64_t>> point)
      : std::runtime_error(message),
        kind(kind),
        span(span),
        tensor(std::move(tensor)),
        point(std::move(point)) {}

  std::string message() const { return std::string(what()).substr(0, endOfMessage()); }
  // The way out; may be empty.
  std::string hint() const {
    if (kind == diagnostics::Kind::SubscriptFault)
      return "`clip(j, lo, hi)`, `%` or a type with a range (`i32 in lo..hi`) bounds a subscript "
             "that is data";
    const size_t end = endOfMessage();
    return end == std::string::npos ? "" : std::string(what()).substr(end + 1);
  }
  diagnostics::Diagnostic diagnostic() const {
    const std::string where = tensor.empty() ? "" : " in `" + tensor + "`";
    return diagnostics::Diagnostic(kind, span, message() + where, diagnostics::Severity::Fault)
        .at(point)
        .hint(hint());
  }

  diagnostics::Kind kind;

  diagnostics::Span span;
  std::string tensor;
  std::vector<std::pair<std::string, int64_t>> point;

 private:
  size_t endOfMessage() const { return std::string(what()).find('\n'); }
};

}  // namespace rlc::runtime
