// The tables of built-in functions, and what they are written with.
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

struct Builtin {
  std::string name, signature, doc;
  std::function<ValueRef(Elaborator&, CallArgs&)> call;
};
const std::vector<Builtin>& builtins();
void addElementwise(std::vector<Builtin>& table);
void addShapes(std::vector<Builtin>& table);
void addReductions(std::vector<Builtin>& table);
void addCreation(std::vector<Builtin>& table);
void addRandom(std::vector<Builtin>& table);
void addStatics(std::vector<Builtin>& table);
void addTrees(std::vector<Builtin>& table);

// Composed of primitives; `axis` is within the rank.
Tensor meanAxis(Elaborator& e, const Tensor& a, int axis, bool keep, const Place& place, Span span);
Tensor varianceAxis(Elaborator& e, const Tensor& a, int axis, int64_t ddof, bool keep,
                    const Place& place, Span span);
Tensor logSumExpAxis(Elaborator& e, const Tensor& a, int axis, bool keep, const Place& place,
                     Span span);
Tensor softmaxAxis(Elaborator& e, const Tensor& a, int axis, const Place& place, Span span);

bool isReduction(const std::string& name);

}  // namespace rlc::sema
