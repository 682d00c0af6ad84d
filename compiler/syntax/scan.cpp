#include "compiler/syntax/scan.h"

#include <cctype>
#include <string>

#include "RlLexer.h"
#include "compiler/diagnostics/utf8.h"
#include "compiler/syntax/parser.h"

namespace rlc::syntax {
namespace {

using diagnostics::Diagnostic;
using diagnostics::Kind;

// What people bring from other languages, by the character that betrays it.
const char* hintFor(std::string_view text) {
  switch (text.front()) {
    case '\'':
      return "strings are written with \"";
    case '&':
      return "write `and`";
    case '|':
      return "write `or`";
    case '!':
      return "write `not`";
    case '?':
      return "write `if c then a else b`";
    case '\\':
      return "a line goes on after an operator or a comma, and inside brackets";
    default:
      break;
  }
  if (text == "\u201C" || text == "\u201D") return "strings are written with \"";
  if (text == "\u2212" || text == "\u2013") return "write `-`";
  if (text == "\u00D7" || text == "\u00B7") return "write `*`";
  if (text == "\u2264") return "write `<=`";
  if (text == "\u2265") return "write `>=`";
  if (text == "\u2260") return "write `!=`";
  if (text == "\u2190") return "write `=`";
  return "";
}

class Scanner {
 public:
  Scanner(const diagnostics::SourceMap& sources, FileId file, diagnostics::DiagnosticSink& sink)
      : file_(file), text_(sources.text(file)), sink_(sink) {}

  Scan run() {
    if (isText()) {
      const std::string valid = decode();
      antlr4::ANTLRInputStream input(valid);
      RlLexer lexer(&input);
      lexer.removeErrorListeners();
      while (take(lexer)) {
      }
    }
    const auto end = static_cast<uint32_t>(text_.size());
    result_.tokens.push_back({antlr4::Token::EOF, end, end});
    return std::move(result_);
  }

 private:
  void report(Kind kind, uint32_t begin, uint32_t end, std::string message, std::string hint = "") {
    result_.damage.push_back(begin);
    sink_.report(
        Diagnostic(kind, Span{file_, begin, end}, std::move(message)).hint(std::move(hint)));
  }

  bool isText() {
    if (text_.size() > kMaxFileBytes) {
      report(Kind::FileLimit, 0, 0,
             "the file has " + std::to_string(text_.size() >> 20) + " MiB; at most " +
                 std::to_string(kMaxFileBytes >> 20) + " can be compiled");
      return false;
    }
    const size_t zero = text_.find('\0');
    if (zero != std::string::npos) {
      report(Kind::BinaryFile, static_cast<uint32_t>(zero), static_cast<uint32_t>(zero + 1),
             "this is no text file: it has a NUL byte here");
      return false;
    }
    return true;
  }

  // Fills offsets_ (code point to byte; empty where that is the identity) and replaces what is not
  // UTF-8.
  std::string decode() {
    const bool ascii = std::none_of(text_.begin(), text_.end(),
                                    [](char c) { return static_cast<signed char>(c) < 0; });
    if (ascii) return text_;
    std::string valid;
    valid.reserve(text_.size());
    offsets_.reserve(text_.size() + 1);
    bool reported = false;
    // The lexer's input drops a byte order mark.
    uint32_t at = text_.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    while (at < text_.size()) {
      const diagnostics::CodePoint point = diagnostics::decodeUtf8(text_, at);
      if (!point.valid && !reported) {
        report(Kind::InvalidEncoding, at, at + 1,
               "the file is not UTF-8: this byte begins no character");
        reported = true;
      }
      if (!point.valid) result_.damage.push_back(at);
      offsets_.push_back(at);
      diagnostics::appendUtf8(valid, point.value);
      at += point.length;
    }
    offsets_.push_back(at);
    return valid;
  }

  uint32_t byteOf(size_t code_point) const {
    return offsets_.empty() ? static_cast<uint32_t>(code_point) : offsets_[code_point];
  }

  bool take(RlLexer& lexer) {
    const auto lexeme = lexer.nextToken();
    const size_t type = lexeme->getType();
    if (type == antlr4::Token::EOF) return false;
    const Lexeme token{type, byteOf(lexeme->getStartIndex()), byteOf(lexeme->getStopIndex() + 1)};
    switch (type) {
      case RlLexer::LINE_COMMENT:
      case RlLexer::BLOCK_COMMENT:
        result_.comments.push_back({Span{file_, token.begin, token.end}, commentKind(token)});
        return true;
      case RlLexer::OPEN_COMMENT:
        report(Kind::UnterminatedComment, token.begin, token.end, "this comment has no end",
               "close it with `*/`");
        return false;
      case RlLexer::OPEN_STRING:
        report(Kind::UnterminatedString, token.begin, token.end,
               "this string has no end on its line", "close it with `\"`");
        result_.tokens.push_back({RlLexer::STRING, token.begin, token.end});
        return true;
      case RlLexer::BAD_NUMBER:
        report(Kind::BadNumber, token.begin, token.end,
               "`" + spelling(token) + "` is neither a number nor a name",
               "a name can't begin with a digit; a product is written with `*`");
        result_.tokens.push_back({RlLexer::INT, token.begin, token.end});
        return true;
      case RlLexer::OTHER:
        badCharacter(token);
        return true;
      default:
        result_.tokens.push_back(token);
        return true;
    }
  }

  std::string spelling(const Lexeme& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }

  Comment::Kind commentKind(const Lexeme& token) const {
    const std::string_view text =
        std::string_view(text_).substr(token.begin, token.end - token.begin);
    if (text.starts_with("/*")) return Comment::Kind::Block;
    return text.starts_with("##") && !text.starts_with("###") ? Comment::Kind::Doc
                                                              : Comment::Kind::Line;
  }

  void badCharacter(const Lexeme& token) {
    const bool continues = bad_end_ == token.begin;
    bad_end_ = token.end;
    result_.damage.push_back(token.begin);
    // One report for `&&`, and none for bytes that are no character: that was said already.
    if (continues || !diagnostics::decodeUtf8(text_, token.begin).valid) return;
    const std::string character = spelling(token);
    const bool visible =
        static_cast<unsigned char>(character.front()) >= 0x20 && character != "\x7F";
    report(Kind::UnexpectedCharacter, token.begin, token.end,
           visible ? "`" + character + "` means nothing here"
                   : "a control character means nothing here",
           hintFor(character));
  }

  FileId file_;
  const std::string& text_;
  diagnostics::DiagnosticSink& sink_;
  Scan result_;
  std::vector<uint32_t> offsets_;
  uint32_t bad_end_ = UINT32_MAX;
};

}  // namespace

Scan scan(const diagnostics::SourceMap& sources, FileId file, diagnostics::DiagnosticSink& sink) {
  Scan result = Scanner(sources, file, sink).run();
  std::sort(result.damage.begin(), result.damage.end());
  return result;
}

}  // namespace rlc::syntax
