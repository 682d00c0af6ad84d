// The value of an expression over its domain, for people.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/repl/array_text.h"
#include "tools/repl/chart.h"
#include "tools/repl/recording.h"

namespace rlc::repl {

struct ShowStyle {
  ArrayStyle array;
  bool unicode = true;  // of sparklines
};

// A scalar alone; `f32[4] over t in 0..3` and the array where the points fill a box; else a line a
// point (`label[t=0] = ...`), the middle of many elided. One-dimensional numbers have a sparkline.
// Ends with a line break.
std::string resultText(const Recording& result, const std::string& label, const ShowStyle& style);

// One curve for each number of the value, over the last index (or its one axis); `problem` says why
// there is none. `xName`: what is drawn along.
std::vector<Curve> curvesOf(const Recording& result, std::string& xName, std::string& problem);

}  // namespace rlc::repl
