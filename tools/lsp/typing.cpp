#include "tools/lsp/typing.h"

#include <algorithm>

namespace rlc::lsp {
namespace {

using format::Token;

// a, b, c of the chain that ends at token `end`; empty where it does not begin with a name.
std::vector<std::string> chainBefore(const std::vector<Token>& tokens, size_t end) {
  std::vector<std::string> chain;
  while (end < tokens.size()) {
    const Token& token = tokens[end];
    // A subscript or a call changes nothing about the members.
    if (token.closes() && token.partner != format::kNone && token.partner > 0 && !token.is("}")) {
      end = token.partner - 1;
      continue;
    }
    if (token.kind != Token::Kind::Word || token.keyword) return {};
    chain.insert(chain.begin(), std::string(token.text));
    if (end < 2 || !tokens[end - 1].is(".")) return chain;
    end -= 2;
  }
  return {};
}

}  // namespace

Typing typingAt(std::string_view text, uint32_t offset) {
  Typing result;
  const std::string_view before = text.substr(0, offset);
  result.tokens = format::tokenize(before);
  auto& tokens = result.tokens;
  if (!tokens.empty()) {
    const Token& last = tokens.back();
    const bool touches = last.text.data() + last.text.size() == before.data() + before.size();
    const bool open_comment = last.kind == Token::Kind::BlockComment &&
                              (!last.text.ends_with("*/") || last.text.size() < 4);
    result.in_comment = (last.kind == Token::Kind::LineComment && touches) || open_comment;
    result.in_string = last.kind == Token::Kind::String && touches &&
                       (last.text.size() < 2 || !last.text.ends_with('"'));
    if (touches && last.kind == Token::Kind::Word) {
      result.word = std::string(last.text);
      // It still says whether an item begins here.
      format::assignRoles(tokens);
      result.item_start = tokens.back().item_start;
      tokens.pop_back();
    }
  }
  std::erase_if(tokens, [](const Token& token) { return token.comment(); });
  for (Token& token : tokens) token.partner = format::kNone;
  format::assignRoles(tokens);
  if (tokens.empty()) {
    result.item_start = true;
    return result;
  }
  const Token& last = tokens.back();
  if (result.word.empty()) {
    const std::string_view gap(
        last.text.data() + last.text.size(),
        static_cast<size_t>(before.data() + before.size() - last.text.data()) - last.text.size());
    const bool ended = gap.find('\n') != std::string_view::npos && format::endsOperand(last);
    result.item_start = ended || last.is(";") || (last.is("{") && last.block);
  }
  result.after_dot =
      last.is(".") || (last.is("..") && tokens.size() > 1 && tokens[tokens.size() - 2].is("use"));
  // The open item, for `use`.
  size_t start = tokens.size();
  while (start > 0 && !tokens[start - 1].item_start) --start;
  if (start > 0 && !result.item_start && tokens[start - 1].is("use")) {
    result.in_use = true;
    std::vector<std::string> names;
    for (size_t i = start; i < tokens.size(); ++i) {
      if (tokens[i].is("{")) break;
      if (tokens[i].kind == Token::Kind::Word)
        names.emplace_back(tokens[i].text);
      else if (names.empty())
        result.use_dots += tokens[i].is("..") ? 2 : tokens[i].is(".") ? 1 : 0;
    }
    result.use_path = std::move(names);
  }
  if (result.after_dot && !result.in_use && tokens.size() >= 2)
    result.chain = chainBefore(tokens, tokens.size() - 2);
  std::vector<size_t> open;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].opens()) open.push_back(i);
    if (tokens[i].closes() && !open.empty()) open.pop_back();
  }
  for (size_t i = 0; i < open.size(); ++i) {
    const size_t at = open[i];
    const bool applies = at > 0 && format::endsOperand(tokens[at - 1]);
    result.in_subscript = tokens[at].is("[") && applies;
    if (!tokens[at].is("(") || !applies) continue;
    Typing::Call call;
    call.callee = chainBefore(tokens, at - 1);
    for (size_t k = at + 1; k < tokens.size(); ++k) {
      if (tokens[k].opens() && tokens[k].partner != format::kNone) {
        k = tokens[k].partner;
        continue;
      }
      if (tokens[k].opens()) break;
      if (tokens[k].is(",")) {
        ++call.argument;
        call.named.clear();
      }
      if (tokens[k].is("=") && tokens[k - 1].kind == Token::Kind::Word)
        call.named = std::string(tokens[k - 1].text);
    }
    if (!call.callee.empty()) result.calls.push_back(std::move(call));
  }
  return result;
}

}  // namespace rlc::lsp
