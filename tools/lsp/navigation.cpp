// Where a name comes from and where it goes.
#include <algorithm>

#include "tools/lsp/server.h"

namespace rlc::lsp {

std::optional<Target> Server::targetAt(const FilePtr& file, uint32_t offset) {
  const Use* use = file->index.useAt(offset);
  return use == nullptr ? std::nullopt : workspace_.resolve(file, *use);
}

namespace {

bool same(const Target& a, const Target& b) {
  if (a.definition != b.definition) return false;
  return a.file == b.file || canonicalPath(a.file->path) == canonicalPath(b.file->path);
}

// The file that an import or the words of a `use` lead to.
std::optional<std::string> importedPath(Workspace& workspace, const ParsedFile& file,
                                        uint32_t offset) {
  for (const syntax::Item& item : file.tree.items) {
    const auto* use = item.as<syntax::UseItem>();
    if (use == nullptr || offset < item.span.begin || offset > item.span.end) continue;
    Import import;
    import.leading_dots = use->leading_dots;
    for (const syntax::Name& name : use->path) import.path.push_back(name.text);
    if (use->file) import.file = *use->file;
    if (!use->members.empty()) import.member = use->members.front().text;
    if (use->members.empty() && !import.path.empty()) {
      import.member = import.path.back();
      import.path.pop_back();
    }
    const FilePtr found = workspace.importedFile(file.path, import);
    return found ? std::optional(found->path) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

Json Server::definition(const Json& params) {
  const FilePtr file = fileOf(params);
  const uint32_t offset = offsetOf(*file, params.at("position"));
  if (const auto target = targetAt(file, offset)) {
    const Definition& definition = target->get();
    return locationOf(*target->file, definition.begin, definition.end);
  }
  if (const auto path = importedPath(workspace_, *file, offset)) {
    if (const FilePtr other = workspace_.file(*path)) return locationOf(*other, 0, 0);
  }
  return nullptr;
}

std::vector<Server::Place> Server::placesOf(const Target& target) {
  std::vector<Place> places;
  const std::string& name = target.get().name;
  // What is local to a block is not seen by other files; members are.
  std::vector<FilePtr> files = {target.file};
  const DefKind kind = target.get().kind;
  const bool local = kind == DefKind::Range || kind == DefKind::Shape;
  if (!local) {
    for (FilePtr& file : workspace_.allFiles()) {
      if (canonicalPath(file->path) != canonicalPath(target.file->path))
        files.push_back(std::move(file));
    }
  }
  for (const FilePtr& file : files) {
    // Under another name, too: `use .a.b as c`.
    std::set<std::string> names = {name};
    for (const Definition& definition : file->index.definitions) {
      if (definition.kind == DefKind::Import && definition.import.member == name)
        names.insert(definition.name);
    }
    for (const Use& use : file->index.uses) {
      if (!names.contains(use.name)) continue;
      const auto found = workspace_.resolve(file, use);
      if (found && same(*found, target))
        places.push_back(
            {file, use.begin, use.end, use.defines && file->path == target.file->path});
    }
  }
  return places;
}

Json Server::references(const Json& params) {
  const FilePtr file = fileOf(params);
  const auto target = targetAt(file, offsetOf(*file, params.at("position")));
  if (!target) return Json::array();
  const bool declarations =
      !params.contains("context") || params["context"].value("includeDeclaration", true);
  Json result = Json::array();
  for (const Place& place : placesOf(*target)) {
    if (place.defines && !declarations) continue;
    result.push_back(locationOf(*place.file, place.begin, place.end));
  }
  return result;
}

Json Server::highlight(const Json& params) {
  const FilePtr file = fileOf(params);
  const auto target = targetAt(file, offsetOf(*file, params.at("position")));
  Json result = Json::array();
  if (!target) return result;
  for (const Use& use : file->index.uses) {
    const auto found = workspace_.resolve(file, use);
    if (found && same(*found, *target))
      result.push_back({{"range", file->range(use.begin, use.end)}, {"kind", use.defines ? 3 : 2}});
  }
  return result;
}

}  // namespace rlc::lsp
