#include "compiler/syntax/brackets.h"

#include <algorithm>
#include <string>

#include "RlLexer.h"

namespace rlc::syntax {
namespace {

using diagnostics::Diagnostic;
using diagnostics::Kind;

// 0: no opening bracket.
size_t closerOf(size_t type) {
  switch (type) {
    case RlLexer::LPAREN:
      return RlLexer::RPAREN;
    case RlLexer::LBRACKET:
      return RlLexer::RBRACKET;
    case RlLexer::LBRACE:
      return RlLexer::RBRACE;
    default:
      return 0;
  }
}

bool isCloser(size_t type) {
  return type == RlLexer::RPAREN || type == RlLexer::RBRACKET || type == RlLexer::RBRACE;
}

const char* shapeOf(size_t type) {
  switch (type) {
    case RlLexer::LPAREN:
      return "`(`";
    case RlLexer::RPAREN:
      return "`)`";
    case RlLexer::LBRACKET:
      return "`[`";
    case RlLexer::RBRACKET:
      return "`]`";
    case RlLexer::LBRACE:
      return "`{`";
    default:
      return "`}`";
  }
}

class Matcher {
 public:
  Matcher(Scan& scan, FileId file, diagnostics::DiagnosticSink& sink)
      : scan_(scan), file_(file), sink_(sink) {}

  std::vector<size_t> run() {
    partner_.assign(scan_.tokens.size(), kNoPartner);
    for (size_t i = 0; i < scan_.tokens.size(); ++i) {
      if (closerOf(type(i)) != 0) open_.push_back(i);
      if (isCloser(type(i))) close(i);
    }
    // Outermost first: only so many errors are kept.
    std::reverse(open_.begin(), open_.end());
    while (!open_.empty()) dropOpener();
    std::sort(scan_.damage.begin(), scan_.damage.end());
    return std::move(partner_);
  }

 private:
  size_t type(size_t i) const { return scan_.tokens[i].type; }
  Span span(size_t i) const { return {file_, scan_.tokens[i].begin, scan_.tokens[i].end}; }

  void report(size_t i, Diagnostic diagnostic) {
    scan_.damage.push_back(scan_.tokens[i].begin);
    sink_.report(std::move(diagnostic));
  }

  void dropOpener() {
    const size_t i = open_.back();
    open_.pop_back();
    const std::string closer = shapeOf(closerOf(type(i)));
    report(i, Diagnostic(Kind::UnmatchedBracket, span(i),
                         std::string(shapeOf(type(i))) + " is never closed")
                  .hint("close it with " + closer));
  }

  void pair(size_t closer) {
    partner_[open_.back()] = closer;
    partner_[closer] = open_.back();
    open_.pop_back();
  }

  // The opener that this closes: no `)` or `]` reaches out of a `{`.
  bool hasOpener(size_t closer) const {
    for (size_t k = open_.size(); k-- > 0;) {
      if (closerOf(type(open_[k])) == type(closer)) return true;
      if (type(open_[k]) == RlLexer::LBRACE) return false;
    }
    return false;
  }

  void close(size_t i) {
    if (hasOpener(i)) {
      while (closerOf(type(open_.back())) != type(i)) dropOpener();
      pair(i);
      return;
    }
    const bool wrong_shape =
        type(i) != RlLexer::RBRACE && !open_.empty() && type(open_.back()) != RlLexer::LBRACE;
    if (!wrong_shape) {
      report(i, Diagnostic(Kind::UnmatchedBracket, span(i),
                           std::string(shapeOf(type(i))) + " closes nothing"));
      return;
    }
    const size_t right = closerOf(type(open_.back()));
    report(i,
           Diagnostic(Kind::UnmatchedBracket, span(i),
                      std::string(shapeOf(type(i))) + " where " + shapeOf(right) + " was expected")
               .note(span(open_.back()), "to close this"));
    scan_.tokens[i].type = right;
    pair(i);
  }

  Scan& scan_;
  FileId file_;
  diagnostics::DiagnosticSink& sink_;
  std::vector<size_t> partner_, open_;
};

}  // namespace

std::vector<size_t> matchBrackets(Scan& scan, FileId file, diagnostics::DiagnosticSink& sink) {
  return Matcher(scan, file, sink).run();
}

}  // namespace rlc::syntax
