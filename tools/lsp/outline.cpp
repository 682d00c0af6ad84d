// Symbols, folding, growing selections.
#include <algorithm>
#include <cctype>

#include "compiler/format/tokens.h"
#include "tools/lsp/server.h"

namespace rlc::lsp {
namespace {

// SymbolKind of the protocol.
int symbolKind(DefKind kind) {
  switch (kind) {
    case DefKind::Import:
      return 2;
    case DefKind::Param:
      return 14;
    case DefKind::Index:
    case DefKind::Range:
      return 10;
    case DefKind::Tensor:
    case DefKind::Parameter:
      return 13;
    case DefKind::Function:
      return 12;
    case DefKind::Method:
    case DefKind::Block:
      return 6;
    case DefKind::Module:
    case DefKind::Policy:
    case DefKind::Env:
      return 5;
    case DefKind::Record:
      return 23;
    case DefKind::Field:
    case DefKind::Weight:
      return 8;
    case DefKind::Shape:
      return 26;
  }
  return 13;
}

bool listed(DefKind kind) {
  return kind != DefKind::Range && kind != DefKind::Shape && kind != DefKind::Parameter &&
         kind != DefKind::Import;
}

// Whether the letters of `query` occur in `name`, in order.
bool matches(std::string_view name, std::string_view query) {
  size_t at = 0;
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  for (const char c : name) {
    if (at < query.size() && lower(c) == lower(query[at])) ++at;
  }
  return at == query.size();
}

}  // namespace

Json Server::documentSymbols(const Json& params) {
  const FilePtr file = fileOf(params);
  const auto& definitions = file->index.definitions;
  std::vector<std::vector<int>> children(definitions.size());
  std::vector<int> roots;
  for (size_t i = 0; i < definitions.size(); ++i) {
    if (!listed(definitions[i].kind)) continue;
    const int parent = definitions[i].parent;
    (parent < 0 ? roots : children[static_cast<size_t>(parent)]).push_back(static_cast<int>(i));
  }
  // Definitions nest as items do: a few levels.
  const auto show = [&](const auto& self, int id) -> Json {
    const Definition& definition = definitions[static_cast<size_t>(id)];
    const uint32_t begin = std::min(definition.item_begin, definition.begin);
    const uint32_t end = std::max(definition.item_end, definition.end);
    Json symbol = {{"name", definition.name},
                   {"kind", symbolKind(definition.kind)},
                   {"range", file->range(begin, end)},
                   {"selectionRange", file->range(definition.begin, definition.end)}};
    const std::string type = typeOf({file, id});
    if (!type.empty()) symbol["detail"] = type;
    Json inner = Json::array();
    for (const int child : children[static_cast<size_t>(id)]) inner.push_back(self(self, child));
    if (!inner.empty()) symbol["children"] = std::move(inner);
    return symbol;
  };
  Json result = Json::array();
  for (const int root : roots) result.push_back(show(show, root));
  return result;
}

Json Server::workspaceSymbols(const Json& params) {
  constexpr size_t kMost = 500;
  const std::string query = params.value("query", "");
  Json result = Json::array();
  for (const FilePtr& file : workspace_.allFiles()) {
    for (const Definition& definition : file->index.definitions) {
      if (!listed(definition.kind) || !matches(definition.name, query)) continue;
      if (definition.parent < 0 ? definition.scope != 0 : definition.kind == DefKind::Tensor)
        continue;
      Json symbol = {{"name", definition.name},
                     {"kind", symbolKind(definition.kind)},
                     {"location", locationOf(*file, definition.begin, definition.end)}};
      if (definition.parent >= 0)
        symbol["containerName"] =
            file->index.definitions[static_cast<size_t>(definition.parent)].name;
      result.push_back(std::move(symbol));
      if (result.size() >= kMost) return result;
    }
  }
  return result;
}

Json Server::folding(const Json& params) {
  const FilePtr file = fileOf(params);
  const std::string& text = file->text();
  auto tokens = format::tokenize(text);
  format::assignRoles(tokens);
  const auto lineOf = [&](const char* at) {
    return file->lines.position(text, static_cast<uint32_t>(at - text.data())).line;
  };
  Json result = Json::array();
  const auto fold = [&](int64_t first, int64_t last, const char* kind) {
    if (last <= first) return;
    Json range = {{"startLine", first}, {"endLine", last}};
    if (kind != nullptr) range["kind"] = kind;
    result.push_back(std::move(range));
  };
  int64_t comments = -1, last_comment = -1;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const auto& token = tokens[i];
    // Comments on lines of their own, one below the other.
    const int64_t line = token.comment() && token.line_break ? lineOf(token.text.data()) : -1;
    if (token.kind == format::Token::Kind::LineComment && line >= 0) {
      if (comments >= 0 && line != last_comment + 1) {
        fold(comments, last_comment, "comment");
        comments = -1;
      }
      if (comments < 0) comments = line;
      last_comment = line;
      continue;
    }
    fold(comments, last_comment, "comment");
    comments = last_comment = -1;
    if (token.kind == format::Token::Kind::BlockComment)
      fold(lineOf(token.text.data()), lineOf(token.text.data() + token.text.size()), "comment");
    // The line of the closing bracket stays.
    if (token.opens() && token.partner != format::kNone)
      fold(lineOf(token.text.data()), lineOf(tokens[token.partner].text.data()) - 1, nullptr);
  }
  fold(comments, last_comment, "comment");
  int64_t first_use = -1, last_use = -1;
  for (const syntax::Item& item : file->tree.items) {
    if (!item.as<syntax::UseItem>()) continue;
    const int64_t line = file->lines.position(text, item.span.begin).line;
    if (first_use < 0) first_use = line;
    last_use = file->lines.position(text, item.span.end).line;
  }
  fold(first_use, last_use, "imports");
  return result;
}

Json Server::selectionRanges(const Json& params) {
  const FilePtr file = fileOf(params);
  const std::string& text = file->text();
  auto tokens = format::tokenize(text);
  format::assignRoles(tokens);
  const auto offsetIn = [&](const format::Token& token) {
    return static_cast<uint32_t>(token.text.data() - text.data());
  };
  Json result = Json::array();
  for (const Json& position : params.at("positions")) {
    const uint32_t at = offsetOf(*file, position);
    // The word, the brackets around it, the item, the file.
    std::vector<std::pair<uint32_t, uint32_t>> ranges = {{0, static_cast<uint32_t>(text.size())}};
    for (const syntax::Item& item : file->tree.items) {
      if (item.span.begin <= at && at <= item.span.end)
        ranges.emplace_back(item.span.begin, item.span.end);
    }
    for (const auto& token : tokens) {
      const uint32_t begin = offsetIn(token);
      if (token.opens() && token.partner != format::kNone) {
        const uint32_t end = offsetIn(tokens[token.partner]) + 1;
        if (begin <= at && at <= end) ranges.emplace_back(begin, end);
      }
      const uint32_t end = begin + static_cast<uint32_t>(token.text.size());
      if (!token.opens() && !token.closes() && begin <= at && at <= end)
        ranges.emplace_back(begin, end);
    }
    std::stable_sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) {
      return a.second - a.first > b.second - b.first;
    });
    Json chain;
    uint32_t begin = 0, end = static_cast<uint32_t>(text.size());
    for (const auto& range : ranges) {
      if (range.first < begin || range.second > end) continue;
      std::tie(begin, end) = range;
      Json next = {{"range", file->range(begin, end)}};
      if (!chain.is_null()) next["parent"] = std::move(chain);
      chain = std::move(next);
    }
    result.push_back(std::move(chain));
  }
  return result;
}

}  // namespace rlc::lsp
