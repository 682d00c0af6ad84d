#include "compiler/diagnostics/nearest.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "compiler/diagnostics/utf8.h"

namespace rlc::diagnostics {
namespace {

std::u32string folded(std::string_view text) {
  std::u32string result;
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = decodeUtf8(text, at);
    result += point.value < 0x80
                  ? static_cast<char32_t>(std::tolower(static_cast<int>(point.value)))
                  : point.value;
    at += point.length;
  }
  return result;
}

// Whether texts of `points` and of `bytes` (a code point has one to four) may be `limit` edits
// apart.
bool mayBeNear(size_t points, size_t bytes, int limit) {
  const auto apart = static_cast<size_t>(limit);
  return bytes + apart >= points && bytes <= 4 * (points + apart);
}

int distanceOfFolded(const std::u32string& a, const std::u32string& b, int limit) {
  const auto size_difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (size_difference > static_cast<size_t>(limit)) return limit + 1;
  std::vector<int> before(b.size() + 1), previous(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) previous[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    int least = row[0];
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit) return limit + 1;
    std::swap(before, previous);
    std::swap(previous, row);
  }
  return std::min(previous[b.size()], limit + 1);
}

}  // namespace

int editDistance(std::string_view a, std::string_view b, int limit) {
  return distanceOfFolded(folded(a), folded(b), limit);
}

std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates) {
  // A third of the name may be wrong; of names of one or two letters, only the case.
  const std::u32string wanted = folded(name);
  const auto length = static_cast<int>(wanted.size());
  int best = length <= 2 ? 0 : std::max(1, length / 3);
  std::optional<std::string> result;
  for (const std::string& candidate : candidates) {
    if (candidate == name || !mayBeNear(wanted.size(), candidate.size(), best)) continue;
    const int distance = distanceOfFolded(wanted, folded(candidate), best);
    if (distance > best || (result && distance == best)) continue;
    best = distance;
    result = candidate;
  }
  return result;
}

std::string didYouMean(std::string_view name, std::span<const std::string> candidates) {
  const auto found = nearest(name, candidates);
  return found ? "did you mean `" + *found + "`?" : "";
}

std::string orWhatItHas(std::string_view name, std::span<const std::string> candidates) {
  constexpr size_t kMost = 12;
  std::string hint = didYouMean(name, candidates);
  if (!hint.empty() || candidates.empty()) return hint;
  hint = "it has ";
  const size_t shown = std::min(candidates.size(), kMost);
  for (size_t k = 0; k < shown; ++k) {
    if (k > 0) hint += k + 1 < candidates.size() ? ", " : " and ";
    hint += "`" + candidates[k] + "`";
  }
  if (shown < candidates.size())
    hint += " and " + std::to_string(candidates.size() - shown) + " more";
  return hint;
}

}  // namespace rlc::diagnostics
