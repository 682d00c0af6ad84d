#include "jit/host/point_expr.h"

#include <algorithm>

#include "compiler/polyhedral/checked_math.h"

namespace rlc::host {

int64_t PointExpr::Other::operator()(const int64_t* vars, const int64_t* values) const {
  switch (kind) {
    case Kind::Value:
      return values[input];
    case Kind::FloorDiv:
      return polyhedral::floorQuotient(args[0](vars, values), divisor);
    case Kind::Mod:
      return polyhedral::floorRemainder(args[0](vars, values), divisor);
    case Kind::Min:
    case Kind::Max:
      break;
  }
  int64_t best = args[0](vars, values);
  for (size_t i = 1; i < args.size(); ++i) {
    const int64_t next = args[i](vars, values);
    best = kind == Kind::Min ? std::min(best, next) : std::max(best, next);
  }
  return best;
}

bool PointCondition::operator()(const int64_t* vars) const {
  const auto holds = [&](const PointCondition& part) { return part(vars); };
  switch (kind) {
    case Kind::True:
      return true;
    case Kind::False:
      return false;
    case Kind::NonNegative:
      return expr(vars) >= 0;
    case Kind::Zero:
      return expr(vars) == 0;
    case Kind::NonZero:
      return expr(vars) != 0;
    case Kind::And:
      return std::all_of(parts.begin(), parts.end(), holds);
    case Kind::Or:
      return std::any_of(parts.begin(), parts.end(), holds);
  }
  return false;
}

}  // namespace rlc::host
