#include "tools/lsp/semantic_tokens.h"

#include <algorithm>

#include "compiler/format/tokens.h"
#include "tools/lsp/builtins.h"
#include "tools/lsp/server.h"

namespace rlc::lsp {
namespace {

enum Type {
  kNamespace,
  kType,
  kClass,
  kParameter,
  kVariable,
  kProperty,
  kFunction,
  kMethod,
  kKeyword,
  kComment,
  kString,
  kNumber,
  kEnumMember,
};
enum Modifier { kDeclaration = 1, kReadonly = 2, kDefaultLibrary = 4, kDocumentation = 8 };

Type typeFor(DefKind kind) {
  switch (kind) {
    case DefKind::Import:
      return kNamespace;
    case DefKind::Param:
    case DefKind::Tensor:
      return kVariable;
    case DefKind::Index:
    case DefKind::Range:
      return kEnumMember;
    case DefKind::Function:
      return kFunction;
    case DefKind::Method:
    case DefKind::Block:
      return kMethod;
    case DefKind::Module:
    case DefKind::Policy:
    case DefKind::Env:
      return kClass;
    case DefKind::Record:
      return kType;
    case DefKind::Field:
    case DefKind::Weight:
      return kProperty;
    case DefKind::Parameter:
    case DefKind::Shape:
      return kParameter;
  }
  return kVariable;
}

bool isTypeName(std::string_view word) {
  for (const char* type : {"bool", "u8", "i32", "i64", "bf16", "f32", "f64", "int"}) {
    if (word == type) return true;
  }
  return false;
}

// Numbers as the protocol wants them: each place relative to the last.
class Encoder {
 public:
  explicit Encoder(const ParsedFile& file) : file_(file) {}

  void add(uint32_t begin, uint32_t end, Type type, int modifiers) {
    const std::string_view text = file_.text();
    // No token goes over a line's end.
    Position first = file_.lines.position(text, begin);
    const Position last = file_.lines.position(text, end);
    for (int64_t line = first.line; line <= last.line; ++line) {
      const uint32_t start =
          line == first.line ? begin : file_.lines.lineStart(static_cast<size_t>(line));
      const std::string_view content = file_.lines.line(text, static_cast<size_t>(line));
      const auto line_end = static_cast<uint32_t>(content.data() + content.size() - text.data());
      const uint32_t stop = line == last.line ? end : std::max(start, line_end);
      const Position at = line == first.line ? first : Position{line, 0};
      const int length = utf16Length(text.substr(start, stop - start));
      if (length == 0) continue;
      const int64_t lines = at.line - last_.line;
      data_.push_back(lines);
      data_.push_back(lines == 0 ? at.character - last_.character : at.character);
      data_.push_back(length);
      data_.push_back(static_cast<int>(type));
      data_.push_back(modifiers);
      last_ = at;
    }
  }
  Json take() { return {{"data", std::move(data_)}}; }

 private:
  const ParsedFile& file_;
  Position last_;
  Json data_ = Json::array();
};

}  // namespace

const std::vector<std::string>& semanticTokenTypes() {
  static const std::vector<std::string> types = {
      "namespace", "type",    "class",   "parameter", "variable", "property",  "function",
      "method",    "keyword", "comment", "string",    "number",   "enumMember"};
  return types;
}

const std::vector<std::string>& semanticTokenModifiers() {
  static const std::vector<std::string> modifiers = {"declaration", "readonly", "defaultLibrary",
                                                     "documentation"};
  return modifiers;
}

Json Server::tokensWithin(const FilePtr& file, uint32_t begin, uint32_t end) {
  const std::string& text = file->text();
  auto tokens = format::tokenize(text);
  format::assignRoles(tokens);
  Encoder encoder(*file);
  auto use = file->index.uses.begin();
  for (const auto& token : tokens) {
    const auto from = static_cast<uint32_t>(token.text.data() - text.data());
    const auto to = from + static_cast<uint32_t>(token.text.size());
    if (to < begin || from > end) continue;
    while (use != file->index.uses.end() && use->begin < from) ++use;
    switch (token.kind) {
      case format::Token::Kind::LineComment:
      case format::Token::Kind::BlockComment:
        encoder.add(from, to, kComment, token.text.starts_with("##") ? kDocumentation : 0);
        break;
      case format::Token::Kind::String:
        encoder.add(from, to, kString, 0);
        break;
      case format::Token::Kind::Number:
        encoder.add(from, to, kNumber, 0);
        break;
      case format::Token::Kind::Symbol:
        break;
      case format::Token::Kind::Word: {
        if (use != file->index.uses.end() && use->begin == from) {
          const auto target = workspace_.resolve(file, *use);
          if (target) {
            const DefKind kind = target->get().kind;
            int modifiers = use->defines ? kDeclaration : 0;
            if (kind == DefKind::Param) modifiers |= kReadonly;
            if (workspace_.inLibrary(target->file->path)) modifiers |= kDefaultLibrary;
            encoder.add(from, to, typeFor(kind), modifiers);
          } else if (isTypeName(token.text)) {
            encoder.add(from, to, kType, kDefaultLibrary);
          } else if (builtin(token.text) != nullptr) {
            encoder.add(from, to, kFunction, kDefaultLibrary);
          } else if (use->object != nullptr) {
            encoder.add(from, to, kProperty, 0);
          }
          break;
        }
        const bool word = token.keyword || token.text == "true" || token.text == "false" ||
                          ((token.text == "state" || token.text == "action") && token.item_start);
        if (word) encoder.add(from, to, kKeyword, 0);
        break;
      }
    }
  }
  return encoder.take();
}

Json Server::semanticTokens(const Json& params) {
  const FilePtr file = fileOf(params);
  return tokensWithin(file, 0, static_cast<uint32_t>(file->text().size()));
}

Json Server::semanticTokensOfRange(const Json& params) {
  const FilePtr file = fileOf(params);
  const Json& range = params.at("range");
  return tokensWithin(file, offsetOf(*file, range.at("start")), offsetOf(*file, range.at("end")));
}

}  // namespace rlc::lsp
