#include "compiler/pdg/reads.h"

#include <gtest/gtest.h>

#include "compiler/pdg/testing.h"

namespace rlc::pdg {
namespace {

using testing::GraphBuilder;

// A sum over windows reads at [i - 2 u, u]: each point once, for u follows from it, and i then. Not
// so at [i - u, 0], nor where an index is the quotient of another one.
TEST(Reads, EachPointOnceWhereTheyTellTheIndices) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 8), u = g.index("u", 0, 3);
  const NodeId y = g.declare("y", {i, u}, g.box({i, u}, {0, 0}, {8, 3}));
  const auto once = [&](const IndexExpr& first, const IndexExpr& second) {
    const NodeId sum = g.reduce(ReduceKind::Sum, {i}, {u}, g.box({i, u}, {4, 0}, {8, 3}),
                                g.at(y, {first, second}));
    return readsEachPointOnce(g.node(sum), 0);
  };
  const IndexExpr at(i), window(u);
  EXPECT_TRUE(once(at - window * 2, window));
  EXPECT_TRUE(once(window + 1, at - window));
  EXPECT_TRUE(once(at * 2 - 8, window));
  EXPECT_FALSE(once(at - window, 0));
  EXPECT_FALSE(once(at - window, at - window));
  EXPECT_FALSE(once(IndexExpr::floorDiv(at, 2), window));
  EXPECT_FALSE(once(at - 4, 0));
}

}  // namespace
}  // namespace rlc::pdg
