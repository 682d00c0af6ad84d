// The language server: one message in, any number out. It knows nothing of streams and threads;
// analyses run elsewhere and come back by analysed().
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "tools/lsp/analysis.h"
#include "tools/lsp/workspace.h"

namespace rlc::lsp {

enum ErrorCode {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kServerInternalError = -32603,
  kServerNotInitialized = -32002,
  kRequestCancelled = -32800,
  kContentModified = -32801,
  kRequestFailed = -32803,
};

// What a request is answered with instead of a result.
struct RequestError {
  int code;
  std::string message;
};

class Server {
 public:
  struct Hooks {
    std::function<void(const Json&)> send;
    // Supersedes what was asked for the same document; at once, or a little after the last edit.
    std::function<void(AnalysisJob, bool at_once)> analyze;
    std::function<void(const std::string& uri)> forget;  // a document that was closed
  };

  Server(std::vector<std::string> library, std::string version, Hooks hooks);

  void receive(const Json& message);
  void analysed(AnalysisResult result);
  void reject(const Json& id, int code, const std::string& message);

  bool exited() const { return exited_; }
  int exitStatus() const { return shut_down_ ? 0 : 1; }

 private:
  using Request = Json (Server::*)(const Json&);
  using Notification = void (Server::*)(const Json&);
  static const std::map<std::string, Request>& requests();
  static const std::map<std::string, Notification>& notifications();

  Json answer(const std::string& method, const Json& params);

  // Life: server.cpp
  Json initialize(const Json& params);
  Json shutdown(const Json& params);
  void exit(const Json& params);
  void ignore(const Json&) {}
  // Texts: documents.cpp
  void didOpen(const Json& params);
  void didChange(const Json& params);
  void didClose(const Json& params);
  void didSave(const Json& params);
  void didChangeWatchedFiles(const Json& params);
  void didChangeFolders(const Json& params);
  void schedule(const Document& document, bool at_once);
  void scheduleDependents(const std::string& canonical);
  // Names: navigation.cpp, rename.cpp, hover.cpp
  Json definition(const Json& params);
  Json references(const Json& params);
  Json highlight(const Json& params);
  Json prepareRename(const Json& params);
  Json rename(const Json& params);
  Json hover(const Json& params);
  // Typing: completion.cpp, signature_help.cpp
  Json completion(const Json& params);
  Json signatureHelp(const Json& params);
  // The whole file: outline.cpp, semantic_tokens.cpp, hints.cpp, editing.cpp
  Json documentSymbols(const Json& params);
  Json workspaceSymbols(const Json& params);
  Json folding(const Json& params);
  Json selectionRanges(const Json& params);
  Json semanticTokens(const Json& params);
  Json semanticTokensOfRange(const Json& params);
  Json inlayHints(const Json& params);
  Json codeLenses(const Json& params);
  Json codeActions(const Json& params);
  Json formatting(const Json& params);
  Json tokensWithin(const FilePtr& file, uint32_t begin, uint32_t end);

  // The document of a request, parsed; throws RequestError.
  FilePtr fileOf(const Json& params);
  uint32_t offsetOf(const ParsedFile& file, const Json& position) const;
  std::optional<Target> targetAt(const FilePtr& file, uint32_t offset);
  // All uses of a definition, in all files that can be seen.
  struct Place {
    FilePtr file;
    uint32_t begin, end;
    bool defines;
  };
  std::vector<Place> placesOf(const Target& target);
  std::string uriOf(const ParsedFile& file) const;
  Json locationOf(const ParsedFile& file, uint32_t begin, uint32_t end) const;
  const Facts* factsOf(const ParsedFile& file) const;  // null: none yet
  // "f32[4] over i, b, t" of a name of the program; "": unknown.
  std::string typeOf(const Target& target) const;

  // The last judgement of the compiler on a document.
  struct Judgement {
    int64_t version = -1;
    std::vector<Finding> findings;
    std::shared_ptr<const Facts> facts;  // the last good ones
    std::set<std::string> files;
  };

  Workspace workspace_;
  std::string version_;
  Hooks hooks_;
  std::map<std::string, Judgement> judgements_;  // by URI
  bool initialized_ = false, shut_down_ = false, exited_ = false;
  bool snippets_ = false, related_information_ = true;
};

}  // namespace rlc::lsp
