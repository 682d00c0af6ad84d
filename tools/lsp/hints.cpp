// Inlay hints and code lenses.
#include <algorithm>
#include <tuple>

#include "tools/lsp/server.h"

namespace rlc::lsp {
namespace {

// Each name on the left of an equation.
void leftNames(const syntax::Pattern& pattern, std::vector<const syntax::Pattern*>& out) {
  if (!pattern.tuple) out.push_back(&pattern);
  for (const syntax::Pattern& element : pattern.elements) leftNames(element, out);
}

// A record of many leaves would hide the equation: the tooltip has it whole.
std::string shortened(const std::string& type) {
  constexpr size_t kLongest = 40;
  if (type.size() <= kLongest) return type;
  size_t cut = kLongest;
  while (cut > 0 && (static_cast<unsigned char>(type[cut]) & 0xC0) == 0x80) --cut;
  return type.substr(0, cut) + "\u2026";
}

}  // namespace

Json Server::inlayHints(const Json& params) {
  const FilePtr file = fileOf(params);
  Json result = Json::array();
  const Facts* facts = factsOf(*file);
  if (facts == nullptr) return result;
  uint32_t begin = 0, end = static_cast<uint32_t>(file->text().size());
  if (params.contains("range"))
    std::tie(begin, end) = std::pair(offsetOf(*file, params["range"].at("start")),
                                     offsetOf(*file, params["range"].at("end")));
  for (const syntax::Item& item : file->tree.items) {
    const auto* equation = item.as<syntax::EquationItem>();
    if (equation == nullptr || item.span.end < begin || item.span.begin > end) continue;
    std::vector<const syntax::Pattern*> names;
    leftNames(equation->left, names);
    for (const syntax::Pattern* pattern : names) {
      const auto found = facts->tensors.find(pattern->name.text);
      if (found == facts->tensors.end()) continue;
      // What is written already is not said again.
      std::string label;
      if (!pattern->subscripted && !found->second.dims.empty()) {
        for (const std::string& dim : found->second.dims)
          label += (label.empty() ? "[" : ", ") + dim;
        label += "]";
      }
      label += ": " + shortened(found->second.type);
      result.push_back({{"position", toJson(file->lines.position(file->text(), pattern->span.end))},
                        {"label", label},
                        {"kind", 1},
                        {"tooltip", found->second.type + ", defined on " + found->second.domain}});
    }
  }
  return result;
}

Json Server::codeLenses(const Json& params) {
  const FilePtr file = fileOf(params);
  Json result = Json::array();
  const auto shows = [](const syntax::Item& item) {
    return item.as<syntax::SinkItem>() != nullptr;
  };
  const auto& items = file->tree.items;
  // A file that shows nothing is a library.
  if (std::none_of(items.begin(), items.end(), shows)) return result;
  const std::string uri = params.at("textDocument").at("uri").get<std::string>();
  const Json range = file->range(items.front().span.begin, items.front().span.begin);
  const auto lens = [&](const char* title, const char* command) {
    result.push_back({{"range", range},
                      {"command", {{"title", title}, {"command", command}, {"arguments", {uri}}}}});
  };
  lens("run", "rl.run");
  lens("explain schedule", "rl.explainSchedule");
  return result;
}

}  // namespace rlc::lsp
