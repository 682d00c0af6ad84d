// A broken invariant of the compiler itself: never the user's fault, caught by the driver only.
#pragma once

#include <stdexcept>

namespace rlc {

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace rlc
