// Places as the protocol counts them: lines from 0, UTF-16 code units from 0. Text stays UTF-8; a
// byte that is no part of a character counts as one unit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/lsp/json.h"

namespace rlc::lsp {

struct Position {
  int64_t line = 0, character = 0;
};

class TextLines {
 public:
  explicit TextLines(std::string_view text);

  size_t count() const { return starts_.size(); }
  uint32_t lineStart(size_t line) const { return starts_[line]; }
  // Without the line's end: "\n", "\r\n" or "\r".
  std::string_view line(std::string_view text, size_t line) const;
  // Clamped to the line, and to the text.
  uint32_t offset(std::string_view text, Position position) const;
  Position position(std::string_view text, uint32_t offset) const;

 private:
  int64_t unitsBefore(std::string_view text, uint32_t offset) const;

  std::vector<uint32_t> starts_;
  // Every so many bytes, at the beginning of a character, the units before it: a line may be as
  // long as a file.
  struct Mark {
    uint32_t offset;
    int64_t units;
  };
  std::vector<Mark> marks_;
};

int utf16Length(std::string_view text);

Position positionOf(const Json& json);  // throws what nlohmann throws where it is none
Json toJson(Position position);
Json rangeJson(std::string_view text, const TextLines& lines, uint32_t begin, uint32_t end);

// file:///a%20b.rl <-> /a b.rl. What is no file URI is its own path, and the other way round where
// a path was made so.
std::string pathOfUri(std::string_view uri);
std::string uriOfPath(std::string_view path);
bool isFileUri(std::string_view uri);
// For comparing: without links and dots where the file exists.
std::string canonicalPath(const std::string& path);

}  // namespace rlc::lsp
