// Spelling suggestions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rlc::diagnostics {

// Edits (insert, delete, replace, swap neighbours) from one to the other, by code point, ignoring
// case; at most `limit` + 1.
int editDistance(std::string_view a, std::string_view b, int limit);

// The candidate that was probably meant; nullopt if none is near. On ties the first.
std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates);

// "did you mean `y`?", a hint, or "".
std::string didYouMean(std::string_view name, std::span<const std::string> candidates);
// The same; where none is near, the first dozen of the candidates: "it has `x`, `y` and `z`".
std::string orWhatItHas(std::string_view name, std::span<const std::string> candidates);

}  // namespace rlc::diagnostics
