// Which variables of different statements run together: a reduction's range variable with the index
// that its body was computed over.
#pragma once

#include <map>

#include "compiler/schedule/dependences.h"

namespace rlc::schedule {

using ClassId = int32_t;  // the smallest variable id of the class

// Variables read at each other (plus a constant) share a class, unless some statement would then
// have two variables of one class.
std::map<Var, ClassId> alignVariables(const Statements& statements,
                                      const std::vector<Dependence>& dependences);

}  // namespace rlc::schedule
