#include "compiler/diagnostics/source_map.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/diagnostics/utf8.h"

namespace rlc::diagnostics {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

FileId SourceMap::add(std::string path, std::string text) {
  if (text.size() >= UINT32_MAX) text.resize(UINT32_MAX - 1);
  std::vector<uint32_t> starts{0};
  for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
    starts.push_back(static_cast<uint32_t>(at + 1));
  }
  files_.push_back({std::move(path), std::move(text), std::move(starts), false});
  return size() - 1;
}

std::optional<FileId> SourceMap::load(const std::string& path, std::string& error) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) {
    error = "it is a folder";
    return std::nullopt;
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in) {
    error = errno != 0 ? std::strerror(errno) : "it can't be opened";
    return std::nullopt;
  }
  // An empty file makes `<<` fail though nothing is wrong.
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (in.bad()) {
    error = "it can't be read";
    return std::nullopt;
  }
  const FileId file = add(path, std::move(text).str());
  files_.back().isLoaded = true;
  return file;
}

std::optional<FileId> SourceMap::find(std::string_view path) const {
  for (FileId id = 0; id < size(); ++id) {
    if (files_[static_cast<size_t>(id)].path == path) return id;
  }
  return std::nullopt;
}

const SourceMap::File& SourceMap::file(FileId id) const {
  if (id < 0 || id >= size()) throw InternalError("no such source file");
  return files_[static_cast<size_t>(id)];
}

const std::string& SourceMap::path(FileId id) const { return file(id).path; }
bool SourceMap::isLoaded(FileId id) const { return file(id).isLoaded; }
const std::string& SourceMap::text(FileId id) const { return file(id).text; }

std::string_view SourceMap::text(Span span) const {
  const std::string& whole = file(span.file).text;
  const size_t begin = std::min<size_t>(span.begin, whole.size());
  const size_t end = std::clamp<size_t>(span.end, begin, whole.size());
  return std::string_view(whole).substr(begin, end - begin);
}

Position SourceMap::position(FileId id, uint32_t offset) const {
  const File& source = file(id);
  const auto& starts = source.line_starts;
  offset = std::min(offset, static_cast<uint32_t>(source.text.size()));
  const auto after = std::upper_bound(starts.begin(), starts.end(), offset);
  const int line = static_cast<int>(after - starts.begin());
  uint32_t at = starts[static_cast<size_t>(line - 1)];
  if (at == 0 && source.text.starts_with(kByteOrderMark)) at = kByteOrderMark.size();
  int column = 1;
  while (at < offset) {
    at += decodeUtf8(source.text, at).length;
    if (at <= offset) ++column;  // an offset within a character is that character's
  }
  return {line, column};
}

uint32_t SourceMap::lineStart(FileId id, int line) const {
  const File& source = file(id);
  if (line < 1) return 0;
  if (line > static_cast<int>(source.line_starts.size()))
    return static_cast<uint32_t>(source.text.size());
  return source.line_starts[static_cast<size_t>(line - 1)];
}

std::string_view SourceMap::lineText(FileId id, int line) const {
  const uint32_t begin = lineStart(id, line), end = lineStart(id, line + 1);
  std::string_view text = std::string_view(file(id).text).substr(begin, end - begin);
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (begin == 0 && text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

int SourceMap::lineCount(FileId id) const { return static_cast<int>(file(id).line_starts.size()); }

uint32_t SourceMap::offset(FileId id, Position position) const {
  const std::string& text = file(id).text;
  const std::string_view line = lineText(id, position.line);
  uint32_t at = position.line < 1 ? 0 : static_cast<uint32_t>(line.data() - text.data());
  const uint32_t end = at + static_cast<uint32_t>(line.size());
  for (int column = 1; column < position.column && at < end; ++column)
    at += decodeUtf8(text, at).length;
  return std::min(at, end);
}

}  // namespace rlc::diagnostics
