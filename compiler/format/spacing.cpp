#include "compiler/format/lines.h"

namespace rlc::format {
namespace {

bool isRange(const Token& token) { return token.is("..") || token.is("..="); }

// `(` or `[` that continues an operand: a call, a subscript.
bool applies(const Token& left, const Token& right) {
  return (right.is("(") || right.is("[")) && endsOperand(left) && !right.item_start;
}

int aroundComments(const Token& left, const Token& right) {
  if (right.kind == Token::Kind::LineComment) return 2;
  if (left.is("(") || left.is("[")) return 0;
  return right.is(")") || right.is("]") || right.is(",") || right.is(";") ? 0 : 1;
}

}  // namespace

int spaceBetween(const Token& left, const Token& right) {
  if (right.comment() || left.comment()) return aroundComments(left, right);
  if (right.verbatim) return right.gap ? 1 : 0;
  if (left.is("(") || left.is("[") || right.is(")") || right.is("]")) return 0;
  if (right.is(",") || right.is(";") || right.is(":")) return 0;
  if (left.is(",") || left.is(";") || left.is(":")) return 1;
  if ((left.is("{") && right.is("}")) || (left.glued && left.is("{"))) return 0;
  if (right.glued) return 0;
  if (left.is("{") || right.is("}")) return 1;
  if (left.is("use") && left.keyword) return 1;
  if (left.is(".") || right.is(".") || left.is("^") || right.is("^")) return 0;
  if (isRange(right)) return left.keyword ? 1 : 0;
  if (isRange(left)) return right.keyword && !right.is("if") && !right.is("not") ? 1 : 0;
  if (left.unary) return 0;
  if (applies(left, right)) return 0;
  const bool arithmetic = precedence(left.text) >= 4 || precedence(right.text) >= 4;
  const bool operators = left.kind == Token::Kind::Symbol || right.kind == Token::Kind::Symbol;
  // Of `a + -b` in a subscript: a+-b.
  if (arithmetic && operators && left.tight && right.tight) {
    const bool other_is_word = (left.kind == Token::Kind::Word && left.keyword) ||
                               (right.kind == Token::Kind::Word && right.keyword);
    const bool looser =
        (left.kind == Token::Kind::Symbol && precedence(left.text) < 4 && !left.closes()) ||
        (right.kind == Token::Kind::Symbol && precedence(right.text) < 4 && !right.opens());
    if (!other_is_word && !looser) return 0;
  }
  return 1;
}

}  // namespace rlc::format
