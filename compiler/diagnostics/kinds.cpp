#include "compiler/diagnostics/kinds.h"

#include <array>
#include <cctype>

#include "compiler/diagnostics/internal_error.h"

namespace rlc::diagnostics {
namespace {

constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == '\n') text.remove_prefix(1);
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return text;
}

constexpr KindInfo kKinds[] = {
#define RLC_DIAGNOSTIC(name, code, title, explanation) \
  {Kind::name, #name, #code, title, trimmed(explanation)},
#include "compiler/diagnostics/kinds/all.inc"
#undef RLC_DIAGNOSTIC
};

}  // namespace

std::span<const KindInfo> allKinds() { return kKinds; }

const KindInfo& info(Kind kind) {
  const auto index = static_cast<size_t>(kind);
  if (index >= std::size(kKinds)) throw InternalError("undeclared kind of diagnostic");
  return kKinds[index];
}

std::optional<Kind> kindOfCode(std::string_view code) {
  for (const KindInfo& entry : kKinds) {
    if (entry.code.size() != code.size()) continue;
    bool same = true;
    for (size_t i = 0; i < code.size(); ++i) {
      same = same && std::toupper(static_cast<unsigned char>(code[i])) == entry.code[i];
    }
    if (same) return entry.kind;
  }
  return std::nullopt;
}

}  // namespace rlc::diagnostics
