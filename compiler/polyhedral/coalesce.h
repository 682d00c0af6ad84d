#pragma once

#include <isl/aff_type.h>
#include <isl/set_type.h>

namespace rlc::polyhedral {

// isl_set_coalesce and isl_pw_aff_coalesce, whose results are compared with what went in where
// integer divisions take part: isl 0.25 can fuse two pieces into one with points of neither
// (set_test.cpp has a case). What came out wrong stays in pieces. fusesWrongly: whether isl would
// do so to this set (kept), as it does out of reach inside its generator of loops. Others take
// `set` and `function`; null on an error, as isl's.
isl_bool fusesWrongly(isl_set* set);
isl_set* coalesced(isl_set* set);
isl_pw_aff* coalesced(isl_pw_aff* function);

}  // namespace rlc::polyhedral
