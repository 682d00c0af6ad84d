#include "compiler/diagnostics/utf8.h"

namespace rlc::diagnostics {

CodePoint decodeUtf8(std::string_view text, size_t offset) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const CodePoint invalid{kReplacement, 1, false};
  const unsigned char first = byte(offset);
  if (first < 0x80) return {first, 1, true};
  uint32_t length = 0;
  char32_t value = 0, least = 0;
  if ((first & 0xE0) == 0xC0) {
    length = 2, value = first & 0x1F, least = 0x80;
  } else if ((first & 0xF0) == 0xE0) {
    length = 3, value = first & 0x0F, least = 0x800;
  } else if ((first & 0xF8) == 0xF0) {
    length = 4, value = first & 0x07, least = 0x10000;
  } else {
    return invalid;
  }
  if (offset + length > text.size()) return invalid;
  for (uint32_t i = 1; i < length; ++i) {
    if ((byte(offset + i) & 0xC0) != 0x80) return invalid;
    value = (value << 6) | (byte(offset + i) & 0x3F);
  }
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < least || value > 0x10FFFF || surrogate) return invalid;
  return {value, length, true};
}

void appendUtf8(std::string& out, char32_t value) {
  if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) value = kReplacement;
  if (value < 0x80) {
    out += static_cast<char>(value);
  } else if (value < 0x800) {
    out += static_cast<char>(0xC0 | (value >> 6));
    out += static_cast<char>(0x80 | (value & 0x3F));
  } else if (value < 0x10000) {
    out += static_cast<char>(0xE0 | (value >> 12));
    out += static_cast<char>(0x80 | ((value >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (value & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (value >> 18));
    out += static_cast<char>(0x80 | ((value >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((value >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (value & 0x3F));
  }
}

int displayWidth(char32_t value) {
  const auto in = [value](char32_t lo, char32_t hi) { return value >= lo && value <= hi; };
  if (in(0x300, 0x36F) || in(0x200B, 0x200F) || in(0x20D0, 0x20FF) || in(0xFE00, 0xFE0F)) return 0;
  const bool wide = in(0x1100, 0x115F) || in(0x2E80, 0x303E) || in(0x3041, 0xA4CF) ||
                    in(0xAC00, 0xD7A3) || in(0xF900, 0xFAFF) || in(0xFE30, 0xFE6F) ||
                    in(0xFF00, 0xFF60) || in(0xFFE0, 0xFFE6) || in(0x1F300, 0x1F64F) ||
                    in(0x1F900, 0x1F9FF) || in(0x20000, 0x3FFFD);
  return wide ? 2 : 1;
}

}  // namespace rlc::diagnostics
