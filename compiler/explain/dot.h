// Every stage as a Graphviz graph.
#pragma once

#include <string>

#include "compiler/explain/subject.h"

namespace rlc::explain {

// Tensors and how they read each other; the ids of its nodes are "tensor-N", N the position in
// `equations`.
std::string tensorsDot(const Subject& subject, const Equations& equations);
std::string operationsDot(const Subject& subject);  // every operation, in boxes by tensor
std::string passesDot(const Subject& subject);      // the chain of passes, with what each changed
std::string scheduleDot(const Subject& subject);    // loops as boxes, the tensors computed in them,
                                                    // dependences between these
std::string memoryDot(const Subject& subject);      // the arena as a table, largest first
std::string kernelsDot(
    const Subject& subject);  // kernels, and the buffers that one writes for another

}  // namespace rlc::explain
