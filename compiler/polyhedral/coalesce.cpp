#include "compiler/polyhedral/coalesce.h"

#include <isl/aff.h>
#include <isl/set.h>

namespace rlc::polyhedral {
namespace {

isl_stat findDivision(isl_basic_set* piece, void* found) {
  if (isl_basic_set_dim(piece, isl_dim_div) != 0) *static_cast<bool*>(found) = true;
  isl_basic_set_free(piece);
  return isl_stat_ok;
}

bool hasDivisions(isl_set* set) {
  bool found = false;
  isl_set_foreach_basic_set(set, findDivision, &found);
  return found;
}

isl_stat findDivisionOfPiece(isl_set* domain, isl_aff* value, void* found) {
  if (hasDivisions(domain)) *static_cast<bool*>(found) = true;
  isl_set_free(domain);
  isl_aff_free(value);
  return isl_stat_ok;
}

// isl fuses these right: one piece, or no division in any.
bool isSafe(isl_set* set) { return isl_set_n_basic_set(set) <= 1 || !hasDivisions(set); }

// What is kept of two, by whether they are equal; frees the other one, on an error both.
template <typename T>
T* kept(isl_bool equal, T* original, T* fused, T* (*release)(T*)) {
  if (equal != isl_bool_true) fused = release(fused);
  if (equal != isl_bool_false) original = release(original);
  return fused ? fused : original;
}

}  // namespace

isl_bool fusesWrongly(isl_set* set) {
  if (isSafe(set)) return isl_bool_false;
  isl_set* fused = isl_set_coalesce(isl_set_copy(set));
  const isl_bool equal = isl_set_is_equal(set, fused);
  isl_set_free(fused);
  return isl_bool_not(equal);
}

isl_set* coalesced(isl_set* set) {
  if (isSafe(set)) return isl_set_coalesce(set);
  isl_set* fused = isl_set_coalesce(isl_set_copy(set));
  return kept(isl_set_is_equal(set, fused), set, fused, isl_set_free);
}

isl_pw_aff* coalesced(isl_pw_aff* function) {
  bool found = false;
  isl_pw_aff_foreach_piece(function, findDivisionOfPiece, &found);
  if (!found) return isl_pw_aff_coalesce(function);
  isl_pw_aff* fused = isl_pw_aff_coalesce(isl_pw_aff_copy(function));
  return kept(isl_pw_aff_is_equal(function, fused), function, fused, isl_pw_aff_free);
}

}  // namespace rlc::polyhedral
