// The abstract syntax tree of one .rl file: what the user wrote, nothing resolved. Immutable once
// parsed. Every node has its span, every declared name its own. Trees are at most kMaxTreeDepth
// deep, so recursion is safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/diagnostics/span.h"

namespace rlc::syntax {

using diagnostics::FileId;
using diagnostics::Span;

inline constexpr int kMaxNesting = 256;     // brackets, prefix operators, blocks within each other
inline constexpr int kMaxTreeDepth = 1000;  // nodes on a path of an expression: terms of a flat sum

// std::visit(Overloaded{...}, node): exhaustive by construction.
template <typename... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <typename... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

// A name as written; a next-state name keeps its prime: "x'".
struct Name {
  std::string text;
  Span span;
};

struct Expr;
using ExprPtr = std::unique_ptr<const Expr>;

// lo..hi (hi excluded) or lo..=hi. Both bounds are always there.
struct Range {
  Span span;
  ExprPtr lo, hi;
  bool inclusive = false;
  bool open = false;  // a bound was missing, which has been reported; 0 stands in its place
};

// One entry between the brackets of a subscript.
struct Entry {
  enum class Kind {
    Point,  // e            or  t: e
    Slice,  // lo..hi       or  t: lo..hi
    Rest,   // ..           the other (left side) or own (reading) indices
    In,     // t in lo..hi  left sides only
  };
  Kind kind = Kind::Point;
  Span span;
  std::optional<Name> name;    // t of `t: e`, `t: lo..hi`, `t in lo..hi`
  ExprPtr value;               // Point
  std::optional<Range> range;  // Slice, In
};

struct Argument {
  std::optional<Name> name;  // f(name = value)
  ExprPtr value;
};

// `k in lo..hi`, or a declared index on its whole range where there is no range.
struct Binder {
  Name name;
  std::optional<Range> range;
};

// `for b, k in lo..hi if filter`
struct Comprehension {
  Span span;
  std::vector<Binder> binders;
  ExprPtr filter;  // may be null
};

struct FieldInit {
  Name name;
  ExprPtr value;
};

enum class UnaryOp { Negate, Not };
enum class BinaryOp {
  Power,
  Multiply,
  Divide,
  FloorDivide,
  Modulo,
  MatMul,
  Add,
  Subtract,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  And,
  Or,
};
const char* spelling(UnaryOp op);   // "-", "not"
const char* spelling(BinaryOp op);  // "^", "//", "and"

struct IntLiteral {
  int64_t value = 0;
};
struct FloatLiteral {
  double value = 0;  // nearest f64
  std::string text;  // without underscores: round it once to the type that is asked for
};
struct BoolLiteral {
  bool value = false;
};
struct StringLiteral {
  std::string value;  // escapes resolved
};
struct NameExpr {
  std::string name;  // place: Expr::span
};
struct MemberExpr {
  ExprPtr object;
  Name member;
};
// Where there is a comprehension, arguments[0] is its body and any others are named.
struct CallExpr {
  ExprPtr callee;
  std::vector<Argument> arguments;
  std::optional<Comprehension> comprehension;
};
struct SubscriptExpr {
  ExprPtr base;
  std::vector<Entry> entries;
  Span brackets;  // from `[` to `]`
};
struct UnaryExpr {
  UnaryOp op;
  Span op_span;
  ExprPtr operand;
};
struct BinaryExpr {
  BinaryOp op;
  Span op_span;
  ExprPtr left, right;
};
struct IfExpr {
  ExprPtr condition, then_value, else_value;
};
struct TupleExpr {
  std::vector<ExprPtr> elements;  // at least two, or none
};
struct ListExpr {
  std::vector<ExprPtr> elements;
};
struct RecordExpr {
  std::vector<FieldInit> fields;
};

struct Expr {
  using Node = std::variant<IntLiteral, FloatLiteral, BoolLiteral, StringLiteral, NameExpr,
                            MemberExpr, CallExpr, SubscriptExpr, UnaryExpr, BinaryExpr, IfExpr,
                            TupleExpr, ListExpr, RecordExpr>;
  Span span;  // without enclosing parentheses
  Node node;

  template <typename T>
  const T* as() const {
    return std::get_if<T>(&node);
  }
};

// f32, f32[m, n], env, E.State, i32 in 0..n, (f32, bool)
struct TypeExpr {
  Span span;
  std::vector<Name> path;          // empty: a tuple type
  std::vector<ExprPtr> extents;    // f32[m, n]; a lone name may declare a shape variable
  std::vector<TypeExpr> elements;  // tuple type
  std::unique_ptr<Range> bounds;   // i32 in lo..hi
};

struct Item;
using Block = std::vector<Item>;

// The right side of a function or method: `= expr`, or `{ items }` whose last item is an ExprItem,
// the result.
struct Body {
  Span span;
  ExprPtr expr;  // null: a block
  Block items;
};

// A formal parameter: `x`, `x: f32[n]`, `gain = sqrt(2.0)`.
struct Parameter {
  Name name;
  std::optional<TypeExpr> type;
  ExprPtr default_value;  // may be null
};

struct Field {
  Name name;
  TypeExpr type;
  ExprPtr default_value;  // may be null
  std::string doc;
};

// use std.nn.Mlp     use std.nn.{Dense, Mlp}     use .gae.advantage as adv     use "lib/more.rl"
struct UseItem {
  int leading_dots = 0;    // 0: from the root of the library; 1: this file's folder; 2: its parent
  std::vector<Name> path;  // std, nn, Mlp
  std::vector<Name> members;        // Dense, Mlp of `{Dense, Mlp}`
  std::optional<Name> alias;        // `as NAME`
  std::optional<std::string> file;  // "lib/helpers.rl": relative to this file
};

struct ParamDecl {
  Name name;
  std::optional<TypeExpr> type;
  ExprPtr value;
  std::string doc;
};
struct ParamItem {
  std::vector<ParamDecl> params;  // param a = 1, b = 2
};

struct IndexItem {
  Name name;
  Range range;
  ExprPtr until;  // may be null
};

struct RecordItem {
  Name name;
  std::vector<Field> fields;
};

// fn, loss, a method of a module or of an env (`apply(x) = ...`, `step(a) { ... }`).
struct FnItem {
  enum class Kind { Fn, Loss, Method };
  Kind kind = Kind::Fn;
  Name name;
  std::vector<Parameter> parameters;
  std::vector<Name> over;  // fn f(...) over t
  std::optional<TypeExpr> result;
  Body body;
};

// module and env: members are weights, params, equations, methods, nested items; policy: also its
// result, an ExprItem.
struct ModuleItem {
  enum class Kind { Module, Policy, Env };
  Kind kind = Kind::Module;
  Name name;
  std::vector<Parameter> parameters;
  std::vector<Name> over;
  std::optional<TypeExpr> result;  // policy P(obs: f32[4]) -> Categorical
  Block members;
};

// weight W: f32[m, n] ~ dist     weight c: f32[m] = expr
struct WeightItem {
  Name name;
  TypeExpr type;
  bool drawn = false;  // `~`
  ExprPtr value;
};

// state { x: f32, ... } of an env
struct StateItem {
  std::vector<Field> fields;
};

// action Discrete(2)
struct ActionItem {
  ExprPtr space;
};

// reset { ... }, render { ... }: a block with a name and no parameters.
struct BlockItem {
  Name name;
  Block items;
};

// One side of the left of an equation: `x`, `x[i, t+1]`, or a tuple of these.
struct Pattern {
  Span span;
  Name name;                 // of a tuple: empty
  bool subscripted = false;  // `x[...]` as against bare `x`
  std::vector<Entry> subscripts;
  bool tuple = false;
  std::vector<Pattern> elements;
};

// left = value where condition     left ~ distribution
struct EquationItem {
  Pattern left;
  bool drawn = false;  // `~`
  Span op_span;
  ExprPtr value;
  ExprPtr where;  // may be null
};

// `each k i`: every k-th point of i and the last.
struct Each {
  Span span;
  ExprPtr every;
  Name index;
};

// print e     print "label", e     report "name" = e     save θ as "policy"
struct SinkItem {
  enum class Kind { Print, Report, Save };
  Kind kind = Kind::Print;
  std::optional<std::string> label;  // of report and save: always there
  Span label_span;
  std::vector<ExprPtr> values;
  std::vector<std::string>
      texts;  // source text of each value on one line: the label where there is none
  std::optional<Each> each;
};

// An expression on a line of its own: the result of a block, a drawing in `render`.
struct ExprItem {
  ExprPtr value;
};

// A line that could not be parsed (reported already). Its names count as declared, of unknown
// meaning, unless others declare them.
struct BrokenItem {
  std::vector<Name> names;
};

struct Item {
  using Node =
      std::variant<UseItem, ParamItem, IndexItem, RecordItem, FnItem, ModuleItem, WeightItem,
                   StateItem, ActionItem, BlockItem, EquationItem, SinkItem, ExprItem, BrokenItem>;
  Span span;
  std::string doc;  // text of the `##` lines above, without the marks
  Node node;

  template <typename T>
  const T* as() const {
    return std::get_if<T>(&node);
  }
};

struct Comment {
  Span span;  // with its marks
  enum class Kind { Line, Block, Doc } kind = Kind::Line;
};

struct File {
  FileId id = -1;
  Block items;                    // in source order
  std::vector<Comment> comments;  // in source order: all of them, for the formatter
  bool complete = true;           // false: there were syntax errors
};

}  // namespace rlc::syntax
