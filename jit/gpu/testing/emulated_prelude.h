// Compiled once for all emulated kernels.
#pragma once

// clang-format off: the prelude uses what the emulator declares.
#include "jit/gpu/testing/emulator.h"
#include "jit/gpu/device/prelude.h"
// clang-format on
