#include "tools/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tools/status.h"

namespace rlc::tools {

ScratchFolder::ScratchFolder() {
  const std::filesystem::path parent = std::filesystem::temp_directory_path();
  std::string name = (parent / "rlc-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw UsageError("can't make a folder in " + parent.string() + ": " + std::strerror(errno));
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code code;
  std::filesystem::remove_all(path_, code);
}

}  // namespace rlc::tools
