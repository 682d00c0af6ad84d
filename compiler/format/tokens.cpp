#include "compiler/format/tokens.h"

#include <algorithm>
#include <array>

#include "compiler/types/lists.h"

namespace rlc::format {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    tokens_.reserve(text_.size() / 4 + 8);
    bool gap = false;
    int breaks = 1;  // the text's begin is a line's begin
    while (at_ < text_.size()) {
      if (const size_t blank = spaceLength()) {
        gap = true;
        if (text_[at_] == '\n') ++breaks;
        at_ += blank;
        continue;
      }
      Token token;
      token.gap = gap || breaks > 0;
      token.line_break = breaks > 0;
      token.blank = breaks > 1 && !tokens_.empty();
      const size_t begin = at_;
      token.kind = take();
      token.text = text_.substr(begin, at_ - begin);
      gap = token.comment();
      breaks = 0;
      tokens_.push_back(token);
    }
    return std::move(tokens_);
  }

 private:
  char at(size_t offset) const { return at_ + offset < text_.size() ? text_[at_ + offset] : '\0'; }
  std::string_view rest() const { return text_.substr(at_); }

  size_t spaceLength() const {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') return 1;
    if (rest().starts_with("\u00A0")) return 2;
    return rest().starts_with("\uFEFF") ? 3 : 0;
  }

  Token::Kind take() {
    const char c = text_[at_];
    if (c == '#') {
      at_ += std::min(rest().find_first_of("\r\n"), rest().size());
      return Token::Kind::LineComment;
    }
    if (rest().starts_with("/*")) {
      const size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
      return Token::Kind::BlockComment;
    }
    if (c == '"') return takeString();
    if (isDigit(c)) return takeNumber();
    if (isLetter(c)) {
      while (at_ < text_.size() && (isLetter(at(0)) || isDigit(at(0))) && spaceLength() == 0) ++at_;
      while (at(0) == '\'') ++at_;
      return Token::Kind::Word;
    }
    static constexpr std::array<std::string_view, 8> kLong = {
        "..=", "..", "->", "==", "!=", "<=", ">=", "//"};
    for (const std::string_view symbol : kLong) {
      if (!rest().starts_with(symbol)) continue;
      at_ += symbol.size();
      return Token::Kind::Symbol;
    }
    ++at_;
    return Token::Kind::Symbol;
  }

  Token::Kind takeString() {
    for (++at_; at_ < text_.size() && at(0) != '"' && at(0) != '\n'; ++at_) {
      if (at(0) == '\\' && at(1) != '\n' && at_ + 1 < text_.size()) ++at_;
    }
    if (at(0) == '"') ++at_;
    return Token::Kind::String;
  }

  void takeDigits() {
    while (isDigit(at(0)) || at(0) == '_') ++at_;
  }

  Token::Kind takeNumber() {
    takeDigits();
    if (at(0) == '.' && isDigit(at(1))) {
      ++at_;
      takeDigits();
    }
    if (at(0) == 'e' || at(0) == 'E') {
      const size_t sign = at(1) == '+' || at(1) == '-' ? 2 : 1;
      if (isDigit(at(sign))) {
        at_ += sign;
        takeDigits();
      }
    }
    while (isLetter(at(0)) && at_ < text_.size() && spaceLength() == 0)
      ++at_;  // no number: an error
    return Token::Kind::Number;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text) { return Tokenizer(text).run(); }

bool isReserved(std::string_view word) {
  static constexpr std::array<std::string_view, 9> kWords = {"if",    "then", "else", "for", "in",
                                                             "where", "and",  "or",   "not"};
  return contains(kWords, word);
}

int precedence(std::string_view op) {
  if (op == "or") return 1;
  if (op == "and") return 2;
  if (op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">=") return 3;
  if (op == "+" || op == "-") return 4;
  if (op == "*" || op == "/" || op == "//" || op == "%" || op == "@") return 5;
  return 0;
}

bool endsOperand(const Token& token) {
  switch (token.kind) {
    case Token::Kind::Word:
      return !token.keyword;
    case Token::Kind::Number:
    case Token::Kind::String:
      return true;
    case Token::Kind::Symbol:
      return token.closes();
    case Token::Kind::LineComment:
    case Token::Kind::BlockComment:
      return false;
  }
  return false;
}

}  // namespace rlc::format
