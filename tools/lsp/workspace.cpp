#include "tools/lsp/workspace.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

#include "compiler/syntax/parser.h"

namespace rlc::lsp {

namespace fs = std::filesystem;

namespace {

constexpr size_t kMostFiles = 4000;  // of a folder
constexpr int kMostHops = 8;         // of imports
constexpr int kDeepest = 40;         // of members of members

// As the elaborator looks for files: cart_pole.rl for CartPole.
std::string snakeCase(const std::string& name) {
  std::string result;
  for (size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const auto last = static_cast<unsigned char>(i > 0 ? name[i - 1] : '_');
    if (std::isupper(c) && !std::isupper(last) && last != '_') result += '_';
    result += static_cast<char>(std::tolower(c));
  }
  return result;
}

bool isFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

}  // namespace

Document& Workspace::open(const std::string& uri, int64_t version, std::string text) {
  Document& document = documents_[uri];
  document.uri = uri;
  document.file = std::make_shared<SharedFile>(pathOfUri(uri), std::move(text));
  document.canonical = canonicalPath(document.file->path());
  document.version = version;
  return document;
}

Document* Workspace::document(const std::string& uri) {
  const auto found = documents_.find(uri);
  return found == documents_.end() ? nullptr : &found->second;
}

FilePtr Workspace::file(const std::string& path) {
  const std::string canonical = canonicalPath(path);
  for (const auto& [uri, document] : documents_) {
    if (document.canonical == canonical) return document.file->parsed();
  }
  std::error_code error;
  const auto size = fs::file_size(canonical, error);
  const auto time = error ? fs::file_time_type{} : fs::last_write_time(canonical, error);
  if (error || size > syntax::kMaxFileBytes || !isFile(canonical)) {
    disk_.erase(canonical);
    return nullptr;
  }
  OnDisk& entry = disk_[canonical];
  if (entry.parsed && entry.time == time && entry.size == size) return entry.parsed;
  std::ifstream in(canonical, std::ios::binary);
  if (!in) {
    disk_.erase(canonical);
    return nullptr;
  }
  std::string text(std::istreambuf_iterator<char>(in), {});
  entry = {time, size, std::make_shared<ParsedFile>(canonical, std::move(text))};
  return entry.parsed;
}

FilePtr Workspace::fileOfUri(const std::string& uri) {
  if (const Document* document = this->document(uri)) return document->file->parsed();
  return isFileUri(uri) ? file(pathOfUri(uri)) : nullptr;
}

std::vector<FilePtr> Workspace::allFiles() {
  std::set<std::string> paths;
  const auto collect = [&](const std::string& root) {
    std::error_code error;
    size_t seen = 0;
    auto it = fs::recursive_directory_iterator(root, fs::directory_options::skip_permission_denied,
                                               error);
    for (; !error && it != fs::end(it) && seen < kMostFiles; it.increment(error)) {
      const std::string name = it->path().filename().string();
      const bool skipped = name.starts_with('.') || name == "node_modules" || name == "build";
      if (skipped && it->is_directory(error)) it.disable_recursion_pending();
      if (it->path().extension() != ".rl" || !it->is_regular_file(error)) continue;
      paths.insert(canonicalPath(it->path().string()));
      ++seen;
    }
  };
  for (const std::string& folder : folders_) collect(folder);
  for (const std::string& folder : library_) collect(folder);
  std::vector<FilePtr> result;
  for (const auto& [uri, document] : documents_) {
    paths.erase(document.canonical);
    result.push_back(document.file->parsed());
  }
  for (const std::string& path : paths) {
    if (FilePtr file = this->file(path)) result.push_back(std::move(file));
  }
  return result;
}

bool Workspace::inLibrary(const std::string& path) const {
  const std::string canonical = canonicalPath(path);
  return std::any_of(library_.begin(), library_.end(), [&](const std::string& root) {
    // Whoever has the library's folder open works on the library.
    const std::string folder = canonicalPath(root);
    const bool inside = canonical.starts_with(folder + "/");
    const bool opened = std::any_of(folders_.begin(), folders_.end(), [&](const std::string& mine) {
      return folder == mine || folder.starts_with(mine + "/");
    });
    return inside && !opened;
  });
}

std::vector<std::string> Workspace::roots(const std::string& from, int leading_dots) const {
  if (leading_dots == 0) return library_;
  fs::path root = fs::path(from).parent_path();
  if (root.empty()) root = ".";
  for (int i = 1; i < leading_dots; ++i) root /= "..";
  return {root.string()};
}

FilePtr Workspace::importedFile(const std::string& from, const Import& import) {
  if (!import.file.empty()) return file((fs::path(from).parent_path() / import.file).string());
  for (const std::string& root : roots(from, import.leading_dots)) {
    fs::path base = root;
    for (const std::string& part : import.path) base /= part;
    const fs::path candidates[] = {base.string() + ".rl",
                                   base / (snakeCase(import.member) + ".rl")};
    for (const fs::path& candidate : candidates) {
      if (&candidate == candidates && import.path.empty()) continue;
      const FilePtr found = isFile(candidate) ? file(candidate.string()) : nullptr;
      if (found && found->index.definitionNamed(import.member) >= 0) return found;
    }
  }
  return nullptr;
}

std::vector<std::string> Workspace::modulesBelow(const std::string& from, int leading_dots,
                                                 const std::vector<std::string>& path) {
  std::set<std::string> names;
  for (const std::string& root : roots(from, leading_dots)) {
    fs::path base = root;
    for (const std::string& part : path) base /= part;
    std::error_code error;
    for (auto it = fs::directory_iterator(base, error); !error && it != fs::end(it);
         it.increment(error)) {
      const std::string name = it->path().filename().string();
      if (name.starts_with('.')) continue;
      if (it->is_directory(error))
        names.insert(name);
      else if (it->path().extension() == ".rl" && name != "prelude.rl")
        names.insert(it->path().stem().string());
    }
    if (path.empty()) continue;
    if (const FilePtr module = file(base.string() + ".rl")) {
      for (const auto& [name, id] : module->index.scopes.front().names) {
        if (module->index.definitions[static_cast<size_t>(id)].kind != DefKind::Import)
          names.insert(name);
      }
    }
  }
  return {names.begin(), names.end()};
}

std::optional<Target> Workspace::follow(Target target) {
  for (int hops = 0; hops < kMostHops && target.get().kind == DefKind::Import; ++hops) {
    const Import import = target.get().import;
    FilePtr next = importedFile(target.file->path, import);
    if (!next) return std::nullopt;
    const int definition = next->index.definitionNamed(import.member);
    if (definition < 0) return std::nullopt;
    target = {std::move(next), definition};
  }
  return target.get().kind == DefKind::Import ? std::nullopt : std::optional<Target>(target);
}

std::optional<Target> Workspace::resolveName(const FilePtr& file, int scope,
                                             std::string_view name) {
  if (const int here = file->index.find(scope, name); here >= 0) {
    // An import that leads nowhere is still a place to go to.
    const Target target{file, here};
    const auto followed = follow(target);
    return followed ? followed : target;
  }
  for (const Import& import : file->index.wildcards) {
    const FilePtr other = importedFile(file->path, import);
    const int there = other ? other->index.definitionNamed(name) : -1;
    if (there >= 0) return follow({other, there});
  }
  for (const std::string& root : library_) {
    const FilePtr prelude = this->file(root + "/std/prelude.rl");
    const int there =
        prelude && prelude->path != file->path ? prelude->index.definitionNamed(name) : -1;
    if (there >= 0) return follow({prelude, there});
  }
  return std::nullopt;
}

std::optional<Target> Workspace::classOf(const Target& target) {
  const Guard guard(depth_);
  if (depth_ > kDeepest) return std::nullopt;
  const Definition& definition = target.get();
  switch (definition.kind) {
    case DefKind::Module:
    case DefKind::Policy:
    case DefKind::Env:
    case DefKind::Record:
      return target;
    case DefKind::Tensor: {
      const syntax::Expr* value = definition.value;
      const auto* call = value != nullptr ? value->as<syntax::CallExpr>() : nullptr;
      const auto* subscript = value != nullptr ? value->as<syntax::SubscriptExpr>() : nullptr;
      const syntax::Expr* of = call != nullptr        ? call->callee.get()
                               : subscript != nullptr ? subscript->base.get()
                                                      : value;
      if (of == nullptr) return std::nullopt;
      const auto named = resolveExpr(target.file, definition.scope, *of);
      if (!named || (named->file == target.file && named->definition == target.definition))
        return std::nullopt;
      return classOf(*named);
    }
    default:
      return std::nullopt;
  }
}

std::optional<Target> Workspace::member(const Target& owner, std::string_view name) {
  const auto type = classOf(owner);
  if (!type || type->get().own_scope < 0) return std::nullopt;
  const auto& names = type->file->index.scopes[static_cast<size_t>(type->get().own_scope)].names;
  const auto found = names.find(name);
  if (found == names.end()) return std::nullopt;
  return Target{type->file, found->second};
}

std::optional<Target> Workspace::resolveExpr(const FilePtr& file, int scope,
                                             const syntax::Expr& expr) {
  const Guard guard(depth_);
  if (depth_ > kDeepest) return std::nullopt;
  if (const auto* name = expr.as<syntax::NameExpr>()) return resolveName(file, scope, name->name);
  if (const auto* access = expr.as<syntax::MemberExpr>()) {
    const auto object = resolveExpr(file, scope, *access->object);
    return object ? member(*object, access->member.text) : std::nullopt;
  }
  if (const auto* subscript = expr.as<syntax::SubscriptExpr>())
    return resolveExpr(file, scope, *subscript->base);
  if (const auto* call = expr.as<syntax::CallExpr>()) {
    const auto callee = resolveExpr(file, scope, *call->callee);
    // An instance: what the module has.
    return callee ? classOf(*callee) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<Target> Workspace::resolve(const FilePtr& file, const Use& use) {
  if (use.definition >= 0)
    return resolveName(file, file->index.definitions[static_cast<size_t>(use.definition)].scope,
                       use.name);
  if (use.callee != nullptr) {
    auto called = resolveExpr(file, use.scope, *use.callee);
    if (!called || called->get().own_scope < 0) return std::nullopt;
    const auto& names =
        called->file->index.scopes[static_cast<size_t>(called->get().own_scope)].names;
    const auto found = names.find(use.name);
    if (found == names.end()) return std::nullopt;
    const Target target{called->file, found->second};
    const DefKind kind = target.get().kind;
    const bool named = kind == DefKind::Parameter || kind == DefKind::Field;
    return named ? std::optional<Target>(target) : std::nullopt;
  }
  if (use.object != nullptr) {
    const auto object = resolveExpr(file, use.scope, *use.object);
    return object ? member(*object, use.name) : std::nullopt;
  }
  return resolveName(file, use.scope, use.name);
}

}  // namespace rlc::lsp
