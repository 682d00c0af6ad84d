#include "tools/lsp/builtins.h"
#include "tools/lsp/names.h"
#include "tools/lsp/server.h"
#include "tools/lsp/typing.h"

namespace rlc::lsp {

std::optional<Target> resolveChain(Workspace& workspace, const FilePtr& file, int scope,
                                   const std::vector<std::string>& chain) {
  if (chain.empty()) return std::nullopt;
  auto target = workspace.resolveName(file, scope, chain.front());
  for (size_t i = 1; i < chain.size() && target; ++i) target = workspace.member(*target, chain[i]);
  return target;
}

namespace {

// `net(x)` of a tensor that is a module: what the module applies.
std::optional<Target> calledBy(Workspace& workspace, const Target& target) {
  if (!target.get().parameters.empty() || target.get().kind != DefKind::Tensor) return target;
  const auto apply = workspace.member(target, "apply");
  return apply ? apply : workspace.classOf(target);
}

}  // namespace

Json Server::signatureHelp(const Json& params) {
  const FilePtr file = fileOf(params);
  const uint32_t offset = offsetOf(*file, params.at("position"));
  const Typing typing = typingAt(file->text(), offset);
  if (typing.calls.empty() || typing.in_comment || typing.in_string) return nullptr;
  const Typing::Call& call = typing.calls.back();
  std::string label, doc;
  std::vector<std::string> parameters;
  auto target = resolveChain(workspace_, file, file->index.scopeAt(offset), call.callee);
  if (target) target = calledBy(workspace_, *target);
  if (target) {
    const Definition& definition = target->get();
    parameters = definition.parameters;
    doc = definition.doc;
    label = call.callee.back() + "(";
    for (size_t i = 0; i < parameters.size(); ++i) label += (i > 0 ? ", " : "") + parameters[i];
    label += ")";
  } else if (const auto* fact = builtin(call.callee.back())) {
    label = fact->signature;
    doc = fact->doc;
    parameters = parametersOf(label);
  } else {
    return nullptr;
  }
  int active = call.argument;
  Json list = Json::array();
  size_t from = label.find('(');
  for (size_t i = 0; i < parameters.size(); ++i) {
    const size_t begin = label.find(parameters[i], from == std::string::npos ? 0 : from);
    if (begin == std::string::npos) continue;
    from = begin + parameters[i].size();
    // Offsets are counted in UTF-16 units.
    list.push_back({{"label",
                     {utf16Length(std::string_view(label).substr(0, begin)),
                      utf16Length(std::string_view(label).substr(0, from))}}});
    const std::string name = parameters[i].substr(0, parameters[i].find_first_of(": ="));
    if (!call.named.empty() && name == call.named) active = static_cast<int>(i);
  }
  Json signature = {{"label", label}, {"parameters", list}};
  if (!doc.empty()) signature["documentation"] = {{"kind", "markdown"}, {"value", doc}};
  return {{"signatures", {signature}}, {"activeSignature", 0}, {"activeParameter", active}};
}

}  // namespace rlc::lsp
