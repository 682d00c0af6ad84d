#include "tools/repl/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tools/repl/number_text.h"

namespace rlc::repl {

namespace {

struct Bounds {
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  void take(double value) {
    if (!std::isfinite(value)) return;
    lo = std::min(lo, value);
    hi = std::max(hi, value);
  }
  bool empty() const { return lo > hi; }
  // 0 at the low end, 1 at the high end; the middle where there is but one value.
  double position(double value) const { return hi > lo ? value / (hi - lo) - lo / (hi - lo) : 0.5; }
};

std::vector<double> binned(std::span<const double> values, size_t bins) {
  if (values.size() <= bins) return {values.begin(), values.end()};
  std::vector<double> means;
  for (size_t bin = 0; bin < bins; ++bin) {
    const size_t from = bin * values.size() / bins, to = (bin + 1) * values.size() / bins;
    double sum = 0;
    for (size_t i = from; i < to; ++i) sum += values[i];
    means.push_back(sum / static_cast<double>(to - from));
  }
  return means;
}

constexpr char kMarks[] = "*+ox#@%&";

std::string padded(const std::string& text, size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

}  // namespace

std::string sparkline(std::span<const double> values, int width, bool unicode) {
  static constexpr const char* kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static constexpr const char* kAscii[] = {"_", ".", "-", "~", "=", "+", "*", "#"};
  const auto& blocks = unicode ? kBlocks : kAscii;
  const std::vector<double> bins = binned(values, static_cast<size_t>(std::max(width, 1)));
  Bounds bounds;
  for (const double value : bins) bounds.take(value);
  std::string text;
  for (const double value : bins) {
    const int level =
        std::isfinite(value) ? static_cast<int>(std::lround(bounds.position(value) * 7)) : -1;
    text += level < 0 ? " " : blocks[level];
  }
  return text;
}

std::string textPlot(std::span<const Curve> curves, const std::string& xName, int width,
                     int height) {
  Bounds x, y;
  for (const Curve& curve : curves) {
    for (size_t i = 0; i < curve.y.size(); ++i) {
      if (!std::isfinite(curve.y[i])) continue;
      x.take(curve.x[i]);
      y.take(curve.y[i]);
    }
  }
  if (y.empty()) return "there is no finite value to plot\n";
  const std::string top = shortNumber(y.hi), bottom = shortNumber(y.lo);
  const size_t margin = std::max(top.size(), bottom.size());
  const int columns = std::max(10, width - static_cast<int>(margin) - 2),
            rows = std::max(3, height);
  std::vector<std::string> grid(static_cast<size_t>(rows),
                                std::string(static_cast<size_t>(columns), ' '));
  for (size_t c = 0; c < curves.size(); ++c) {
    for (size_t i = 0; i < curves[c].y.size(); ++i) {
      if (!std::isfinite(curves[c].y[i])) continue;
      const auto column =
          static_cast<size_t>(std::lround(x.position(curves[c].x[i]) * (columns - 1)));
      const auto row =
          static_cast<size_t>(std::lround((1 - y.position(curves[c].y[i])) * (rows - 1)));
      grid[row][column] = kMarks[c % (sizeof kMarks - 1)];
    }
  }
  std::string text;
  for (size_t row = 0; row < grid.size(); ++row) {
    const std::string label = row == 0 ? top : row + 1 == grid.size() ? bottom : "";
    while (grid[row].ends_with(' ')) grid[row].pop_back();
    text += padded(label, margin) + " |" + grid[row] + "\n";
  }
  text +=
      std::string(margin + 1, ' ') + "+" + std::string(static_cast<size_t>(columns), '-') + "\n";
  const std::string left = shortNumber(x.lo, 8), right = xName + " = " + shortNumber(x.hi, 8);
  const size_t space = static_cast<size_t>(columns) > left.size() + right.size()
                           ? static_cast<size_t>(columns) - left.size() - right.size()
                           : 1;
  text += std::string(margin + 2, ' ') + left + std::string(space, ' ') + right + "\n";
  if (curves.size() > 1) {
    text += std::string(margin + 2, ' ');
    for (size_t c = 0; c < curves.size(); ++c)
      text +=
          std::string(c > 0 ? "   " : "") + kMarks[c % (sizeof kMarks - 1)] + " " + curves[c].name;
    text += "\n";
  }
  return text;
}

}  // namespace rlc::repl
