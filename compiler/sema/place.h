// What elaboration hands around: where an expression stands, what a call was given, how far
// inlining may go. Internal to compiler/sema.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/sema/scope.h"
#include "compiler/sema/space.h"
#include "compiler/sema/value.h"

namespace rlc::sema {

using syntax::Expr;

constexpr NodeId kDryNode = 1 << 30;  // what views read while types are inferred

inline constexpr int kMaxCallDepth = 200;      // calls within calls while everything is inlined
inline constexpr int kMaxCalls = 400'000;      // calls of a whole program
inline constexpr int64_t kMaxStack = 5 << 20;  // bytes of stack for nested expressions and calls
inline constexpr int64_t kMaxUnroll =
    65'536;  // points of a condition that is enumerated, elements of a static list
inline constexpr int32_t kDryDims = 1 << 24;  // variables of inference, which leave no trace

// Where an expression stands: what its names mean, and at which points it is needed.
struct Place {
  std::shared_ptr<Scope> scope;
  SpaceRef space;
};

struct CallArgs {
  struct Arg {
    std::string name;  // empty: positional
    ValueRef value;
    Span span;
    const Expr* written = nullptr;  // null: not of the program's text
  };
  std::vector<Arg> args;
  Span span;  // the whole call
  const Place& place;
};

// An expression, and the scope that its names stand in.
struct Written {
  const Expr* expr = nullptr;
  std::shared_ptr<Scope> scope;
};

struct Argument {
  Span span;
  Written written;
};

// A call that is being inlined.
struct CallFrame {
  Span span;
  Written callee;
  std::map<std::shared_ptr<Symbol>, Argument> given;  // by the parameters' symbols
};

struct Param {
  std::string name, doc;
  Span span;
  ValueRef value;  // what a use of it is
  std::shared_ptr<Symbol> symbol;
  pdg::ParamId node = -1;
  bool baked = false, overridden = false, givesOthers = false;
  std::string setting;  // `name = text` from outside that gave the value
  std::string type, text;
};

// One entry of a subscript, resolved: what stands at a position or at an element axis.
struct Slot {
  enum class Kind { Keep, Fixed, Slice, Gather } kind = Kind::Keep;
  IndexExpr at;      // Fixed; Slice: its first
  IndexExpr length;  // Slice
  Tensor tensor;     // Gather: integers
  Span span;
};

}  // namespace rlc::sema
