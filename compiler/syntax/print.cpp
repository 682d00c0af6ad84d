#include "compiler/syntax/print.h"

#include <charconv>

namespace rlc::syntax {
namespace {

// From loosest to tightest, as in language.md, section 2.
enum Precedence {
  kConditional,
  kOr,
  kAnd,
  kNot,
  kComparison,
  kSum,
  kProduct,
  kUnary,
  kPower,
  kPostfix
};

Precedence precedenceOf(BinaryOp op) {
  switch (op) {
    case BinaryOp::Power:
      return kPower;
    case BinaryOp::Multiply:
    case BinaryOp::Divide:
    case BinaryOp::FloorDivide:
    case BinaryOp::Modulo:
    case BinaryOp::MatMul:
      return kProduct;
    case BinaryOp::Add:
    case BinaryOp::Subtract:
      return kSum;
    case BinaryOp::Equal:
    case BinaryOp::NotEqual:
    case BinaryOp::Less:
    case BinaryOp::LessEqual:
    case BinaryOp::Greater:
    case BinaryOp::GreaterEqual:
      return kComparison;
    case BinaryOp::And:
      return kAnd;
    case BinaryOp::Or:
      return kOr;
  }
  return kPostfix;
}

std::string quoted(const std::string& value) {
  std::string result = "\"";
  for (const char c : value) {
    switch (c) {
      case '\n':
        result += "\\n";
        break;
      case '\t':
        result += "\\t";
        break;
      case '\r':
        result += "\\r";
        break;
      case '\0':
        result += "\\0";
        break;
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      default:
        result += c;
    }
  }
  return result + "\"";
}

template <typename List, typename Show>
std::string joined(const List& list, Show show) {
  std::string result;
  for (const auto& element : list) result += (result.empty() ? "" : ", ") + show(element);
  return result;
}

class Printer {
 public:
  explicit Printer(int place) : place_(place) {}

  std::string show(const Expr& expr) const { return std::visit(*this, expr.node); }

  std::string operator()(const IntLiteral& literal) const { return std::to_string(literal.value); }
  std::string operator()(const FloatLiteral& literal) const { return literal.text; }
  std::string operator()(const BoolLiteral& literal) const {
    return literal.value ? "true" : "false";
  }
  std::string operator()(const StringLiteral& literal) const { return quoted(literal.value); }
  std::string operator()(const NameExpr& expr) const { return expr.name; }
  std::string operator()(const MemberExpr& expr) const {
    return at(*expr.object, kPostfix) + "." + expr.member.text;
  }
  std::string operator()(const SubscriptExpr& expr) const {
    return at(*expr.base, kPostfix) + "[" +
           joined(expr.entries, [](const Entry& entry) { return print(entry); }) + "]";
  }
  std::string operator()(const UnaryExpr& expr) const {
    const Precedence own = expr.op == UnaryOp::Not ? kNot : kUnary;
    const std::string operand = at(*expr.operand, own);
    return closed(own, expr.op == UnaryOp::Not ? "not " + operand : "-" + operand);
  }
  std::string operator()(const BinaryExpr& expr) const {
    const Precedence own = precedenceOf(expr.op);
    const bool right = expr.op == BinaryOp::Power;
    // A comparison of comparisons needs brackets on both sides.
    const int left_place = right || own == kComparison ? own + 1 : own,
              right_place = right ? kUnary : own + 1;
    const std::string op = spelling(expr.op);
    return closed(own, at(*expr.left, left_place) + (right ? op : " " + op + " ") +
                           at(*expr.right, right_place));
  }
  std::string operator()(const IfExpr& expr) const {
    return closed(kConditional, "if " + print(*expr.condition) + " then " +
                                    print(*expr.then_value) + " else " + print(*expr.else_value));
  }
  std::string operator()(const TupleExpr& expr) const {
    return "(" + elements(expr.elements) + ")";
  }
  std::string operator()(const ListExpr& expr) const { return "[" + elements(expr.elements) + "]"; }
  std::string operator()(const RecordExpr& expr) const {
    return "{ " +
           joined(expr.fields,
                  [](const FieldInit& field) {
                    return field.name.text + " = " + print(*field.value);
                  }) +
           " }";
  }
  std::string operator()(const CallExpr& expr) const {
    const auto argument = [](const Argument& value) {
      return (value.name ? value.name->text + " = " : "") + print(*value.value);
    };
    std::string result = at(*expr.callee, kPostfix) + "(";
    if (!expr.comprehension) return result + joined(expr.arguments, argument) + ")";
    const Comprehension& comprehension = *expr.comprehension;
    for (size_t i = 0; i < expr.arguments.size(); ++i) {
      if (i == 1) result += loops(comprehension);
      result += (i > 0 ? ", " : "") + argument(expr.arguments[i]);
    }
    return result + (expr.arguments.size() < 2 ? loops(comprehension) : "") + ")";
  }

 private:
  static std::string at(const Expr& expr, int place) { return Printer(place).show(expr); }
  static std::string elements(const std::vector<ExprPtr>& list) {
    return joined(list, [](const ExprPtr& element) { return print(*element); });
  }
  static std::string loops(const Comprehension& comprehension) {
    const auto binder = [](const Binder& binder) {
      return binder.name.text + (binder.range ? " in " + print(*binder.range) : "");
    };
    return " for " + joined(comprehension.binders, binder) +
           (comprehension.filter ? " if " + print(*comprehension.filter) : "");
  }
  std::string closed(int own, std::string text) const {
    return own < place_ ? "(" + text + ")" : text;
  }

  int place_;
};

}  // namespace

const char* spelling(UnaryOp op) { return op == UnaryOp::Not ? "not" : "-"; }

const char* spelling(BinaryOp op) {
  switch (op) {
    case BinaryOp::Power:
      return "^";
    case BinaryOp::Multiply:
      return "*";
    case BinaryOp::Divide:
      return "/";
    case BinaryOp::FloorDivide:
      return "//";
    case BinaryOp::Modulo:
      return "%";
    case BinaryOp::MatMul:
      return "@";
    case BinaryOp::Add:
      return "+";
    case BinaryOp::Subtract:
      return "-";
    case BinaryOp::Equal:
      return "==";
    case BinaryOp::NotEqual:
      return "!=";
    case BinaryOp::Less:
      return "<";
    case BinaryOp::LessEqual:
      return "<=";
    case BinaryOp::Greater:
      return ">";
    case BinaryOp::GreaterEqual:
      return ">=";
    case BinaryOp::And:
      return "and";
    case BinaryOp::Or:
      return "or";
  }
  return "";
}

std::string print(const Expr& expr) { return Printer(kConditional).show(expr); }

std::string print(const Range& range) {
  return print(*range.lo) + (range.inclusive ? "..=" : "..") + print(*range.hi);
}

std::string print(const Entry& entry) {
  switch (entry.kind) {
    case Entry::Kind::Rest:
      return "..";
    case Entry::Kind::Point:
      return (entry.name ? entry.name->text + ": " : "") + print(*entry.value);
    case Entry::Kind::Slice:
      return (entry.name ? entry.name->text + ": " : "") + print(*entry.range);
    case Entry::Kind::In:
      return entry.name->text + " in " + print(*entry.range);
  }
  return "";
}

std::string print(const TypeExpr& type) {
  if (type.path.empty())
    return "(" + joined(type.elements, [](const TypeExpr& element) { return print(element); }) +
           ")";
  std::string result;
  for (const Name& name : type.path) result += (result.empty() ? "" : ".") + name.text;
  if (!type.extents.empty())
    result +=
        "[" + joined(type.extents, [](const ExprPtr& extent) { return print(*extent); }) + "]";
  return result + (type.bounds ? " in " + print(*type.bounds) : "");
}

std::string collapse(std::string_view text) {
  std::string result;
  bool space = false;
  for (size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    size_t gap = 0;
    if (rest.front() == '#') {
      gap = std::min(rest.find('\n'), rest.size());
    } else if (rest.starts_with("/*")) {
      const size_t end = rest.find("*/", 2);
      gap = end == std::string_view::npos ? rest.size() : end + 2;
    } else if (std::string_view(" \t\r\n\f").find(rest.front()) != std::string_view::npos) {
      gap = 1;
    }
    space = space || gap > 0;
    i += gap;
    if (gap > 0) continue;
    if (space && !result.empty()) result += ' ';
    space = false;
    // A string keeps its spaces and its `#`.
    size_t length = 1;
    if (rest.front() == '"') {
      while (length < rest.size() && rest[length] != '"') length += rest[length] == '\\' ? 2 : 1;
      length = std::min(length + 1, rest.size());
    }
    result += rest.substr(0, length);
    i += length;
  }
  return result;
}

}  // namespace rlc::syntax
