// Tiles of nests around sums: few loads for an operation, and what is read again stays near.
#include "jit/cpu/tile_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace rlc::cpu {
namespace tile_choice_test {

using Loops = std::vector<size_t>;

constexpr size_t kFilters = 0, kRows = 1, kColumns = 2;

// for filters: for rows: for columns: the sum over channels and a square window, lanes are images
TileNest convolution(int64_t side, int64_t channels, int64_t filters, int64_t size, int64_t stride,
                     int64_t lanes = 16) {
  const int64_t out = (side - size) / stride + 1, row = side * lanes, channel = side * row;
  TileNest nest;
  nest.trips = {filters, out, out};
  nest.jams = {true, true, true};
  nest.sumTrips = {channels, size, size};
  nest.loads = {{{channels * size * size, 0, 0, size * size, size, 1}, false},
                {{0, stride * row, stride * lanes, channel, row, lanes}, true}};
  nest.vectors = lanes / 16;
  nest.mostSums = 24 / nest.vectors;
  nest.lanes = lanes;
  return nest;
}

int64_t sumsOf(const Tile& tile) {
  return std::accumulate(tile.factors.begin(), tile.factors.end(), int64_t{1}, std::multiplies<>());
}

double loadsPerSum(const Tile& tile, int64_t vectors = 1) {
  const int64_t filters = tile.factors[kFilters],
                images = tile.factors[kRows] * tile.factors[kColumns] * vectors;
  return static_cast<double>(filters + images) / static_cast<double>(filters * images);
}

TEST(TileChoice, TilesLoadLessThanTheyAdd) {
  for (const TileNest& nest :
       {convolution(84, 4, 32, 8, 4), convolution(20, 32, 64, 4, 2), convolution(9, 64, 64, 3, 1),
        convolution(10, 4, 16, 3, 1), convolution(20, 32, 64, 4, 2, 32)}) {
    const Tile tile = chooseTile(nest);
    EXPECT_LE(sumsOf(tile), nest.mostSums);
    EXPECT_LE(loadsPerSum(tile, nest.vectors), 0.8);
    EXPECT_GT(tile.factors[kFilters], 1);
  }
}

// AVX2: a weight for all lanes takes a register, and a sum that has none is stored in every step.
TEST(TileChoice, SixteenRegistersHoldSumsPixelsAndAWeight) {
  for (TileNest nest : {convolution(84, 4, 32, 8, 4), convolution(20, 32, 64, 4, 2),
                        convolution(9, 64, 64, 3, 1), convolution(10, 4, 16, 3, 1)}) {
    nest.vectors = 2;
    nest.mostSums = 6;
    nest.registers = 16;
    const Tile tile = chooseTile(nest);
    const int64_t pixels = tile.factors[kRows] * tile.factors[kColumns];
    EXPECT_LE(2 * sumsOf(tile) + 2 * pixels + 1, 16);
    EXPECT_GE(2 * sumsOf(tile), 8);
  }
}

TEST(TileChoice, LargeImagesAreReadOnceForAllFilters) {
  for (int64_t lanes : {16, 32})
    for (const TileNest& nest :
         {convolution(84, 4, 32, 8, 4, lanes), convolution(20, 32, 64, 4, 2, lanes)}) {
      const Tile tile = chooseTile(nest);
      EXPECT_NE(tile.order.front(), kFilters);
    }
}

TEST(TileChoice, WhatStaysNearKeepsTheSourcesOrder) {
  EXPECT_EQ(chooseTile(convolution(10, 4, 16, 3, 1)).order, (Loops{0, 1, 2}));
  EXPECT_EQ(chooseTile(convolution(6, 2, 8, 3, 1)).order, (Loops{0, 1, 2}));
}

TEST(TileChoice, LoopsThatMayNotJamAreNot) {
  TileNest nest = convolution(20, 32, 64, 4, 2);
  nest.jams = {true, false, false};
  const Tile tile = chooseTile(nest);
  EXPECT_EQ(tile.factors[kRows], 1);
  EXPECT_EQ(tile.factors[kColumns], 1);
  EXPECT_GE(tile.factors[kFilters], 8);
}

TEST(TileChoice, SumsOfOneIterationShareTheRegisters) {
  TileNest nest = convolution(9, 64, 64, 3, 1);
  nest.sums = 4;
  EXPECT_LE(sumsOf(chooseTile(nest)), 6);
}

// Seven columns by 4 leave three, by 7 none.
TEST(TileChoice, EndsCount) {
  TileNest nest = convolution(9, 4, 16, 3, 1);
  nest.trips = {2, 1, 7};
  const Tile tile = chooseTile(nest);
  EXPECT_EQ(tile.factors, (std::vector<int64_t>{2, 1, 7}));
}

}  // namespace tile_choice_test
}  // namespace rlc::cpu
