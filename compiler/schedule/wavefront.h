// An order along a sum of indices (Lamport 1974): `3 i + 2 j` grows from each point to those that
// read it where `i` grows to some and falls to others. Found by trying small weights, each with one
// walk over the dependences, however many statements there are.
#pragma once

#include "compiler/schedule/unscheduled.h"

namespace rlc::schedule {

struct Wavefront {
  std::map<ClassId, int64_t> weights;
  std::map<int, int64_t> shift;  // [statement] time = the weighted sum of its variables + shift

  // Time, then the statement's own variables: what runs at one time runs in any order.
  polyhedral::Times times(const Unscheduled& unscheduled, const std::vector<int>& statements) const;
};

// Every dependence among the statements goes forward in time. Nothing: no small weights do it.
std::optional<Wavefront> findWavefront(const Unscheduled& unscheduled,
                                       const std::vector<int>& statements,
                                       const std::vector<const Dependence*>& dependences);

}  // namespace rlc::schedule
