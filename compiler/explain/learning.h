// Whether a gradient adds up while what it learns from is computed, or only when that is complete.
#pragma once

#include "compiler/explain/reasons.h"

namespace rlc::explain {

struct LearningNote {
  bool during = false;
  Reason reason;
};

// One for each gradient that is a sum along an index that something is computed along in order.
std::vector<LearningNote> learningNotes(const Subject& subject);

}  // namespace rlc::explain
