// docs/learning.md: the table of what the algorithms learn, and their curves.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/learning/results.h"
#include "tools/learning/row.h"

namespace rlc::tools {

// Rows without results say that they are not measured. Curves are links to learning/NAME.svg.
std::string learningPage(
    const std::vector<std::pair<LearningRow, std::optional<LearningResults>>>& rows);

// Every seed's returns over the steps, or the iterations where those are not known; "" or what went
// wrong.
std::string plotLearning(const LearningRow& row, const LearningResults& results,
                         const std::string& path);

}  // namespace rlc::tools
