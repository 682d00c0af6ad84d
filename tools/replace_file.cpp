#include "tools/replace_file.h"

#include <fstream>

namespace rlc::tools {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as Linux follows

bool replaceFile(const fs::path& path, const std::string& text) {
  std::error_code code;
  fs::path target = path;  // what links lead to, which need not be there
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, code)); ++links) {
    if (links == kMostLinks) return false;
    target = target.parent_path() / fs::read_symlink(target, code);
  }
  const fs::path beside = target.string() + ".rlc-new";
  {
    std::ofstream out(beside, std::ios::binary | std::ios::trunc);
    out << text;
    out.close();
    if (!out) {
      fs::remove(beside, code);
      return false;
    }
  }
  const fs::file_status before = fs::status(target, code);
  if (fs::exists(before)) fs::permissions(beside, before.permissions(), code);
  fs::rename(beside, target, code);
  const bool replaced = !code;
  if (!replaced) fs::remove(beside, code);
  return replaced;
}

}  // namespace rlc::tools
