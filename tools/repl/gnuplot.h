// Charts in files, drawn by gnuplot.
#pragma once

#include <span>
#include <string>

#include "tools/repl/chart.h"

namespace rlc::repl {

// Why there can be no charts in files here; "": there can.
std::string plotterProblem();

// An .svg or .png file; "" or what went wrong.
std::string plotToFile(std::span<const Curve> curves, const std::string& xName,
                       const std::string& title, const std::string& path);

}  // namespace rlc::repl
