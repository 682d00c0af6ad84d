// The isl context: never aborts, never prints, stops after a bounded number of operations.
#include <isl/options.h>

#include <new>
#include <string>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/polyhedral/isl_handles.h"

namespace rlc::polyhedral {

Context::Context(unsigned long operationBudget) : impl_(std::make_unique<Impl>()) {
  impl_->ctx = isl_ctx_alloc();
  if (!impl_->ctx) throw std::bad_alloc();
  isl_options_set_on_error(impl_->ctx, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(impl_->ctx, operationBudget);
}

Context::~Context() { isl_ctx_free(impl_->ctx); }

void cancelWhen(Context& context, const std::atomic<bool>& flag) {
  context.impl().cancelled = &flag;
}

void throwIslError(isl_ctx* ctx) {
  isl_error error = isl_ctx_last_error(ctx);
  const char* message = isl_ctx_last_error_msg(ctx);
  std::string text = message ? message : "no message";
  isl_ctx_reset_error(ctx);
  isl_ctx_reset_operations(ctx);
  if (error == isl_error_quota) throw OperationLimit();
  if (error == isl_error_alloc) throw std::bad_alloc();
  throw InternalError("polyhedral library: " + text);
}

void forgetError(isl_ctx* ctx) {
  const isl_error error = isl_ctx_last_error(ctx);
  if (error == isl_error_quota || error == isl_error_alloc) throwIslError(ctx);
  isl_ctx_reset_error(ctx);
}

int64_t toInteger(const ValHandle& value) {
  isl_ctx* ctx = isl_val_get_ctx(value.get());
  if (!checked(ctx, isl_val_is_int(value.get()))) {
    throw InternalError("polyhedral library: a coordinate is not an integer");
  }
  if (isl_val_cmp_si(value.get(), std::numeric_limits<int64_t>::max()) > 0 ||
      isl_val_cmp_si(value.get(), std::numeric_limits<int64_t>::min()) < 0) {
    throw InternalError("polyhedral library: a coordinate does not fit 64 bits");
  }
  return isl_val_get_num_si(value.get());
}

}  // namespace rlc::polyhedral
