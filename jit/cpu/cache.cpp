#include "jit/cpu/cache.h"

#include <llvm/Config/llvm-config.h>
#include <llvm/Support/xxhash.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unordered_map>

#include "source_hash.h"

namespace rlc::cpu {

namespace fs = std::filesystem;
using loops::Block;
using loops::Buffer;
using loops::Expr;
using loops::ExprNode;
using loops::Program;
using loops::Stmt;

namespace {

constexpr std::string_view kMagic = "rlc-object-1\n";

// Everything that code generation reads, as bytes; shared expressions are written once.
class Serializer {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value) {
    number(value.size());
    bytes_.append(value);
  }
  void scalar(const Scalar& value) {
    number(value.type);
    number(value.i);
  }
  void expr(const Expr& e) {
    if (!e) return number(int32_t{-1});
    const auto [found, fresh] = seen_.emplace(e.get(), static_cast<int32_t>(seen_.size()));
    number(found->second);
    if (!fresh) return;
    number(e->kind);
    number(e->type);
    scalar(e->literal);
    number(e->var);
    number(e->buffer);
    number(e->op);
    number(e->draw);
    number(e->stream);
    number(e->coordinates);
    number(e->elementCount);
    exprs(e->args);
  }
  void exprs(const std::vector<Expr>& list) {
    number(list.size());
    for (const Expr& e : list) expr(e);
  }
  void block(const Block& block) {
    number(block.size());
    for (const auto& stmt : block) statement(*stmt);
  }
  void statement(const Stmt& s) {
    number(s.kind);
    number(s.loop);
    number(s.descending);
    number(s.root);
    number(s.rootLoop);
    number(s.reductions.size());
    for (const auto& r : s.reductions) number(r.buffer), number(r.local), number(r.combine);
    number(s.var);
    number(s.type);
    for (const Expr* e : {&s.lo, &s.hi, &s.value, &s.index}) expr(*e);
    number(s.buffer);
    number(s.combine);
    number(s.fault);
    number(s.sink);
    exprs(s.args);
    number(s.function);
    number(s.places.size());
    for (const auto& place : s.places) number(place.buffer), expr(place.index);
    number(s.stream);
    block(s.body);
    block(s.otherwise);
  }
  void program(const Program& p) {
    number(p.buffers.size());
    for (const Buffer& b : p.buffers) {
      number(b.kind);
      number(b.type);
      number(b.elements);
      number(b.offset);
      number(b.lanes);
      number(b.data.size());
      for (const Scalar& value : b.data) scalar(value);
    }
    number(p.residentBytes);
    number(p.scratchInFile);
    number(p.variables);
    block(p.body);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::unordered_map<const ExprNode*, int32_t> seen_;
};

std::string hexadecimal(std::string_view bytes) {
  const auto hash = llvm::xxh3_128bits(
      llvm::ArrayRef(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

std::string defaultFolder() {
  if (const char* folder = std::getenv("RLC_CACHE_DIR")) return folder;
  if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder != 0)
    return std::string(folder) + "/rlc";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0)
    return std::string(home) + "/.cache/rlc";
  return {};
}

}  // namespace

std::string cacheKey(const Program& program, const CompileOptions& options) {
  Serializer out;
  out.text(kSourceHash);
  out.text(LLVM_VERSION_STRING);
  const TargetDescription target = targetOf(options);
  out.text(target.cpu);
  out.text(target.features);
  out.number(options.optimization);
  out.number(options.vectorWidth);
  out.number(options.maximumChunks);
  out.number(options.tileContractions);
  out.program(program);
  return hexadecimal(out.bytes());
}

ObjectCache::ObjectCache(const CompileOptions& options) {
  if (!options.cache) return;
  folder_ = options.cacheFolder.empty() ? defaultFolder() : options.cacheFolder;
}

// A file: the magic line, the key, the object's hash (both a line), the object.
std::optional<std::string> ObjectCache::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream file(folder_ + "/" + key + ".o", std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream content;
  content << file.rdbuf();
  std::string text = std::move(content).str();
  const std::string header = std::string(kMagic) + key + "\n";
  if (text.compare(0, header.size(), header) != 0 || text.size() < header.size() + 33)
    return std::nullopt;
  std::string object = text.substr(header.size() + 33);
  if (hexadecimal(object) != std::string_view(text).substr(header.size(), 32)) return std::nullopt;
  return object;
}

// Written under another name first, so that no reader ever sees half a file.
void ObjectCache::keep(const std::string& key, std::string_view object) const {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  const std::string path = folder_ + "/" + key + ".o";
  const std::string temporary = path + "." + std::to_string(getpid());
  {
    std::ofstream file(temporary, std::ios::binary);
    if (!file) return;
    file << kMagic << key << "\n" << hexadecimal(object) << "\n" << object;
    file.close();
    if (!file) {
      fs::remove(temporary, error);
      return;
    }
  }
  fs::rename(temporary, path, error);
  if (error) fs::remove(temporary, error);
}

}  // namespace rlc::cpu
