// Sum trees, updated by a whole block: the layout of jit/runtime/sum_tree.h. Included by prelude.h.
#pragma once

namespace rlc::device {

// Level by level; threads that recompute one node store the same sum. The fan-out is a power of
// two, so leaves lie at their positions.
inline void treeUpdate(i64 capacity, i64 fanout, i64 n, const int* positions,
                       const float* priorities, const float* before, float* tree) {
  i64 size = 16;
  for (i64 nodes = capacity, groups = 0; groups != 1; nodes = groups) {
    groups = (nodes + fanout - 1) / fanout;
    size += (groups * fanout + 15) / 16 * 16;
  }
  if (tree != before)
    for (i64 i = threadIdx.x; i < size; i += blockDim.x) tree[i] = before[i];
  __syncthreads();
  if (threadIdx.x == 0)
    for (i64 i = 0; i < n; ++i)
      tree[positions[i]] = priorities[i] > 0.0f ? minimum(priorities[i], 0x1p90f) : 0.0f;
  __syncthreads();
  i64 offset = 0, span = fanout;
  for (i64 nodes = capacity, groups = 0; groups != 1; nodes = groups, span *= fanout) {
    groups = (nodes + fanout - 1) / fanout;
    const i64 above = offset + (groups * fanout + 15) / 16 * 16;
    for (i64 i = threadIdx.x; i < (groups <= n ? groups : n); i += blockDim.x) {
      const i64 group = groups <= n ? i : positions[i] / span;
      float sum = 0.0f;
      for (i64 k = 0; k < fanout; ++k) sum += tree[offset + group * fanout + k];
      tree[groups == 1 ? size - 1 : above + group] = sum;
    }
    offset = above;
    __syncthreads();
  }
}

}  // namespace rlc::device
