// Sorting by a whole block, stable, in memory that the caller gives: values by merging, the words
// of a permutation by their digits. Included by prelude.h.
#pragma once

namespace rlc::device {

// Whether key a comes before key b; NaN after every number.
template <class T>
bool before(T a, T b, bool descending) {
  if (a != a || b != b) return a == a && b != b;
  return descending ? b < a : a < b;
}

// Merges runs that double in length; each element finds its place by a binary search in the other
// run. `order` and `other` hold n numbers each; the result, which is stable, is in the one that is
// returned.
template <class Key>
int* sortedOrder(i64 n, bool descending, int* order, int* other, Key key) {
#pragma unroll 1
  for (i64 i = threadIdx.x; i < n; i += blockDim.x) order[i] = int(i);
  __syncthreads();
  for (i64 run = 1; run < n; run *= 2) {
#pragma unroll 1
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
      const i64 start = i / (2 * run) * (2 * run), middle = minimum<i64>(n, start + run),
                end = minimum<i64>(n, start + 2 * run);
      const bool left = i < middle;
      const int item = order[i];
      i64 lo = left ? middle : start, hi = left ? end : middle;
      const i64 first = lo;
      while (lo < hi) {
        const i64 at = (lo + hi) / 2;
        // An element of the left run comes before its equals of the right one.
        const bool passes = left ? before(key(order[at]), key(item), descending)
                                 : !before(key(item), key(order[at]), descending);
        if (passes)
          lo = at + 1;
        else
          hi = at;
      }
      other[(left ? i : start + (i - middle)) + (lo - first)] = item;
    }
    __syncthreads();
    int* swap = order;
    order = other;
    other = swap;
  }
  return order;
}

// `work`: 2 n integers and n values.
template <class T, class Stored>
void sort(i64 n, i64 sourceStride, i64 stride, bool descending, const Stored* source,
          Stored* destination, char* work) {
  int* order = (int*)work;
  Stored* copy = (Stored*)(work + (8 * n + 15) / 16 * 16);
#pragma unroll 1
  for (i64 i = threadIdx.x; i < n; i += blockDim.x) copy[i] = source[i * sourceStride];
  __syncthreads();
  const int* sorted =
      sortedOrder(n, descending, order, order + n, [&](int i) { return T(copy[i]); });
#pragma unroll 1
  for (i64 i = threadIdx.x; i < n; i += blockDim.x) destination[i * stride] = copy[sorted[i]];
  __syncthreads();
}
template <class T, class Stored>
void argsort(i64 n, i64 sourceStride, i64 stride, bool descending, const Stored* source,
             int* destination, char* work) {
  int* order = (int*)work;
  const int* sorted = sortedOrder(n, descending, order, order + n,
                                  [&](int i) { return T(source[i * sourceStride]); });
#pragma unroll 1
  for (i64 i = threadIdx.x; i < n; i += blockDim.x) destination[i * stride] = sorted[i];
  __syncthreads();
}

constexpr int kRadix = 16;          // values of a digit of four bits
constexpr i64 kFewestWords = 2048;  // that are sorted by digits; merging has fewer barriers

// Each number of `table`, which holds kRadix for each thread, becomes the sum of those before it.
// `totals`: a number for each thread.
inline void sumsBefore(int* table, int* totals) {
  int* own = table + threadIdx.x * kRadix;
  int sum = 0;
  for (int k = 0; k < kRadix; ++k) sum += own[k];
  totals[threadIdx.x] = sum;
  __syncthreads();
#pragma unroll 1
  for (int step = 1; step < blockDim.x; step *= 2) {
    const int before = threadIdx.x >= step ? totals[threadIdx.x - step] : 0;
    __syncthreads();
    totals[threadIdx.x] += before;
    __syncthreads();
  }
  int at = totals[threadIdx.x] - sum;
  for (int k = 0; k < kRadix; ++k) {
    const int count = own[k];
    own[k] = at;
    at += count;
  }
  __syncthreads();
}

// Keys and what belongs to them, moved to `toKeys` and `toItems` by the digit at `bit`, equals in
// their order: each thread counts and moves neighbours. `table`: kRadix + 1 numbers for each
// thread.
inline void sortByDigit(i64 n, int bit, const uint32_t* keys, const int* items, uint32_t* toKeys,
                        int* toItems, int* table) {
  const i64 each = (n + blockDim.x - 1) / blockDim.x;
  const i64 first = minimum<i64>(n, threadIdx.x * each), last = minimum<i64>(n, first + each);
  int place[kRadix] = {};
#pragma unroll 1
  for (i64 i = first; i < last; ++i) ++place[(keys[i] >> bit) % kRadix];
  for (int digit = 0; digit < kRadix; ++digit)
    table[digit * blockDim.x + threadIdx.x] = place[digit];
  __syncthreads();
  sumsBefore(table, table + kRadix * blockDim.x);
  for (int digit = 0; digit < kRadix; ++digit)
    place[digit] = table[digit * blockDim.x + threadIdx.x];
#pragma unroll 1
  for (i64 i = first; i < last; ++i) {
    const uint32_t key = keys[i];
    const int to = place[(key >> bit) % kRadix]++;
    toKeys[to] = key;
    toItems[to] = items[i];
  }
  __syncthreads();
}

// The numbers below n in the order of their words (jit/runtime/random.h). `work`: 4 n integers, and
// from kFewestWords on kRadix + 1 for each thread.
template <class... C>
void permutation(const Run& run, u64 stream, i64 n, i64 stride, int* destination, char* work,
                 C... at) {
  int *items = (int*)work, *toItems = items + n;
  uint32_t *keys = (uint32_t*)(toItems + n), *toKeys = keys + n;
#pragma unroll 1
  for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
    keys[i] = runtime::wordsAt<1>(place(run, stream, n, i, at...))[0];
    items[i] = int(i);
  }
  __syncthreads();
  if (n < kFewestWords) {
    items = sortedOrder(n, false, items, toItems, [&](int i) { return keys[i]; });
  } else {
#pragma unroll 1
    for (int bit = 0; bit < 32; bit += 8) {
      sortByDigit(n, bit, keys, items, toKeys, toItems, (int*)(toKeys + n));
      sortByDigit(n, bit + 4, toKeys, toItems, keys, items, (int*)(toKeys + n));
    }
  }
#pragma unroll 1
  for (i64 i = threadIdx.x; i < n; i += blockDim.x) destination[i * stride] = items[i];
  __syncthreads();
}

}  // namespace rlc::device
