#include "compiler/format/diff.h"

#include <algorithm>
#include <vector>

namespace rlc::format {
namespace {

constexpr size_t kContext = 3;
constexpr int kMostEdits = 2000;  // past it, what is left is shown as one change

struct Change {
  size_t before_begin, before_end, after_begin, after_end;  // lines
};

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

using Lines = std::vector<std::string_view>;

// Myers' greedy algorithm (1986), on the lines between the common beginning and the common end.
std::vector<Change> changes(const Lines& a, const Lines& b, size_t begin, size_t a_end,
                            size_t b_end) {
  const int n = static_cast<int>(a_end - begin), m = static_cast<int>(b_end - begin);
  const int most = std::min(n + m, kMostEdits);
  std::vector<std::vector<int>> trace;
  std::vector<int> reach(2 * static_cast<size_t>(most) + 3, 0);
  const int middle = most + 1;
  int edits = 0;
  for (bool done = false; edits <= most; ++edits) {
    for (int k = -edits; k <= edits && !done; k += 2) {
      const bool down =
          k == -edits || (k != edits && reach[middle + k - 1] < reach[middle + k + 1]);
      int x = down ? reach[middle + k + 1] : reach[middle + k - 1] + 1;
      while (x < n && x - k < m && a[begin + x] == b[begin + x - k]) ++x;
      reach[middle + k] = x;
      done = x >= n && x - k >= m;
    }
    if (done) break;
    trace.emplace_back(reach.begin() + middle - edits, reach.begin() + middle + edits + 1);
  }
  if (edits > most) return {{begin, a_end, begin, b_end}};
  std::vector<Change> result;  // backwards
  int x = n, y = m;
  for (int d = edits; d > 0; --d) {
    const std::vector<int>& last = trace[static_cast<size_t>(d) - 1];
    const auto at = [&](int k) { return last[static_cast<size_t>(k + d - 1)]; };
    const int k = x - y;
    const bool down =
        k == -d || (k != d && (k - 1 < -(d - 1) || (k + 1 <= d - 1 && at(k - 1) < at(k + 1))));
    const int from = down ? k + 1 : k - 1;
    const int px = at(from), py = px - from;
    const size_t a0 = begin + static_cast<size_t>(px), b0 = begin + static_cast<size_t>(py);
    const Change change{a0, a0 + (down ? 0 : 1), b0, b0 + (down ? 1 : 0)};
    if (!result.empty() && result.back().before_begin == change.before_end &&
        result.back().after_begin == change.after_end) {
      result.back().before_begin = change.before_begin;
      result.back().after_begin = change.after_begin;
    } else {
      result.push_back(change);
    }
    x = px;
    y = py;
  }
  std::reverse(result.begin(), result.end());
  return result;
}

void appendLines(std::string& out, char mark, const Lines& lines, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) {
    out += mark;
    out += lines[i];
    if (!lines[i].ends_with('\n')) out += "\n\\ No newline at end of file\n";
  }
}

std::string rangeText(size_t begin, size_t end) {
  const size_t count = end - begin;
  const std::string first = std::to_string(count == 0 ? begin : begin + 1);
  return count == 1 ? first : first + "," + std::to_string(count);
}

}  // namespace

std::string unifiedDiff(std::string_view path, std::string_view before, std::string_view after) {
  if (before == after) return "";
  const Lines a = linesOf(before), b = linesOf(after);
  size_t begin = 0, a_end = a.size(), b_end = b.size();
  while (begin < a_end && begin < b_end && a[begin] == b[begin]) ++begin;
  while (a_end > begin && b_end > begin && a[a_end - 1] == b[b_end - 1]) --a_end, --b_end;
  const std::vector<Change> all = changes(a, b, begin, a_end, b_end);
  std::string out = "--- " + std::string(path) + "\n+++ " + std::string(path) + "\n";
  for (size_t i = 0; i < all.size();) {
    size_t last = i;
    while (last + 1 < all.size() &&
           all[last + 1].before_begin - all[last].before_end <= 2 * kContext)
      ++last;
    const size_t lead = std::min(kContext, all[i].before_begin);
    const size_t tail = std::min(kContext, a.size() - all[last].before_end);
    out += "@@ -" + rangeText(all[i].before_begin - lead, all[last].before_end + tail) + " +" +
           rangeText(all[i].after_begin - lead, all[last].after_end + tail) + " @@\n";
    appendLines(out, ' ', a, all[i].before_begin - lead, all[i].before_begin);
    for (size_t j = i; j <= last; ++j) {
      appendLines(out, '-', a, all[j].before_begin, all[j].before_end);
      appendLines(out, '+', b, all[j].after_begin, all[j].after_end);
      const size_t next = j < last ? all[j + 1].before_begin : all[j].before_end + tail;
      appendLines(out, ' ', a, all[j].before_end, next);
    }
    i = last + 1;
  }
  return out;
}

}  // namespace rlc::format
