#include <algorithm>

#include "compiler/format/lines.h"

namespace rlc::format {
namespace {

enum class Group { None, Equation, Method, Param, Weight, Report };

struct Side {
  Group group = Group::None;
  size_t op = kNone;
};

// A left side wider than this stands aside.
int limitOf(Group group) {
  switch (group) {
    case Group::Equation:
    case Group::Method:
      return 24;
    case Group::Param:
    case Group::Weight:
      return 36;
    case Group::Report:
      return 48;
    case Group::None:
      return 0;
  }
  return 0;
}

Side sideOf(const std::vector<Token>& tokens, const Line& line) {
  Side side;
  const Token& first = tokens[line.begin];
  if (!line.item_start) return side;
  side.group = Group::Equation;
  if (first.keyword) {
    if (first.is("param"))
      side.group = Group::Param;
    else if (first.is("weight"))
      side.group = Group::Weight;
    else if (first.is("report"))
      side.group = Group::Report;
    else
      return {};
  }
  size_t i = line.begin;
  for (; i < line.end && !tokens[i].is("=") && !tokens[i].is("~"); ++i) {
    const Token& token = tokens[i];
    const bool declares = token.is("->") || (token.keyword && i > line.begin) || token.block;
    if (declares || multiLine(token)) return {};
    if (side.group == Group::Equation && token.is(":")) return {};  // a field
    if (!token.opens()) continue;
    if (token.partner == kNone || token.partner >= line.end) return {};
    // name(...) = ...
    if (token.is("(") && i > line.begin && side.group == Group::Equation)
      side.group = Group::Method;
    i = token.partner;
  }
  if (i >= line.end) return {};
  side.op = i;
  for (; i < line.end; ++i) {
    if (tokens[i].item_start || multiLine(tokens[i])) return {};
  }
  return side;
}

int leftWidth(const std::vector<Token>& tokens, const Line& line, size_t op) {
  return widthOf(tokens, {.begin = line.begin, .end = op});
}

}  // namespace

void alignEquations(const std::vector<Token>& tokens, std::vector<Line>& lines) {
  for (size_t begin = 0; begin < lines.size();) {
    const Side first = sideOf(tokens, lines[begin]);
    if (first.group == Group::None) {
      ++begin;
      continue;
    }
    // Items of one kind without a blank line or a comment between them; items may go on below.
    std::vector<std::pair<size_t, int>> members;  // line, width of its left side
    size_t end = begin;
    int widest = 0;
    for (; end < lines.size(); ++end) {
      Line& line = lines[end];
      if (end > begin && line.blank_before) break;
      const bool continued = !line.item_start && line.indent > lines[begin].indent &&
                             !tokens[line.begin].comment() && end > begin;
      const bool closed = tokens[line.begin].closes() && !tokens[line.begin].block;
      if (continued || closed) continue;
      const Side side = sideOf(tokens, line);
      if (side.group != first.group || line.indent != lines[begin].indent) break;
      const int width = leftWidth(tokens, line, side.op);
      line.op = side.op;
      if (width > limitOf(side.group)) continue;
      members.emplace_back(end, width);
      widest = std::max(widest, width);
    }
    for (const auto& [line, width] : members) lines[line].padding = widest - width;
    begin = std::max(end, begin + 1);
  }
}

}  // namespace rlc::format
