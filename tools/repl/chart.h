// Numbers as pictures of characters.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace rlc::repl {

// One row of at most `width` blocks from the smallest value to the largest, "▁▃▅▇"; where there are
// more values than blocks, a block is the mean of its share. A value that is no finite number is
// left blank. `unicode` false: characters of ASCII.
std::string sparkline(std::span<const double> values, int width, bool unicode);

struct Curve {
  std::string name;
  std::vector<double> x, y;  // of equal length
};

// A chart with axes: points of the curves on a grid, "*" for the first, "+" for the second, ...
std::string textPlot(std::span<const Curve> curves, const std::string& xName, int width,
                     int height);

}  // namespace rlc::repl
