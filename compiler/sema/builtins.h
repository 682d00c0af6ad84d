// Helpers for the tables of built-in functions.
#pragma once

#include <string>
#include <vector>

#include "compiler/sema/elaborator.h"

namespace rlc::sema {

// Arguments by name: `x, axis = -1`. Missing ones are null.
class Given {
 public:
  Given(Elaborator& e, CallArgs& call, const std::string& function, std::vector<std::string> names,
        size_t required);
  bool ok() const { return ok_; }
  const ValueRef& operator[](size_t i) const { return values_[i]; }
  bool has(size_t i) const { return values_[i] != nullptr; }
  std::optional<Tensor> tensor(size_t i);
  std::optional<int64_t> integer(size_t i, int64_t otherwise);
  std::optional<bool> flag(size_t i, bool otherwise);

 private:
  Elaborator& e_;
  CallArgs& call_;
  std::string function_;
  std::vector<std::string> names_;
  std::vector<ValueRef> values_;
  bool ok_ = true;
};

// The elements of a list argument, or the arguments themselves: concat([a, b]) and concat(a, b).
std::optional<std::vector<ValueRef>> partsOf(Elaborator& e, const CallArgs& call,
                                             std::map<std::string, ValueRef>& named);

}  // namespace rlc::sema
