// What stands before the cursor, token by token: works on any half-typed line.
#pragma once

#include <string>
#include <vector>

#include "compiler/format/tokens.h"

namespace rlc::lsp {

struct Typing {
  std::vector<format::Token> tokens;  // up to the cursor, without the word that is being typed
  std::string word;                   // that word; may be empty
  bool in_comment = false, in_string = false;
  bool item_start = false;
  bool after_dot = false;
  std::vector<std::string> chain;  // a, b of `a.b.|`; empty where that is no plain chain
  bool in_use = false;             // in the path of a `use`
  int use_dots = 0;
  std::vector<std::string> use_path;
  bool in_subscript = false;

  struct Call {
    std::vector<std::string> callee;  // E, step of `E.step(`
    int argument = 0;
    std::string named;  // of `name = |`
  };
  std::vector<Call> calls;  // open ones, innermost last
};

Typing typingAt(std::string_view text, uint32_t offset);

}  // namespace rlc::lsp
