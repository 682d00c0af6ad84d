#include "tools/lsp/text.h"

#include <algorithm>
#include <filesystem>

#include "compiler/diagnostics/utf8.h"

namespace rlc::lsp {

namespace {

constexpr size_t kMarkEvery = 512;

}  // namespace

TextLines::TextLines(std::string_view text) {
  int64_t units = 0;
  for (size_t i = 0, next = 0; i < text.size();) {
    if (i >= next) {
      marks_.push_back({static_cast<uint32_t>(i), units});
      next = i + kMarkEvery;
    }
    const auto point = diagnostics::decodeUtf8(text, i);
    units += point.value > 0xFFFF ? 2 : 1;
    i += point.length;
  }
  starts_.push_back(0);
  for (size_t i = 0; i < text.size(); ++i) {
    const bool ends =
        text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
    if (ends) starts_.push_back(static_cast<uint32_t>(i + 1));
  }
}

std::string_view TextLines::line(std::string_view text, size_t line) const {
  if (line >= starts_.size()) return {};
  const size_t end = line + 1 < starts_.size() ? starts_[line + 1] : text.size();
  std::string_view result = text.substr(starts_[line], end - starts_[line]);
  if (line + 1 < starts_.size()) {
    if (result.ends_with('\n')) result.remove_suffix(1);
    if (result.ends_with('\r')) result.remove_suffix(1);
  }
  return result;
}

uint32_t TextLines::offset(std::string_view text, Position position) const {
  if (position.line < 0) return 0;
  if (position.line >= static_cast<int64_t>(starts_.size()))
    return static_cast<uint32_t>(text.size());
  const auto number = static_cast<size_t>(position.line);
  const std::string_view content = line(text, number);
  int64_t units = 0;
  size_t i = 0;
  while (i < content.size()) {
    const auto point = diagnostics::decodeUtf8(content, i);
    const int width = point.value > 0xFFFF ? 2 : 1;
    if (units + width > position.character) break;
    units += width;
    i += point.length;
  }
  return starts_[number] + static_cast<uint32_t>(i);
}

Position TextLines::position(std::string_view text, uint32_t offset) const {
  offset = std::min(offset, static_cast<uint32_t>(text.size()));
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto number = static_cast<size_t>(after - starts_.begin()) - 1;
  return {static_cast<int64_t>(number),
          unitsBefore(text, offset) - unitsBefore(text, starts_[number])};
}

int64_t TextLines::unitsBefore(std::string_view text, uint32_t offset) const {
  auto mark = std::upper_bound(marks_.begin(), marks_.end(), offset,
                               [](uint32_t at, const Mark& each) { return at < each.offset; });
  if (mark == marks_.begin()) return 0;
  --mark;
  return mark->units + utf16Length(text.substr(mark->offset, offset - mark->offset));
}

int utf16Length(std::string_view text) {
  int units = 0;
  for (size_t i = 0; i < text.size();) {
    const auto point = diagnostics::decodeUtf8(text, i);
    units += point.value > 0xFFFF ? 2 : 1;
    i += point.length;
  }
  return units;
}

Position positionOf(const Json& json) {
  return {json.at("line").get<int64_t>(), json.at("character").get<int64_t>()};
}

Json toJson(Position position) {
  return {{"line", position.line}, {"character", position.character}};
}

Json rangeJson(std::string_view text, const TextLines& lines, uint32_t begin, uint32_t end) {
  return {{"start", toJson(lines.position(text, begin))},
          {"end", toJson(lines.position(text, std::max(begin, end)))}};
}

bool isFileUri(std::string_view uri) { return uri.starts_with("file://"); }

std::string pathOfUri(std::string_view uri) {
  if (!isFileUri(uri)) return std::string(uri);
  uri.remove_prefix(7);
  // A host is left out: file://localhost/a.
  if (const size_t slash = uri.find('/'); slash != std::string_view::npos) uri.remove_prefix(slash);
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  std::string path;
  for (size_t i = 0; i < uri.size(); ++i) {
    const bool escape =
        uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0;
    if (!escape) {
      path += uri[i];
      continue;
    }
    path += static_cast<char>(digit(uri[i + 1]) * 16 + digit(uri[i + 2]));
    i += 2;
  }
  return path;
}

std::string uriOfPath(std::string_view path) {
  if (!path.starts_with('/')) return std::string(path);
  static constexpr std::string_view kHex = "0123456789ABCDEF", kPlain = "/-._~";
  std::string uri = "file://";
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       kPlain.find(c) != std::string_view::npos;
    const auto byte = static_cast<unsigned char>(c);
    if (plain)
      uri += c;
    else
      uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return uri;
}

std::string canonicalPath(const std::string& path) {
  if (path.find('\0') != std::string::npos) return path;
  std::error_code error;
  std::string result = std::filesystem::weakly_canonical(path, error).string();
  return error || result.empty() ? path : result;
}

}  // namespace rlc::lsp
