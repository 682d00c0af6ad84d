// One error an item, and on with the next item. Included by the ANTLR side only.
#pragma once

#include <vector>

#include "RlParser.h"
#include "compiler/syntax/token_stream.h"

namespace rlc::syntax {

class ErrorStrategy final : public antlr4::DefaultErrorStrategy {
 public:
  // `damage`: places of errors that were reported before; an item that has one is not reported
  // again.
  ErrorStrategy(FileId file, ParserTokens& tokens, const std::vector<uint32_t>& damage,
                diagnostics::DiagnosticSink& sink)
      : file_(file), tokens_(tokens), damage_(damage), sink_(sink) {}

  // Without a report: the first attempt, in ANTLR's fast mode.
  void setQuiet(bool quiet) { quiet_ = quiet; }
  bool failed() const { return failed_; }  // since the last clearFailed()
  void clearFailed() { failed_ = false; }
  bool everFailed() const { return ever_failed_; }  // other than quietly
  // Skips tokens that can't begin an item, reporting them; at most to the end of the block or the
  // file.
  void skipToItem(antlr4::Parser* parser);

  void reportError(antlr4::Parser* parser, const antlr4::RecognitionException& error) override;
  void recover(antlr4::Parser* parser, std::exception_ptr error) override;
  antlr4::Token* recoverInline(antlr4::Parser* parser) override;
  void sync(antlr4::Parser* parser) override;

 private:
  void skipItem(antlr4::Parser* parser, size_t first);
  void report(antlr4::Parser* parser, const ParserToken& token,
              const antlr4::misc::IntervalSet& expected);
  bool damaged(size_t first, const ParserToken& token) const;

  FileId file_;
  ParserTokens& tokens_;
  const std::vector<uint32_t>& damage_;
  diagnostics::DiagnosticSink& sink_;
  bool quiet_ = false;
  bool failed_ = false;
  bool ever_failed_ = false;
};

}  // namespace rlc::syntax
