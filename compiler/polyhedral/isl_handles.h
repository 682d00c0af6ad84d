// Owning handles of isl objects and the checks after isl's calls. Internal: included by this
// folder's .cpp files only.
#pragma once

#include <isl/aff.h>
#include <isl/ast.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/map.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "compiler/polyhedral/cancel.h"
#include "compiler/polyhedral/set.h"

namespace rlc::polyhedral {

struct Context::Impl {
  isl_ctx* ctx = nullptr;
  const std::atomic<bool>* cancelled = nullptr;
};

// Throws OperationLimit or InternalError, whichever isl's last error calls for, and clears it.
[[noreturn]] void throwIslError(isl_ctx* ctx);

// After a call that may find no answer: its error is forgotten, unless the budget ran out.
void forgetError(isl_ctx* ctx);

// At the start of every public operation: its budget is fresh.
inline isl_ctx* startOperation(Context& context) {
  const Context::Impl& impl = context.impl();
  if (impl.cancelled != nullptr && impl.cancelled->load(std::memory_order_relaxed))
    throw Cancelled();
  isl_ctx_reset_operations(impl.ctx);
  return impl.ctx;
}

// A part of an operation's budget, for what can be done without.
class BudgetShare {
 public:
  BudgetShare(isl_ctx* ctx, unsigned long share)
      : ctx_(ctx), budget_(isl_ctx_get_max_operations(ctx)) {
    isl_ctx_set_max_operations(ctx_, std::max(1UL, budget_ / share));
  }
  ~BudgetShare() { isl_ctx_set_max_operations(ctx_, budget_); }
  BudgetShare(const BudgetShare&) = delete;
  BudgetShare& operator=(const BudgetShare&) = delete;
  // Whether isl stopped for it; the context then goes on as if nothing had been asked.
  bool ranOut() const {
    if (isl_ctx_last_error(ctx_) != isl_error_quota) return false;
    isl_ctx_reset_error(ctx_);
    isl_ctx_reset_operations(ctx_);
    return true;
  }

 private:
  isl_ctx* ctx_;
  unsigned long budget_;
};

// `take` gives the object away (isl's __isl_take), `get` lends it (__isl_keep), `copy` gives a new
// reference away.
template <typename T, T* (*Free)(T*), T* (*Copy)(T*)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T* object) : object_(object) {}
  Handle(const Handle& other) : object_(other.object_ ? Copy(other.object_) : nullptr) {}
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Handle() {
    if (object_) Free(object_);
  }

  T* get() const { return object_; }
  T* copy() const { return Copy(object_); }
  T* take() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

using SetHandle = Handle<isl_set, isl_set_free, isl_set_copy>;
using BasicSetHandle = Handle<isl_basic_set, isl_basic_set_free, isl_basic_set_copy>;
using MapHandle = Handle<isl_map, isl_map_free, isl_map_copy>;
using SpaceHandle = Handle<isl_space, isl_space_free, isl_space_copy>;
using AffHandle = Handle<isl_aff, isl_aff_free, isl_aff_copy>;
using PwAffHandle = Handle<isl_pw_aff, isl_pw_aff_free, isl_pw_aff_copy>;
using ValHandle = Handle<isl_val, isl_val_free, isl_val_copy>;
using PointHandle = Handle<isl_point, isl_point_free, isl_point_copy>;
using ConstraintHandle = Handle<isl_constraint, isl_constraint_free, isl_constraint_copy>;

template <typename T>
T* checked(isl_ctx* ctx, T* object) {
  if (!object) throwIslError(ctx);
  return object;
}

inline bool checked(isl_ctx* ctx, isl_bool answer) {
  if (answer == isl_bool_error) throwIslError(ctx);
  return answer == isl_bool_true;
}

inline int checkedSize(isl_ctx* ctx, isl_size size) {
  if (size < 0) throwIslError(ctx);
  return size;
}

// A finite integer; throws when it does not fit 64 bits.
int64_t toInteger(const ValHandle& value);

}  // namespace rlc::polyhedral
