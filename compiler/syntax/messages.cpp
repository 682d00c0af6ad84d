#include "compiler/syntax/messages.h"

#include <string>
#include <vector>

#include "RlParser.h"

namespace rlc::syntax {
namespace {

using diagnostics::Diagnostic;
using diagnostics::Kind;

bool isReserved(size_t type) { return type >= RlParser::IF && type <= RlParser::FALSE; }

std::string wordsFor(const ParserToken& token) {
  switch (token.token().type) {
    case antlr4::Token::EOF:
      return "the end of the file";
    case RlParser::NEWLINE:
      return token.view() == ";" ? "`;`" : token.view() == "}" ? "`}`" : "the end of the line";
    case RlParser::STRING:
      return "a string";
    default:
      return "`" + token.getText() + "`";
  }
}

// What stands in an expected-set, for people; "" for what needs no mention.
std::string expectedWord(size_t type) {
  switch (type) {
    case RlParser::IDENT:
      return "a name";
    case RlParser::STRING:
      return "a string";
    case RlParser::INT:
      return "an integer";
    case RlParser::NEWLINE:
      return "the end of the line";
    case RlParser::ASSIGN:
      return "`=`";
    case RlParser::TILDE:
      return "`~`";
    case RlParser::COLON:
      return "`:`";
    case RlParser::COMMA:
      return "`,`";
    case RlParser::LPAREN:
      return "`(`";
    case RlParser::RPAREN:
      return "`)`";
    case RlParser::LBRACKET:
      return "`[`";
    case RlParser::RBRACKET:
      return "`]`";
    case RlParser::LBRACE:
      return "`{`";
    case RlParser::RBRACE:
      return "`}`";
    case RlParser::ARROW:
      return "`->`";
    case RlParser::IN:
      return "`in`";
    case RlParser::THEN:
      return "`then`";
    case RlParser::ELSE:
      return "`else`";
    case RlParser::AS:
      return "`as`";
    case RlParser::FOR:
      return "`for`";
    case RlParser::RANGE:
      return "`..`";
    case RlParser::DOT:
      return "`.`";
    default:
      return "";
  }
}

std::string joined(const std::vector<std::string>& words) {
  std::string result;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) result += i + 1 == words.size() ? " or " : ", ";
    result += words[i];
  }
  return result;
}

class Explainer {
 public:
  Explainer(FileId file, const ParserTokens& tokens, size_t item_begin, const ParserToken& found,
            const antlr4::misc::IntervalSet& expected)
      : file_(file), tokens_(tokens), item_begin_(item_begin), found_(found), expected_(expected) {}

  Diagnostic run() {
    const size_t type = found_.token().type;
    if (leadingPoint()) {
      return badNumber("0." + after()->getText(), found_.token().begin);
    }
    if (trailingPoint()) return badNumber(before(2)->getText() + ".0", before(1)->token().end);
    if (isReserved(type) && expected_.contains(static_cast<size_t>(RlParser::IDENT)) &&
        !expectsExpression()) {
      return Diagnostic(Kind::ReservedWord, span(found_),
                        wordsFor(found_) + " is a reserved word and can't be a name")
          .hint("choose another name, such as `" + found_.getText() + "_`");
    }
    return Diagnostic(Kind::UnexpectedToken, place(), message()).hint(hint());
  }

 private:
  Span span(const ParserToken& token) const {
    return {file_, token.token().begin, token.token().end};
  }
  const ParserToken* before(size_t steps) const {
    const size_t index = found_.getTokenIndex();
    return index < item_begin_ + steps
               ? nullptr
               : static_cast<const ParserToken*>(tokens_.get(index - steps));
  }
  const ParserToken* after() const {
    return static_cast<const ParserToken*>(
        tokens_.get(std::min(found_.getTokenIndex() + 1, last())));
  }
  size_t last() const { return const_cast<ParserTokens&>(tokens_).size() - 1; }
  size_t typeBefore(size_t steps) const {
    return before(steps) == nullptr ? 0 : before(steps)->token().type;
  }
  const ParserToken& first() const {
    return *static_cast<const ParserToken*>(tokens_.get(item_begin_));
  }

  bool expectsExpression() const {
    return expected_.contains(static_cast<size_t>(RlParser::INT)) &&
           expected_.contains(static_cast<size_t>(RlParser::LPAREN)) &&
           expected_.contains(static_cast<size_t>(RlParser::MINUS));
  }

  // An error at a line's end is shown right behind what stands there.
  Span place() const {
    if (found_.token().type != RlParser::NEWLINE && found_.token().type != antlr4::Token::EOF)
      return span(found_);
    if (before(1) == nullptr) return span(found_);
    const uint32_t end = before(1)->token().end;
    return {file_, end, end};
  }

  bool leadingPoint() const {
    return found_.token().type == RlParser::DOT && after()->token().type == RlParser::INT &&
           !endsOperand(typeBefore(1));
  }
  bool trailingPoint() const {
    return typeBefore(1) == RlParser::DOT && typeBefore(2) == RlParser::INT &&
           before(2)->token().end == before(1)->token().begin;
  }
  Diagnostic badNumber(const std::string& right, uint32_t missing_zero) const {
    const Span place = trailingPoint() ? span(*before(1)) : span(found_);
    return Diagnostic(Kind::BadNumber, place, "a float has digits on both sides of its point")
        .hint("write `" + right + "`")
        .fix("write `" + right + "`", Span{file_, missing_zero, missing_zero}, "0");
  }

  static bool endsOperand(size_t type) {
    return type == RlParser::IDENT || type == RlParser::RPAREN || type == RlParser::RBRACKET ||
           type == RlParser::INT;
  }

  std::string message() const {
    const std::string found = wordsFor(found_);
    if (expected_.isEmpty()) return "an item can't begin with " + found;
    if (expectsExpression()) {
      const ParserToken* previous = before(1);
      const std::string where = previous == nullptr || previous->token().type == RlParser::NEWLINE
                                    ? ""
                                    : " after " + wordsFor(*previous);
      return "an expression is missing" + where + ", before " + found;
    }
    if (typeBefore(1) == RlParser::COMMA && found_.token().type == RlParser::COMMA)
      return "something is missing between the commas";
    std::vector<std::string> words;
    for (const ssize_t type : expected_.toList()) {
      if (type <= 0) continue;
      // Where an expression may go on or end, its end is what matters.
      const bool goes_on =
          expected_.contains(static_cast<size_t>(RlParser::CARET)) &&
          (type == RlParser::DOT || type == RlParser::LPAREN || type == RlParser::LBRACKET);
      if (const auto word = expectedWord(static_cast<size_t>(type)); !word.empty() && !goes_on)
        words.push_back(word);
    }
    if (expected_.contains(static_cast<size_t>(RlParser::CARET)) && words.size() != 1)
      return "unexpected " + found + after(before(1));
    if (words.empty() || words.size() > 4) return "unexpected " + found + after(before(1));
    return "expected " + joined(words) + after(before(1)) + ", found " + found;
  }

  static std::string after(const ParserToken* previous) {
    return previous == nullptr || previous->token().type == RlParser::NEWLINE
               ? ""
               : " after " + wordsFor(*previous);
  }

  // Habits from other languages.
  std::string hint() const {
    const size_t type = found_.token().type;
    const std::string_view word = first().view();
    if (type == RlParser::STAR && typeBefore(1) == RlParser::STAR)
      return "a power is written with `^`";
    if (type == RlParser::ASSIGN) {
      switch (typeBefore(1)) {
        case RlParser::PLUS:
        case RlParser::MINUS:
        case RlParser::STAR:
        case RlParser::SLASH:
        case RlParser::CARET:
          return "nothing is changed in place: say `x[t+1] = x + ...`";
        default:
          return typeBefore(2) == RlParser::LBRACKET
                     ? "`x[t: 2]` is `x` at a point; `=` defines, `==` compares"
                     : "`=` defines; `==` compares";
      }
    }
    if (type == RlParser::PLUS && expectsExpression()) return "there is no unary `+`";
    if (word == "def" || word == "function" || word == "func")
      return "a function is `fn NAME(...) = expr` or `fn NAME(...) { ... }`";
    if (word == "let" || word == "var" || word == "const" || word == "val")
      return "an equation has no keyword: `x = ...`; a constant of the run is `param x = ...`";
    if (word == "for" || word == "while")
      return "there are no loops: declare `index t in lo..hi` and write an equation for each "
             "point, or reduce by `sum(e for k in lo..hi)`";
    if (word == "return") return "the last line of a block is its result, without a keyword";
    if (word == "import" || word == "from" || word == "include")
      return "modules are imported by `use std.nn.Mlp`";
    if (word == "report")
      return "a metric is `report \"name\" = value`; a line of output is `print x`";
    if (word == "class" || word == "struct" || word == "type")
      return "a record is `record NAME { x: f32 }`, a module `module NAME(...) { ... }`";
    if (type == RlParser::WHERE && expectsExpression())
      return "`where(c, a, b)` is written `if c then a else b`, and chooses element by element";
    if (found_.view() == "elif" || found_.view() == "elseif") return "write `else if`";
    if (type == RlParser::COLON && found_.getTokenIndex() == item_begin_ + 1) {
      return "types are inferred; a constant of the run is `param " + first().getText() +
             ": ... = ...`";
    }
    if (type == RlParser::COMMA && found_.getTokenIndex() == item_begin_ + 1)
      return "several names stand in parentheses: `(a, b) = ...`";
    if (type == RlParser::COLON &&
        (typeBefore(1) == RlParser::LBRACKET ||
         (typeBefore(1) == RlParser::INT && typeBefore(2) == RlParser::LBRACKET)))
      return "a slice is `x[0..2]`; all of `x` is `x`";
    if (type == RlParser::FOR)
      return expected_.contains(static_cast<size_t>(RlParser::RBRACKET))
                 ? "a list is `list(e for k in lo..hi)`; a tensor is an equation: `x[k] = e`"
                 : "ranges stand behind one `for`: `sum(e for k in 0..3, j in 0..k)`";
    if (type == RlParser::COLON && typeBefore(1) == RlParser::ELSE)
      return "`if c then a else b` has no colons";
    if (expected_.contains(static_cast<size_t>(RlParser::THEN)) && !expectsExpression())
      return "a condition is written `if c then a else b`";
    if (expected_.contains(static_cast<size_t>(RlParser::ELSE)) && !expectsExpression())
      return "`if` has both branches: `if c then a else b`";
    if (type == RlParser::NEWLINE && expectsExpression()) return "";
    if (type == RlParser::NEWLINE && expected_.contains(static_cast<size_t>(RlParser::RANGE)))
      return "a range is `lo..hi`, without `hi`, or `lo..=hi`";
    if (type == RlParser::IDENT && typeBefore(1) == RlParser::RPAREN &&
        expected_.contains(static_cast<size_t>(RlParser::LBRACE))) {
      return "a result's type is written `-> " + found_.getText() + "`";
    }
    if (type == RlParser::IF || type == RlParser::ELSE || type == RlParser::THEN)
      return "a condition is written `if c then a else b`";
    return "";
  }

  FileId file_;
  const ParserTokens& tokens_;
  size_t item_begin_;
  const ParserToken& found_;
  const antlr4::misc::IntervalSet& expected_;
};

}  // namespace

Diagnostic explainSyntaxError(FileId file, const ParserTokens& tokens, size_t item_begin,
                              const ParserToken& found, const antlr4::misc::IntervalSet& expected) {
  return Explainer(file, tokens, item_begin, found, expected).run();
}

}  // namespace rlc::syntax
