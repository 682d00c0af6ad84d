// For tests only: enough of CUDA C++ for generated kernels to run on the processor. A block's
// threads are coroutines that run one after the other from barrier to barrier, of a block or of a
// warp. A barrier that only some threads reach ends the process with a message.
//
// Every program's kernels are compiled with this text: it includes nothing of the host's libraries,
// whose headers take longer than the kernels. What runs the threads is emulator.cpp.
#pragma once

#define __global__
#define __device__
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __shared__ static
#define __syncthreads() rlc_emulator::barrier(__LINE__, 0)
#define __syncwarp() rlc_emulator::warpBarrier(__LINE__)
#define __syncthreads_or(condition) rlc_emulator::barrier(__LINE__, (condition) ? 1 : 0)

extern "C" {
#define RLC_OF_LIBM(name)        \
  float name##f(float) noexcept; \
  double name(double) noexcept
RLC_OF_LIBM(sqrt);
RLC_OF_LIBM(floor);
RLC_OF_LIBM(ceil);
RLC_OF_LIBM(trunc);
RLC_OF_LIBM(rint);
#undef RLC_OF_LIBM
float fmaf(float, float, float) noexcept;
double fma(double, double, double) noexcept;
float fmodf(float, float) noexcept;
double fmod(double, double) noexcept;
}

struct RlcDim3 {
  unsigned x = 1, y = 1, z = 1;
};
extern RlcDim3 threadIdx, blockIdx, blockDim, gridDim;

inline int atomicCAS(int* place, int expected, int value) {
  const int old = *place;
  if (old == expected) *place = value;
  return old;
}
inline int atomicExch(int* place, int value) {
  const int old = *place;
  *place = value;
  return old;
}
inline void __threadfence_system() {}

namespace rlc_emulator {

constexpr unsigned kWarpSize = 32;

extern bool alone;  // the block has one thread: it waits for nobody
int waitForBlock(int line, int condition);
void waitForWarp(int line);

// Whether `condition`, not 0, holds for a thread of the block.
inline int barrier(int line, int condition) {
  return alone ? condition : waitForBlock(line, condition);
}
inline void warpBarrier(int line) {
  if (!alone) waitForWarp(line);
}

// ---- tensor cores -------------------------------------------------------------------------------

// What the lanes of each warp hold of A and B.
extern unsigned heldA[kWarpSize][kWarpSize][4], heldB[kWarpSize][kWarpSize][2];

// c += A B of 16 x k by k x 8, as the PTX manual distributes their elements, `kPacked` of
// them in a register.
template <int kPacked, class Value>
void mma(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2], Value value) {
  const unsigned warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
  for (unsigned k = 0; k < 4; ++k) heldA[warp][lane][k] = a[k];
  for (unsigned k = 0; k < 2; ++k) heldB[warp][lane][k] = b[k];
  warpBarrier(-1);
  for (int e = 0; e < 4; ++e) {
    const unsigned row = lane / 4 + (e >= 2 ? 8 : 0), column = lane % 4 * 2 + e % 2;
    for (unsigned k = 0; k < 8 * kPacked; ++k) {
      const unsigned place = k % (4 * kPacked), half = k / (4 * kPacked), part = place % kPacked;
      const unsigned holds = place / kPacked;
      c[e] = fmaf(value(heldA[warp][row % 8 * 4 + holds][row / 8 + 2 * half], part),
                  value(heldB[warp][column * 4 + holds][half], part), c[e]);
    }
  }
  warpBarrier(-2);
}

}  // namespace rlc_emulator

inline void mma_tf32(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  rlc_emulator::mma<1>(c, a, b, [](unsigned bits, unsigned) {
    if (bits & 0x1fffu) __builtin_abort();  // not a number of tf32
    return __builtin_bit_cast(float, bits);
  });
}
inline void mma_bf16(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  rlc_emulator::mma<2>(c, a, b, [](unsigned bits, unsigned part) {
    return __builtin_bit_cast(float, part == 0 ? bits << 16 : bits & 0xffff0000u);
  });
}
// To ten bits, ties away from zero.
inline unsigned to_tf32(float x) {
  const unsigned bits = __builtin_bit_cast(unsigned, x);
  return x != x ? 0x7fffe000u : (bits + 0x1000u) & ~0x1fffu;
}
