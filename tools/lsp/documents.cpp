// Texts as the editor changes them, and the analyses that follow.
#include <algorithm>

#include "compiler/syntax/parser.h"
#include "tools/lsp/server.h"

namespace rlc::lsp {

void Server::schedule(const Document& document, bool at_once) {
  AnalysisJob job;
  job.uri = document.uri;
  job.version = document.version;
  job.file = document.file;
  job.library = workspace_.library();
  job.related_information = related_information_;
  for (const auto& [uri, other] : workspace_.documents()) {
    if (uri != document.uri) job.open[other.canonical] = other.file;
  }
  hooks_.analyze(std::move(job), at_once);
}

void Server::scheduleDependents(const std::string& canonical) {
  for (const auto& [uri, document] : workspace_.documents()) {
    const auto judgement = judgements_.find(uri);
    const bool depends =
        judgement != judgements_.end() && judgement->second.files.contains(canonical);
    if (document.canonical != canonical && depends) schedule(document, false);
  }
}

void Server::didOpen(const Json& params) {
  const Json& item = params.at("textDocument");
  const Document& document =
      workspace_.open(item.at("uri").get<std::string>(), item.at("version").get<int64_t>(),
                      item.at("text").get<std::string>());
  judgements_[document.uri].version = -1;
  schedule(document, true);
  scheduleDependents(document.canonical);
}

void Server::didChange(const Json& params) {
  const Json& id = params.at("textDocument");
  const std::string uri = id.at("uri").get<std::string>();
  Document* document = workspace_.document(uri);
  if (document == nullptr) return;
  std::string text = document->file->text();
  for (const Json& change : params.at("contentChanges")) {
    std::string replacement = change.at("text").get<std::string>();
    if (!change.contains("range")) {
      text = std::move(replacement);
      continue;
    }
    const TextLines lines(text);
    const uint32_t begin = lines.offset(text, positionOf(change.at("range").at("start")));
    const uint32_t end = lines.offset(text, positionOf(change.at("range").at("end")));
    text.replace(std::min(begin, end), std::max(begin, end) - std::min(begin, end), replacement);
    if (text.size() > 4 * syntax::kMaxFileBytes)
      throw RequestError{kRequestFailed, "the document is too long"};
  }
  const bool versioned = id.contains("version") && id["version"].is_number_integer();
  const int64_t version = versioned ? id["version"].get<int64_t>() : document->version + 1;
  schedule(workspace_.open(uri, version, std::move(text)), false);
  scheduleDependents(document->canonical);
}

void Server::didClose(const Json& params) {
  const std::string uri = params.at("textDocument").at("uri").get<std::string>();
  const Document* document = workspace_.document(uri);
  if (document == nullptr) return;
  const std::string canonical = document->canonical;
  workspace_.close(uri);
  judgements_.erase(uri);
  hooks_.forget(uri);
  hooks_.send({{"jsonrpc", "2.0"},
               {"method", "textDocument/publishDiagnostics"},
               {"params", {{"uri", uri}, {"diagnostics", Json::array()}}}});
  scheduleDependents(canonical);
}

void Server::didSave(const Json& params) {
  const std::string uri = params.at("textDocument").at("uri").get<std::string>();
  if (const Document* document = workspace_.document(uri)) scheduleDependents(document->canonical);
}

void Server::didChangeWatchedFiles(const Json& params) {
  for (const Json& change : params.at("changes"))
    scheduleDependents(canonicalPath(pathOfUri(change.at("uri").get<std::string>())));
  // A file that was missing may be there now.
  for (const auto& [uri, document] : workspace_.documents()) {
    const auto judgement = judgements_.find(uri);
    if (judgement != judgements_.end() && !judgement->second.findings.empty())
      schedule(document, false);
  }
}

void Server::didChangeFolders(const Json& params) {
  const Json& event = params.at("event");
  for (const Json& folder : event.at("added"))
    workspace_.addFolder(pathOfUri(folder.at("uri").get<std::string>()));
  for (const Json& folder : event.at("removed"))
    workspace_.removeFolder(pathOfUri(folder.at("uri").get<std::string>()));
}

void Server::analysed(AnalysisResult result) {
  const Document* document = workspace_.document(result.uri);
  // What is about an older text is nobody's business any more; the facts of names may still be.
  if (document == nullptr) return;
  Judgement& judgement = judgements_[result.uri];
  if (result.facts) judgement.facts = result.facts;
  judgement.files = std::move(result.files);
  if (document->version != result.version) return;
  judgement.version = result.version;
  judgement.findings = std::move(result.findings);
  Json list = Json::array();
  for (const Finding& finding : judgement.findings) list.push_back(finding.diagnostic);
  hooks_.send(
      {{"jsonrpc", "2.0"},
       {"method", "textDocument/publishDiagnostics"},
       {"params", {{"uri", result.uri}, {"version", result.version}, {"diagnostics", list}}}});
}

}  // namespace rlc::lsp
