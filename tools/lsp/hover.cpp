#include "compiler/format/tokens.h"
#include "tools/lsp/builtins.h"
#include "tools/lsp/server.h"

namespace rlc::lsp {
namespace {

const char* wordFor(DefKind kind) {
  switch (kind) {
    case DefKind::Import:
      return "import";
    case DefKind::Param:
      return "param";
    case DefKind::Index:
      return "index";
    case DefKind::Tensor:
      return "tensor";
    case DefKind::Function:
      return "function";
    case DefKind::Method:
      return "method";
    case DefKind::Module:
      return "module";
    case DefKind::Policy:
      return "policy";
    case DefKind::Env:
      return "environment";
    case DefKind::Record:
      return "record";
    case DefKind::Field:
      return "field";
    case DefKind::Weight:
      return "weight";
    case DefKind::Parameter:
      return "parameter";
    case DefKind::Range:
      return "range variable";
    case DefKind::Shape:
      return "shape variable";
    case DefKind::Block:
      return "block";
  }
  return "";
}

std::string listed(const std::vector<std::string>& names) {
  std::string result;
  for (const std::string& name : names) result += (result.empty() ? "" : ", ") + name;
  return result;
}

}  // namespace

std::string Server::typeOf(const Target& target) const {
  const Definition& definition = target.get();
  const Facts* facts = factsOf(*target.file);
  if (facts == nullptr || definition.scope != 0) return "";
  if (definition.kind == DefKind::Param) {
    const auto found = facts->params.find(definition.name);
    return found == facts->params.end() ? "" : found->second;
  }
  if (definition.kind == DefKind::Index) {
    const auto found = facts->indices.find(definition.name);
    return found == facts->indices.end() ? "" : "i32 in " + found->second;
  }
  const auto found = facts->tensors.find(definition.name);
  if (definition.kind != DefKind::Tensor || found == facts->tensors.end()) return "";
  const std::string dims = listed(found->second.dims);
  return found->second.type + (dims.empty() ? "" : " over " + dims);
}

Json Server::hover(const Json& params) {
  const FilePtr file = fileOf(params);
  const uint32_t offset = offsetOf(*file, params.at("position"));
  const auto shown = [&](uint32_t begin, uint32_t end, const std::string& code,
                         const std::string& words) -> Json {
    std::string text = "```rl\n" + code + "\n```";
    if (!words.empty()) text += "\n\n" + words;
    return {{"contents", {{"kind", "markdown"}, {"value", text}}},
            {"range", file->range(begin, end)}};
  };
  if (const Use* use = file->index.useAt(offset)) {
    if (const auto target = workspace_.resolve(file, *use)) {
      const Definition& definition = target->get();
      std::string words;
      const std::string type = typeOf(*target);
      if (!type.empty())
        words += "**" + std::string(wordFor(definition.kind)) + "** `" + definition.name + ": " +
                 type + "`";
      else
        words += "**" + std::string(wordFor(definition.kind)) + "**";
      const Facts* facts = factsOf(*target->file);
      if (facts != nullptr && definition.kind == DefKind::Tensor && definition.scope == 0) {
        const auto found = facts->tensors.find(definition.name);
        if (found != facts->tensors.end()) words += "\n\ndefined on `" + found->second.domain + "`";
      }
      if (!definition.doc.empty()) words += "\n\n" + definition.doc;
      if (target->file != file) words += "\n\nfrom `" + target->file->path + "`";
      return shown(use->begin, use->end,
                   definition.detail.empty() ? definition.name : definition.detail, words);
    }
    if (const auto* fact = builtin(use->name))
      return shown(use->begin, use->end, fact->signature, fact->doc);
  }
  // A word of the language.
  const std::string_view text = file->text();
  const size_t line = static_cast<size_t>(file->lines.position(text, offset).line);
  const uint32_t start = file->lines.lineStart(line);
  for (const auto& token : format::tokenize(file->lines.line(text, line))) {
    const auto begin = start + static_cast<uint32_t>(token.text.data() - (text.data() + start));
    const auto end = begin + static_cast<uint32_t>(token.text.size());
    if (offset < begin || offset > end || token.kind != format::Token::Kind::Word) continue;
    if (const KeywordInfo* info = keyword(token.text))
      return shown(begin, end, std::string(info->word), std::string(info->doc));
  }
  return nullptr;
}

}  // namespace rlc::lsp
