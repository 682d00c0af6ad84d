// ANTLR's parse tree of one item to the syntax tree. Included by the ANTLR side only.
#pragma once

#include <string>
#include <vector>

#include "RlParser.h"
#include "compiler/diagnostics/diagnostic.h"
#include "compiler/diagnostics/source_map.h"
#include "compiler/syntax/token_stream.h"

namespace rlc::syntax {

// What may stand where: the kind of the block that is being built.
enum class Place { File, Function, Module, Policy, Env, Block, Render };

class TreeBuilder {
 public:
  struct Options {
    bool check_places = true;  // false where the blocks of the file are known not to close
  };

  TreeBuilder(const diagnostics::SourceMap& sources, FileId file, const ParserTokens& tokens,
              const Scan& scan, diagnostics::DiagnosticSink& sink, Options options)
      : text_(sources.text(file)),
        file_(file),
        tokens_(tokens),
        scan_(scan),
        sink_(sink),
        options_(options) {}

  // Of an item that could not be parsed, too: it is a BrokenItem.
  Item item(RlParser::ItemContext* context, Place place);
  // Null: too long.
  ExprPtr wholeExpr(RlParser::ExprContext* context);
  bool failed() const { return failed_; }

 private:
  struct TooLong {};  // leaves the item whose expression is past the limit

  // Items: build_items.cpp, build_declarations.cpp
  Item::Node checkedNode(RlParser::ItemContext* context, Place place,
                         Item& item);  // fills in the rest of `item`
  Item::Node node(RlParser::ItemContext* context, Place place);
  Item::Node placed(RlParser::ItemContext* context, Place place);
  UseItem use(RlParser::UseItemContext* context);
  ParamItem params(RlParser::ParamItemContext* context);
  IndexItem index(RlParser::IndexItemContext* context);
  std::vector<Field> fields(RlParser::FieldsContext* context);
  FnItem function(FnItem::Kind kind, antlr4::tree::TerminalNode* name,
                  RlParser::SignatureContext* signature, RlParser::BodyContext* body, Place place);
  ModuleItem module(RlParser::ModuleItemContext* context);
  std::vector<Parameter> parameters(RlParser::SignatureContext* context);
  std::vector<Name> over(RlParser::SignatureContext* context);
  std::optional<TypeExpr> resultType(RlParser::SignatureContext* context);
  Body body(RlParser::BodyContext* context, bool needs_result);
  WeightItem weight(RlParser::WeightItemContext* context);
  SinkItem sink(RlParser::SinkItemContext* context);
  Each each(RlParser::EachContext* context);
  Item::Node equation(RlParser::EquationContext* context, Place place);
  Pattern pattern(RlParser::ExprContext* context);
  Pattern badPattern(RlParser::ExprContext* context, std::string hint);
  Block block(RlParser::BlockContext* context, Place place);
  void checkResults(const Block& items, Span span, Place place, bool needs_result);
  TypeExpr type(RlParser::TypeContext* context);
  BrokenItem brokenItem(size_t first) const;
  std::string doc(uint32_t begin) const;

  // Expressions: build_exprs.cpp
  ExprPtr expr(RlParser::ExprContext* context);
  ExprPtr leaf(RlParser::ExprContext* context);
  ExprPtr extend(RlParser::ExprContext* context, ExprPtr left);
  ExprPtr call(RlParser::CallContext* context, ExprPtr callee);
  ExprPtr binary(RlParser::ExprContext* context, RlParser::ExprContext* right, ExprPtr left);
  ExprPtr literal(const ParserToken& token);
  void comprehension(RlParser::ComprehensionContext* context, CallExpr& call);
  std::vector<Entry> entries(RlParser::SubscriptContext* context, bool left_side);
  Entry entry(RlParser::EntryContext* context, bool left_side);
  Range range(RlParser::RangeContext* context);
  Range range(antlr4::ParserRuleContext* context, const std::vector<RlParser::ExprContext*>& bounds,
              bool inclusive);
  static RlParser::ExprContext* stripped(RlParser::ExprContext* context);

  static const ParserToken& token(antlr4::tree::ParseTree* terminal);
  Span span(const antlr4::ParserRuleContext* context) const;
  Span span(const ParserToken& token) const {
    return {file_, token.token().begin, token.token().end};
  }
  Name name(antlr4::tree::TerminalNode* node) const;
  std::vector<Name> names(const std::vector<antlr4::tree::TerminalNode*>& nodes) const;
  std::string stringOf(const ParserToken& token);
  std::string label(RlParser::ExprContext* context) const;
  void error(diagnostics::Diagnostic diagnostic);
  // Reports the second of two equal names.
  template <typename List, typename NameOf>
  void checkTwice(const List& list, const char* what, NameOf name_of);

  const std::string& text_;
  FileId file_;
  const ParserTokens& tokens_;
  const Scan& scan_;
  diagnostics::DiagnosticSink& sink_;
  Options options_;
  int depth_ = 0;  // of the expression that is being built
  bool damaged_ =
      false;  // the item that is being built has an error that was reported before it was parsed
  bool failed_ = false;
};

template <typename List, typename NameOf>
void TreeBuilder::checkTwice(const List& list, const char* what, NameOf name_of) {
  // Lists are short, as a rule; a long one is checked once, by its sorted names.
  std::vector<const Name*> sorted;
  for (const auto& element : list) {
    if (const Name* name = name_of(element)) sorted.push_back(name);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Name* a, const Name* b) { return a->text < b->text; });
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i]->text != sorted[i - 1]->text) continue;
    error(diagnostics::Diagnostic(diagnostics::Kind::DuplicateInList, sorted[i]->span,
                                  std::string(what) + " `" + sorted[i]->text + "` is given twice")
              .note(sorted[i - 1]->span, "it was given here"));
  }
}

}  // namespace rlc::syntax
