// Text as words with their roles: what the style needs to know of each, without a parse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace rlc::format {

inline constexpr size_t kNone = SIZE_MAX;

struct Token {
  enum class Kind { Word, Number, String, Symbol, LineComment, BlockComment };
  Kind kind = Kind::Symbol;
  std::string_view text;
  bool gap = false;         // white space or a comment stood before it
  bool line_break = false;  // a line begins with it
  bool blank = false;       // after a blank line
  size_t partner = kNone;   // of a bracket

  bool item_start = false;  // first of an item, or of a field of a record
  bool keyword = false;     // reserved, or a contextual word in its place
  bool unary = false;       // a minus that negates
  bool tight = false;       // in a subscript or a range
  bool verbatim = false;    // in what `print` shows as its label: gaps stay as they are
  bool block = false;       // a brace around items or fields
  bool fields = false;      // ... around fields
  bool glued = false;       // a brace of `use a.{b, c}`

  bool comment() const { return kind == Kind::LineComment || kind == Kind::BlockComment; }
  bool is(std::string_view what) const {
    return !comment() && kind != Kind::String && text == what;
  }
  bool opens() const { return kind == Kind::Symbol && (text == "(" || text == "[" || text == "{"); }
  bool closes() const {
    return kind == Kind::Symbol && (text == ")" || text == "]" || text == "}");
  }
};

std::vector<Token> tokenize(std::string_view text);  // views into `text`
void assignRoles(std::vector<Token>& tokens);

bool isReserved(std::string_view word);
// From loosest to tightest: 1 `or`, 2 `and`, 3 comparisons, 4 `+ -`, 5 `* / // % @`; 0: none of
// these.
int precedence(std::string_view op);
bool endsOperand(const Token& token);

}  // namespace rlc::format
