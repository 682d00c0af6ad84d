// How much memory there is for a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace rlc::host {

// Bytes that this process may come to use in all: the least of the machine's memory, of what the
// control groups that the process is in leave beside what it has already, and of its limit on
// addresses.
int64_t machineMemory();

// The least limit of the process's control group and of those around it, of either version; what
// a container may use. Files are looked up below `root`.
std::optional<int64_t> controlGroupLimit(const std::filesystem::path& root = "/");

}  // namespace rlc::host
