#include "compiler/format/lines.h"

#include <limits>

#include "compiler/diagnostics/utf8.h"
#include "compiler/format/format.h"

namespace rlc::format {

constexpr int kIndent = 2;

int columnsOf(std::string_view text) {
  int columns = 0;
  for (size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      columns = text[i++] == '\n' ? 0 : columns + 1;
      continue;
    }
    const auto point = diagnostics::decodeUtf8(text, i);
    columns += diagnostics::displayWidth(point.value);
    i += point.length;
  }
  return columns;
}

bool multiLine(const Token& token) {
  return token.kind == Token::Kind::BlockComment && token.text.find('\n') != std::string_view::npos;
}

namespace {

// At most the first line's width that is over `limit`.
int measured(const std::vector<Token>& tokens, const Line& line, int limit) {
  int column = line.indent;
  for (size_t i = line.begin; i < line.end; ++i) {
    if (column > limit || (tokens[i].kind == Token::Kind::LineComment && i > line.begin)) break;
    if (i > line.begin) column += spaceBetween(tokens[i - 1], tokens[i]);
    if (i == line.op) column += line.padding;
    column = multiLine(tokens[i]) ? columnsOf(tokens[i].text) : column + columnsOf(tokens[i].text);
  }
  return column;
}

// A field a line.
void breakFields(std::vector<Token>& tokens, size_t open) {
  for (size_t i = open + 1; i < tokens[open].partner; ++i) {
    if (tokens[i].item_start) tokens[i].line_break = true;
    if (tokens[i].opens() && tokens[i].partner != kNone) i = tokens[i].partner;
  }
}

}  // namespace

int widthOf(const std::vector<Token>& tokens, const Line& line) {
  return measured(tokens, line, std::numeric_limits<int>::max());
}

bool tooLong(const std::vector<Token>& tokens, const Line& line) {
  return measured(tokens, line, kWidth) > kWidth;
}

void settleBreaks(std::vector<Token>& tokens) {
  for (size_t i = 1; i < tokens.size(); ++i) {
    Token& token = tokens[i];
    Token& before = tokens[i - 1];
    if (before.kind == Token::Kind::LineComment) token.line_break = true;
    if (!token.line_break || token.verbatim || before.comment()) continue;
    const bool joins = (token.is("{") && token.block) || token.is(",");
    if (!joins) continue;
    token.line_break = token.blank = false;
    if (token.is(",") && i + 1 < tokens.size() && !tokens[i + 1].verbatim)
      tokens[i + 1].line_break = true;
  }
  std::vector<size_t> breaks(tokens.size() + 1, 0);  // before token i
  for (size_t i = 0; i < tokens.size(); ++i) breaks[i + 1] = breaks[i] + tokens[i].line_break;
  for (size_t i = 0; i < tokens.size(); ++i) {
    Token& token = tokens[i];
    if (token.opens() && token.block && token.partner != kNone &&
        breaks[token.partner + 1] > breaks[i + 1]) {
      size_t first = i + 1;
      const bool trailing = tokens[first].kind == Token::Kind::LineComment;
      if (trailing && !tokens[first].line_break) ++first;
      tokens[first].line_break = true;
      tokens[token.partner].line_break = true;
      if (token.fields) breakFields(tokens, i);
    }
    if (i == 0 || tokens[i - 1].opens() || token.closes()) token.blank = false;
  }
}

int Indents::of(const std::vector<Token>& tokens, size_t begin) const {
  size_t i = begin;
  while (i < tokens.size() && tokens[i].comment()) ++i;
  const int base = open_.empty() ? 0 : open_.back().base;
  const int inner = open_.empty() ? 0 : base + kIndent;
  if (i == tokens.size()) return inner;
  if (tokens[i].closes() && !open_.empty()) return i == begin ? base : inner;
  const bool listed = !open_.empty() && !open_.back().block;
  return listed || tokens[i].item_start ? inner : inner + kIndent;
}

void Indents::pass(const std::vector<Token>& tokens, const Line& line) {
  const Token& first = tokens[line.begin];
  if (first.item_start || (first.closes() && first.block)) item_ = line.indent;
  for (size_t i = line.begin; i < line.end; ++i) {
    if (tokens[i].opens())
      open_.push_back({tokens[i].block, tokens[i].block ? item_ : line.indent});
    if (tokens[i].closes() && !open_.empty()) open_.pop_back();
  }
}

namespace {

// Breaks at the items on a line, else around the outermost block. False: there is none.
bool explode(std::vector<Token>& tokens, const Line& line) {
  bool changed = false;
  const auto breakBefore = [&](size_t i) {
    if (i >= line.end || tokens[i].kind == Token::Kind::LineComment || tokens[i].line_break) return;
    tokens[i].line_break = changed = true;
  };
  size_t block = kNone;
  for (size_t i = line.begin; i < line.end; ++i) {
    const Token& token = tokens[i];
    if (i > line.begin && token.item_start) breakBefore(i);
    if (!token.opens() || token.partner == kNone || token.partner >= line.end) continue;
    if (token.block && block == kNone) block = i;
    i = token.partner;
  }
  if (changed || block == kNone) return changed;
  const size_t close = tokens[block].partner;
  for (size_t i = block + 1; i < close; ++i) {
    if (tokens[i].item_start) breakBefore(i);
    if (tokens[i].opens() && tokens[i].partner != kNone) i = tokens[i].partner;
  }
  if (block + 1 < close) {
    breakBefore(block + 1);
    breakBefore(close);
  }
  return changed;
}

size_t lineEnd(const std::vector<Token>& tokens, size_t begin) {
  size_t end = begin + 1;
  while (end < tokens.size() && !tokens[end].line_break) ++end;
  return end;
}

}  // namespace

std::vector<Line> cutLines(std::vector<Token>& tokens) {
  std::vector<Line> lines;
  Indents indents;
  for (size_t begin = 0; begin < tokens.size();) {
    Line line{.begin = begin, .end = lineEnd(tokens, begin), .indent = indents.of(tokens, begin)};
    while (tooLong(tokens, line) && explode(tokens, line)) line.end = lineEnd(tokens, begin);
    line.blank_before = tokens[begin].blank;
    line.item_start = tokens[begin].item_start;
    indents.pass(tokens, line);
    lines.push_back(line);
    begin = line.end;
  }
  return lines;
}

}  // namespace rlc::format
