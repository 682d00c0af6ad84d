// Which of the host's steps make one CUDA graph.
#pragma once

#include "jit/gpu/module.h"

namespace rlc::gpu {

// How many steps from `first` on are the same work each time; 0: too little of it.
size_t recordable(const Module& module, const std::vector<Step>& steps, size_t first);

}  // namespace rlc::gpu
