#include <algorithm>

#include "compiler/format/format.h"
#include "compiler/format/lines.h"

namespace rlc::format {
namespace {

constexpr int kCommentLimit = 80;  // a longer line's comment stands aside
constexpr int kDeepest = 1000;     // the parser refuses what is deeper

// The index of the comment behind the code of a line; kNone: there is none.
size_t trailingComment(const std::vector<Token>& tokens, const Line& line) {
  const size_t last = line.end - 1;
  return last > line.begin && tokens[last].kind == Token::Kind::LineComment ? last : kNone;
}

// Columns at which the comments behind consecutive lines stand; 0: none there.
std::vector<int> commentColumns(const std::vector<Token>& tokens, const std::vector<Line>& lines) {
  std::vector<int> columns(lines.size(), 0);
  for (size_t begin = 0; begin < lines.size();) {
    size_t end = begin;
    int widest = 0;
    for (; end < lines.size() && trailingComment(tokens, lines[end]) != kNone; ++end) {
      if (end > begin && (lines[end].blank_before || lines[end].indent != lines[begin].indent))
        break;
      columns[end] = widthOf(tokens, lines[end]);
      if (columns[end] <= kCommentLimit) widest = std::max(widest, columns[end]);
    }
    for (size_t i = begin; i < end; ++i) columns[i] = std::max(widest, columns[i]) + 2;
    begin = std::max(end, begin + 1);
  }
  return columns;
}

void appendTrimmed(std::string& out, std::string_view comment) {
  while (!comment.empty() && (comment.back() == ' ' || comment.back() == '\t'))
    comment.remove_suffix(1);
  out += comment;
}

void appendLine(std::string& out, const std::vector<Token>& tokens, const Line& line, int comment) {
  if (line.blank_before && !out.empty()) out += '\n';
  out.append(static_cast<size_t>(line.indent), ' ');
  const size_t trailing = trailingComment(tokens, line);
  for (size_t i = line.begin; i < line.end; ++i) {
    int spaces = i == line.begin ? 0 : spaceBetween(tokens[i - 1], tokens[i]);
    if (i == line.op) spaces += line.padding;
    if (i == trailing) spaces = comment - widthOf(tokens, line);
    out.append(static_cast<size_t>(std::max(spaces, 0)), ' ');
    if (tokens[i].kind == Token::Kind::LineComment)
      appendTrimmed(out, tokens[i].text);
    else
      out += tokens[i].text;
  }
  out += '\n';
}

std::string withoutCarriageReturns(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') result += text[i];
  }
  return result;
}

bool tooDeep(const std::vector<Token>& tokens) {
  int depth = 0, deepest = 0;
  for (const Token& token : tokens) {
    if (token.opens()) deepest = std::max(deepest, ++depth);
    if (token.closes() && depth > 0) --depth;
  }
  return deepest > kDeepest;
}

}  // namespace

std::string layOut(std::string_view source) {
  const std::string text = withoutCarriageReturns(source);
  std::vector<Token> tokens = tokenize(text);
  if (tooDeep(tokens)) return std::string(source);
  assignRoles(tokens);
  settleBreaks(tokens);
  std::vector<Line> lines = cutLines(tokens);
  alignEquations(tokens, lines);
  lines = wrapLines(tokens, lines);
  const std::vector<int> comments = commentColumns(tokens, lines);
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (size_t i = 0; i < lines.size(); ++i) appendLine(out, tokens, lines[i], comments[i]);
  return out;
}

}  // namespace rlc::format
