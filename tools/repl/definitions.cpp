#include "tools/repl/definitions.h"

#include <algorithm>

#include "compiler/format/tokens.h"
#include "compiler/syntax/print.h"

namespace rlc::repl {

using syntax::Item;
using syntax::Overloaded;

namespace {

// As the style has it: s[t+1].
std::string tight(std::string text) {
  for (const char* op : {" + ", " - ", " * "})
    for (size_t at; (at = text.find(op)) != std::string::npos;) text.replace(at, 3, 1, op[1]);
  return text;
}

void addLeft(const syntax::Pattern& left, std::vector<Definition>& out) {
  if (left.tuple) {
    for (const syntax::Pattern& element : left.elements) addLeft(element, out);
    return;
  }
  std::string text = left.name.text;
  if (left.subscripted) {
    text += "[";
    for (size_t i = 0; i < left.subscripts.size(); ++i)
      text += (i > 0 ? ", " : "") + tight(syntax::print(left.subscripts[i]));
    text += "]";
  }
  out.push_back({left.name.text, std::move(text)});
}

std::vector<Definition> definitionsOf(const Item& item) {
  std::vector<Definition> result;
  const auto named = [&](const syntax::Name& name) { result.push_back({name.text, ""}); };
  std::visit(Overloaded{
                 [&](const syntax::UseItem& use) {
                   for (const syntax::Name& member : use.members) named(member);
                   if (!use.members.empty() || use.path.empty()) return;
                   named(use.alias ? *use.alias : use.path.back());
                 },
                 [&](const syntax::ParamItem& params) {
                   for (const syntax::ParamDecl& param : params.params) named(param.name);
                 },
                 [&](const syntax::IndexItem& index) { named(index.name); },
                 [&](const syntax::RecordItem& record) { named(record.name); },
                 [&](const syntax::FnItem& fn) { named(fn.name); },
                 [&](const syntax::ModuleItem& module) { named(module.name); },
                 [&](const syntax::EquationItem& equation) { addLeft(equation.left, result); },
                 [](const auto&) {},
             },
             item.node);
  return result;
}

std::string withDoc(const std::string& doc, std::string_view text) {
  std::string result;
  for (size_t at = 0; at < doc.size();) {
    const size_t end = std::min(doc.find('\n', at), doc.size());
    result += "## " + doc.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return result.append(text);
}

// Declarations that only share a line become items of their own.
std::vector<std::pair<Item, std::string>> split(Item item, const diagnostics::SourceMap& sources) {
  std::vector<std::pair<Item, std::string>> parts;
  if (auto* params = std::get_if<syntax::ParamItem>(&item.node);
      params != nullptr && params->params.size() > 1) {
    for (syntax::ParamDecl& param : params->params) {
      syntax::Span span = param.name.span;
      span.end = std::max(span.end, param.value ? param.value->span.end : span.end);
      const std::string doc = param.doc.empty() ? item.doc : param.doc;
      std::string text = withDoc(doc, "param " + std::string(sources.text(span)));
      Item part{span, doc, syntax::ParamItem{}};
      std::get<syntax::ParamItem>(part.node).params.push_back(std::move(param));
      parts.emplace_back(std::move(part), std::move(text));
    }
    return parts;
  }
  if (auto* use = std::get_if<syntax::UseItem>(&item.node);
      use != nullptr && use->members.size() > 1) {
    const std::string_view text = sources.text(item.span);
    const std::string head(text.substr(0, text.find('{')));
    for (const syntax::Name& member : use->members) {
      syntax::UseItem one = *use;
      one.members = {member};
      parts.emplace_back(Item{item.span, item.doc, std::move(one)}, head + "{" + member.text + "}");
    }
    return parts;
  }
  std::string text = withDoc(item.doc, sources.text(item.span));
  parts.emplace_back(std::move(item), std::move(text));
  return parts;
}

}  // namespace

bool Entry::importsAll() const {
  const auto* use = item.as<syntax::UseItem>();
  return use != nullptr && use->file && use->members.empty();
}

bool Entry::definesName(std::string_view name) const {
  return std::any_of(defines.begin(), defines.end(),
                     [&](const Definition& definition) { return definition.name == name; });
}

std::vector<EntryPtr> entriesOf(syntax::File file, const diagnostics::SourceMap& sources,
                                const std::string& origin) {
  std::vector<EntryPtr> entries;
  for (Item& item : file.items) {
    if (item.as<syntax::BrokenItem>() || item.as<syntax::ExprItem>()) continue;
    for (auto& [part, text] : split(std::move(item), sources)) {
      auto entry = std::make_shared<Entry>();
      entry->defines = definitionsOf(part);
      entry->mentions = wordsOf(text);
      entry->item = std::move(part);
      entry->source = std::move(text);
      entry->origin = origin;
      entries.push_back(std::move(entry));
    }
  }
  return entries;
}

bool replaces(const Entry& fresh, const Entry& old) {
  for (const Definition& mine : fresh.defines) {
    for (const Definition& other : old.defines) {
      if (mine.name == other.name &&
          (mine.left.empty() || other.left.empty() || mine.left == other.left))
        return true;
    }
  }
  return false;
}

std::set<std::string, std::less<>> wordsOf(std::string_view text) {
  std::set<std::string, std::less<>> words;
  for (const format::Token& token : format::tokenize(text)) {
    if (token.kind != format::Token::Kind::Word) continue;
    std::string_view word = token.text;
    while (word.ends_with('\'')) word.remove_suffix(1);
    words.emplace(word);
  }
  return words;
}

}  // namespace rlc::repl
