#include "tools/replace_file.h"

#include <fstream>

namespace rlc::tools {

namespace fs = std::filesystem;

bool replaceFile(const fs::path& path, const std::string& text) {
  std::error_code code;
  const fs::path target = fs::is_symlink(path, code) ? fs::canonical(path, code) : path;
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
  if (code) fs::remove(beside, code);
  return !code;
}

}  // namespace rlc::tools
