// Errors, and what in the program is to blame for them.
#include <algorithm>
#include <functional>

#include "compiler/sema/elaborator.h"
#include "compiler/sema/names.h"
#include "compiler/syntax/print.h"

namespace rlc::sema {

void Elaborator::report(Diagnostic diagnostic, const Written& suspect) {
  if (dry()) {
    ++unsaidErrors_;
    if (inferring_) unsaid_.emplace(inferring_, std::move(diagnostic));
    return;
  }
  // An error inside of an imported function: say which call of the program led there. What the
  // standard library finds wrong is wrong at that call, or at the argument that is to blame.
  if (const auto call = callBehind(diagnostic.span)) {
    const Span at = calls_[*call].span;
    if (inLibrary(diagnostic.span)) {
      if (!faultyCalls_.insert({at.begin, at.end}).second) return;
      for (const diagnostics::Label& label : diagnostic.labels) diagnostic.notes.push_back(label);
      diagnostic.labels.clear();
      diagnostic.fixes.clear();
      diagnostic.notes.insert(diagnostic.notes.begin(), {diagnostic.span, "found here"});
      diagnostic.span = blamedArgument(suspect, *call).value_or(at);
    } else {
      diagnostic.notes.push_back({at, "in this call"});
    }
  }
  sink_.report(std::move(diagnostic));
}

// Where the program is to blame for what the standard library does at this place.
Span Elaborator::inProgram(Span span, const Written& suspect) const {
  const auto call = callBehind(span);
  if (!call || !inLibrary(span)) return span;
  return blamedArgument(suspect, *call).value_or(calls_[*call].span);
}

// The innermost call of the program, where this place is in another file.
std::optional<size_t> Elaborator::callBehind(Span span) const {
  if (!span.known() || span.file == entryFile_) return std::nullopt;
  for (size_t i = calls_.size(); i-- > 0;)
    if (calls_[i].span.file == entryFile_) return i;
  return std::nullopt;
}

// The argument of this call that the expression's first name stands for which stands for one.
std::optional<Span> Elaborator::argumentIn(const Written& written, size_t call) const {
  if (!written.expr) return std::nullopt;
  auto firstOf = [&](std::initializer_list<const Expr*> parts) -> std::optional<Span> {
    for (const Expr* part : parts)
      if (auto found = argumentIn({part, written.scope}, call)) return found;
    return std::nullopt;
  };
  if (const auto* e = written.expr->as<syntax::BinaryExpr>())
    return firstOf({e->left.get(), e->right.get()});
  if (const auto* e = written.expr->as<syntax::CallExpr>()) {
    auto found = firstOf({e->callee.get()});
    for (const syntax::Argument& argument : e->arguments)
      if (!found) found = firstOf({argument.value.get()});
    return found;
  }
  std::set<std::string> names;
  collectNames(*written.expr, names);
  for (const std::string& name : names)
    if (const auto symbol = written.scope->find(name))
      if (auto found = argumentOf(symbol, call)) return found;
  return std::nullopt;
}

// Where the program gives what a parameter stands for, in this call or in those that it leads to.
std::optional<Span> Elaborator::argumentOf(const std::shared_ptr<Symbol>& parameter,
                                           size_t call) const {
  for (size_t i = call; i < calls_.size(); ++i) {
    const auto given = calls_[i].given.find(parameter);
    if (given == calls_[i].given.end()) continue;
    if (given->second.span.file == entryFile_) return given->second.span;
    if (auto found = argumentIn(given->second.written, call)) return found;
  }
  return std::nullopt;
}

// What the suspect stands for, or else the argument that the library called when it went wrong.
std::optional<Span> Elaborator::blamedArgument(const Written& suspect, size_t call) const {
  auto found = argumentIn(suspect, call);
  for (size_t i = call + 1; !found && i < calls_.size(); ++i)
    found = argumentIn(calls_[i].callee, call);
  return found;
}

// What a condition compares, where that is known: "batch_size is 64, n + 1 is 10".
std::string Elaborator::comparedIn(const Expr& condition, const Place& place) {
  std::string compared;
  std::set<std::string> seen;
  const std::function<void(const Expr&)> visit = [&](const Expr& expr) {
    const auto* binary = expr.as<syntax::BinaryExpr>();
    if (!binary) return;  // of what stands below a `not`, not all need have been evaluated
    const bool joins = binary->op == syntax::BinaryOp::And || binary->op == syntax::BinaryOp::Or;
    for (const Expr* side : {binary->left.get(), binary->right.get()}) {
      if (joins) {
        visit(*side);
        continue;
      }
      const auto* unary = side->as<syntax::UnaryExpr>();
      const Expr& number = unary ? *unary->operand : *side;
      if (number.as<syntax::IntLiteral>() || side->as<syntax::StringLiteral>()) continue;
      const ValueRef value = eval(*side, place);
      std::string shown;
      if (const Text* text = value->as<Text>())
        shown = '"' + text->text + '"';
      else if (const Tensor* tensor = value->as<Tensor>(); tensor && tensor->constant())
        shown = std::to_string(*tensor->constant());
      else
        continue;
      const std::string part = syntax::collapse(sources_.text(side->span)) + " is " + shown;
      if (seen.insert(part).second) compared += (compared.empty() ? "" : ", ") + part;
    }
  };
  visit(condition);
  return compared;
}

bool Elaborator::inLibrary(Span span) const {
  const std::string& path = sources_.path(span.file);
  return std::any_of(options_.libraryPath.begin(), options_.libraryPath.end(),
                     [&](const std::string& folder) { return path.rfind(folder + "/", 0) == 0; });
}

}  // namespace rlc::sema
