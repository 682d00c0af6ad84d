// A folder for files that go with it.
#pragma once

#include <filesystem>

namespace rlc::tools {

class ScratchFolder {
 public:
  ScratchFolder();  // throws UsageError where none can be made
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace rlc::tools
