// UTF-8, tolerant: a byte that begins no valid sequence counts as one replacement character.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rlc::diagnostics {

inline constexpr char32_t kReplacement = 0xFFFD;

struct CodePoint {
  char32_t value = 0;
  uint32_t length = 1;  // bytes
  bool valid = true;
};

CodePoint decodeUtf8(std::string_view text, size_t offset);  // offset < text.size()
void appendUtf8(std::string& out, char32_t value);
int displayWidth(char32_t value);  // columns of a terminal: 0, 1 or 2

}  // namespace rlc::diagnostics
