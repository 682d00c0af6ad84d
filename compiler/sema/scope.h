// Names and what they mean: a file, a function's body at one call, a module at one instantiation
// each have a Scope.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/sema/space.h"

namespace rlc::sema {

struct System;
struct EquationDef;

// A place of a tensor's left-hand side: `var` is the graph's dim there; `index` the declared index
// that names it, if any.
struct Position {
  Var var;
  Var index;
  bool named = false;
  std::string name;
};

// An entry of a left side: `t + 1` (shifted), `0` or `end(t)` (neither shifted nor rest), `t in
// 0..n`, `..`.
struct LeftEntry {
  const syntax::Entry* entry = nullptr;
  bool rest = false, shifted = false;
  Var index;                        // shifted: the declared index
  IndexExpr expr;                   // over declared indices
  std::optional<IndexExpr> lo, hi;  // `in`
};

// What one equation defines of one tensor: position p is at[p], an expression of the equation's own
// variables.
struct Target {
  EquationDef* equation = nullptr;
  const syntax::Pattern* pattern = nullptr;
  std::vector<size_t> path;  // which part of the right side, for a tuple on the left
  std::vector<LeftEntry> entries;
  std::vector<IndexExpr> at;  // positions
  std::vector<View> views;    // what it defines: one for each leaf, over the tensor's dims
  Set domain;                 // over the tensor's dims
  bool bare() const { return !pattern->subscripted; }
};

// A tensor: all equations of one name in one scope.
struct TensorDef {
  std::string name, path;
  Span span;
  System* system = nullptr;
  std::vector<Target> targets;
  int group = -1;
  bool let =
      false;  // a name for an expression of the scope it stands in; elaborated on its first use
  bool letBusy = false;
  ValueRef letValue, dryLetValue;

  std::vector<Var> hidden;  // variables of the surrounding space that it varies over
  std::vector<Position> positions;
  bool positionsKnown = false;
  ValueRef signature;  // leaves read the definition at its own dims
  std::vector<NodeId> leaves;
  Set domain;           // over dims()
  bool failed = false;  // an error in an equation: reads are not checked against `domain`
  std::set<std::string> unranged;  // leaves whose range changed while types were inferred
  bool doubtful = false;  // its equations failed where its type was inferred: it is a guess
  bool endless = false;   // its type has itself as a part

  std::vector<Var> dims() const;
};

struct EquationDef {
  const syntax::EquationItem* item = nullptr;
  System* system = nullptr;
  std::vector<TensorDef*> defines;
  std::vector<Var> named;  // declared indices that its left side names
  std::map<Var, std::pair<IndexExpr, IndexExpr>>
      overrides;          // declared index -> range given on the left
  std::set<Var> touched;  // declared indices that its right side varies over
  std::vector<Var> own;   // its own variables
  std::set<Var> missing;
  SpaceRef space;  // its own points
  bool broken = false;
  ValueRef letValue, dryLetValue;  // of a let: the right side
};

// Equations that stand together: a program, or the body of a function at one call.
struct System {
  std::shared_ptr<Scope> scope;
  SpaceRef outer;
  std::string path;
  std::map<Var, Var>
      ownVars;               // declared index -> the variable that stands for it in these equations
  std::set<Var> ownIndices;  // declared indices that left sides name, or `over` does
  std::vector<Var> over;     // `over t`: declared indices
  std::vector<std::unique_ptr<EquationDef>> equations;
  std::vector<std::unique_ptr<TensorDef>> tensors;
  std::vector<std::vector<TensorDef*>>
      groups;  // mutually dependent, in an order in which they can be inferred
  bool program = false;
  bool renews = false;  // of an env's `renew`: x' draws from x's streams

  // What draws in the equation of `path` are named after.
  std::string stream(const std::string& path) const {
    return renews && path.ends_with('\'') ? path.substr(0, path.size() - 1) : path;
  }
};

struct RangeVariable {
  Var var;
  std::vector<Var>
      mentions;  // declared indices that its bounds mention, or the one that it runs over
  const syntax::Range* range = nullptr;  // null: a declared index on its whole range
};

struct Symbol {
  enum class Kind { Value, Param, Index, Range, Tensor, Import, Over, Static };
  Kind kind = Kind::Value;
  Span span;
  ValueRef value;  // Value, Over (an argument that may be read elsewhere)
  int param = -1;
  Var var;  // Index
  bool indexReady = false, busy = false;
  const syntax::IndexItem* indexItem = nullptr;
  RangeVariable range;
  TensorDef* tensor = nullptr;
  const syntax::EquationItem* equation =
      nullptr;                    // Static: a name for a value, of an imported file
  std::shared_ptr<Scope> import;  // Import: look `importName` up there
  std::string importName;
  std::vector<Position> positions;  // Over
};

struct Scope : std::enable_shared_from_this<Scope> {
  std::shared_ptr<Scope> parent;
  std::unordered_map<std::string, std::shared_ptr<Symbol>> symbols;
  std::string path;                // "" in the program, "std.nn" in a file
  std::shared_ptr<System> system;  // owns what its symbols point to
  std::shared_ptr<void> owner;

  std::shared_ptr<Symbol> find(const std::string& name) const;
  std::shared_ptr<Symbol> findHere(const std::string& name) const;
  void visibleNames(std::vector<std::string>& out) const;
  void bind(const std::string& name, ValueRef value, Span span = {});
};
std::shared_ptr<Scope> childOf(const std::shared_ptr<Scope>& parent, std::string path);

}  // namespace rlc::sema
