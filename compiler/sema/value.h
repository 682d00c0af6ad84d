// What an expression is to the compiler. Tensors become reads of graph nodes; everything else
// (records, tuples, modules, functions, types) exists only here and is gone when the graph is done.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/diagnostics/span.h"
#include "compiler/pdg/graph.h"
#include "compiler/syntax/ast.h"

namespace rlc::sema {

using diagnostics::Span;
using pdg::NodeId;
using pdg::Read;
using polyhedral::Condition;
using polyhedral::IndexExpr;
using polyhedral::Set;
using polyhedral::Var;

struct Value;
using ValueRef = std::shared_ptr<const Value>;
struct Scope;

// A read that no node holds yet. Value(k) atoms in it mean gathers[k].
struct View {
  NodeId producer = -1;            // -1: the value is known at compile time and has no node
  std::vector<IndexExpr> at;       // over the variables of the space it was made in
  std::vector<IndexExpr> element;  // these and the positions of the tensor that the view is
  std::vector<Read> gathers;

  // `newGathers` come first in the result; what the replacements' Value atoms mean.
  View substitute(const std::map<Var, IndexExpr>& replacement,
                  const std::vector<Read>& newGathers = {}) const;
  void collectDims(std::vector<Var>& out) const;  // dims only, each once
};

// A literal takes the type of what it is combined with.
enum class Weak : uint8_t { No, Int, Float };

// Where an integer tensor's values lie: lo <= value < hi at each point.
struct ValueRange {
  IndexExpr lo, hi;
};

// A value that is a function of the point alone, but not an affine one: t * t, (t * k) % 3 == 0.
struct PointFunction {
  std::vector<Var> vars;
  std::function<Scalar(const std::function<int64_t(Var)>&)> evaluate;
};

struct Tensor {
  DType type = DType::F32;
  Weak weak = Weak::No;
  std::vector<IndexExpr> shape;
  View view;

  // What is known at compile time of a scalar; `params`: the params whose values that knowledge
  // used.
  std::optional<IndexExpr> index;      // I32: its value
  std::optional<Condition> condition;  // Bool: where it holds
  std::optional<double> number;        // floats: its value
  std::shared_ptr<const PointFunction> function;
  std::set<int> params;

  std::optional<ValueRange> range;  // integers

  bool isStatic() const { return index || condition || number || function; }
  std::optional<int64_t> constant() const { return index ? index->asConstant() : std::nullopt; }
  std::optional<bool> constantBool() const;
};

struct Poison {
};  // an error that has been reported: nothing is reported about what follows from it
struct Unknown {};  // not inferred yet

struct Record {
  std::string type;  // of a declared record; else empty
  std::vector<std::pair<std::string, ValueRef>> fields;
  const ValueRef* field(const std::string& name) const;
};
struct Tuple {
  std::vector<ValueRef> elements;
  bool list = false;  // [a, b]: a tensor where one is asked for
};
struct Text {
  std::string text;
};

// fn, or a method bound to its instance.
struct Function {
  const syntax::FnItem* item = nullptr;
  std::shared_ptr<Scope> scope;  // where its free names are looked up
  std::string path;              // "std.rl.gae", for streams and messages
};
// module, policy, env: called, it makes an instance.
struct Class {
  const syntax::ModuleItem* item = nullptr;
  std::shared_ptr<Scope> scope;
  std::string path;
};
// A module with its arguments. `fields`: what it knows (arguments, sub-modules); `weights`: null
// until they are bound.
struct Instance {
  std::shared_ptr<const Class> of;
  std::vector<std::pair<std::string, ValueRef>> fields;  // in order of declaration
  ValueRef weights;
  bool hasWeights = false;
  std::vector<std::pair<std::string, Span>> places;  // of the arguments in the program's text
  const ValueRef* field(const std::string& name) const;
};
// instance.method, before it is called.
struct Bound {
  ValueRef object;
  std::string method;
};
struct BuiltinRef {
  int id = -1;
};
struct TypeValue {
  DType type;
};
struct RecordType {
  std::string name;
  const std::vector<syntax::Field>* fields = nullptr;
  std::shared_ptr<Scope> scope;
};

struct Value {
  std::variant<Poison, Unknown, Tensor, Record, Tuple, Text, Function, Class, Instance, Bound,
               BuiltinRef, TypeValue, RecordType>
      node;

  template <typename T>
  const T* as() const {
    return std::get_if<T>(&node);
  }
  bool isPoison() const { return std::holds_alternative<Poison>(node); }
  bool isUnknown() const { return std::holds_alternative<Unknown>(node); }
};

template <typename T>
ValueRef make(T node) {
  return std::make_shared<const Value>(Value{std::move(node)});
}
ValueRef poison();
ValueRef unknown();

// The value with each tensor in it replaced; `path` is "field.0.W". Lists stay lists.
using LeafMap = std::function<ValueRef(const Tensor&, const std::string& path)>;
ValueRef mapLeaves(const ValueRef& value, const LeafMap& map, const std::string& path = "");
void forEachTensor(const ValueRef& value,
                   const std::function<void(const Tensor&, const std::string&)>& visit);

// The variables that a value's tensors vary over, added to `dims`, some of them more than once.
void collectDims(const ValueRef& value, std::vector<Var>& dims);
bool anyUnknown(const ValueRef& value);
bool anyPoison(const ValueRef& value);
bool hasMoreParts(const ValueRef& value, size_t most);  // itself and all within

ValueRef substitute(const ValueRef& value, const std::map<Var, IndexExpr>& replacement);

// Static scalars.
Tensor intLiteral(int64_t value);
Tensor floatLiteral(double value);
Tensor boolLiteral(bool value);
Tensor indexValue(IndexExpr expr);
Tensor conditionValue(Condition condition);

// "f32[3]", "CartPole.State", "a function": for messages and for comparing signatures.
std::string describe(const ValueRef& value, const polyhedral::VarNamer& namer);
std::string describe(const Tensor& tensor, const polyhedral::VarNamer& namer);

}  // namespace rlc::sema
