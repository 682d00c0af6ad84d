#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/lsp/workspace.h"

namespace rlc::lsp {

// What a.b.c stands for where it is typed.
std::optional<Target> resolveChain(Workspace& workspace, const FilePtr& file, int scope,
                                   const std::vector<std::string>& chain);

}  // namespace rlc::lsp
