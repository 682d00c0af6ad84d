// Line breaks of .rl files: a line break ends an item unless the next line goes on with an operator that begins no
// expression, or with `then`, `else`, `where`. Inside brackets and after an operator the parser asks for none.
#include <tree_sitter/parser.h>

#include <string.h>

enum TokenType { NEWLINE, BARE_NEWLINE, ERROR_SENTINEL };

void *tree_sitter_rl_external_scanner_create(void) { return NULL; }
void tree_sitter_rl_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_rl_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}
void tree_sitter_rl_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

static bool is_blank(int32_t c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == 0xA0 || c == 0xFEFF;
}

static bool continues_name(int32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '\'' || c > 0x7F;
}

// Whether `c` follows, which is consumed if so.
static bool take(TSLexer *lexer, int32_t c) {
  if (lexer->lookahead != c) return false;
  lexer->advance(lexer, false);
  return true;
}

static void skip_block_comment(TSLexer *lexer) {
  while (!lexer->eof(lexer)) {
    if (lexer->lookahead != '*') {
      lexer->advance(lexer, false);
      continue;
    }
    lexer->advance(lexer, false);
    if (take(lexer, '/')) return;
  }
}

static bool word_continues_item(TSLexer *lexer) {
  char word[8];
  unsigned length = 0;
  while (!lexer->eof(lexer) && continues_name(lexer->lookahead)) {
    if (length + 1 == sizeof word || lexer->lookahead > 0x7F) return false;
    word[length++] = (char)lexer->lookahead;
    lexer->advance(lexer, false);
  }
  word[length] = '\0';
  static const char *const kContinuing[] = {"and", "or", "then", "else", "where"};
  for (unsigned i = 0; i < sizeof kContinuing / sizeof *kContinuing; ++i) {
    if (strcmp(word, kContinuing[i]) == 0) return true;
  }
  return false;
}

// Of the first token after a line break, comments and blank lines left out. `bare`: a `{` makes the line the head of a method.
static bool next_continues_item(TSLexer *lexer, bool bare) {
  for (;;) {
    while (is_blank(lexer->lookahead) || lexer->lookahead == '\n') lexer->advance(lexer, false);
    if (lexer->eof(lexer)) return false;
    switch (lexer->lookahead) {
      case '#':
        while (!lexer->eof(lexer) && lexer->lookahead != '\n') lexer->advance(lexer, false);
        continue;
      case '/':
        lexer->advance(lexer, false);
        if (!take(lexer, '*')) return true;
        skip_block_comment(lexer);
        continue;
      case '-':
        lexer->advance(lexer, false);
        return lexer->lookahead == '>';
      case '.':
        lexer->advance(lexer, false);
        return lexer->lookahead != '.';
      case '!':
        lexer->advance(lexer, false);
        return lexer->lookahead == '=';
      case '+': case '*': case '%': case '@': case '^': case '=': case '~': case '<': case '>':
        return true;
      case '{':
        return bare;
      default:
        return word_continues_item(lexer);
    }
  }
}

bool tree_sitter_rl_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid_symbols) {
  (void)payload;
  const bool recovering = valid_symbols[ERROR_SENTINEL];
  if (!valid_symbols[NEWLINE] && !valid_symbols[BARE_NEWLINE]) return false;
  lexer->result_symbol = valid_symbols[NEWLINE] ? NEWLINE : BARE_NEWLINE;
  while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
  if (lexer->eof(lexer) || lexer->lookahead == '}') {
    lexer->mark_end(lexer);
    return !recovering;
  }
  if (lexer->lookahead != '\n') return false;
  lexer->advance(lexer, false);
  lexer->mark_end(lexer);
  return !next_continues_item(lexer, !valid_symbols[NEWLINE]);
}
