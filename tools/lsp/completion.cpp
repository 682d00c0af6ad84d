#include <algorithm>
#include <set>

#include "tools/lsp/builtins.h"
#include "tools/lsp/names.h"
#include "tools/lsp/server.h"
#include "tools/lsp/typing.h"

namespace rlc::lsp {
namespace {

// CompletionItemKind of the protocol.
int itemKind(DefKind kind) {
  switch (kind) {
    case DefKind::Import:
      return 9;
    case DefKind::Param:
    case DefKind::Shape:
      return 21;
    case DefKind::Index:
    case DefKind::Range:
      return 20;
    case DefKind::Tensor:
    case DefKind::Parameter:
      return 6;
    case DefKind::Function:
      return 3;
    case DefKind::Method:
    case DefKind::Block:
      return 2;
    case DefKind::Module:
    case DefKind::Policy:
    case DefKind::Env:
      return 7;
    case DefKind::Record:
      return 22;
    case DefKind::Field:
    case DefKind::Weight:
      return 5;
  }
  return 1;
}

// Built-in members: of environments, modules and distributions.
struct Member {
  const char* name;
  const char* doc;
};
constexpr Member kEnvMembers[] = {
    {"reset", "the first state: `s[t: 0] ~ E.reset()`"},
    {"renew", "`E.renew(s)`: the first state of the episode after the one that ended in s"},
    {"step", "`E.step(s, a)`: state, reward, terminated, truncated"},
    {"observe", "`E.observe(s)`: what a policy sees"},
    {"final_observation", "`E.final_observation(s)`: what was seen where an episode ended in s"},
    {"autoreset", "a step that also resets, with the final observation"},
    {"actions", "the space of actions; how many, where they are choices"},
    {"action_space", "the space of actions: `a ~ E.action_space` acts at random"},
    {"choices", "how many choices an action is one of; 0: it is none"},
    {"State", "the type of the state"}};
constexpr Member kModuleMembers[] = {{"init", "the weights as they begin: `θ[0] ~ M.init()`"}};
constexpr Member kValueMembers[] = {
    {"log_prob", "the logarithm of the density or probability of a value"},
    {"entropy", "the entropy of the distribution"},
    {"mode", "the most probable value"},
    {"mean", "the mean of the distribution"},
    {"kl", "the Kullback-Leibler divergence to another distribution"}};

class Items {
 public:
  explicit Items(bool snippets) : snippets_(snippets) {}

  // `rank`: the smaller, the earlier in the list.
  void add(const std::string& label, int kind, int rank, const std::string& detail = "",
           const std::string& doc = "", const std::string& snippet = "") {
    if (!seen_.insert(label).second) return;
    Json item = {{"label", label}, {"kind", kind}, {"sortText", std::to_string(rank) + label}};
    if (!detail.empty()) item["detail"] = detail;
    if (!doc.empty()) item["documentation"] = {{"kind", "markdown"}, {"value", doc}};
    if (!snippet.empty() && snippets_) {
      item["insertText"] = snippet;
      item["insertTextFormat"] = 2;
    }
    list_.push_back(std::move(item));
  }
  void add(const Definition& definition, int rank, const std::string& type) {
    const bool called = definition.kind == DefKind::Function || definition.kind == DefKind::Method;
    const std::string detail = type.empty() ? definition.detail : type;
    add(definition.name, itemKind(definition.kind), rank, detail, definition.doc,
        called ? definition.name + (definition.parameters.empty() ? "()" : "($0)") : "");
  }
  Json take() { return {{"isIncomplete", false}, {"items", std::move(list_)}}; }

 private:
  bool snippets_;
  std::set<std::string> seen_;
  Json list_ = Json::array();
};

void addMembers(Items& items, Workspace& workspace, const Target& owner) {
  const auto type = workspace.classOf(owner);
  const auto all = [&](const auto& members, int kind) {
    for (const Member& member : members) items.add(member.name, kind, 2, "", member.doc);
  };
  if (type) {
    const Definition& definition = type->get();
    if (definition.own_scope >= 0) {
      const auto& scope = type->file->index.scopes[static_cast<size_t>(definition.own_scope)];
      for (const auto& [name, id] : scope.names)
        items.add(type->file->index.definitions[static_cast<size_t>(id)], 1, "");
    }
    if (definition.kind == DefKind::Env) all(kEnvMembers, 2);
    if (definition.kind == DefKind::Module || definition.kind == DefKind::Policy)
      all(kModuleMembers, 2);
    if (definition.kind != DefKind::Policy) return;
  }
  if (!type || owner.get().kind == DefKind::Tensor) all(kValueMembers, 2);
}

}  // namespace

Json Server::completion(const Json& params) {
  const FilePtr file = fileOf(params);
  const uint32_t offset = offsetOf(*file, params.at("position"));
  const Typing typing = typingAt(file->text(), offset);
  Items items(snippets_);
  if (typing.in_comment || typing.in_string) return items.take();
  if (typing.in_use) {
    for (const std::string& name :
         workspace_.modulesBelow(file->path, typing.use_dots, typing.use_path))
      items.add(name, 9, 1);
    if (typing.use_path.empty() && typing.use_dots == 0)
      items.add("std", 9, 0, "the standard library");
    return items.take();
  }
  const int scope = file->index.scopeAt(offset);
  if (typing.after_dot) {
    std::optional<Target> owner;
    if (!typing.chain.empty()) owner = resolveChain(workspace_, file, scope, typing.chain);
    if (owner)
      addMembers(items, workspace_, *owner);
    else
      for (const Member& member : kValueMembers) items.add(member.name, 2, 2, "", member.doc);
    return items.take();
  }
  // Arguments by name.
  if (!typing.calls.empty() && !typing.in_subscript && typing.calls.back().named.empty()) {
    const auto called = resolveChain(workspace_, file, scope, typing.calls.back().callee);
    if (called) {
      for (const std::string& parameter : called->get().parameters) {
        const std::string name = parameter.substr(0, parameter.find_first_of(": ="));
        items.add(name + " = ", 5, 1, parameter);
      }
    }
  }
  for (int at = scope; at >= 0; at = file->index.scopes[static_cast<size_t>(at)].parent) {
    for (const auto& [name, id] : file->index.scopes[static_cast<size_t>(at)].names) {
      const Definition& definition = file->index.definitions[static_cast<size_t>(id)];
      const bool here =
          offset >= definition.begin && offset <= definition.end && definition.name == typing.word;
      const bool index = definition.kind == DefKind::Index || definition.kind == DefKind::Range;
      if (!here)
        items.add(definition,
                  typing.in_subscript && index ? 0
                  : at == 0                    ? 3
                                               : 2,
                  typeOf({file, id}));
    }
  }
  for (const Import& import : file->index.wildcards) {
    const FilePtr other = workspace_.importedFile(file->path, import);
    if (!other) continue;
    for (const auto& [name, id] : other->index.scopes.front().names)
      items.add(other->index.definitions[static_cast<size_t>(id)], 4, "");
  }
  for (const KeywordInfo& info : keywords()) {
    const bool declares = !info.snippet.empty();
    if (declares != typing.item_start) continue;
    items.add(std::string(info.word), declares ? 15 : 14, declares ? 4 : 7, "",
              std::string(info.doc), std::string(info.snippet));
  }
  for (const std::string& root : workspace_.library()) {
    const FilePtr prelude = workspace_.file(root + "/std/prelude.rl");
    if (!prelude) continue;
    for (const auto& [name, id] : prelude->index.scopes.front().names)
      items.add(prelude->index.definitions[static_cast<size_t>(id)], 5, "");
  }
  for (const auto& fact : sema::builtinFacts())
    items.add(fact.name, 3, 6, fact.signature, fact.doc, fact.name + "($0)");
  for (const char* type : {"bool", "u8", "i32", "i64", "bf16", "f32", "f64"})
    items.add(type, 25, 7);
  // In an item that is broken its own words help.
  for (const syntax::Item& item : file->tree.items) {
    if (!item.as<syntax::BrokenItem>() || offset < item.span.begin || offset > item.span.end)
      continue;
    const auto words = format::tokenize(
        std::string_view(file->text()).substr(item.span.begin, item.span.end - item.span.begin));
    for (const auto& token : words) {
      if (token.kind == format::Token::Kind::Word && token.text != typing.word &&
          keyword(token.text) == nullptr)
        items.add(std::string(token.text), 1, 8);
    }
  }
  return items.take();
}

}  // namespace rlc::lsp
