// What a change does to a text, as `diff -u` shows it.
#pragma once

#include <string>
#include <string_view>

namespace rlc::format {

// Empty where the texts are equal.
std::string unifiedDiff(std::string_view path, std::string_view before, std::string_view after);

}  // namespace rlc::format
