#include "compiler/syntax/parser.h"

#include "compiler/syntax/error_strategy.h"
#include "compiler/syntax/layout.h"
#include "compiler/syntax/tree_builder.h"

namespace rlc::syntax {
namespace {

using diagnostics::Diagnostic;
using diagnostics::DiagnosticSink;
using diagnostics::Kind;
using diagnostics::SourceMap;

// One item at a time, so that a parse tree is as large as its item.
class FileParser {
 public:
  FileParser(const SourceMap& sources, FileId file, DiagnosticSink& sink)
      : file_(file),
        sink_(sink),
        scan_(scan(sources, file, sink)),
        layout_(layOut(scan_, sources, file, sink)),
        tokens_(layout_, sources.text(file)),
        parser_(&tokens_),
        strategy_(std::make_shared<ErrorStrategy>(file, tokens_, scan_.damage, sink)),
        builder_(sources, file, tokens_, scan_, sink, {.check_places = !layout_.unclosed_block}) {
    parser_.removeErrorListeners();
    parser_.setErrorHandler(strategy_);
  }

  File parseFile() {
    File result;
    result.id = file_;
    for (strategy_->skipToItem(&parser_); tokens_.LA(1) != antlr4::Token::EOF;
         strategy_->skipToItem(&parser_)) {
      if (sink_.droppedCount() > 0) break;  // nobody will see what is wrong with the rest
      if (tokens_.LA(1) == RlParser::RBRACE) {
        tokens_.consume();
        continue;
      }
      result.items.push_back(parseItem());
    }
    result.complete = scan_.damage.empty() && !strategy_->everFailed() && !builder_.failed() &&
                      sink_.droppedCount() == 0;
    result.comments = std::move(scan_.comments);
    return result;
  }

  ExprPtr parseExpression() {
    if (!scan_.damage.empty()) return nullptr;
    strategy_->clearFailed();
    auto* whole = parseTwice([this] { return parser_.soleExpr(); });
    if (strategy_->failed()) return nullptr;
    ExprPtr result = builder_.wholeExpr(whole->expr());
    return builder_.failed() ? nullptr : std::move(result);
  }

 private:
  // ANTLR's fast prediction decides almost everything; where it fails, the exact one decides and
  // reports.
  template <typename Rule>
  auto parseTwice(Rule rule) -> decltype(rule()) {
    const size_t begin = tokens_.index();
    auto* const simulator = parser_.getInterpreter<antlr4::atn::ParserATNSimulator>();
    decltype(rule()) tree = nullptr;
    for (const bool fast : {true, false}) {
      parser_.reset();
      tokens_.seek(begin);
      simulator->setPredictionMode(fast ? antlr4::atn::PredictionMode::SLL
                                        : antlr4::atn::PredictionMode::LL);
      strategy_->setQuiet(fast);
      strategy_->clearFailed();
      try {
        tree = rule();
      } catch (const antlr4::RecognitionException&) {
        // Only of a rule without items: reported by now.
      }
      if (!strategy_->failed()) break;
    }
    strategy_->setQuiet(false);
    return tree;
  }

  Item parseItem() {
    return builder_.item(parseTwice([this] { return parser_.item(); }), Place::File);
  }

  FileId file_;
  const DiagnosticSink& sink_;
  Scan scan_;
  Layout layout_;
  ParserTokens tokens_;
  RlParser parser_;
  std::shared_ptr<ErrorStrategy> strategy_;
  TreeBuilder builder_;
};

}  // namespace

File parse(const SourceMap& sources, FileId file, DiagnosticSink& sink) {
  return FileParser(sources, file, sink).parseFile();
}

ExprPtr parseExpression(const SourceMap& sources, FileId file, DiagnosticSink& sink) {
  return FileParser(sources, file, sink).parseExpression();
}

}  // namespace rlc::syntax
