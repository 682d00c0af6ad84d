#include "compiler/syntax/error_strategy.h"

#include <algorithm>

#include "compiler/syntax/messages.h"

namespace rlc::syntax {
namespace {

// The index of the first token of the innermost item around the rule that is being parsed.
size_t itemBegin(antlr4::Parser* parser) {
  for (antlr4::RuleContext* context = parser->getContext(); context != nullptr;
       context = dynamic_cast<antlr4::RuleContext*>(context->parent)) {
    if (context->getRuleIndex() == RlParser::RuleItem) {
      return static_cast<antlr4::ParserRuleContext*>(context)->getStart()->getTokenIndex();
    }
  }
  return parser->getTokenStream()->index();
}

bool beginsItem(size_t type) {
  switch (type) {
    case RlParser::USE:
    case RlParser::PARAM:
    case RlParser::INDEX:
    case RlParser::RECORD:
    case RlParser::FN:
    case RlParser::LOSS:
    case RlParser::MODULE:
    case RlParser::POLICY:
    case RlParser::ENV:
    case RlParser::WEIGHT:
    case RlParser::ACTION:
    case RlParser::PRINT:
    case RlParser::REPORT:
    case RlParser::SAVE:
    case RlParser::STATE:
    case RlParser::BLOCK:
    case RlParser::METHOD:
    case RlParser::IF:
    case RlParser::NOT:
    case RlParser::TRUE:
    case RlParser::FALSE:
    case RlParser::LPAREN:
    case RlParser::LBRACKET:
    case RlParser::LBRACE:
    case RlParser::MINUS:
    case RlParser::FLOAT:
    case RlParser::INT:
    case RlParser::IDENT:
    case RlParser::STRING:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool ErrorStrategy::damaged(size_t first, const ParserToken& token) const {
  const size_t begin = static_cast<const ParserToken*>(tokens_.get(first))->token().begin;
  const auto found = std::lower_bound(damage_.begin(), damage_.end(), begin);
  return found != damage_.end() && *found <= token.token().end;
}

void ErrorStrategy::report(antlr4::Parser* parser, const ParserToken& token,
                           const antlr4::misc::IntervalSet& expected) {
  failed_ = true;
  ever_failed_ = ever_failed_ || !quiet_;
  const size_t first = std::min(itemBegin(parser), token.getTokenIndex());
  if (quiet_ || damaged(first, token)) return;
  sink_.report(explainSyntaxError(file_, tokens_, first, token, expected));
}

void ErrorStrategy::reportError(antlr4::Parser* parser, const antlr4::RecognitionException& error) {
  if (inErrorRecoveryMode(parser)) return;
  beginErrorCondition(parser);
  report(parser, *static_cast<const ParserToken*>(error.getOffendingToken()),
         parser->getExpectedTokens());
}

void ErrorStrategy::recover(antlr4::Parser* parser, std::exception_ptr error) {
  if (parser->getContext()->getRuleIndex() != RlParser::RuleItem) std::rethrow_exception(error);
  skipItem(parser, parser->getContext()->getStart()->getTokenIndex());
  endErrorCondition(parser);
}

antlr4::Token* ErrorStrategy::recoverInline(antlr4::Parser* parser) {
  throw antlr4::InputMismatchException(parser);
}

void ErrorStrategy::sync(antlr4::Parser* parser) {
  if (parser->getContext()->getRuleIndex() == RlParser::RuleBlock) skipToItem(parser);
}

void ErrorStrategy::skipToItem(antlr4::Parser* parser) {
  for (size_t type = tokens_.LA(1); !beginsItem(type); type = tokens_.LA(1)) {
    if (type == RlParser::RBRACE || type == antlr4::Token::EOF) return;
    if (type == RlParser::NEWLINE) {
      tokens_.consume();
      continue;
    }
    report(parser, *static_cast<ParserToken*>(tokens_.LT(1)), {});
    skipItem(parser, tokens_.index());
  }
}

// To the line's end at the depth of its beginning: over blocks, never out of one.
void ErrorStrategy::skipItem(antlr4::Parser*, size_t first) {
  const int depth = tokens_.depth(first);
  while (tokens_.LA(1) != antlr4::Token::EOF && tokens_.depth(tokens_.index()) >= depth) {
    const bool end = tokens_.LA(1) == RlParser::NEWLINE && tokens_.depth(tokens_.index()) == depth;
    tokens_.consume();
    if (end) return;
  }
}

}  // namespace rlc::syntax
