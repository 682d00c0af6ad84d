#include "compiler/diagnostics/excerpt.h"

#include <algorithm>
#include <vector>

#include "compiler/diagnostics/utf8.h"

namespace rlc::diagnostics {
namespace {

constexpr int kTabWidth = 4;
constexpr std::string_view kCut = "...";

// One character of the source as shown.
struct Cell {
  std::string text;
  int width = 1;
  uint32_t offset = 0;  // in the line
};

Cell cellOf(const CodePoint& point, uint32_t offset) {
  if (point.value == '\t') return {std::string(kTabWidth, ' '), kTabWidth, offset};
  Cell cell{"", displayWidth(point.value), offset};
  constexpr char32_t kControlPictures = 0x2400;
  appendUtf8(cell.text, point.value < 0x20 ? kControlPictures + point.value : point.value);
  return cell;
}

}  // namespace

Excerpt excerpt(const SourceMap& sources, Span span, int width) {
  const std::string& text = sources.text(span.file);
  const std::string_view line = sources.lineText(span.file, sources.begin(span).line);
  const auto line_start = static_cast<uint32_t>(line.data() - text.data());
  const uint32_t begin = span.begin < line_start ? 0 : span.begin - line_start;
  const uint32_t end = std::max(begin + 1, span.end < line_start ? 0 : span.end - line_start);

  // Only the neighbourhood of the carets is decoded: a line may have megabytes.
  const auto reach = static_cast<uint32_t>(4 * std::max(width, 20));
  uint32_t at = begin > reach ? begin - reach : 0;
  const bool cut_before = at > 0;
  while (at > 0 && at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80) ++at;
  std::vector<Cell> cells;
  for (; at < line.size() && at < begin + reach;) {
    const CodePoint point = decodeUtf8(line, at);
    cells.push_back(cellOf(point, at));
    at += point.length;
  }
  const bool cut_after = at < line.size();

  size_t first = 0, last = cells.size();
  const auto total = [&] {
    int sum = 0;
    for (size_t i = first; i < last; ++i) sum += cells[i].width;
    return sum;
  };
  int shown = total();
  const auto caret_cell =
      static_cast<size_t>(std::find_if(cells.begin(), cells.end(),
                                       [&](const Cell& cell) { return cell.offset >= begin; }) -
                          cells.begin());
  const int room = std::max(width, 20) - 2 * static_cast<int>(kCut.size());
  if (shown > std::max(width, 20) || cut_before || cut_after) {
    // A third of the room goes to what stands before the carets.
    int before = 0;
    first = std::min(caret_cell, cells.size());
    while (first > 0 && before + cells[first - 1].width <= room / 3) before += cells[--first].width;
    last = first;
    shown = 0;
    while (last < cells.size() && shown + cells[last].width <= room) shown += cells[last++].width;
    while (first > 0 && shown + cells[first - 1].width <= room) shown += cells[--first].width;
  }

  Excerpt result;
  if (first > 0 || cut_before) result.line += kCut;
  int column = static_cast<int>(result.line.size());
  result.caret_width = 0;
  result.caret_begin = -1;
  for (size_t i = first; i < last; ++i) {
    if (cells[i].offset >= begin && result.caret_begin < 0) result.caret_begin = column;
    if (cells[i].offset >= begin && cells[i].offset < end) result.caret_width += cells[i].width;
    result.line += cells[i].text;
    column += cells[i].width;
  }
  if (result.caret_begin < 0) result.caret_begin = column;
  if (last < cells.size() || cut_after) result.line += kCut;
  result.caret_width = std::max(result.caret_width, 1);
  while (result.line.ends_with(' ')) result.line.pop_back();
  return result;
}

}  // namespace rlc::diagnostics
