// Which variables of different statements run together: a reduction's range variable with the index
// that its body was computed over.
#pragma once

#include <map>
#include <set>

#include "compiler/schedule/dependences.h"

namespace rlc::schedule {

using ClassId = int32_t;  // the smallest variable id of the class

class Alignment {
 public:
  // Variables read at each other (plus a constant) share a class, as far as they can.
  Alignment(const Statements& statements, const std::vector<Dependence>& dependences);

  ClassId classOf(Var var) const { return classOf_.at(var); }
  bool contains(Var var) const { return classOf_.contains(var); }

  // Makes two classes one, unless some statement would then have two variables of it. Whether they
  // are one now.
  bool unite(ClassId a, ClassId b);

 private:
  std::map<Var, ClassId> classOf_;
  std::map<ClassId, std::set<int>> users_;  // statements with a variable of the class
};

}  // namespace rlc::schedule
