// The rules of compiler/syntax/layout.cpp, as far as they show: where items begin, which words are
// keywords there, which braces are blocks.
#include <array>

#include "compiler/format/tokens.h"
#include "compiler/types/lists.h"

namespace rlc::format {
namespace {

bool isInfix(const Token& token) {
  if (token.kind == Token::Kind::String || token.comment()) return false;
  const std::string_view text = token.text;
  return (precedence(text) > 0 && text != "-") || text == "^" || text == "=" || text == "~" ||
         text == "->" || text == ".";
}

bool continuesAfter(const Token& token) {
  if (token.kind == Token::Kind::Word) return token.keyword;
  return isInfix(token) || token.is("-") || token.is(",") || token.is(":") || token.is("..") ||
         token.is("..=");
}

bool continuesBefore(const Token& token) {
  return isInfix(token) || token.is("then") || token.is("else") || token.is("where");
}

template <size_t N>
bool among(std::string_view word, const std::array<std::string_view, N>& words) {
  return contains(words, word);
}

class Roles {
 public:
  explicit Roles(std::vector<Token>& tokens) : tokens_(tokens) {}

  void run() {
    match();
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      if (!tokens_[at_].comment()) step(tokens_[at_]);
    }
    markTight();
  }

 private:
  struct Open {
    size_t at;
    bool block, fields;
  };

  void match() {
    std::vector<size_t> open;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].opens()) open.push_back(i);
      if (!tokens_[i].closes() || open.empty()) continue;
      tokens_[i].partner = open.back();
      tokens_[open.back()].partner = i;
      open.pop_back();
    }
  }

  size_t after(size_t i) const {
    if (i == kNone) return kNone;
    for (++i; i < tokens_.size(); ++i) {
      if (!tokens_[i].comment()) return i;
    }
    return kNone;
  }
  bool lines() const { return open_.empty() || open_.back().block; }
  const Token* previous() const { return previous_ == kNone ? nullptr : &tokens_[previous_]; }

  void step(Token& token) {
    token.item_start = lines() && startsItem(token);
    if (token.item_start) beginItem(token);
    const Token* before = previous();
    if (token.kind == Token::Kind::Word && !token.item_start) {
      static constexpr std::array<std::string_view, 4> kTrailing = {"each", "as", "over", "until"};
      token.keyword = isReserved(token.text) ||
                      (before != nullptr && endsOperand(*before) && among(token.text, kTrailing));
      if (token.is("each") && token.keyword && lines()) verbatim_ = false;
    }
    if (token.is("-")) token.unary = before == nullptr || token.item_start || !endsOperand(*before);
    token.verbatim = verbatim_ && !token.item_start && !(before->keyword && before->item_start) &&
                     !(lines() && (token.is(",") || before->is(",")));
    if (token.opens()) open(token, before);
    if (token.closes() && !open_.empty()) {
      token.block = open_.back().block;
      token.fields = open_.back().fields;
      token.glued = tokens_[open_.back().at].glued;
      open_.pop_back();
    }
    previous_ = at_;
  }

  bool startsItem(const Token& token) const {
    const Token* before = previous();
    if (token.closes() || token.is(";")) return false;
    if (before == nullptr || before->is(";") || (before->opens() && before->block)) return true;
    if (before->is(",") && !open_.empty() && open_.back().fields) return true;
    bool broken = token.line_break;
    for (size_t i = previous_ + 1; i < at_; ++i)
      broken = broken || tokens_[i].line_break || tokens_[i].kind == Token::Kind::LineComment;
    if (!broken || continuesAfter(*before) || continuesBefore(token)) return false;
    return !(token.is("{") && item_declares_);
  }

  void beginItem(Token& token) {
    verbatim_ = false;
    fields_next_ = item_declares_ = false;
    if (token.kind != Token::Kind::Word) return;
    const size_t next = after(at_);
    token.keyword = leads(token, next);
    fields_next_ = (token.keyword && token.text == "record") || token.text == "state";
    item_declares_ = token.keyword || (next != kNone && tokens_[next].is("("));
    if (token.keyword && token.text == "print" && next != kNone) {
      const size_t second = after(next);
      const bool labelled =
          tokens_[next].kind == Token::Kind::String && second != kNone && tokens_[second].is(",");
      verbatim_ = !labelled;
    }
  }

  bool leads(const Token& token, size_t next) const {
    if (next == kNone) return false;
    static constexpr std::array<std::string_view, 10> kBeforeNames = {
        "param", "index", "record", "fn", "loss", "module", "policy", "env", "weight", "action"};
    const Token& then = tokens_[next];
    const bool name = then.kind == Token::Kind::Word && then.text != "and" && then.text != "or";
    if (among(token.text, kBeforeNames)) return name;
    if (token.text == "use")
      return name || then.kind == Token::Kind::String || then.is(".") || then.is("..");
    const bool defines = then.is("=") || then.is("~") || then.is(".");
    if (token.text == "print") return !defines;
    const bool reads = defines || then.is("[") || then.is("(") || then.line_break;
    return (token.text == "report" || token.text == "save") && !reads;
  }

  void open(Token& token, const Token* before) {
    token.block =
        token.is("{") && lines() && !token.item_start && before != nullptr && endsOperand(*before);
    token.fields = token.block && fields_next_;
    token.glued = token.is("{") && before != nullptr && before->is(".");
    open_.push_back({at_, token.block, token.fields});
  }

  // Subscripts, and the bounds of ranges.
  void markTight() {
    std::vector<int> change(tokens_.size() + 1,
                            0);  // how many regions begin, less those that ended
    const Token* before = nullptr;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.comment()) continue;
      size_t begin = i, end = i;
      if (token.is("[") && before != nullptr && endsOperand(*before) && token.partner != kNone &&
          !token.item_start)
        end = token.partner;
      if (token.is("..") || token.is("..=")) {
        begin = bound(i, false);
        end = bound(i, true);
      }
      if (end > begin) {
        ++change[begin];
        --change[end + 1];
      }
      before = &token;
    }
    int depth = 0;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      depth += change[i];
      tokens_[i].tight = depth > 0;
    }
  }

  size_t bound(size_t from, bool right) const {
    size_t i = from;
    while (true) {
      const size_t next = right ? i + 1 : i - 1;
      if (next >= tokens_.size()) return i;
      const Token& token = tokens_[next];
      const bool leaves = right ? token.closes() : token.opens();
      if (leaves || token.is(",") || token.is(":") || token.is(";") || token.is("=") ||
          token.is("..") || token.is("..=") || token.kind == Token::Kind::LineComment ||
          (token.keyword && !token.is("and") && !token.is("or") && !token.is("not")) ||
          (right ? token.item_start : tokens_[i].item_start))
        return i;
      const bool enters = right ? token.opens() : token.closes();
      if (enters && token.partner == kNone) return i;
      i = enters ? token.partner : next;
    }
  }

  std::vector<Token>& tokens_;
  std::vector<Open> open_;
  size_t at_ = 0, previous_ = kNone;
  bool verbatim_ = false;
  bool fields_next_ = false;    // the next block of this item holds fields
  bool item_declares_ = false;  // its block may stand on the next line
};

}  // namespace

void assignRoles(std::vector<Token>& tokens) { Roles(tokens).run(); }

}  // namespace rlc::format
