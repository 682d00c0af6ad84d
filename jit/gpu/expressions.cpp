// Expressions as text: fully typed, with what a statement uses twice computed once.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "compiler/diagnostics/internal_error.h"
#include "jit/cpu/walk.h"
#include "jit/gpu/generator.h"
#include "jit/runtime/math.h"

namespace rlc::gpu {

namespace {

std::string shortest(double value, bool single) {
  char text[48];
  const auto end = single ? std::to_chars(text, text + sizeof text, static_cast<float>(value)).ptr
                          : std::to_chars(text, text + sizeof text, value).ptr;
  std::string digits(text, end);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits;
}

// Without the parentheses around the whole.
std::string bare(const std::string& text) {
  if (text.empty() || text.front() != '(' || text.back() != ')') return text;
  int depth = 0;
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return text;
  }
  return text.substr(1, text.size() - 2);
}

constexpr int64_t kMostInt = int64_t{1} << 30;

bool isLeaf(const ExprNode& e) {
  return e.kind == ExprNode::Kind::Literal || e.kind == ExprNode::Kind::Variable;
}

}  // namespace

std::string Generator::typeName(DType type) {
  switch (type) {
    case DType::Bool:
      return "bool";
    case DType::U8:
      return "u8";
    case DType::I32:
      return "int";
    case DType::I64:
      return "i64";
    case DType::BF16:
    case DType::F32:
      return "float";
    case DType::F64:
      return "double";
  }
  throw InternalError("code generation: an unknown element type");
}

std::string Generator::memoryTypeName(DType type) {
  return type == DType::BF16 ? "Bf16" : typeName(type);
}

std::string Generator::combineName(Combine combine, DType type) {
  const bool rounded = type == DType::BF16;
  switch (combine) {
    case Combine::Sum:
      return rounded ? "SumBf16" : "Sum";
    case Combine::Prod:
      return rounded ? "ProdBf16" : "Prod";
    case Combine::Max:
      return "Max";
    case Combine::Min:
      return "Min";
    case Combine::All:
      return "All";
    case Combine::Any:
      return "Any";
  }
  throw InternalError("code generation: an unknown combination");
}

std::string Generator::identityText(Combine combine, DType type) const {
  const std::string t = typeName(type);
  switch (combine) {
    case Combine::Sum:
    case Combine::Any:
      return t + "(0)";
    case Combine::Prod:
    case Combine::All:
      return t + "(1)";
    case Combine::Max:
    case Combine::Min: {
      const bool most = combine == Combine::Min;
      if (isFloat(type)) return std::string(most ? "" : "-") + "infinityOf(" + t + "())";
      if (type == DType::Bool) return most ? "true" : "false";
      if (type == DType::U8) return most ? "u8(255)" : "u8(0)";
      if (type == DType::I64)
        return most ? "9223372036854775807ll" : "(-9223372036854775807ll - 1)";
      return most ? "2147483647" : "(-2147483647 - 1)";
    }
  }
  throw InternalError("code generation: an unknown combination");
}

std::string Generator::variableName(VarId var) const {
  const auto found = partial_.find(var);
  return found != partial_.end() ? found->second : "v" + std::to_string(var);
}

std::string Generator::literalText(const Scalar& value) const {
  switch (value.type) {
    case DType::Bool:
      return value.i != 0 ? "true" : "false";
    case DType::U8:
      return "u8(" + std::to_string(value.i) + ")";
    case DType::I32:
      return value.i == std::numeric_limits<int32_t>::min() ? "(-2147483647 - 1)"
                                                            : std::to_string(value.i);
    case DType::I64:
      if (value.i == std::numeric_limits<int64_t>::min()) return "(-9223372036854775807ll - 1)";
      return std::to_string(value.i) + "ll";
    case DType::BF16:
    case DType::F32:
    case DType::F64:
      break;
  }
  const std::string t = typeName(value.type);
  if (std::isnan(value.f)) return "nanOf(" + t + "())";
  if (std::isinf(value.f))
    return std::string(value.f < 0 ? "(-" : "(") + "infinityOf(" + t + "()))";
  const bool single = value.type != DType::F64;
  const std::string digits = shortest(value.f, single) + (single ? "f" : "");
  return std::signbit(value.f) ? "(" + digits + ")" : digits;
}

void Generator::countUses(const Expr& e) {
  if (++uses_[e.get()] > 1) return;
  for (const Expr& arg : e->args) countUses(arg);
}

void Generator::beginStatement(const Stmt& stmt) {
  uses_.clear();
  shared_names_.clear();
  cpu::forEachExpr(stmt, [&](const Expr& e) { countUses(e); });
}

std::string Generator::expr(const Expr& e) {
  if (const auto known = shared_names_.find(e.get()); known != shared_names_.end())
    return known->second;
  std::string text;
  switch (e->kind) {
    case ExprNode::Kind::Literal:
      return literalText(e->literal);
    case ExprNode::Kind::Variable:
      return variableName(e->var);
    case ExprNode::Kind::Load:
      text = loadText(e->buffer, e->args[0]);
      break;
    case ExprNode::Kind::Op:
      text = e->type == DType::I64 && fitsInt(e) ? indexText(*e) : opText(*e);
      break;
    case ExprNode::Kind::Fma: {
      const std::string name = e->type == DType::BF16 ? "fused_bf16" : "fused";
      const std::string a = expr(e->args[0]), b = expr(e->args[1]), c = expr(e->args[2]);
      text = name + "(" + a + ", " + b + ", " + c + ")";
      break;
    }
    case ExprNode::Kind::Random:
      text = randomText(*e);
      break;
    case ExprNode::Kind::Factor:
    case ExprNode::Kind::Pair:
    case ExprNode::Kind::PairFma:
      throw InternalError("code generation: pairs of factors are the processor's");
  }
  const auto used = uses_.find(e.get());
  if (used == uses_.end() || used->second < 2 || isLeaf(*e)) return text;
  const std::string name = fresh("x");
  line("const " + typeName(e->type) + " " + name + " = " + bare(text) + ";");
  return shared_names_[e.get()] = name;
}

std::string Generator::loadText(BufferId id, const Expr& index) {
  if (auto text = privateAccess(id, index))
    return buffer(id).type == DType::BF16 ? "float(" + *text + ")" : *text;
  if (buffer(id).kind == Buffer::Kind::Parameter) return bufferName(id);
  const auto staged = staged_.find(id);
  const std::string text =
      staged == staged_.end()
          ? elementText(id, index)
          : "staged_" + bufferName(id) + "[" +
                whole(insideWindow(index, staged->second.bound, staged->second.window)) + "]";
  return buffer(id).type == DType::BF16 ? "float(" + text + ")" : text;
}

std::string Generator::elementText(BufferId id, const Expr& index) {
  if (auto text = privateAccess(id, index)) return *text;
  return bufferName(id) + "[" + whole(index) + "]";
}

std::string Generator::castText(DType from, DType to, const std::string& value) const {
  if (from == to) return value;
  if (to == DType::Bool) return "(" + value + " != " + typeName(from) + "(0))";
  if (isFloat(to)) {
    const std::string converted =
        from == DType::BF16 && to == DType::F32 ? value : typeName(to) + "(" + value + ")";
    return to == DType::BF16 ? "bf16(" + converted + ")" : converted;
  }
  if (isFloat(from))
    return (to == DType::U8 ? "to_u8(" : to == DType::I64 ? "to_i64(" : "to_i32(") + value + ")";
  return typeName(to) + "(" + value + ")";
}

std::string Generator::whole(const Expr& e) { return bare(expr(e)); }

// Whether the value and all that it is computed from are known to fit 32 bits, in which a GPU
// computes faster.
bool Generator::fitsInt(const Expr& e) const {
  if (e->type != DType::I64) return false;
  const auto range = cpu::rangeOf(e, ranges_);
  if (!range || range->lo < -kMostInt || range->hi > kMostInt) return false;
  return e->kind != ExprNode::Kind::Op ||
         std::all_of(e->args.begin(), e->args.end(), [&](const Expr& arg) { return fitsInt(arg); });
}

// Arithmetic on loop variables that fits 32 bits; where a variable is wider, so is what C++ makes
// of it.
std::string Generator::indexText(const ExprNode& e) {
  const auto isConstant = [](const Expr& arg) { return arg->kind == ExprNode::Kind::Literal; };
  const auto operand = [&](const Expr& arg) {
    return isConstant(arg) ? std::to_string(arg->literal.i) : expr(arg);
  };
  const int64_t constant = e.args.size() == 2 && isConstant(e.args[1]) ? e.args[1]->literal.i : 0;
  const std::string a = operand(e.args[0]);
  if (e.op == ScalarOp::Mod && constant > 0 && (constant & (constant - 1)) == 0)
    return "(" + a + " & " + std::to_string(constant - 1) + ")";
  // What is not negative is divided as C++ does it.
  if ((e.op == ScalarOp::FloorDiv || e.op == ScalarOp::Mod) && constant > 0)
    if (const auto range = cpu::rangeOf(e.args[0], ranges_); range && range->lo >= 0)
      return "(" + a + (e.op == ScalarOp::Mod ? " % " : " / ") + std::to_string(constant) + ")";
  const char* sign = e.op == ScalarOp::Add   ? " + "
                     : e.op == ScalarOp::Sub ? " - "
                     : e.op == ScalarOp::Mul ? " * "
                                             : nullptr;
  if (sign == nullptr) return opText(e);
  // x + -1 is written x - 1.
  if (e.op == ScalarOp::Add && constant < 0)
    return "(" + a + " - " + std::to_string(-constant) + ")";
  // Sums need no parentheses inside sums, nor products inside either.
  const bool sum = e.op == ScalarOp::Add;
  const auto isOp = [](const Expr& arg, ScalarOp op) {
    return arg->kind == ExprNode::Kind::Op && arg->op == op;
  };
  const auto part = [&](const Expr& arg, const std::string& text) {
    const bool product = isOp(arg, ScalarOp::Mul) && e.op != ScalarOp::Mul;
    return product || (sum && isOp(arg, ScalarOp::Add)) ? bare(text) : text;
  };
  return "(" + part(e.args[0], a) + sign + part(e.args[1], operand(e.args[1])) + ")";
}

std::string Generator::counterType(VarId var) const {
  const auto found = ranges_.find(var);
  return found != ranges_.end() && found->second.lo > -kMostInt && found->second.hi < kMostInt
             ? "int"
             : "i64";
}

std::string Generator::localType(const Stmt& stmt) const {
  return stmt.type == DType::I64 ? counterType(stmt.var) : typeName(stmt.type);
}

std::string Generator::opText(const ExprNode& e) {
  std::vector<std::string> a;
  for (const Expr& arg : e.args) a.push_back(expr(arg));
  const DType operand = e.op == ScalarOp::Select ? e.type : e.args[0]->type;
  const auto call = [&](const std::string& name) {
    // Operands may be narrower than the type says.
    std::string text = name + (operand == DType::I64 ? "<i64>(" : "(");
    for (size_t i = 0; i < a.size(); ++i) text += (i ? ", " : "") + bare(a[i]);
    return text + ")";
  };
  const auto infix = [&](const char* sign) { return "(" + a[0] + " " + sign + " " + a[1] + ")"; };
  // Inexact results of BF16 are rounded; it is computed as F32.
  const auto rounded = [&](std::string text) {
    return operand == DType::BF16 ? "bf16(" + text + ")" : text;
  };
  const bool plain = isFloat(operand);
  switch (e.op) {
    case ScalarOp::Add:
      return plain ? rounded(infix("+")) : call("add");
    case ScalarOp::Sub:
      return plain ? rounded(infix("-")) : call("sub");
    case ScalarOp::Mul:
      return plain ? rounded(infix("*")) : call("mul");
    case ScalarOp::Div:
      return plain ? rounded(infix("/")) : call("floor_div");
    case ScalarOp::FloorDiv:
      return rounded(call("floor_div"));
    case ScalarOp::Mod: {
      const auto divisor = cpu::constantOf(e.args[1]);
      if (divisor && *divisor > 0 && (*divisor & (*divisor - 1)) == 0)
        return "(" + a[0] + " & " + std::to_string(*divisor - 1) + "ll)";
      return rounded(call("mod"));
    }
    case ScalarOp::Pow:
      return plain ? rounded(call("f_pow")) : call("power_int");
    case ScalarOp::Neg:
      return call("neg");
    case ScalarOp::Abs:
      return call("abs");
    case ScalarOp::Sign:
      return call("sign");
    case ScalarOp::Min:
      return call("minimum");
    case ScalarOp::Max:
      return call("maximum");
    case ScalarOp::Floor:
      return plain ? call("floorOf") : a[0];
    case ScalarOp::Ceil:
      return plain ? call("ceiling") : a[0];
    case ScalarOp::Round:
      return plain ? call("roundEven") : a[0];
    case ScalarOp::Trunc:
      return plain ? call("truncate") : a[0];
    case ScalarOp::Sqrt:
      return rounded(call("root"));
    case ScalarOp::Lt:
      return infix("<");
    case ScalarOp::Le:
      return infix("<=");
    case ScalarOp::Eq:
      return infix("==");
    case ScalarOp::Ne:
      return infix("!=");
    case ScalarOp::IsNan:
      return call("is_nan");
    case ScalarOp::IsInf:
      return call("is_inf");
    case ScalarOp::IsFinite:
      return call("is_finite");
    case ScalarOp::And:
      return infix("&&");
    case ScalarOp::Or:
      return infix("||");
    case ScalarOp::Not:
      return "!" + a[0];
    case ScalarOp::Select:
      return "(" + a[0] + " ? " + a[1] + " : " + a[2] + ")";
    case ScalarOp::Cast:
      return castText(operand, e.type, a[0]);
    default:
      if (!runtime::math::isTranscendental(e.op))
        throw InternalError("code generation: an unknown operation");
      return rounded(call("f_" + std::string(name(e.op))));
  }
}

std::string Generator::randomText(const ExprNode& e) {
  std::string at;
  for (int i = 0; i < e.coordinates; ++i) at += ", " + whole(e.args[static_cast<size_t>(i)]);
  const auto n = static_cast<size_t>(e.coordinates);
  const std::string place = std::to_string(e.stream) + "ull, " + std::to_string(e.elementCount) +
                            "ll, " + expr(e.args[n]) + at + ")";
  const std::string suffix = e.type == DType::F64 ? "_f64" : "_f32";
  std::string text;
  switch (e.draw) {
    case ExprNode::Draw::Uniform01:
      text = "uniform" + suffix + "(run, " + place;
      break;
    case ExprNode::Draw::StandardNormal:
      text = "normal" + suffix + "(run, " + place;
      break;
    case ExprNode::Draw::UniformInt:
      text = "uniform_int(run, " + expr(e.args[n + 1]) + ", " + expr(e.args[n + 2]) + ", " + place;
      break;
    case ExprNode::Draw::StandardGamma:
      text = "gamma_f32(run, " + expr(e.args[n + 1]) + ", " + place;
      break;
  }
  return e.type == DType::BF16 ? "bf16(" + text + ")" : text;
}

}  // namespace rlc::gpu
