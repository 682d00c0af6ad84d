#include "tools/repl/array_text.h"

#include <algorithm>

#include "tools/repl/number_text.h"

namespace rlc::repl {

namespace {

class ArrayPrinter {
 public:
  ArrayPrinter(const DenseTensor& tensor, const ArrayStyle& style)
      : tensor_(tensor),
        style_(style),
        elided_(static_cast<int64_t>(tensor.elements.size()) > style.inFull) {}

  std::string run() {
    // Only what is shown decides on the columns.
    std::vector<Scalar> shown;
    collect(0, 0, [&](size_t at) { shown.push_back(tensor_.elements[at]); });
    texts_ = numberTexts(shown);
    return print(0, 0, 0);
  }

 private:
  size_t rank() const { return tensor_.shape.size(); }
  int64_t extent(size_t axis) const { return tensor_.shape[axis]; }
  // Where the gap begins and ends; no gap: both at the end.
  std::pair<int64_t, int64_t> gap(size_t axis) const {
    const int64_t n = extent(axis);
    if (!elided_ || n <= 2 * style_.edge) return {n, n};
    return {style_.edge, n - style_.edge};
  }
  size_t offset(size_t axis, size_t base, int64_t i) const {
    return base * static_cast<size_t>(extent(axis)) + static_cast<size_t>(i);
  }

  template <typename Visit>
  void collect(size_t axis, size_t base, const Visit& visit) const {
    if (axis == rank()) return visit(base);
    const auto [from, to] = gap(axis);
    for (int64_t i = 0; i < extent(axis); i = i + 1 == from ? to : i + 1)
      collect(axis + 1, offset(axis, base, i), visit);
  }

  std::string print(size_t axis, size_t base, size_t column) {
    if (axis == rank()) return texts_[next_++];
    if (extent(axis) == 0) return "[]";
    return axis + 1 == rank() ? row(axis, base, column) : rows(axis, base, column);
  }

  std::string row(size_t axis, size_t base, size_t column) {
    const auto [from, to] = gap(axis);
    std::string text = "[";
    size_t at = column + 1;
    const auto put = [&](const std::string& word) {
      const bool first = text.size() == 1;
      // One column for the bracket at the end of it all.
      if (!first && at + 1 + word.size() + 1 > style_.width) {
        while (text.ends_with(' ')) text.pop_back();
        text += "\n" + std::string(column + 1, ' ');
        at = column + 1;
      } else if (!first) {
        text += ' ';
        ++at;
      }
      text += word;
      at += word.size();
    };
    for (int64_t i = 0; i < extent(axis); ++i) {
      if (i == from && from < to) {
        put("...");
        i = to - 1;
        continue;
      }
      put(print(axis + 1, offset(axis, base, i), at));
    }
    return text + "]";
  }

  std::string rows(size_t axis, size_t base, size_t column) {
    const auto [from, to] = gap(axis);
    const std::string between = std::string(rank() - axis - 1, '\n') + std::string(column + 1, ' ');
    std::string text = "[";
    for (int64_t i = 0; i < extent(axis); ++i) {
      if (i > 0) text += between;
      if (i == from && from < to) {
        text += "...";
        i = to - 1;
        continue;
      }
      text += print(axis + 1, offset(axis, base, i), column + 1);
    }
    return text + "]";
  }

  const DenseTensor& tensor_;
  const ArrayStyle& style_;
  const bool elided_;
  std::vector<std::string> texts_;
  size_t next_ = 0;
};

}  // namespace

std::string arrayText(const DenseTensor& tensor, const ArrayStyle& style) {
  return ArrayPrinter(tensor, style).run();
}

}  // namespace rlc::repl
