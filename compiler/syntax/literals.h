// The values of literal tokens.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/syntax/ast.h"

namespace rlc::syntax {

// nullopt: too large.
std::optional<int64_t> integerValue(std::string_view text);
// nullopt: no f64 is that large. Fills in `FloatLiteral::text` too.
std::optional<FloatLiteral> floatValue(std::string_view text);

struct StringValue {
  std::string value;
  size_t bad_escape = std::string::npos;  // the place of the first one in the token's text
};
// Of a token with its quotation marks; the closing one may be missing.
StringValue stringValue(std::string_view token);

}  // namespace rlc::syntax
