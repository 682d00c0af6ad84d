// What lists of any kind are asked.
#pragma once

#include <algorithm>
#include <iterator>

namespace rlc {

template <typename List, typename Value>
bool contains(const List& list, const Value& value) {
  return std::find(std::begin(list), std::end(list), value) != std::end(list);
}

}  // namespace rlc
