// Giving a computation up whose result nobody wants any more.
#pragma once

#include <atomic>

namespace rlc::polyhedral {

class Context;

// No error, so nothing that handles errors catches it.
struct Cancelled {};

// Once `flag` is true, every operation in `context` throws Cancelled. It outlives the context.
void cancelWhen(Context& context, const std::atomic<bool>& flag);

}  // namespace rlc::polyhedral
