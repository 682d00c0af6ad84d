#include "compiler/syntax/literals.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "compiler/diagnostics/utf8.h"

namespace rlc::syntax {
namespace {

std::string withoutUnderscores(std::string_view text) {
  std::string digits(text);
  digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
  return digits;
}

// `\u{3b8}` at `text`, which begins behind `\u`: its length, or 0.
size_t codePointEscape(std::string_view text, std::string& out) {
  const size_t end = text.find('}');
  if (!text.starts_with('{') || end == std::string_view::npos || end < 2 || end > 7) return 0;
  uint32_t value = 0;
  const auto parsed = std::from_chars(text.data() + 1, text.data() + end, value, 16);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + end || value > 0x10FFFF) return 0;
  diagnostics::appendUtf8(out, value);
  return end + 1;
}

}  // namespace

std::optional<int64_t> integerValue(std::string_view text) {
  const std::string digits = withoutUnderscores(text);
  int64_t value = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (parsed.ec == std::errc::result_out_of_range) return std::nullopt;
  return value;
}

std::optional<FloatLiteral> floatValue(std::string_view text) {
  FloatLiteral literal{0, withoutUnderscores(text)};
  const auto parsed = std::from_chars(literal.text.data(),
                                      literal.text.data() + literal.text.size(), literal.value);
  // Too small for an f64 is 0 or the nearest subnormal; only too large is an error.
  if (parsed.ec == std::errc::result_out_of_range)
    literal.value = std::strtod(literal.text.c_str(), nullptr);
  if (std::isinf(literal.value)) return std::nullopt;
  return literal;
}

StringValue stringValue(std::string_view token) {
  StringValue result;
  size_t end = token.size();
  if (end >= 2 && token.back() == '"') --end;
  for (size_t i = 1; i < end; ++i) {
    if (token[i] != '\\' || i + 1 >= end) {
      result.value += token[i];
      continue;
    }
    const size_t escape = i++;
    switch (token[i]) {
      case 'n':
        result.value += '\n';
        break;
      case 't':
        result.value += '\t';
        break;
      case 'r':
        result.value += '\r';
        break;
      case '0':
        result.value += '\0';
        break;
      case '\\':
        result.value += '\\';
        break;
      case '"':
        result.value += '"';
        break;
      case 'u':
        if (const size_t length = codePointEscape(token.substr(i + 1, end - i - 1), result.value);
            length > 0) {
          i += length;
          break;
        }
        [[fallthrough]];
      default:
        result.bad_escape = std::min(result.bad_escape, escape);
        result.value += token[i];
    }
  }
  return result;
}

}  // namespace rlc::syntax
