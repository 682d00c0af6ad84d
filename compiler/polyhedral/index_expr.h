// Quasi-affine integer expressions over named variables: subscripts, range bounds, extents.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rlc::polyhedral {

// A variable of an index expression. id >= 0: an iteration dimension (a program's index or a range
// variable; the graph's dimension table has its name). id < 0: the position along an element axis
// of the node that evaluates the expression.
struct Var {
  int32_t id = 0;
  static Var dim(int32_t id) { return {id}; }
  static Var element(int axis) { return {-1 - axis}; }
  bool isElement() const { return id < 0; }
  int elementAxis() const { return -1 - id; }
  auto operator<=>(const Var&) const = default;
};

using VarNamer = std::function<std::string(Var)>;

// Immutable, in canonical form: constant + sum of coefficient * atom, atoms sorted, so that
// equality is structural. Integer arithmetic is exact (64 bit).
class IndexExpr {
 public:
  enum class AtomKind : uint8_t {
    Variable,  // a Var
    Value,  // the value of the evaluating node's own input `input`, an integer scalar read, known
            // to lie in [lo, hi)
    FloorDiv,  // floor(args[0] / divisor), divisor > 0
    Mod,       // args[0] - divisor * floor(args[0] / divisor), divisor > 0
    Min,       // of args, at least two
    Max,
  };
  struct Atom;
  struct Term {
    int64_t coefficient;
    std::shared_ptr<const Atom> atom;
  };

  IndexExpr(int64_t constant = 0) : constant_(constant) {}  // NOLINT: implicit by design
  IndexExpr(int constant) : constant_(constant) {}          // NOLINT
  IndexExpr(Var var);                                       // NOLINT

  // `lo`, `hi` bound the value when they are known (a gather's proven range); otherwise both are
  // empty and it is checked at run time.
  static IndexExpr value(int input, std::shared_ptr<const IndexExpr> lo,
                         std::shared_ptr<const IndexExpr> hi);
  static IndexExpr floorDiv(const IndexExpr& dividend, int64_t divisor);  // divisor != 0
  static IndexExpr mod(const IndexExpr& dividend,
                       int64_t divisor);  // divisor != 0; the sign follows the divisor
  static IndexExpr min(const IndexExpr& a, const IndexExpr& b);
  static IndexExpr max(const IndexExpr& a, const IndexExpr& b);

  int64_t constantTerm() const { return constant_; }
  const std::vector<Term>& terms() const { return terms_ ? *terms_ : kNone; }

  std::optional<int64_t> asConstant() const;
  std::optional<Var> asVariable() const;  // exactly one variable, coefficient 1, constant 0
  struct Shifted {
    Var var;
    int64_t offset;
  };
  std::optional<Shifted> asShifted() const;  // var + offset
  bool isLinear() const;                     // constants and variables only
  bool hasValue() const;                     // reads a Value atom anywhere
  void collectVariables(std::vector<Var>& out)
      const;  // each once, in order of first use; the bounds of Value atoms too
  bool mentions(Var var) const;
  int64_t coefficientOf(Var var) const;  // of the linear part

  // Replaces variables; those without an entry stay. Value atoms' bounds are substituted too;
  // `inputShift` is added to their input numbers.
  IndexExpr substitute(const std::map<Var, IndexExpr>& replacement, int inputShift = 0) const;
  IndexExpr mapInputs(
      const std::function<int(int)>& renumber) const;  // renumbers the inputs of Value atoms

  int64_t evaluate(const std::function<int64_t(Var)>& variable,
                   const std::function<int64_t(int)>& value = nullptr) const;
  std::string toString(
      const VarNamer& namer) const;  // as a user would write it: "t + 1", "min(t + n, 10)"

  friend IndexExpr operator+(const IndexExpr& a, const IndexExpr& b);
  friend IndexExpr operator-(const IndexExpr& a, const IndexExpr& b);
  friend IndexExpr operator-(const IndexExpr& a);
  friend IndexExpr operator*(const IndexExpr& a, int64_t factor);
  friend bool operator==(const IndexExpr& a, const IndexExpr& b);
  friend bool operator<(const IndexExpr& a,
                        const IndexExpr& b);  // an arbitrary total order, for containers

 private:
  using Terms = std::vector<Term>;
  static inline const Terms kNone;

  IndexExpr(int64_t constant, Terms terms);  // the terms in canonical form
  static IndexExpr ofAtom(Atom atom);
  static IndexExpr extreme(AtomKind kind, const IndexExpr& a, const IndexExpr& b);
  // this + factor * (other), in one merge
  IndexExpr plus(const IndexExpr& other, int64_t factor) const;

  int64_t constant_ = 0;
  std::shared_ptr<const Terms> terms_;  // copies share them; null: none
};

struct IndexExpr::Atom {
  AtomKind kind;
  Var var;                                  // Variable
  int input = -1;                           // Value
  std::shared_ptr<const IndexExpr> lo, hi;  // Value: range [lo, hi), empty when unknown
  std::vector<IndexExpr> args;              // FloorDiv, Mod, Min, Max
  int64_t divisor = 0;                      // FloorDiv, Mod
};

// A boolean over index expressions, in negation normal form.
class Condition {
 public:
  enum class Kind : uint8_t { True, False, NonNegative, Zero, NonZero, And, Or };

  static Condition always();
  static Condition never();
  static Condition nonNegative(const IndexExpr& e);  // e >= 0
  static Condition equal(const IndexExpr& a, const IndexExpr& b);
  static Condition notEqual(const IndexExpr& a, const IndexExpr& b);
  static Condition less(const IndexExpr& a, const IndexExpr& b);
  static Condition lessEqual(const IndexExpr& a, const IndexExpr& b);
  static Condition within(const IndexExpr& e, const IndexExpr& lo,
                          const IndexExpr& hi);  // lo <= e < hi
  friend Condition operator&&(const Condition& a, const Condition& b);
  friend Condition operator||(const Condition& a, const Condition& b);
  friend Condition operator!(const Condition& a);
  friend bool operator==(const Condition& a, const Condition& b);

  Kind kind() const { return kind_; }
  const IndexExpr& expr() const { return expr_; }                 // NonNegative, Zero, NonZero
  const std::vector<Condition>& parts() const { return parts_; }  // And, Or

  bool evaluate(const std::function<int64_t(Var)>& variable,
                const std::function<int64_t(int)>& value = nullptr) const;
  Condition substitute(const std::map<Var, IndexExpr>& replacement) const;
  void collectVariables(std::vector<Var>& out) const;
  std::string toString(const VarNamer& namer) const;

 private:
  Kind kind_ = Kind::True;
  IndexExpr expr_;
  std::vector<Condition> parts_;
};

}  // namespace rlc::polyhedral
