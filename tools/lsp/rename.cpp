#include <algorithm>

#include "compiler/format/tokens.h"
#include "tools/lsp/server.h"

namespace rlc::lsp {
namespace {

bool isName(const std::string& text) {
  const auto tokens = format::tokenize(text);
  const bool word =
      tokens.size() == 1 && tokens[0].kind == format::Token::Kind::Word && tokens[0].text == text;
  return word && !text.ends_with('\'') && !format::isReserved(text) && text != "true" &&
         text != "false";
}

}  // namespace

Json Server::prepareRename(const Json& params) {
  const FilePtr file = fileOf(params);
  const uint32_t offset = offsetOf(*file, params.at("position"));
  const Use* use = file->index.useAt(offset);
  const auto target = targetAt(file, offset);
  if (use == nullptr) throw RequestError{kRequestFailed, "there is no name here"};
  if (!target)
    throw RequestError{kRequestFailed,
                       "`" + use->name + "` is not declared in a file that can be changed"};
  if (workspace_.inLibrary(target->file->path))
    throw RequestError{kRequestFailed, "`" + use->name + "` belongs to the standard library"};
  if (target->get().kind == DefKind::Block)
    throw RequestError{kRequestFailed, "`" + use->name + "` is a name of the language"};
  return {{"range", file->range(use->begin, use->end)}, {"placeholder", use->name}};
}

Json Server::rename(const Json& params) {
  prepareRename(params);
  const FilePtr file = fileOf(params);
  const Target target = *targetAt(file, offsetOf(*file, params.at("position")));
  const std::string name = params.at("newName").get<std::string>();
  if (!isName(name)) throw RequestError{kRequestFailed, "`" + name + "` is no name"};
  const std::string old = target.get().name;
  Json changes = Json::object();
  for (const Place& place : placesOf(target)) {
    const std::string_view written =
        std::string_view(place.file->text()).substr(place.begin, place.end - place.begin);
    if (written != old) continue;  // under another name there
    const int scope = place.file->index.scopeAt(place.begin);
    const auto taken = workspace_.resolveName(place.file, scope, name);
    if (taken && name != old)
      throw RequestError{kRequestFailed,
                         "`" + name + "` already means something where `" + old + "` is used"};
    changes[uriOf(*place.file)].push_back(
        {{"range", place.file->range(place.begin, place.end)}, {"newText", name}});
  }
  return {{"changes", changes}};
}

}  // namespace rlc::lsp
