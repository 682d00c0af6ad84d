// Code actions and formatting.
#include <algorithm>

#include "compiler/format/format.h"
#include "tools/lsp/server.h"

namespace rlc::lsp {
namespace {

bool before(const Json& a, const Json& b) {
  const Position left = positionOf(a), right = positionOf(b);
  return left.line < right.line || (left.line == right.line && left.character < right.character);
}

bool overlap(const Json& a, const Json& b) {
  return !before(a.at("end"), b.at("start")) && !before(b.at("end"), a.at("start"));
}

}  // namespace

Json Server::codeActions(const Json& params) {
  const std::string uri = params.at("textDocument").at("uri").get<std::string>();
  const Json& range = params.at("range");
  Json result = Json::array();
  const auto judgement = judgements_.find(uri);
  const Document* document = workspace_.document(uri);
  if (judgement == judgements_.end() || document == nullptr) return result;
  // Edits of an older text would hit the wrong place.
  if (judgement->second.version != document->version) return result;
  if (params.contains("context") && params["context"].contains("only")) {
    const Json& only = params["context"]["only"];
    const auto wanted = [](const Json& kind) { return kind == "quickfix" || kind == ""; };
    if (std::none_of(only.begin(), only.end(), wanted)) return result;
  }
  for (const Finding& finding : judgement->second.findings) {
    if (!overlap(range, finding.diagnostic.at("range"))) continue;
    for (const Finding::Fix& fix : finding.fixes) {
      Json changes = Json::object();
      changes[uri] = fix.edits;
      result.push_back({{"title", fix.title},
                        {"kind", "quickfix"},
                        {"isPreferred", fix.preferred},
                        {"diagnostics", {finding.diagnostic}},
                        {"edit", {{"changes", changes}}}});
    }
  }
  return result;
}

Json Server::formatting(const Json& params) {
  const FilePtr file = fileOf(params);
  diagnostics::SourceMap sources;
  diagnostics::DiagnosticSink sink;
  const std::string& text = file->text();
  const format::Result laid_out = format::format(sources, sources.add(file->path, text), sink);
  if (laid_out.differs)
    throw RequestError{kRequestFailed, "laid out, this file would not mean the same"};
  Json result = Json::array();
  if (!laid_out.text || *laid_out.text == text) return result;
  // What both begin and end with stays, so that cursors do.
  const std::string& after = *laid_out.text;
  size_t begin = 0, tail = 0;
  const size_t least = std::min(text.size(), after.size());
  while (begin < least && text[begin] == after[begin]) ++begin;
  while (begin > 0 && text[begin - 1] != '\n') --begin;
  while (tail < least - begin && text[text.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  while (tail > 0 && text[text.size() - tail - 1] != '\n') --tail;
  result.push_back({{"range", file->range(static_cast<uint32_t>(begin),
                                          static_cast<uint32_t>(text.size() - tail))},
                    {"newText", after.substr(begin, after.size() - tail - begin)}});
  return result;
}

}  // namespace rlc::lsp
