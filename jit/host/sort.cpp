// Sorting for compiled code: stable, NaN after every number whichever way the order goes.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "compiler/types/dtype.h"
#include "jit/host/abi.h"

namespace {

using rlc::DType;

float widened(uint16_t bits) {
  const uint32_t word = static_cast<uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

template <typename T>
bool isNan(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}

// The sorted order of `n` keys; grows to the longest vector of a thread and stays.
template <typename T>
const std::vector<int32_t>& sortedOrder(const std::vector<T>& keys, int64_t n, bool descending) {
  thread_local std::vector<int32_t> order, other;
  order.resize(static_cast<size_t>(n));
  other.resize(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](int32_t a, int32_t b) {
    const T x = keys[static_cast<size_t>(a)], y = keys[static_cast<size_t>(b)];
    if (isNan(x) || isNan(y)) return !isNan(x) && isNan(y);
    return descending ? y < x : x < y;
  };
  // Merging runs that double in length: stable, in memory that is already there.
  constexpr int64_t kRun = 16;
  for (int64_t lo = 0; lo < n; lo += kRun) {
    const int64_t hi = std::min(n, lo + kRun);
    for (int64_t i = lo + 1; i < hi; ++i) {
      const int32_t item = order[static_cast<size_t>(i)];
      int64_t at = i;
      for (; at > lo && before(item, order[static_cast<size_t>(at - 1)]); --at)
        order[static_cast<size_t>(at)] = order[static_cast<size_t>(at - 1)];
      order[static_cast<size_t>(at)] = item;
    }
  }
  for (int64_t run = kRun; run < n; run *= 2) {
    for (int64_t lo = 0; lo < n; lo += 2 * run) {
      const auto begin = order.begin() + lo;
      const auto middle = order.begin() + std::min(n, lo + run),
                 end = order.begin() + std::min(n, lo + 2 * run);
      std::merge(begin, middle, middle, end, other.begin() + lo, before);
    }
    order.swap(other);
  }
  return order;
}

template <typename T, typename Stored, typename Widen, typename Result>
void sortAs(const void* source, int64_t stride, int64_t n, bool descending, Widen widen,
            Result result) {
  thread_local std::vector<T> keys;
  thread_local std::vector<Stored> stored;
  keys.resize(static_cast<size_t>(n));
  stored.resize(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    stored[static_cast<size_t>(i)] = static_cast<const Stored*>(source)[i * stride];
    keys[static_cast<size_t>(i)] = widen(stored[static_cast<size_t>(i)]);
  }
  const std::vector<int32_t>& order = sortedOrder(keys, n, descending);
  for (int64_t i = 0; i < n; ++i)
    result(i, order[static_cast<size_t>(i)],
           stored[static_cast<size_t>(order[static_cast<size_t>(i)])]);
}

template <typename Visit>
void dispatch(int32_t type, const Visit& visit) {
  const auto same = [](auto value) { return value; };
  switch (static_cast<DType>(type)) {
    case DType::Bool:
    case DType::U8:
      return visit(uint8_t{}, uint8_t{}, same);
    case DType::I32:
      return visit(int32_t{}, int32_t{}, same);
    case DType::I64:
      return visit(int64_t{}, int64_t{}, same);
    case DType::BF16:
      return visit(float{}, uint16_t{}, widened);
    case DType::F32:
      return visit(float{}, float{}, same);
    case DType::F64:
      return visit(double{}, double{}, same);
  }
}

}  // namespace

void rlc_sort(int32_t type, const void* source, int64_t sourceStride, void* destination,
              int64_t destinationStride, int64_t n, int64_t descending) {
  dispatch(type, [&](auto key, auto stored, auto widen) {
    using Stored = decltype(stored);
    sortAs<decltype(key), Stored>(
        source, sourceStride, n, descending != 0, widen, [&](int64_t i, int32_t, Stored value) {
          static_cast<Stored*>(destination)[i * destinationStride] = value;
        });
  });
}

void rlc_argsort(int32_t type, const void* source, int64_t sourceStride, int32_t* destination,
                 int64_t destinationStride, int64_t n, int64_t descending) {
  dispatch(type, [&](auto key, auto stored, auto widen) {
    using Stored = decltype(stored);
    sortAs<decltype(key), Stored>(source, sourceStride, n, descending != 0, widen,
                                  [&](int64_t i, int32_t position, Stored) {
                                    destination[i * destinationStride] = position;
                                  });
  });
}
