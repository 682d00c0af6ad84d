// Which of its loops each component of a region takes first, where it has the choice.
#pragma once

#include "compiler/schedule/unscheduled.h"

namespace rlc::schedule {

// Rotates what is taken to the front of `options` ([component] loops that it can have, best first).
// `lanes`: classes that simulations have their lanes along.
void preferLoops(const Unscheduled& unscheduled, const Components& components, const Links& links,
                 const std::set<ClassId>& lanes, std::vector<std::vector<LoopChoice>>& options);

}  // namespace rlc::schedule
