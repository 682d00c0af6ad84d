// Why one value depends on another, for messages.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/autodiff/paths.h"

namespace rlc::autodiff {

// The value's name in quotes; "the loss" for one that has none.
std::string quotedName(const std::vector<std::string>& names, NodeId id);

// "`L` reads `ratio` reads `w`": the names (pdg::displayNames) of a chain of values that read each
// other, each once where several of them share it.
std::string chainText(const std::vector<std::string>& names, const std::vector<NodeId>& chain);

// The shortest chain from `from` along paths that derivatives take to the end of a read that
// `ends`, by way of reads that are `passed`; empty where there is none.
std::vector<NodeId> chainOnPaths(const Paths& paths, NodeId from,
                                 const std::function<bool(const Edge&)>& ends,
                                 const std::function<bool(const Edge&)>& passed);

}  // namespace rlc::autodiff
