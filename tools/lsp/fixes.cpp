#include "tools/lsp/fixes.h"

#include <algorithm>

namespace rlc::lsp {
namespace {

using diagnostics::Diagnostic;
using diagnostics::Edit;
using diagnostics::Kind;
using diagnostics::QuickFix;
using diagnostics::Span;
using namespace syntax;

// The first words between backquotes at or after `from`.
std::string backquoted(std::string_view text, size_t from = 0) {
  const size_t begin = text.find('`', from);
  const size_t end = begin == std::string_view::npos ? begin : text.find('`', begin + 1);
  return end == std::string_view::npos ? "" : std::string(text.substr(begin + 1, end - begin - 1));
}

// The equation whose left side stands there, and its item; equations of functions and modules too.
template <typename Visit>
void forEachEquation(const Block& items, const Visit& visit) {
  for (const Item& item : items) {
    if (const auto* equation = item.as<EquationItem>()) visit(item, *equation);
    if (const auto* fn = item.as<FnItem>()) forEachEquation(fn->body.items, visit);
    if (const auto* module = item.as<ModuleItem>()) forEachEquation(module->members, visit);
    if (const auto* block = item.as<BlockItem>()) forEachEquation(block->items, visit);
  }
}

const Pattern* partNamed(const Pattern& pattern, std::string_view name) {
  if (!pattern.tuple) return pattern.name.text == name ? &pattern : nullptr;
  for (const Pattern& element : pattern.elements) {
    if (const Pattern* found = partNamed(element, name)) return found;
  }
  return nullptr;
}

void addIndex(const Pattern& pattern, const std::string& index, std::vector<Edit>& edits) {
  for (const Pattern& element : pattern.elements) addIndex(element, index, edits);
  if (!pattern.subscripted) return;
  const uint32_t before = pattern.span.end - 1;
  edits.push_back(
      {Span{pattern.span.file, before, before}, (pattern.subscripts.empty() ? "" : ", ") + index});
}

std::vector<QuickFix> addMissingIndex(const Diagnostic& diagnostic, const File& tree) {
  const std::string index = backquoted(diagnostic.message);
  QuickFix fix{"add the index `" + index + "` to the left side", {}};
  forEachEquation(tree.items, [&](const Item&, const EquationItem& equation) {
    const Span left = equation.left.span;
    const bool here = left.begin <= diagnostic.span.begin && diagnostic.span.end <= left.end;
    if (here && fix.edits.empty()) addIndex(equation.left, index, fix.edits);
  });
  return index.empty() || fix.edits.empty() ? std::vector<QuickFix>{} : std::vector{fix};
}

std::vector<std::string> coordinates(const std::string& point) {
  std::vector<std::string> result;
  size_t at = point.find('[');
  while (at != std::string::npos && at + 1 < point.size()) {
    const size_t end = point.find_first_of(",]", at + 1);
    if (end == std::string::npos) break;
    std::string part = point.substr(at + 1, end - at - 1);
    part.erase(0, part.find_first_not_of(' '));
    result.push_back(std::move(part));
    at = point[end] == ',' ? end : std::string::npos;
  }
  return result;
}

// x[i, 0] = 0.0 above the equation of x[i, t+1]: the point that is missing, the indices that only
// run along.
std::vector<QuickFix> addBaseCase(const Diagnostic& diagnostic,
                                  const diagnostics::SourceMap& sources, const File& tree) {
  const std::string point = backquoted(diagnostic.caret);
  const std::string name = point.substr(0, point.find('['));
  const std::vector<std::string> at = coordinates(point);
  if (at.empty()) return {};
  const Item* item = nullptr;
  const Pattern* pattern = nullptr;
  forEachEquation(tree.items, [&](const Item& candidate, const EquationItem& equation) {
    const Pattern* found = pattern == nullptr ? partNamed(equation.left, name) : nullptr;
    if (found == nullptr) return;
    item = &candidate;
    pattern = found;
  });
  if (pattern == nullptr) return {};
  std::vector<std::string> entries = at;
  bool shifted = false;
  for (size_t i = 0; i < entries.size() && pattern->subscripts.size() == entries.size(); ++i) {
    const Entry& entry = pattern->subscripts[i];
    const auto* plain =
        entry.kind == Entry::Kind::Point && entry.value ? entry.value->as<NameExpr>() : nullptr;
    if (plain != nullptr)
      entries[i] = plain->name;
    else
      shifted = true;
  }
  if (!shifted) entries.back() = at.back();
  std::string left = name + "[";
  for (size_t i = 0; i < entries.size(); ++i) left += (i > 0 ? ", " : "") + entries[i];
  const auto place = sources.position(tree.id, item->span.begin);
  const uint32_t line = sources.lineStart(tree.id, place.line);
  const std::string indent(sources.text(Span{tree.id, line, item->span.begin}));
  if (indent.find_first_not_of(" \t") != std::string::npos) return {};
  return {{"add the base case `" + left + "] = 0.0`",
           {{Span{tree.id, line, line}, indent + left + "] = 0.0\n"}}}};
}

}  // namespace

std::vector<QuickFix> fixesFor(const Diagnostic& diagnostic, const diagnostics::SourceMap& sources,
                               const File& tree) {
  std::vector<QuickFix> fixes = diagnostic.fixes;
  static constexpr std::string_view kSuggestion = "did you mean ";
  const bool has_own = !fixes.empty();
  if (const size_t found = diagnostic.hint_text.find(kSuggestion);
      found != std::string::npos && !has_own) {
    const std::string meant = backquoted(diagnostic.hint_text, found);
    const std::string_view there = sources.text(diagnostic.span);
    const bool one_word =
        there.find_first_of(" \t\n.([") == std::string_view::npos && !there.empty();
    if (!meant.empty() && one_word)
      fixes.push_back({"change to `" + meant + "`", {{diagnostic.span, meant}}});
  }
  std::vector<QuickFix> more;
  if (diagnostic.kind == Kind::MissingIndex) more = addMissingIndex(diagnostic, tree);
  if (diagnostic.kind == Kind::UndefinedRead) more = addBaseCase(diagnostic, sources, tree);
  fixes.insert(fixes.end(), more.begin(), more.end());
  return fixes;
}

}  // namespace rlc::lsp
