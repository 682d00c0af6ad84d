// A server with a client that waits for every answer.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "tools/lsp/server.h"

namespace rlc::lsp {

class Client {
 public:
  // `analyses`: run them, at once.
  explicit Client(bool analyses = true)
      : server_({std::string(RLC_SOURCE_DIR) + "/stdlib"}, "test",
                {.send = [this](const Json& message) { sent.push_back(message); },
                 .analyze =
                     [this, analyses](AnalysisJob job, bool) {
                       if (analyses) jobs_.push_back(std::move(job));
                     },
                 .forget = [](const std::string&) {}}) {
    request(
        "initialize",
        {{"capabilities",
          {{"textDocument", {{"completion", {{"completionItem", {{"snippetSupport", true}}}}}}}}},
         {"workspaceFolders", Json::array()}});
  }

  Json request(const std::string& method, const Json& params) {
    const int id = ++last_id_;
    raw({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
    for (const Json& message : sent) {
      if (message.contains("id") && message["id"] == id)
        return message.contains("result") ? message["result"] : message["error"];
    }
    ADD_FAILURE() << method << " was not answered";
    return nullptr;
  }
  void notify(const std::string& method, const Json& params) {
    raw({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
  }
  void raw(const Json& message) {
    server_.receive(message);
    while (!jobs_.empty()) {
      AnalysisJob job = std::move(jobs_.front());
      jobs_.erase(jobs_.begin());
      server_.analysed(analyze(job));
    }
  }

  void open(const std::string& text, const std::string& uri = kUri) {
    notify("textDocument/didOpen",
           {{"textDocument",
             {{"uri", uri}, {"languageId", "rl"}, {"version", ++version_}, {"text", text}}}});
    if (uri == kUri) text_ = text;
  }
  void change(const std::string& text, const std::string& uri = kUri) {
    notify("textDocument/didChange", {{"textDocument", {{"uri", uri}, {"version", ++version_}}},
                                      {"contentChanges", {{{"text", text}}}}});
    if (uri == kUri) text_ = text;
  }
  // At the n-th place of `words` in the open text, `shift` characters on.
  Json at(const std::string& words, int shift = 0, int n = 0) const {
    size_t place = text_.find(words);
    while (n-- > 0) place = text_.find(words, place + 1);
    EXPECT_NE(place, std::string::npos) << words;
    const TextLines lines(text_);
    const Position position = lines.position(text_, static_cast<uint32_t>(place));
    return {{"textDocument", {{"uri", kUri}}},
            {"position", {{"line", position.line}, {"character", position.character + shift}}}};
  }
  Json document() const { return {{"textDocument", {{"uri", kUri}}}}; }
  // Of the last publication.
  Json diagnostics(const std::string& uri = kUri) const {
    for (auto it = sent.rbegin(); it != sent.rend(); ++it) {
      if (it->contains("method") && (*it)["method"] == "textDocument/publishDiagnostics" &&
          (*it)["params"]["uri"] == uri)
        return (*it)["params"]["diagnostics"];
    }
    return nullptr;
  }

  static constexpr const char* kUri = "file:///nowhere/a.rl";
  std::vector<Json> sent;

 private:
  std::vector<AnalysisJob> jobs_;
  Server server_;
  std::string text_;
  int last_id_ = 0, version_ = 0;
};

// Files in a folder that is gone afterwards.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "rlc-lsp-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = path_ + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return uriOfPath(canonicalPath(path));
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace rlc::lsp
