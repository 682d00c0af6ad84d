#include "jit/cpu/disk_cache.h"

#include <llvm/Support/CachePruning.h>
#include <llvm/Support/xxhash.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace rlc::cpu {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMagic = "rlc-cache-2\n";
constexpr uint64_t kMostCached = 1 << 30, kMostFiles = 50'000;  // bytes, files
constexpr auto kUnread = std::chrono::hours(30 * 24);

std::string defaultFolder() {
  if (const char* folder = std::getenv("RLC_CACHE_DIR")) return folder;
  if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder != 0)
    return std::string(folder) + "/rlc";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0)
    return std::string(home) + "/.cache/rlc";
  return {};
}

// Looks at the folder every 20 minutes at most.
void prune(const std::string& folder) {
  llvm::CachePruningPolicy policy;
  policy.Expiration = kUnread;
  policy.MaxSizeBytes = kMostCached;
  policy.MaxSizeFiles = kMostFiles;
  llvm::pruneCache(folder, policy);
}

}  // namespace

std::string hashOf(std::string_view bytes) {
  const auto hash = llvm::xxh3_128bits(
      llvm::ArrayRef(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

DiskCache::DiskCache(const std::string& folder)
    : folder_(folder.empty() ? defaultFolder() : folder) {}

// The prefix is that of the files which pruneCache takes for a cache's.
std::string DiskCache::pathOf(const std::string& name) const {
  return folder_ + "/llvmcache-" + name;
}

// A file: the magic line, the name, the content's hash (both a line), the content.
std::optional<std::string> DiskCache::find(const std::string& name) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream file(pathOf(name), std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream content;
  content << file.rdbuf();
  std::string text = std::move(content).str();
  const std::string header = std::string(kMagic) + name + "\n";
  if (text.compare(0, header.size(), header) != 0 || text.size() < header.size() + 33)
    return std::nullopt;
  std::string bytes = text.substr(header.size() + 33);
  if (hashOf(bytes) != std::string_view(text).substr(header.size(), 32)) return std::nullopt;
  return bytes;
}

// Written under another name first, so that no reader ever sees half a file.
void DiskCache::keep(const std::string& name, std::string_view bytes) const {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  const std::string path = pathOf(name);
  const std::string temporary = path + "." + std::to_string(getpid());
  {
    std::ofstream file(temporary, std::ios::binary);
    if (!file) return;
    file << kMagic << name << "\n" << hashOf(bytes) << "\n" << bytes;
    file.close();
    if (!file) {
      fs::remove(temporary, error);
      return;
    }
  }
  fs::rename(temporary, path, error);
  if (error) fs::remove(temporary, error);
  prune(folder_);
}

}  // namespace rlc::cpu
