#include "compiler/format/format.h"

#include <future>

#include "compiler/format/same_tree.h"
#include "compiler/syntax/parser.h"

namespace rlc::format {

using diagnostics::DiagnosticSink;
using diagnostics::SourceMap;

Result format(const SourceMap& sources, diagnostics::FileId file, DiagnosticSink& sink) {
  const std::string& before = sources.text(file);
  // The two parses take nearly all the time: they run beside each other.
  auto original =
      std::async(std::launch::async, [&] { return syntax::parse(sources, file, sink); });
  std::string after = layOut(before);
  if (after == before) {
    if (!original.get().complete) return {};
    return {.text = std::move(after)};
  }
  SourceMap copy;
  const diagnostics::FileId copied = copy.add(sources.path(file), after);
  DiagnosticSink ignored;
  const syntax::File laid_out = syntax::parse(copy, copied, ignored);
  const syntax::File parsed = original.get();
  if (!parsed.complete) return {};
  if (!laid_out.complete || !sameFile(parsed, before, laid_out, after))
    return {.text = std::nullopt, .differs = true};
  return {.text = std::move(after)};
}

}  // namespace rlc::format
