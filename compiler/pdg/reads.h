// Where a node reads each of its inputs.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "compiler/pdg/graph.h"

namespace rlc::pdg {

// The node's points with their element positions: a set over dims, then elements.
Set elementDomain(const Node& node);

// A variable that an operation binds in its reads, over 0..extent: the class of a categorical draw,
// the entry of a tree's update, the node of a tree.
struct BoundRange {
  Var var;
  int64_t extent;
};
std::optional<BoundRange> boundRange(const Node& node);

// The variables that the read of an input may mention: dims, element positions, then bound
// variables (a reduction's, or that of boundRange).
std::vector<Var> readVariables(const Node& node);
// The variables that a read binds beyond the node's own.
std::vector<Var> boundVariables(const Node& node);

// Where a scatter or the change of one element writes; none for other operations.
const std::vector<Reduce::Key>& keysOf(const Node& node);
// Whether one of them chooses the position along the variable.
bool isKeyed(const Node& node, Var var);

// The change of one element that a piece (-1: none) of a node's equations is, if it is one.
const Node* pointUpdateOf(const Graph& graph, const Node& node, int piece);

// As many points as an index may have.
constexpr int64_t kAllPoints = int64_t{1} << 40;

// How many points of the domain lie past the static end of an index's range; none where the end
// depends on indices that the domain lacks: it is another one for each of their points.
std::optional<int64_t> pointsPastRange(const Graph& graph, const Set& domain, Var index);
// How many points the node has from the end of an index's range on: x[s+1] = ... goes on to the
// end. kAllPoints: no one end is its own.
int64_t pointsPastRange(const Graph& graph, const Node& node, Var index);

// The points, over readVariables(node), at which the input is read. Inputs that serve Value atoms
// are read where an input (or a reduction's key) that mentions them is.
Set readDomain(const Node& node, int input);

// The values of `at` at the points `where`, as points of `vars`; of a Value atom all of its range.
Set imageOf(const Graph& graph, const Set& where, const std::vector<IndexExpr>& at,
            const std::vector<Var>& vars);

// The points of its producer, over the producer's dims, that the input takes; where a subscript is
// data, all of its range.
Set pointsRead(const Graph& graph, const Node& node, int input);

// Whether each evaluation of the consumer's element reads a point of the producer of its own: every
// variable that the consumer iterates over appears in the access, so nothing is computed twice by
// inlining.
bool readsEachPointOnce(const Node& consumer, int input);

// What a node passes on unchanged, as what names another or is detached does; null: none.
const Read* passedOn(const Node& node);

// Where a read is along an index; null: what it reads does not run along it.
const IndexExpr* positionAlong(const Graph& graph, const Read& read, Var index);
// Whether the node has all of the indices.
bool runsAlong(const Node& node, const std::vector<Var>& indices);

// The inputs that the expression takes values from, each once.
std::vector<int> valueInputs(const IndexExpr& expr);
std::vector<int> valueInputs(const Read& read);
// Those of the input's read, and those of theirs in turn.
std::vector<int> allValueInputs(const Node& node, int input);
// A Value atom whose range is unknown is checked at run time only.
bool hasUnboundedValue(const IndexExpr& expr);
// The test is against the producer's points, so another producer with the same values won't do
// unless it has these points.
bool isTested(const Read& read);
// Whether reading may be a fault: a subscript that is tested, or what may lie past an end.
bool isChecked(const Read& read);

// Whether computing the node always reads the input: not a side of a selection, nor what a filter
// or an empty range may leave out, nor what only says where one of these is read.
bool isAlwaysRead(const Node& node, size_t input);

// Every expression of the read, what is told of it and its ends included.
void changeExprs(Read& read, const std::function<IndexExpr(const IndexExpr&)>& change);
// The read's faults no longer tell what is not known, or what mentions other variables.
void tellOnly(Read& read, const std::function<bool(const IndexExpr&)>& known);
void tellOnly(Read& read, const std::vector<Var>& scope);

// The read with other numbers for the inputs that its Value atoms take.
Read renumbered(const Read& read, const std::function<int(int)>& number);

// The producer's dims and element positions as the read gives them.
std::map<Var, IndexExpr> valuesOf(const Node& producer, const Read& read);
// What `node` reads with `inner`, in the variables of what reads the node with `outer`; none: at
// subscripts that are data.
std::optional<Read> readThrough(const Node& node, const Read& outer, const Read& inner);

// Visits every expression of the node: its reads' and its op's own.
void forEachExpr(const Node& node, const std::function<void(const IndexExpr&)>& visit);

// The read that takes the producer at the consumer's own variables of the same names (elements:
// identity).
Read identityRead(const Node& producer);

}  // namespace rlc::pdg
