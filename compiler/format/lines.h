// Tokens on lines: where lines break, how far they are indented, what is aligned.
#pragma once

#include <string>
#include <vector>

#include "compiler/format/tokens.h"

namespace rlc::format {

struct Line {
  size_t begin = 0, end = 0;  // tokens
  int indent = 0;
  bool blank_before = false;
  bool item_start = false;
  size_t op = kNone;  // `=` or `~` that is aligned with those of the neighbours
  int padding = 0;    // before it
};

// Spaces between two tokens on one line.
int spaceBetween(const Token& left, const Token& right);
// Columns; of a comment of several lines those of its last.
int columnsOf(std::string_view text);
bool multiLine(const Token& token);
// Of tokens [begin, end) from column `indent`, without a comment at the end.
int widthOf(const std::vector<Token>& tokens, const Line& line);

// Settles Token::line_break and Token::blank: blocks on several lines have their braces at line
// ends, no line begins with a comma.
void settleBreaks(std::vector<Token>& tokens);
// Cuts tokens into indented lines; a line that is too long and holds a whole block or several items
// is cut at these.
std::vector<Line> cutLines(std::vector<Token>& tokens);
bool tooLong(const std::vector<Token>& tokens, const Line& line);  // looks no further than it must
// Sets `op` and `padding`.
void alignEquations(const std::vector<Token>& tokens, std::vector<Line>& lines);
// Sets Token::line_break inside lines that are too long, and cuts these.
std::vector<Line> wrapLines(std::vector<Token>& tokens, const std::vector<Line>& lines);

// Brackets that are open, for indentation.
class Indents {
 public:
  int of(const std::vector<Token>& tokens, size_t begin) const;  // of a line that begins there
  void pass(const std::vector<Token>& tokens, const Line& line);

 private:
  struct Open {
    bool block;
    int base;
  };
  std::vector<Open> open_;
  int item_ = 0;  // indentation of the line on which the open item begins
};

}  // namespace rlc::format
