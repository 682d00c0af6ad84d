#include "compiler/format/format.h"
#include "compiler/format/lines.h"

namespace rlc::format {
namespace {

constexpr int kPerDepth = 10;
constexpr int kNowhere = 1 << 20;

// What a break between two tokens costs; the least binds the loosest.
int costBetween(const Token& left, const Token& right, bool bracketed) {
  if (right.verbatim && !right.gap) return kNowhere;
  if (right.comment() || left.comment() || right.tight) return kNowhere;
  if (left.is(",")) return 0;
  if (right.is("where") || (right.is("for") && bracketed && right.keyword)) return 1;
  if (right.keyword && (right.is("then") || right.is("else"))) return 2;
  if (left.unary) return kNowhere;
  switch (left.kind == Token::Kind::String ? 0 : precedence(left.text)) {
    case 1:
      return 2;
    case 2:
      return 3;
    case 3:
      return 4;
    case 4:
      return 5;
    case 5:
      return 6;
    default:
      break;
  }
  if ((left.is("(") || left.is("[")) && bracketed) return 8;
  return left.is("=") || left.is("~") ? 24 : kNowhere;
}

// The token before which to break; kNone: nowhere.
size_t bestBreak(const std::vector<Token>& tokens, const Line& line) {
  int column = line.indent, depth = 0, least = kNowhere;
  size_t best = kNone;
  for (size_t i = line.begin; i < line.end; ++i) {
    const Token& token = tokens[i];
    if (i > line.begin) {
      if (multiLine(token)) return kNone;
      int cost = costBetween(tokens[i - 1], token, depth > 0);
      if (cost < kNowhere) cost += kPerDepth * depth;
      const bool left_side = line.op != kNone && i <= line.op;
      if (!left_side && cost < kNowhere) {
        if (column > kWidth) return best != kNone ? best : i;
        if (cost <= least) {
          least = cost;
          best = i;
        }
      }
      if (token.kind == Token::Kind::LineComment) break;
      column += spaceBetween(tokens[i - 1], token);
    }
    if (i == line.op) column += line.padding;
    column += columnsOf(token.text);
    if (token.opens()) ++depth;
    if (token.closes() && depth > 0) --depth;
  }
  return column > kWidth ? best : kNone;
}

}  // namespace

std::vector<Line> wrapLines(std::vector<Token>& tokens, const std::vector<Line>& lines) {
  std::vector<Line> result;
  result.reserve(lines.size());
  Indents indents;
  for (const Line& line : lines) {
    Line piece = line;
    while (true) {
      piece.indent = indents.of(tokens, piece.begin);
      const size_t at = tooLong(tokens, piece) ? bestBreak(tokens, piece) : kNone;
      if (at != kNone) piece.end = at;
      indents.pass(tokens, piece);
      result.push_back(piece);
      if (at == kNone) break;
      tokens[at].line_break = true;
      piece = {.begin = at, .end = line.end};
    }
  }
  return result;
}

}  // namespace rlc::format
