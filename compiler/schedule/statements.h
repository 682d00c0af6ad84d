// What is computed as a statement of its own and what is folded into the expressions that read it.
//
// A statement runs once for each point of its domain (over index dims; element axes are loops
// inside it) and writes one node's value there. Nodes that are read at most once a point are
// inlined into their reader and have no storage.
#pragma once

#include <optional>
#include <vector>

#include "compiler/pdg/ends.h"
#include "compiler/pdg/graph.h"

namespace rlc::schedule {

using pdg::Graph;
using pdg::NodeId;
using polyhedral::IndexExpr;
using polyhedral::Set;
using polyhedral::Var;

enum class Placement : uint8_t {
  Inline,    // computed where it is read
  Stored,    // has storage and statements that write it
  Constant,  // a dense literal, read from the program's constants
};

// A read of a stored node by a statement, through whatever was inlined. `scope` holds the points
// over which the read happens: the statement's variables and whatever bound variables and element
// positions `at` mentions.
struct Access {
  NodeId producer = -1;
  std::vector<IndexExpr> at;
  Set scope;
  bool rewritten = false;  // by the statement into what it writes: a tree that it updates
  // Where each value becomes the same element of its own next point along one index, so that both
  // may lie in one place: that index's position in `at`. `carried`: the positions of those that are
  // read at one fixed point and written at another, as the second one in w[v, 0] = w[v - 1, 8].
  std::optional<size_t> ownPlace = std::nullopt;
  std::vector<size_t> carried = {};
  std::vector<IndexExpr> element = {};  // the positions that are read there, like `at`
};

struct Statement {
  enum class Role : uint8_t {
    Compute,  // writes the node's value at `vars` = its dims (one piece of it where it is a Merge)
    Change,   // a piece that is a PointUpdate: writes all elements along the keys' variables, which
              // are none of `vars`; where they lie in the place of those before, only the one that
              // changes
    Init,     // writes a reduction's identity
    Update,   // combines one point of the reduction's range into it: `vars` = dims, then scheduled
              // bound variables
    Emit,     // hands a sink's point to the host
  };
  Role role = Role::Compute;
  NodeId node = -1;
  int piece = -1;  // Compute, Change of a Merge
  int sink = -1;   // Emit
  std::vector<Var> vars;
  Set domain;  // over vars
  std::vector<Access> accesses;
  // Runs only where all of these hold, over `vars`: points past the end of an index may read what
  // was never computed.
  std::vector<pdg::Read> guards;
};

struct Statements {
  std::vector<Placement> placement;              // [node]
  std::vector<std::vector<Var>> scheduledBound;  // [node] of a Reduce computed by Init and Update:
                                                 // the bound variables that are statement variables
  std::vector<bool> escapes;  // [node] read by the host after the run: kept whole
  std::vector<pdg::EndingIndex> endings;
  std::vector<Statement> list;
  std::vector<std::vector<int>> writers;  // [node] statements that write it
};

// Whether some statement makes the node's next tree of the one before, in place where both lie in
// one.
bool isRewrittenTree(const Statements& statements, NodeId node);

// `splitByReads`: statements that depend on each other are split so that all instances of one make
// the same reads of the others. More statements, more orders.
Statements makeStatements(const Graph& graph, bool splitByReads = false);

}  // namespace rlc::schedule
