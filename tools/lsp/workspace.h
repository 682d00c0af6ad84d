// The files that a server knows: open ones as the editor has them, others as they are on disk; and
// what names mean across them.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/lsp/index.h"

namespace rlc::lsp {

struct Document {
  std::string uri, canonical;
  int64_t version = 0;
  SharedFilePtr file;
};

// A definition, wherever it is.
struct Target {
  FilePtr file;
  int definition = -1;

  const Definition& get() const { return file->index.definitions[static_cast<size_t>(definition)]; }
};

class Workspace {
 public:
  explicit Workspace(std::vector<std::string> library) : library_(std::move(library)) {}

  void addFolder(const std::string& path) { folders_.insert(canonicalPath(path)); }
  void removeFolder(const std::string& path) { folders_.erase(canonicalPath(path)); }

  // Texts of open documents.
  Document& open(const std::string& uri, int64_t version, std::string text);
  void close(const std::string& uri) { documents_.erase(uri); }
  Document* document(const std::string& uri);
  const std::map<std::string, Document>& documents() const { return documents_; }

  // As open, else as on disk; null: it can't be read.
  FilePtr file(const std::string& path);
  FilePtr fileOfUri(const std::string& uri);
  // Every program that can be seen: open, in the folders, in the library.
  std::vector<FilePtr> allFiles();
  bool inLibrary(const std::string& path) const;
  const std::vector<std::string>& library() const { return library_; }

  // What a use means, imports followed; nullopt: nothing known, or built in.
  std::optional<Target> resolve(const FilePtr& file, const Use& use);
  std::optional<Target> resolveName(const FilePtr& file, int scope, std::string_view name);
  // What `a.b.c` stands for, as far as syntax tells.
  std::optional<Target> resolveExpr(const FilePtr& file, int scope, const syntax::Expr& expr);
  std::optional<Target> member(const Target& owner, std::string_view name);
  // The definition whose members `target` has: the module of a tensor that is one.
  std::optional<Target> classOf(const Target& target);
  std::optional<Target> follow(Target target);
  // The file of an import, which has `member`.
  FilePtr importedFile(const std::string& from, const Import& import);
  // Files that a file may import from, for `use std.`: folders and files by name.
  std::vector<std::string> modulesBelow(const std::string& from, int leading_dots,
                                        const std::vector<std::string>& path);

 private:
  struct OnDisk {
    std::filesystem::file_time_type time;
    uintmax_t size = 0;
    FilePtr parsed;
  };

  std::vector<std::string> roots(const std::string& from, int leading_dots) const;

  // Definitions may go round in circles: tree[n+1] = tree.insert(...).
  struct Guard {
    explicit Guard(int& depth) : depth(depth) { ++depth; }
    ~Guard() { --depth; }
    int& depth;
  };
  int depth_ = 0;

  std::vector<std::string> library_;
  std::set<std::string> folders_;
  std::map<std::string, Document> documents_;  // by URI
  std::map<std::string, OnDisk> disk_;         // by canonical path
};

}  // namespace rlc::lsp
