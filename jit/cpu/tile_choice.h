// Which tile of a nest of loops around a sum, and in which order the tiles follow each other.
//
//   for o: for j: acc = 0; for k: acc = fma(W[o, k], x[j, k], acc); y[o, j] = acc
// A tile is some iterations of each loop, whose sums are in registers together: what it loads for a
// step of the sums is shared by all of them that add it. The loop that is innermost says what stays
// in the first level's cache from tile to tile (Goto and van de Geijn, "Anatomy of high-performance
// matrix multiplication", 2008).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rlc::cpu {

// What a step of the sums loads.
struct TileLoad {
  std::vector<int64_t>
      steps;           // elements by which it moves: a loop of the nest's, then of the sums'
  bool lanes = false;  // an element of each lane; else one for all of them
};

struct TileNest {
  std::vector<int64_t> trips;     // of its loops, outermost first
  std::vector<bool> jams;         // whether several iterations of a loop may share a tile
  std::vector<int64_t> sumTrips;  // of the sums' loops
  std::vector<TileLoad> loads;
  int64_t sums = 1;      // of an iteration
  int64_t mostSums = 1;  // that registers hold
  int64_t vectors = 1;   // registers of a value
  int64_t lanes = 1;     // of a block
  int64_t registers = 32;
};

struct Tile {
  std::vector<size_t> order;     // of the nest's loops, outermost first
  std::vector<int64_t> factors;  // iterations of a tile, by loop
};

// The cheapest by an estimate of time: what is loaded for an operation, and how much of that has to
// come from the second level's cache or from behind it. The source's order where no other is
// better.
Tile chooseTile(const TileNest& nest);

}  // namespace rlc::cpu
