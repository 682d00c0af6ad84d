// Files that are written as a whole or stay as they are.
#pragma once

#include <filesystem>
#include <string>

namespace rlc::tools {

// Through a file beside it, so that a full disk or a kill costs nobody what was there. False where
// it can't be written.
bool replaceFile(const std::filesystem::path& path, const std::string& text);

}  // namespace rlc::tools
