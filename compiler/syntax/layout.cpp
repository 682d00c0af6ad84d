#include "compiler/syntax/layout.h"

#include <algorithm>
#include <string_view>

#include "RlLexer.h"
#include "compiler/syntax/brackets.h"
#include "compiler/syntax/parser.h"

namespace rlc::syntax {
namespace {

using diagnostics::Diagnostic;
using diagnostics::Kind;

bool endsExpression(size_t type) {
  switch (type) {
    case RlLexer::IDENT:
    case RlLexer::INT:
    case RlLexer::FLOAT:
    case RlLexer::STRING:
    case RlLexer::TRUE:
    case RlLexer::FALSE:
    case RlLexer::RPAREN:
    case RlLexer::RBRACKET:
    case RlLexer::RBRACE:
      return true;
    default:
      return false;
  }
}

// Operators that stand between two operands and never begin one; `-` may begin one.
bool isInfix(size_t type) {
  switch (type) {
    case RlLexer::PLUS:
    case RlLexer::STAR:
    case RlLexer::SLASH:
    case RlLexer::FLOOR_DIV:
    case RlLexer::PERCENT:
    case RlLexer::AT:
    case RlLexer::CARET:
    case RlLexer::EQ:
    case RlLexer::NE:
    case RlLexer::LT:
    case RlLexer::LE:
    case RlLexer::GT:
    case RlLexer::GE:
    case RlLexer::AND:
    case RlLexer::OR:
    case RlLexer::ASSIGN:
    case RlLexer::TILDE:
    case RlLexer::ARROW:
    case RlLexer::DOT:
      return true;
    default:
      return false;
  }
}

bool continuesAfter(size_t type) {
  switch (type) {
    case RlLexer::MINUS:
    case RlLexer::COMMA:
    case RlLexer::COLON:
    case RlLexer::IF:
    case RlLexer::THEN:
    case RlLexer::ELSE:
    case RlLexer::FOR:
    case RlLexer::IN:
    case RlLexer::NOT:
    case RlLexer::WHERE:
    case RlLexer::RANGE:
    case RlLexer::RANGE_TO:
    case RlLexer::EACH:
    case RlLexer::AS:
    case RlLexer::OVER:
    case RlLexer::UNTIL:
      return true;
    default:
      return isInfix(type);
  }
}

bool continuesBefore(size_t type) {
  return isInfix(type) || type == RlLexer::THEN || type == RlLexer::ELSE || type == RlLexer::WHERE;
}

bool declaresWithBlock(size_t type) {
  switch (type) {
    case RlLexer::FN:
    case RlLexer::LOSS:
    case RlLexer::METHOD:
    case RlLexer::MODULE:
    case RlLexer::POLICY:
    case RlLexer::ENV:
    case RlLexer::RECORD:
      return true;
    default:
      return false;
  }
}

// Prefix and right-associative operators open a level of the parse each, until something looser
// ends them.
struct Level {
  bool lines = true;  // line breaks end items
  int tight = 0;      // unary `-`, `^`
  int logical = 0;    // not
  int conditional = 0;

  int operators() const { return tight + logical + conditional; }
};

class LayoutPass {
 public:
  LayoutPass(Scan& scan, const diagnostics::SourceMap& sources, FileId file,
             diagnostics::DiagnosticSink& sink)
      : scan_(scan), text_(sources.text(file)), file_(file), sink_(sink) {}

  Layout run() {
    partner_ = matchBrackets(scan_, file_, sink_);
    levels_.push_back({});
    result_.tokens.reserve(scan_.tokens.size() + 8);
    for (at_ = 0; at_ + 1 < scan_.tokens.size(); ++at_) step(scan_.tokens[at_]);
    const Lexeme end = scan_.tokens.back();
    endItem(end);
    while (blocks_ > 0) {
      --blocks_;
      emit({RlLexer::RBRACE, end.begin, end.begin});
      emit({RlLexer::NEWLINE, end.begin, end.begin});
    }
    emit(end);
    std::sort(scan_.damage.begin(), scan_.damage.end());
    return std::move(result_);
  }

 private:
  size_t previous() const {
    return result_.tokens.empty() ? size_t{RlLexer::NEWLINE} : result_.tokens.back().type;
  }
  bool atStart() const { return previous() == RlLexer::NEWLINE || block_open_; }
  bool lines() const { return levels_.back().lines; }
  std::string_view spelling(const Lexeme& token) const {
    return std::string_view(text_).substr(token.begin, token.end - token.begin);
  }
  size_t typeAt(size_t i) const {
    return i < scan_.tokens.size() ? scan_.tokens[i].type : antlr4::Token::EOF;
  }

  void emit(Lexeme token) {
    if (atStart()) {
      item_type_ = token.type;
      has_body_ = false;
    }
    has_body_ = has_body_ || (token.type == RlLexer::ASSIGN && lines());
    block_open_ = false;
    result_.tokens.push_back(token);
    result_.depth.push_back(blocks_);
  }

  void endItem(Lexeme end) {
    if (!atStart()) emit({RlLexer::NEWLINE, end.begin, end.end});
    nesting_ -= levels_.back().operators();
    levels_.back() = Level{};
  }

  void step(Lexeme token) {
    switch (token.type) {
      case RlLexer::NEWLINE:
        return newline(token);
      case RlLexer::SEMI:
        if (!lines()) return emit(token);
        return endItem(token);
      case RlLexer::LPAREN:
      case RlLexer::LBRACKET:
      case RlLexer::LBRACE:
        return open(token);
      case RlLexer::RPAREN:
      case RlLexer::RBRACKET:
      case RlLexer::RBRACE:
        return close(token);
      case RlLexer::IDENT:
        token.type = atStart() && lines() ? leadingWord(at_) : trailingWord(token);
        return emit(token);
      default:
        if (countOperator(token)) emit(token);
    }
  }

  void newline(const Lexeme& token) {
    if (!lines() || atStart()) return;
    size_t next = at_ + 1;
    while (typeAt(next) == RlLexer::NEWLINE) ++next;
    if (continuesAfter(previous()) && !beginsItem(next)) return;
    if (continuesBefore(typeAt(next))) return;
    if (typeAt(next) == RlLexer::LBRACE && declaresWithBlock(item_type_) && !has_body_) return;
    endItem(token);
  }

  void open(const Lexeme& token) {
    const size_t partner = partner_[at_];
    const bool block = token.type == RlLexer::LBRACE && lines() && !atStart() &&
                       (endsExpression(previous()) || previous() == RlLexer::BLOCK ||
                        previous() == RlLexer::STATE);
    if (partner == kNoPartner && !block) return;
    if (partner == kNoPartner) result_.unclosed_block = true;
    if (tooDeep(token)) {
      // Everything within is left out; what remains of it is an empty pair or nothing.
      if (partner != kNoPartner) at_ = partner;
      return;
    }
    emit(token);
    levels_.push_back({.lines = block});
    nesting_ += 1;
    if (block) {
      ++blocks_;
      block_open_ = true;
    }
  }

  void close(const Lexeme& token) {
    if (partner_[at_] == kNoPartner || levels_.size() < 2) return;
    const bool block = lines();
    if (block) {
      // The fields of a record may end with a comma.
      if (previous() != RlLexer::COMMA) endItem({RlLexer::NEWLINE, token.begin, token.begin});
      --blocks_;
    }
    nesting_ -= 1 + levels_.back().operators();
    levels_.pop_back();
    block_open_ = false;  // not through emit(): the end of a block begins no item
    result_.tokens.push_back(token);
    result_.depth.push_back(blocks_);
    has_body_ = has_body_ || block;
  }

  bool tooDeep(const Lexeme& token) {
    if (nesting_ < kMaxNesting) return false;
    scan_.damage.push_back(token.begin);
    if (!nesting_reported_) {
      sink_.report(
          Diagnostic(Kind::NestingLimit, Span{file_, token.begin, token.end},
                     "more than " + std::to_string(kMaxNesting) + " levels are nested here")
              .hint("give a part of it a name"));
    }
    nesting_reported_ = true;
    return true;
  }

  // Also false where the limit is reached: the operator is then left out.
  bool countOperator(const Lexeme& token) {
    Level& level = levels_.back();
    const int before = level.operators();
    switch (token.type) {
      case RlLexer::CARET:
        ++level.tight;
        break;
      case RlLexer::NOT:
        ++level.logical;
        break;
      case RlLexer::IF:
        ++level.conditional;
        break;
      case RlLexer::MINUS:
        level.tight = endsExpression(previous()) ? 0 : level.tight + 1;
        break;
      case RlLexer::AND:
      case RlLexer::OR:
      case RlLexer::THEN:
      case RlLexer::ELSE:
        level.tight = level.logical = 0;
        break;
      case RlLexer::COMMA:
        level.tight = level.logical = level.conditional = 0;
        break;
      default:
        if (isInfix(token.type)) level.tight = 0;
        break;
    }
    const int change = level.operators() - before;
    if (change > 0 && tooDeep(token)) {
      if (token.type == RlLexer::NOT)
        --level.logical;
      else if (token.type == RlLexer::IF)
        --level.conditional;
      else
        --level.tight;
      return false;
    }
    nesting_ += change;
    return true;
  }

  // Whether a line must be one of its own, though the line before ended with an operator: that one
  // is at fault then.
  bool beginsItem(size_t at) const {
    if (typeAt(at) != RlLexer::IDENT) return false;
    const size_t word = leadingWord(at);
    if (word != RlLexer::IDENT && word != RlLexer::BLOCK && word != RlLexer::METHOD) return true;
    if (previous() == RlLexer::COMMA) return false;  // param a = 1,
    const bool subscripted = typeAt(at + 1) == RlLexer::LBRACKET && partner_[at + 1] != kNoPartner;
    const size_t next = typeAt(subscripted ? partner_[at + 1] + 1 : at + 1);
    return next == RlLexer::ASSIGN || next == RlLexer::TILDE;
  }

  // What a name at the beginning of an item is, by what stands behind it.
  size_t leadingWord(size_t at) const {
    const std::string_view word = spelling(scan_.tokens[at]);
    const size_t next = typeAt(at + 1);
    // A reserved word there is a name too, though a wrong one.
    const bool reserved = next >= RlLexer::IF && next <= RlLexer::FALSE && next != RlLexer::AND &&
                          next != RlLexer::OR;
    const bool name_next = next == RlLexer::IDENT || reserved;
    static constexpr std::pair<std::string_view, size_t> kBeforeNames[] = {
        {"param", RlLexer::PARAM},   {"index", RlLexer::INDEX}, {"record", RlLexer::RECORD},
        {"fn", RlLexer::FN},         {"loss", RlLexer::LOSS},   {"module", RlLexer::MODULE},
        {"policy", RlLexer::POLICY}, {"env", RlLexer::ENV},     {"weight", RlLexer::WEIGHT},
        {"action", RlLexer::ACTION}};
    for (const auto& [keyword, type] : kBeforeNames) {
      if (word == keyword && name_next) return type;
    }
    if (word == "use" &&
        (name_next || next == RlLexer::STRING || next == RlLexer::DOT || next == RlLexer::RANGE))
      return RlLexer::USE;
    const bool defines = next == RlLexer::ASSIGN || next == RlLexer::TILDE || next == RlLexer::DOT;
    if (word == "print" && !defines) return RlLexer::PRINT;
    const bool reads =
        defines || next == RlLexer::LBRACKET || next == RlLexer::LPAREN || next == RlLexer::NEWLINE;
    if (word == "report" && !reads) return RlLexer::REPORT;
    if (word == "save" && !reads) return RlLexer::SAVE;
    if (next == RlLexer::LBRACE) return word == "state" ? RlLexer::STATE : RlLexer::BLOCK;
    return next == RlLexer::LPAREN && isMethod(at) ? RlLexer::METHOD : RlLexer::IDENT;
  }

  bool isMethod(size_t at) const {
    size_t after = partner_[at + 1];
    if (after == kNoPartner) return false;
    const size_t next = typeAt(++after);
    if (next == RlLexer::IDENT) return spelling(scan_.tokens[after]) == "over";
    while (typeAt(after) == RlLexer::NEWLINE) ++after;
    return next == RlLexer::ASSIGN || next == RlLexer::ARROW || typeAt(after) == RlLexer::LBRACE;
  }

  size_t trailingWord(const Lexeme& token) const {
    if (!endsExpression(previous())) return RlLexer::IDENT;
    const std::string_view word = spelling(token);
    if (word == "each") return RlLexer::EACH;
    if (word == "as") return RlLexer::AS;
    if (word == "over") return RlLexer::OVER;
    if (word == "until") return RlLexer::UNTIL;
    return RlLexer::IDENT;
  }

  Scan& scan_;
  const std::string& text_;
  FileId file_;
  diagnostics::DiagnosticSink& sink_;
  Layout result_;
  std::vector<size_t> partner_;
  std::vector<Level> levels_;
  size_t at_ = 0;
  size_t item_type_ = 0;  // of the first token of the item that is open
  int blocks_ = 0;
  int nesting_ = 0;
  bool block_open_ = false;  // the last token opened a block
  bool has_body_ = false;    // the open item has had its `=` or its block
  bool nesting_reported_ = false;
};

}  // namespace

Layout layOut(Scan& scan, const diagnostics::SourceMap& sources, FileId file,
              diagnostics::DiagnosticSink& sink) {
  return LayoutPass(scan, sources, file, sink).run();
}

namespace {

bool isOpening(size_t type) {
  return type == RlLexer::LPAREN || type == RlLexer::LBRACKET || type == RlLexer::LBRACE;
}
bool isClosing(size_t type) {
  return type == RlLexer::RPAREN || type == RlLexer::RBRACKET || type == RlLexer::RBRACE;
}

// `fn f(x) -> f32` whose body is still to come.
bool lacksBody(const std::vector<Lexeme>& item) {
  int depth = 0;
  for (const Lexeme& token : item) {
    if (depth == 0 && (token.type == RlLexer::ASSIGN || token.type == RlLexer::LBRACE))
      return false;
    depth += isOpening(token.type) ? 1 : isClosing(token.type) ? -1 : 0;
  }
  return !item.empty() && declaresWithBlock(item.front().type);
}

}  // namespace

bool isIncomplete(const std::string& text) {
  diagnostics::SourceMap sources;
  diagnostics::DiagnosticSink sink;
  const FileId file = sources.add("", text);
  Scan scanned = scan(sources, file, sink);
  for (const Diagnostic& problem : sink.sorted())
    if (problem.kind == Kind::UnterminatedComment) return true;
  int open = 0;
  for (const Lexeme& token : scanned.tokens)
    open += isOpening(token.type) ? 1 : isClosing(token.type) ? -1 : 0;
  if (open != 0 || sink.hasErrors()) return open > 0;
  const Layout layout = layOut(scanned, sources, file, sink);
  std::vector<Lexeme> item;  // the last one
  for (size_t i = 0; i < layout.tokens.size(); ++i) {
    const Lexeme& token = layout.tokens[i];
    const bool first = i == 0 || (layout.tokens[i - 1].type == RlLexer::NEWLINE &&
                                  layout.depth[i] == 0 && layout.depth[i - 1] == 0);
    if (token.type == antlr4::Token::EOF) break;
    if (first) item.clear();
    if (token.type != RlLexer::NEWLINE) item.push_back(token);
  }
  // A doc comment on a line of its own waits for what it describes.
  if (!scanned.comments.empty() && scanned.comments.back().kind == Comment::Kind::Doc) {
    const uint32_t begin = scanned.comments.back().span.begin,
                   before = item.empty() ? 0 : item.back().end;
    if (item.empty() ||
        (begin > before && text.substr(before, begin - before).find('\n') != std::string::npos))
      return true;
  }
  if (item.empty()) return false;
  return continuesAfter(item.back().type) || lacksBody(item);
}

}  // namespace rlc::syntax
