#include "tools/lsp/server.h"

#include "tools/lsp/semantic_tokens.h"

namespace rlc::lsp {

Server::Server(std::vector<std::string> library, std::string version, Hooks hooks)
    : workspace_(std::move(library)), version_(std::move(version)), hooks_(std::move(hooks)) {}

const std::map<std::string, Server::Request>& Server::requests() {
  static const std::map<std::string, Request> table = {
      {"initialize", &Server::initialize},
      {"shutdown", &Server::shutdown},
      {"textDocument/definition", &Server::definition},
      {"textDocument/declaration", &Server::definition},
      {"textDocument/references", &Server::references},
      {"textDocument/documentHighlight", &Server::highlight},
      {"textDocument/prepareRename", &Server::prepareRename},
      {"textDocument/rename", &Server::rename},
      {"textDocument/hover", &Server::hover},
      {"textDocument/completion", &Server::completion},
      {"textDocument/signatureHelp", &Server::signatureHelp},
      {"textDocument/documentSymbol", &Server::documentSymbols},
      {"workspace/symbol", &Server::workspaceSymbols},
      {"textDocument/foldingRange", &Server::folding},
      {"textDocument/selectionRange", &Server::selectionRanges},
      {"textDocument/semanticTokens/full", &Server::semanticTokens},
      {"textDocument/semanticTokens/range", &Server::semanticTokensOfRange},
      {"textDocument/inlayHint", &Server::inlayHints},
      {"textDocument/codeLens", &Server::codeLenses},
      {"textDocument/codeAction", &Server::codeActions},
      {"textDocument/formatting", &Server::formatting},
  };
  return table;
}

const std::map<std::string, Server::Notification>& Server::notifications() {
  static const std::map<std::string, Notification> table = {
      {"initialized", &Server::ignore},
      {"exit", &Server::exit},
      {"textDocument/didOpen", &Server::didOpen},
      {"textDocument/didChange", &Server::didChange},
      {"textDocument/didClose", &Server::didClose},
      {"textDocument/didSave", &Server::didSave},
      {"workspace/didChangeWatchedFiles", &Server::didChangeWatchedFiles},
      {"workspace/didChangeWorkspaceFolders", &Server::didChangeFolders},
  };
  return table;
}

void Server::reject(const Json& id, int code, const std::string& message) {
  hooks_.send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

void Server::receive(const Json& message) {
  const auto method = message.is_object() ? message.find("method") : message.end();
  const bool is_request = message.is_object() && message.contains("id");
  if (!message.is_object() || method == message.end() || !method->is_string()) {
    // An answer to something we asked is nobody's mistake.
    const bool response =
        message.is_object() && (message.contains("result") || message.contains("error"));
    if (!response) reject(nullptr, kInvalidRequest, "this is no message");
    return;
  }
  if (is_request && !message["id"].is_string() && !message["id"].is_number()) {
    reject(nullptr, kInvalidRequest, "an id is a number or a string");
    return;
  }
  const Json params = message.contains("params") ? message["params"] : Json::object();
  if (is_request) {
    const Json& id = message["id"];
    try {
      hooks_.send({{"jsonrpc", "2.0"}, {"id", id}, {"result", answer(*method, params)}});
    } catch (const RequestError& error) {
      reject(id, error.code, error.message);
    } catch (const Json::exception& error) {
      reject(id, kInvalidParams, error.what());
    } catch (const std::exception& error) {
      reject(id, kServerInternalError, error.what());
    }
    return;
  }
  const auto found = notifications().find(*method);
  if (found == notifications().end()) return;
  if (!initialized_ && *method != "exit") return;
  try {
    (this->*found->second)(params);
  } catch (const RequestError&) {
    // Nobody waits for an answer to a notification.
  } catch (const Json::exception& error) {
    hooks_.send(
        {{"jsonrpc", "2.0"},
         {"method", "window/logMessage"},
         {"params", {{"type", 2}, {"message", method->get<std::string>() + ": " + error.what()}}}});
  }
}

Json Server::answer(const std::string& method, const Json& params) {
  const auto found = requests().find(method);
  if (shut_down_) throw RequestError{kInvalidRequest, "the server has been shut down"};
  if (!initialized_ && method != "initialize")
    throw RequestError{kServerNotInitialized, "the server has not been initialized"};
  if (found == requests().end())
    throw RequestError{kMethodNotFound, "there is no method `" + method + "`"};
  return (this->*found->second)(params);
}

Json Server::initialize(const Json& params) {
  if (initialized_) throw RequestError{kInvalidRequest, "the server is initialized already"};
  const Json none;
  const auto at = [&](const Json& json, const char* key) -> const Json& {
    return json.is_object() && json.contains(key) ? json[key] : none;
  };
  const Json& folders = at(params, "workspaceFolders");
  if (folders.is_array()) {
    for (const Json& folder : folders)
      workspace_.addFolder(pathOfUri(folder.at("uri").get<std::string>()));
  } else if (at(params, "rootUri").is_string()) {
    workspace_.addFolder(pathOfUri(params["rootUri"].get<std::string>()));
  }
  const Json& text = at(at(params, "capabilities"), "textDocument");
  snippets_ = at(at(at(text, "completion"), "completionItem"), "snippetSupport") == true;
  related_information_ = at(at(text, "publishDiagnostics"), "relatedInformation") != false;
  initialized_ = true;
  const Json legend = {{"tokenTypes", semanticTokenTypes()},
                       {"tokenModifiers", semanticTokenModifiers()}};
  return {{"serverInfo", {{"name", "rlc"}, {"version", version_}}},
          {"capabilities",
           {{"positionEncoding", "utf-16"},
            {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", true}}},
            {"hoverProvider", true},
            {"definitionProvider", true},
            {"declarationProvider", true},
            {"referencesProvider", true},
            {"documentHighlightProvider", true},
            {"renameProvider", {{"prepareProvider", true}}},
            {"completionProvider", {{"triggerCharacters", {"."}}}},
            {"signatureHelpProvider", {{"triggerCharacters", {"(", ","}}}},
            {"documentSymbolProvider", true},
            {"workspaceSymbolProvider", true},
            {"foldingRangeProvider", true},
            {"selectionRangeProvider", true},
            {"semanticTokensProvider", {{"legend", legend}, {"full", true}, {"range", true}}},
            {"inlayHintProvider", true},
            {"codeLensProvider", {{"resolveProvider", false}}},
            {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}},
            {"documentFormattingProvider", true},
            {"workspace",
             {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}}}}};
}

Json Server::shutdown(const Json&) {
  shut_down_ = true;
  return nullptr;
}

void Server::exit(const Json&) { exited_ = true; }

FilePtr Server::fileOf(const Json& params) {
  const std::string uri = params.at("textDocument").at("uri").get<std::string>();
  FilePtr file = workspace_.fileOfUri(uri);
  if (!file) throw RequestError{kRequestFailed, "can't read " + uri};
  return file;
}

uint32_t Server::offsetOf(const ParsedFile& file, const Json& position) const {
  return file.lines.offset(file.text(), positionOf(position));
}

std::string Server::uriOf(const ParsedFile& file) const {
  const std::string canonical = canonicalPath(file.path);
  for (const auto& [uri, document] : workspace_.documents()) {
    if (document.canonical == canonical) return uri;
  }
  return uriOfPath(canonical);
}

Json Server::locationOf(const ParsedFile& file, uint32_t begin, uint32_t end) const {
  return {{"uri", uriOf(file)}, {"range", file.range(begin, end)}};
}

const Facts* Server::factsOf(const ParsedFile& file) const {
  const auto found = judgements_.find(uriOf(file));
  return found == judgements_.end() ? nullptr : found->second.facts.get();
}

}  // namespace rlc::lsp
