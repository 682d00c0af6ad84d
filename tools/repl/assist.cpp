#include "tools/repl/assist.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace rlc::repl {

using lsp::Json;

namespace {

// Bytes of a word, as far as completion goes: `x'`, `θ`.
bool isWordByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) || c == '_' || c == '\'' || byte >= 0x80;
}

size_t wordBegin(const std::string& text) {
  size_t begin = text.size();
  while (begin > 0 && isWordByte(text[begin - 1])) --begin;
  return begin;
}

// The little Markdown that hovers use, without its marks.
std::string plain(const std::string& markdown) {
  std::string text;
  for (size_t at = 0; at < markdown.size();) {
    const size_t end = std::min(markdown.find('\n', at), markdown.size());
    std::string line = markdown.substr(at, end - at);
    at = end + 1;
    // The kind of thing alone: the code above says it.
    const bool kindOnly = line.starts_with("**") && line.find("**", 2) == line.size() - 2;
    if (line.starts_with("```") || kindOnly) continue;
    for (size_t star; (star = line.find("**")) != std::string::npos;) line.erase(star, 2);
    std::erase(line, '`');
    if (line.empty() && (text.empty() || text.ends_with("\n\n"))) continue;
    text += line + "\n";
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace

Assist::Assist(const std::string& library)
    : library_(library),
      uri_(lsp::uriOfPath((std::filesystem::current_path() / "session.rl").string())),
      server_({library}, "",
              {.send =
                   [this](const Json& message) {
                     if (message.contains("id")) answer_ = message.value("result", Json());
                   },
               .analyze = [](const lsp::AnalysisJob&, bool) {},
               .forget = [](const std::string&) {}}) {
  request("initialize", {{"capabilities", Json::object()}});
}

Json Assist::request(const std::string& method, Json params) {
  answer_ = nullptr;
  server_.receive(
      {{"jsonrpc", "2.0"}, {"id", ++id_}, {"method", method}, {"params", std::move(params)}});
  return answer_;
}

void Assist::open(const std::string& text) {
  server_.receive(
      {{"jsonrpc", "2.0"},
       {"method", "textDocument/didOpen"},
       {"params",
        {{"textDocument",
          {{"uri", uri_}, {"languageId", "rl"}, {"version", ++version_}, {"text", text}}}}}});
}

Json Assist::endOf(const std::string& text) const {
  return lsp::toJson(lsp::TextLines(text).position(text, static_cast<uint32_t>(text.size())));
}

Completions Assist::complete(const std::string& source, const std::string& input) {
  const std::string text = source + "\n" + input;
  open(text);
  const Json found = request("textDocument/completion",
                             {{"textDocument", {{"uri", uri_}}}, {"position", endOf(text)}});
  Completions result;
  result.begin = wordBegin(input);
  const std::string typed = input.substr(result.begin);
  if (!found.is_object()) return result;
  for (const Json& item : found["items"]) {
    const std::string label = item["label"].get<std::string>();
    if (label.starts_with(typed)) result.words.push_back(label);
  }
  std::sort(result.words.begin(), result.words.end());
  return result;
}

std::string Assist::hoverAt(const std::string& uri, const Json& position) {
  const Json found =
      request("textDocument/hover", {{"textDocument", {{"uri", uri}}}, {"position", position}});
  return found.is_object() ? plain(found["contents"]["value"].get<std::string>()) : "";
}

// What nobody has imported yet.
std::string Assist::libraryHelp(const std::string& name) {
  const std::string last = name.substr(name.rfind('.') + 1);
  const Json symbols = request("workspace/symbol", {{"query", last}});
  if (!symbols.is_array()) return "";
  for (const Json& symbol : symbols) {
    if (symbol["name"] != last || symbol["location"]["uri"] == uri_) continue;
    const std::string text =
        hoverAt(symbol["location"]["uri"].get<std::string>(), symbol["location"]["range"]["start"]);
    std::string path = lsp::pathOfUri(symbol["location"]["uri"].get<std::string>());
    const std::string folder = lsp::canonicalPath(library_) + "/";
    if (path.starts_with(folder)) path.erase(0, folder.size());
    if (!text.empty()) return text + "\nin " + path + "\n";
  }
  return "";
}

std::string Assist::help(const std::string& source, const std::string& name) {
  const std::string text = source + "\n" + name;
  open(text);
  const std::string found = hoverAt(uri_, endOf(text));
  return found.empty() ? libraryHelp(name) : found;
}

}  // namespace rlc::repl
