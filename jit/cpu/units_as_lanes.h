// Learning with units for lanes.
//
//   lanes i in 0..n: for j: h[j] = tanh(sum over k of W[j * K + k] * x[k])
//                    e = f(h); for j: d[j] = e * g(h[j])
//                    for j: for k: G[j * K + k] += d[j] * x[k]
// A gradient by weights that all samples share is a sum over lanes: what is multiplied there goes
// through transposes, and gradients by biases through sums over a register's lanes. With a layer's
// units for lanes neither is needed, nor is a sample's observation gathered element by element.
// Blocks of samples one after the other become
//   lanes j: for i: h[i, j] = tanh(sum over k of packed[k, j] * x[i, k])
//   lanes i: e[i] = f(h[i, ...])
//   lanes j: for i: d[i, j] = e[i] * g(h[i, j])
//   lanes k: for j: acc = G[j * K + k]; for i: acc = fma(d[i, j], x[i, k], acc); G[j * K + k] = acc
// What is no loop over units keeps samples for lanes, and stands between. Weights whose units lie
// apart are packed in front of the parallel loop, once for all blocks (unit_packs.h). Sums over
// samples are taken in their order within a chunk of the parallel loop.
#pragma once

#include "jit/cpu/tile.h"

namespace rlc::cpu {

// Small: those that are not worth a second thread, for which one does all blocks. Elsewhere a batch
// of a few hundred samples has its gradients by weights as products (batch_products.h), which come
// between.
enum class Batches : uint8_t { Small, Large };

// Changes the program in place: parallel loops over lanes whose gradients by weights are a good
// part of their work.
void exchangeUnits(loops::Program& program, const TileOptions& options, Batches batches);

}  // namespace rlc::cpu
