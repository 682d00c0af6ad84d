// How the points that a tensor keeps lie in memory.
#pragma once

#include "compiler/schedule/storage.h"

namespace rlc::schedule {

// What a statement reads of a tensor.
struct Reader {
  int statement;
  const Access* access;
};

// The loop around a statement that scans one of its variables, by depth.
std::optional<size_t> depthScanning(const Placed& placed, Var var);

// Gives the dims and elements of `storage` their strides: row-major, but the dim that lanes run
// over innermost, so that a block of lanes is contiguous. Where lanes of some loops run over one
// dim and those of others over another, the one that more writes and reads have. Where several
// elements are read at points that data say, elements are innermost, then that dim.
void layOut(const pdg::Node& node, const Statements& statements, const Schedule& schedule,
            const std::vector<Reader>& readers, Storage& storage);

}  // namespace rlc::schedule
