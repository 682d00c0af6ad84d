// What every env can be asked for with arguments; its other members are values.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace rlc::sema {

inline constexpr std::array<std::string_view, 6> kEnvMethods{
    "reset", "renew", "step", "observe", "final_observation", "autoreset"};

inline bool isEnvMethod(std::string_view name) {
  return std::ranges::find(kEnvMethods, name) != kEnvMethods.end();
}

}  // namespace rlc::sema
