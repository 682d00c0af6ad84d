// The texts that spans point into. Text is kept byte for byte; columns count code points (an
// invalid byte is one).
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diagnostics/span.h"

namespace rlc::diagnostics {

// Both from 1.
struct Position {
  int line = 1;
  int column = 1;
};

class SourceMap {
 public:
  // `path` is what diagnostics show.
  FileId add(std::string path, std::string text);
  // Reads a file; nullopt with `error` set ("no such file") where it can't.
  std::optional<FileId> load(const std::string& path, std::string& error);
  // A file already there under this path.
  std::optional<FileId> find(std::string_view path) const;

  int size() const { return static_cast<int>(files_.size()); }
  const std::string& path(FileId file) const;
  const std::string& text(FileId file) const;
  bool isLoaded(FileId file) const;        // by load
  std::string_view text(Span span) const;  // clamped to the file

  Position position(FileId file, uint32_t offset) const;
  Position begin(Span span) const { return position(span.file, span.begin); }
  Position end(Span span) const { return position(span.file, span.end); }
  // The byte at which a line begins (line from 1; past the end: the text's size).
  uint32_t lineStart(FileId file, int line) const;
  // Without its line break.
  std::string_view lineText(FileId file, int line) const;
  int lineCount(FileId file) const;
  // The byte offset of a position, clamped to its line: for language servers.
  uint32_t offset(FileId file, Position position) const;

 private:
  struct File {
    std::string path, text;
    std::vector<uint32_t> line_starts;
    bool isLoaded = false;
  };
  const File& file(FileId id) const;
  std::deque<File> files_;
};

}  // namespace rlc::diagnostics
