// Every kind of diagnostic is declared once, in kinds/<area>.inc:
//   RLC_DIAGNOSTIC(UnknownName, E0101, "unknown name", R"(long explanation with an example)")
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace rlc::diagnostics {

enum class Kind {
#define RLC_DIAGNOSTIC(name, code, title, explanation) name,
#include "compiler/diagnostics/kinds/all.inc"
#undef RLC_DIAGNOSTIC
};

struct KindInfo {
  Kind kind;
  std::string_view name;         // UnknownName
  std::string_view code;         // E0101
  std::string_view title;        // a few words, lower case
  std::string_view explanation;  // for `rlc explain E0101`
};

std::span<const KindInfo> allKinds();  // in order of declaration
const KindInfo& info(Kind kind);
std::optional<Kind> kindOfCode(std::string_view code);  // "E0101" or "e0101"

}  // namespace rlc::diagnostics
