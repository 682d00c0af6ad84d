#include "tools/repl/result.h"

#include <algorithm>

#include "jit/runtime/format.h"
#include "jit/runtime/sinks.h"
#include "tools/output.h"

namespace rlc::repl {

using runtime::ShownValue;

namespace {

constexpr size_t kMostLines = 24, kFirstLines = 12, kLastLines = 6;  // of points that fill no box
constexpr int64_t kShortestSpark = 5, kSparkWidth = 60;
constexpr size_t kMostCurves = 8;

// The values of one leaf of the tree, point by point.
struct Leaf {
  std::string path;  // "x" of a record, "0" of a tuple
  std::vector<const DenseTensor*> values;
};

void addLeaves(std::vector<Leaf>& leaves, size_t& next, const std::string& path,
               const ShownValue& value) {
  const auto inner = [&](const std::string& name) {
    return path.empty() ? name : path + "." + name;
  };
  if (const auto* tensor = std::get_if<DenseTensor>(&value.node)) {
    if (next == leaves.size()) leaves.push_back({path, {}});
    leaves[next++].values.push_back(tensor);
  } else if (const auto* fields = std::get_if<1>(&value.node)) {
    for (const auto& [name, field] : *fields) addLeaves(leaves, next, inner(name), field);
  } else {
    const auto& parts = std::get<2>(value.node);
    for (size_t i = 0; i < parts.size(); ++i)
      addLeaves(leaves, next, inner(std::to_string(i)), parts[i]);
  }
}

std::vector<Leaf> leavesOf(const Recording& result) {
  std::vector<Leaf> leaves;
  for (const Recording::Line& line : result.lines()) {
    size_t next = 0;
    addLeaves(leaves, next, "", line.value);
  }
  return leaves;
}

struct Axis {
  std::string name;
  int64_t lo = 0, extent = 0;
};

// The ranges of the points where they fill a box; they come in lexicographic order.
std::optional<std::vector<Axis>> boxOf(const Recording& result) {
  std::vector<Axis> axes;
  const auto& first = result.lines().front().index;
  const auto& last = result.lines().back().index;
  size_t points = 1;
  for (size_t i = 0; i < first.size(); ++i) {
    if (last[i].second < first[i].second) return std::nullopt;
    axes.push_back({first[i].first, first[i].second, last[i].second - first[i].second + 1});
    points *= static_cast<size_t>(axes.back().extent);
    if (points > result.lines().size()) return std::nullopt;
  }
  if (points != result.lines().size()) return std::nullopt;
  size_t number = 0;
  for (const Recording::Line& line : result.lines()) {
    size_t rest = number++;
    for (size_t i = axes.size(); i-- > 0; rest /= static_cast<size_t>(axes[i].extent)) {
      const auto at = static_cast<int64_t>(rest % static_cast<size_t>(axes[i].extent));
      if (line.index[i].second != axes[i].lo + at) return std::nullopt;
    }
  }
  return axes;
}

bool uniform(const Leaf& leaf) {
  return std::all_of(leaf.values.begin(), leaf.values.end(), [&](const DenseTensor* value) {
    return value->shape == leaf.values.front()->shape;
  });
}

std::string typeText(const DenseTensor& tensor) {
  std::string text(name(tensor.type));
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    text += (i == 0 ? "[" : ", ") + std::to_string(tensor.shape[i]);
  return text + (tensor.shape.empty() ? "" : "]");
}

std::string axesText(const std::vector<Axis>& axes) {
  std::string text;
  for (const Axis& axis : axes)
    text += (text.empty() ? " over " : ", ") + runtime::positionName(axis.name) + " in " +
            std::to_string(axis.lo) + ".." + std::to_string(axis.lo + axis.extent);
  return text;
}

DenseTensor joined(const Leaf& leaf, const std::vector<Axis>& axes) {
  DenseTensor all;
  all.type = leaf.values.front()->type;
  for (const Axis& axis : axes) all.shape.push_back(axis.extent);
  const auto& inner = leaf.values.front()->shape;
  all.shape.insert(all.shape.end(), inner.begin(), inner.end());
  for (const DenseTensor* value : leaf.values)
    all.elements.insert(all.elements.end(), value->elements.begin(), value->elements.end());
  return all;
}

std::vector<double> numbersOf(const DenseTensor& tensor) {
  std::vector<double> numbers;
  for (const Scalar& element : tensor.elements) numbers.push_back(element.asDouble());
  return numbers;
}

std::string valueText(const ShownValue& value) {
  std::string text;
  runtime::appendValue(text, tools::writable(value), runtime::Notation::Text);
  return text;
}

std::string leafText(const Leaf& leaf, const std::vector<Axis>& axes, const ShowStyle& style) {
  const DenseTensor all = joined(leaf, axes);
  if (all.shape.empty()) return leaf.path + " = " + valueText(ShownValue{all}) + "\n";
  std::string text = leaf.path.empty() ? "" : leaf.path + ": ";
  text +=
      typeText(*leaf.values.front()) + axesText(axes) + "\n" + arrayText(all, style.array) + "\n";
  if (all.shape.size() == 1 && all.shape[0] >= kShortestSpark && all.type != DType::Bool) {
    const std::string line = sparkline(numbersOf(all), kSparkWidth, style.unicode);
    text += line + "\n";
  }
  return text;
}

std::string pointLine(const std::string& label, const Recording::Line& line) {
  std::string text = label;
  for (size_t i = 0; i < line.index.size(); ++i)
    text += (i == 0 ? "[" : ", ") + line.index[i].first + (line.index[i].first.empty() ? "" : "=") +
            std::to_string(line.index[i].second);
  return text + (line.index.empty() ? "" : "]") + " = " + valueText(line.value) + "\n";
}

std::string pointLines(const Recording& result, const std::string& label) {
  const auto& lines = result.lines();
  const bool elided = lines.size() > kMostLines;
  std::string text;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (elided && i == kFirstLines) {
      const size_t hidden = lines.size() - kFirstLines - kLastLines;
      text += "... " + std::to_string(hidden) + " more\n";
      i += hidden;
    }
    text += pointLine(label, lines[i]);
  }
  return text;
}

}  // namespace

std::string resultText(const Recording& result, const std::string& label, const ShowStyle& style) {
  if (result.lines().empty()) return "no points\n";
  const std::vector<Leaf> leaves = leavesOf(result);
  const bool scalars = std::all_of(leaves.begin(), leaves.end(), [](const Leaf& leaf) {
    return leaf.values.front()->shape.empty();
  });
  if (result.lines().front().index.empty() && scalars)
    return valueText(result.lines().front().value) + "\n";
  const auto box = boxOf(result);
  if (!box || !std::all_of(leaves.begin(), leaves.end(), uniform)) return pointLines(result, label);
  std::string text;
  for (const Leaf& leaf : leaves) text += leafText(leaf, *box, style);
  return text;
}

std::vector<Curve> curvesOf(const Recording& result, std::string& xName, std::string& problem) {
  problem = "there is nothing to plot";
  if (result.lines().empty()) return {};
  const std::vector<Leaf> leaves = leavesOf(result);
  const auto box = boxOf(result);
  problem = "the points do not fill a box: plot a part of them";
  if (!box || !std::all_of(leaves.begin(), leaves.end(), uniform)) return {};
  std::vector<Curve> curves;
  problem = "a plot needs an index or an axis";
  for (const Leaf& leaf : leaves) {
    const DenseTensor all = joined(leaf, *box);
    if (all.shape.empty()) return {};
    // Along the innermost index; the elements of a vector are curves of their own. Without indices,
    // along the last axis.
    const bool indexed = !box->empty();
    const size_t along = indexed ? box->size() - 1 : all.shape.size() - 1;
    const int64_t lo = indexed ? box->back().lo : 0;
    xName = indexed ? box->back().name : "position";
    int64_t outer = 1, inner = 1;
    for (size_t i = 0; i < along; ++i) outer *= all.shape[i];
    for (size_t i = along + 1; i < all.shape.size(); ++i) inner *= all.shape[i];
    const int64_t n = all.shape[along];
    for (int64_t a = 0; a < outer; ++a) {
      for (int64_t e = 0; e < inner; ++e) {
        Curve curve;
        curve.name = leaf.path;
        if (outer * inner > 1) curve.name += "#" + std::to_string(a * inner + e);
        for (int64_t i = 0; i < n; ++i) {
          curve.x.push_back(static_cast<double>(lo + i));
          curve.y.push_back(all.elements[static_cast<size_t>((a * n + i) * inner + e)].asDouble());
        }
        curves.push_back(std::move(curve));
        problem = "these are more than " + std::to_string(kMostCurves) +
                  " curves: plot some of them, or their mean";
        if (curves.size() > kMostCurves) return {};
      }
    }
  }
  problem.clear();
  return curves;
}

}  // namespace rlc::repl
