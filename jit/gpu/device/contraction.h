// Contractions of a warp whose lanes hold the factors: through a tile of shared memory each lane's
// numbers reach the others, which add up products in registers or on tensor cores. Included by
// prelude.h.
#pragma once

namespace rlc::device {

constexpr int kWarp = 32;
constexpr int kTile = 16;            // rows of a tile, and outputs along an axis
constexpr int kTileRow = kWarp + 4;  // floats of a row: rows begin in different banks, at 16 bytes

// A warp's.
struct WarpTile {
  __align__(16) float left[kTile][kTileRow];
  __align__(16) float right[kTile][kTileRow];
};

inline int laneOf() { return int(threadIdx.x % kWarp); }

// ---- tensor cores: fragments as the PTX manual lays them out ("Matrix Fragments for mma") -------

#ifdef __CUDA_ARCH__
#define RLC_MMA(name, shape)                                                          \
  inline void name(float(&c)[4], const unsigned(&a)[4], const unsigned(&b)[2]) {      \
    asm volatile("mma.sync.aligned." shape                                            \
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"   \
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])                     \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); \
  }
RLC_MMA(mma_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32")
RLC_MMA(mma_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32")
#undef RLC_MMA
inline unsigned to_tf32(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
}
#endif

// How a product is added up: `multiply` adds a 16 x 16 matrix times a 16 x 8 one, which are asked
// for element by element, to a fragment of the 16 x 8 result.
struct Tf32 {
  template <class Left, class Right>
  static void multiply(float (&c)[4], Left left, Right right) {
    const int g = laneOf() / 4, p = laneOf() % 4;
#pragma unroll
    for (int k = 0; k < kTile; k += 8) {
      const unsigned a[4] = {to_tf32(left(g, k + p)), to_tf32(left(g + 8, k + p)),
                             to_tf32(left(g, k + p + 4)), to_tf32(left(g + 8, k + p + 4))};
      const unsigned b[2] = {to_tf32(right(k + p, g)), to_tf32(right(k + p + 4, g))};
      mma_tf32(c, a, b);
    }
  }
};
struct TensorBf16 {
  // Of numbers that bf16 has.
  static unsigned pair(float low, float high) {
    return (std::bit_cast<uint32_t>(low) >> 16) | (std::bit_cast<uint32_t>(high) & 0xffff0000u);
  }
  template <class Left, class Right>
  static void multiply(float (&c)[4], Left left, Right right) {
    const int g = laneOf() / 4, p = 2 * (laneOf() % 4);
    const unsigned a[4] = {
        pair(left(g, p), left(g, p + 1)), pair(left(g + 8, p), left(g + 8, p + 1)),
        pair(left(g, p + 8), left(g, p + 9)), pair(left(g + 8, p + 8), left(g + 8, p + 9))};
    const unsigned b[2] = {pair(right(p, g), right(p + 1, g)),
                           pair(right(p + 8, g), right(p + 9, g))};
    mma_bf16(c, a, b);
  }
};

// Where element `e` of a lane's fragment lies in the result.
inline int fragmentRow(int e) { return laneOf() / 4 + e / 2 * 8; }
inline int fragmentColumn(int e) { return laneOf() % 4 * 2 + e % 2; }

// ---- outputs of each lane: (outputs x summands, the same for all lanes) * (summands x lanes) ----

// 16 outputs of the warp's lanes. `add` has the weights of 16 outputs and 16 summands on the left,
// the lanes' factors on the right, a row for each summand.
template <class Kind>
struct LaneOutputs {
  float c[4][4] = {};

  void add(const WarpTile& tile) {
#pragma unroll
    for (int n = 0; n < 4; ++n)
      Kind::multiply(
          c[n], [&](int row, int k) { return tile.left[row][k]; },
          [&](int k, int column) { return tile.right[k][8 * n + column]; });
  }
  // A row for each output, with a number for each lane.
  void put(float (&rows)[kTile][kTileRow]) const {
#pragma unroll
    for (int n = 0; n < 4; ++n)
#pragma unroll
      for (int e = 0; e < 4; ++e) rows[fragmentRow(e)][8 * n + fragmentColumn(e)] = c[n][e];
  }
};

// ---- sums over lanes: (rows x lanes) * (lanes x columns) ----------------------------------------

// 16 x 16 of them. `add` has a row for each row and for each column, with a factor of each lane.
template <class Kind>
struct LaneSums {
  float c[2][4] = {};

  void add(const WarpTile& tile) {
#pragma unroll
    for (int k = 0; k < kWarp; k += kTile)
#pragma unroll
      for (int n = 0; n < 2; ++n)
        Kind::multiply(
            c[n], [&](int row, int lane) { return tile.left[row][k + lane]; },
            [&](int lane, int column) { return tile.right[8 * n + column][k + lane]; });
  }
  void put(float (&rows)[kTile][kTileRow]) const {
#pragma unroll
    for (int n = 0; n < 2; ++n)
#pragma unroll
      for (int e = 0; e < 4; ++e) rows[fragmentRow(e)][8 * n + fragmentColumn(e)] = c[n][e];
  }
};

// Without rounding of factors: a lane has two rows by four columns, four of the sums' lanes at a
// time.
struct Registers {};
struct alignas(16) Four {
  float at[4];
};
template <>
struct LaneSums<Registers> {
  float c[8] = {};

  static int row(int e) { return laneOf() / 4 * 2 + e / 4; }
  static int column(int e) { return laneOf() % 4 * 4 + e % 4; }
  void add(const WarpTile& tile) {
#pragma unroll 2
    for (int k = 0; k < kWarp; k += 4) {
      Four a[2], b[4];
#pragma unroll
      for (int r = 0; r < 2; ++r) a[r] = *(const Four*)&tile.left[row(4 * r)][k];
#pragma unroll
      for (int r = 0; r < 4; ++r) b[r] = *(const Four*)&tile.right[column(r)][k];
#pragma unroll
      for (int e = 0; e < 8; ++e)
#pragma unroll
        for (int i = 0; i < 4; ++i) c[e] = fused(a[e / 4].at[i], b[e % 4].at[i], c[e]);
    }
  }
  void put(float (&rows)[kTile][kTileRow]) const {
#pragma unroll
    for (int e = 0; e < 8; ++e) rows[row(e)][column(e)] = c[e];
  }
};

// The sum of what all warps of the block have put, in their order.
inline float acrossWarps(const WarpTile* tiles, int row, int column) {
  float sum = tiles[0].left[row][column];
  for (unsigned w = 1; w < blockDim.x / kWarp; ++w) sum += tiles[w].left[row][column];
  return sum;
}

}  // namespace rlc::device
