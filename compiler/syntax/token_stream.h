// The prepared tokens as the ANTLR parser reads them. Included by the ANTLR side only.
#pragma once

#include <string>
#include <vector>

#include "antlr4-runtime.h"
#include "compiler/syntax/layout.h"

namespace rlc::syntax {

class ParserToken final : public antlr4::Token {
 public:
  ParserToken(const Lexeme& token, size_t index, std::string_view text)
      : token_(token), index_(index), text_(text) {}

  const Lexeme& token() const { return token_; }
  std::string_view view() const { return text_; }

  std::string getText() const override { return std::string(text_); }
  size_t getType() const override { return token_.type; }
  size_t getLine() const override { return 0; }
  size_t getCharPositionInLine() const override { return token_.begin; }
  size_t getChannel() const override { return DEFAULT_CHANNEL; }
  size_t getTokenIndex() const override { return index_; }
  size_t getStartIndex() const override { return token_.begin; }
  size_t getStopIndex() const override { return token_.end; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  antlr4::CharStream* getInputStream() const override { return nullptr; }
  std::string toString() const override { return getText(); }

 private:
  Lexeme token_;
  size_t index_;
  std::string_view text_;
};

class ParserTokens final : public antlr4::TokenStream {
 public:
  // Both must outlive the stream.
  ParserTokens(const Layout& layout, std::string_view text) : layout_(layout) {
    tokens_.reserve(layout.tokens.size());
    for (const Lexeme& token : layout.tokens) {
      tokens_.emplace_back(token, tokens_.size(),
                           text.substr(token.begin, token.end - token.begin));
    }
  }

  int depth(size_t index) const { return layout_.depth[index]; }

  void consume() override {
    if (at_ + 1 < tokens_.size()) ++at_;
  }
  size_t LA(ssize_t i) override {
    const ParserToken* token = look(i);
    return token == nullptr ? 0 : token->token().type;
  }
  antlr4::Token* LT(ssize_t i) override { return look(i); }
  ssize_t mark() override { return 0; }
  void release(ssize_t) override {}
  size_t index() override { return at_; }
  void seek(size_t index) override { at_ = std::min(index, tokens_.size() - 1); }
  size_t size() override { return tokens_.size(); }
  std::string getSourceName() const override { return ""; }
  antlr4::Token* get(size_t index) const override {
    return const_cast<ParserToken*>(&tokens_[index]);
  }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  std::string getText(const antlr4::misc::Interval&) override { return ""; }
  std::string getText() override { return ""; }
  std::string getText(antlr4::RuleContext*) override { return ""; }
  std::string getText(antlr4::Token*, antlr4::Token*) override { return ""; }

 private:
  ParserToken* look(ssize_t i) {
    if (i == 0 || (i < 0 && static_cast<size_t>(-i) > at_)) return nullptr;
    const size_t index = i > 0 ? at_ + static_cast<size_t>(i) - 1 : at_ - static_cast<size_t>(-i);
    return &tokens_[std::min(index, tokens_.size() - 1)];
  }

  const Layout& layout_;
  std::vector<ParserToken> tokens_;
  size_t at_ = 0;
};

}  // namespace rlc::syntax
