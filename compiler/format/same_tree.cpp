#include "compiler/format/same_tree.h"

#include <algorithm>

namespace rlc::format {
namespace {

using namespace syntax;

struct Same {
  bool operator()(const std::string& a, const std::string& b) const { return a == b; }
  bool operator()(const Name& a, const Name& b) const { return a.text == b.text; }
  template <typename T>
  bool operator()(const std::vector<T>& a, const std::vector<T>& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), *this);
  }
  template <typename T>
  bool operator()(const std::optional<T>& a, const std::optional<T>& b) const {
    return a.has_value() == b.has_value() && (!a || (*this)(*a, *b));
  }
  template <typename T>
  bool operator()(const std::unique_ptr<T>& a, const std::unique_ptr<T>& b) const {
    return (a == nullptr) == (b == nullptr) && (a == nullptr || (*this)(*a, *b));
  }
  template <typename... Ts>
  bool operator()(const std::variant<Ts...>& a, const std::variant<Ts...>& b) const {
    return a.index() == b.index() &&
           std::visit(
               [&](const auto& left) {
                 return (*this)(left, std::get<std::decay_t<decltype(left)>>(b));
               },
               a);
  }

  bool operator()(const Expr& a, const Expr& b) const { return (*this)(a.node, b.node); }
  bool operator()(const Range& a, const Range& b) const {
    return a.inclusive == b.inclusive && (*this)(a.lo, b.lo) && (*this)(a.hi, b.hi);
  }
  bool operator()(const Entry& a, const Entry& b) const {
    return a.kind == b.kind && (*this)(a.name, b.name) && (*this)(a.value, b.value) &&
           (*this)(a.range, b.range);
  }
  bool operator()(const Argument& a, const Argument& b) const {
    return (*this)(a.name, b.name) && (*this)(a.value, b.value);
  }
  bool operator()(const Binder& a, const Binder& b) const {
    return (*this)(a.name, b.name) && (*this)(a.range, b.range);
  }
  bool operator()(const Comprehension& a, const Comprehension& b) const {
    return (*this)(a.binders, b.binders) && (*this)(a.filter, b.filter);
  }
  bool operator()(const FieldInit& a, const FieldInit& b) const {
    return (*this)(a.name, b.name) && (*this)(a.value, b.value);
  }

  bool operator()(const IntLiteral& a, const IntLiteral& b) const { return a.value == b.value; }
  bool operator()(const FloatLiteral& a, const FloatLiteral& b) const { return a.text == b.text; }
  bool operator()(const BoolLiteral& a, const BoolLiteral& b) const { return a.value == b.value; }
  bool operator()(const StringLiteral& a, const StringLiteral& b) const {
    return a.value == b.value;
  }
  bool operator()(const NameExpr& a, const NameExpr& b) const { return a.name == b.name; }
  bool operator()(const MemberExpr& a, const MemberExpr& b) const {
    return (*this)(a.member, b.member) && (*this)(a.object, b.object);
  }
  bool operator()(const CallExpr& a, const CallExpr& b) const {
    return (*this)(a.callee, b.callee) && (*this)(a.arguments, b.arguments) &&
           (*this)(a.comprehension, b.comprehension);
  }
  bool operator()(const SubscriptExpr& a, const SubscriptExpr& b) const {
    return (*this)(a.base, b.base) && (*this)(a.entries, b.entries);
  }
  bool operator()(const UnaryExpr& a, const UnaryExpr& b) const {
    return a.op == b.op && (*this)(a.operand, b.operand);
  }
  bool operator()(const BinaryExpr& a, const BinaryExpr& b) const {
    return a.op == b.op && (*this)(a.left, b.left) && (*this)(a.right, b.right);
  }
  bool operator()(const IfExpr& a, const IfExpr& b) const {
    return (*this)(a.condition, b.condition) && (*this)(a.then_value, b.then_value) &&
           (*this)(a.else_value, b.else_value);
  }
  bool operator()(const TupleExpr& a, const TupleExpr& b) const {
    return (*this)(a.elements, b.elements);
  }
  bool operator()(const ListExpr& a, const ListExpr& b) const {
    return (*this)(a.elements, b.elements);
  }
  bool operator()(const RecordExpr& a, const RecordExpr& b) const {
    return (*this)(a.fields, b.fields);
  }

  bool operator()(const TypeExpr& a, const TypeExpr& b) const {
    return (*this)(a.path, b.path) && (*this)(a.extents, b.extents) &&
           (*this)(a.elements, b.elements) && (*this)(a.bounds, b.bounds);
  }
  bool operator()(const Body& a, const Body& b) const {
    return (*this)(a.expr, b.expr) && (*this)(a.items, b.items);
  }
  bool operator()(const Parameter& a, const Parameter& b) const {
    return (*this)(a.name, b.name) && (*this)(a.type, b.type) &&
           (*this)(a.default_value, b.default_value);
  }
  bool operator()(const Field& a, const Field& b) const {
    return (*this)(a.name, b.name) && (*this)(a.type, b.type) &&
           (*this)(a.default_value, b.default_value) && docs(a.doc, b.doc);
  }
  bool operator()(const UseItem& a, const UseItem& b) const {
    return a.leading_dots == b.leading_dots && (*this)(a.path, b.path) &&
           (*this)(a.members, b.members) && (*this)(a.alias, b.alias) && (*this)(a.file, b.file);
  }
  bool operator()(const ParamDecl& a, const ParamDecl& b) const {
    return (*this)(a.name, b.name) && (*this)(a.type, b.type) && (*this)(a.value, b.value) &&
           docs(a.doc, b.doc);
  }
  bool operator()(const ParamItem& a, const ParamItem& b) const {
    return (*this)(a.params, b.params);
  }
  bool operator()(const IndexItem& a, const IndexItem& b) const {
    return (*this)(a.name, b.name) && (*this)(a.range, b.range) && (*this)(a.until, b.until);
  }
  bool operator()(const RecordItem& a, const RecordItem& b) const {
    return (*this)(a.name, b.name) && (*this)(a.fields, b.fields);
  }
  bool operator()(const FnItem& a, const FnItem& b) const {
    return a.kind == b.kind && (*this)(a.name, b.name) && (*this)(a.parameters, b.parameters) &&
           (*this)(a.over, b.over) && (*this)(a.result, b.result) && (*this)(a.body, b.body);
  }
  bool operator()(const ModuleItem& a, const ModuleItem& b) const {
    return a.kind == b.kind && (*this)(a.name, b.name) && (*this)(a.parameters, b.parameters) &&
           (*this)(a.over, b.over) && (*this)(a.result, b.result) && (*this)(a.members, b.members);
  }
  bool operator()(const WeightItem& a, const WeightItem& b) const {
    return a.drawn == b.drawn && (*this)(a.name, b.name) && (*this)(a.type, b.type) &&
           (*this)(a.value, b.value);
  }
  bool operator()(const StateItem& a, const StateItem& b) const {
    return (*this)(a.fields, b.fields);
  }
  bool operator()(const ActionItem& a, const ActionItem& b) const {
    return (*this)(a.space, b.space);
  }
  bool operator()(const BlockItem& a, const BlockItem& b) const {
    return (*this)(a.name, b.name) && (*this)(a.items, b.items);
  }
  bool operator()(const Pattern& a, const Pattern& b) const {
    return (*this)(a.name, b.name) && a.subscripted == b.subscripted && a.tuple == b.tuple &&
           (*this)(a.subscripts, b.subscripts) && (*this)(a.elements, b.elements);
  }
  bool operator()(const EquationItem& a, const EquationItem& b) const {
    return a.drawn == b.drawn && (*this)(a.left, b.left) && (*this)(a.value, b.value) &&
           (*this)(a.where, b.where);
  }
  bool operator()(const Each& a, const Each& b) const {
    return (*this)(a.every, b.every) && (*this)(a.index, b.index);
  }
  // The source text counts where it is shown.
  bool operator()(const SinkItem& a, const SinkItem& b) const {
    return a.kind == b.kind && (*this)(a.label, b.label) && (*this)(a.values, b.values) &&
           (a.label || (*this)(a.texts, b.texts)) && (*this)(a.each, b.each);
  }
  bool operator()(const ExprItem& a, const ExprItem& b) const { return (*this)(a.value, b.value); }
  bool operator()(const BrokenItem& a, const BrokenItem& b) const {
    return (*this)(a.names, b.names);
  }
  bool operator()(const Item& a, const Item& b) const {
    return docs(a.doc, b.doc) && (*this)(a.node, b.node);
  }

  // White space at the ends of comments is not kept.
  static bool docs(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end()) || trimmed(a) == trimmed(b);
  }
  static std::string trimmed(std::string_view text) {
    std::string result;
    for (const char c : text) {
      while (c == '\n' && !result.empty() && (result.back() == ' ' || result.back() == '\t'))
        result.pop_back();
      if (c != '\r') result += c;
    }
    while (!result.empty() && (result.back() == ' ' || result.back() == '\t')) result.pop_back();
    return result;
  }
};

}  // namespace

bool sameTree(const Expr& a, const Expr& b) { return Same{}(a, b); }
bool sameTree(const Block& a, const Block& b) { return Same{}(a, b); }

bool sameFile(const File& a, std::string_view a_text, const File& b, std::string_view b_text) {
  const auto words = [](std::string_view text, const Comment& comment) {
    return text.substr(comment.span.begin, comment.span.end - comment.span.begin);
  };
  const auto same = [&](const Comment& left, const Comment& right) {
    return left.kind == right.kind && Same::docs(words(a_text, left), words(b_text, right));
  };
  return sameTree(a.items, b.items) && std::equal(a.comments.begin(), a.comments.end(),
                                                  b.comments.begin(), b.comments.end(), same);
}

}  // namespace rlc::format
