#include "compiler/diagnostics/diagnostic.h"

#include <algorithm>

namespace rlc::diagnostics {
namespace {

bool same(const Diagnostic& a, const Diagnostic& b) {
  return a.kind == b.kind && a.span.file == b.span.file && a.span.begin == b.span.begin &&
         a.message == b.message && a.witness == b.witness;
}

}  // namespace

void DiagnosticSink::report(Diagnostic diagnostic) {
  const auto repeats = [&](const Diagnostic& earlier) { return same(earlier, diagnostic); };
  if (std::any_of(diagnostics_.begin(), diagnostics_.end(), repeats)) return;
  if (diagnostic.severity != Severity::Warning) ++errors_;
  if (diagnostics_.size() >= limit_) {
    ++dropped_;
    return;
  }
  diagnostics_.push_back(std::move(diagnostic));
}

std::vector<Diagnostic> DiagnosticSink::sorted() const {
  std::vector<Diagnostic> result = diagnostics_;
  std::stable_sort(result.begin(), result.end(), [](const Diagnostic& a, const Diagnostic& b) {
    // What has no place comes first; files in the order in which they were read.
    return std::pair(a.span.file, a.span.begin) < std::pair(b.span.file, b.span.begin);
  });
  return result;
}

}  // namespace rlc::diagnostics
