// Compiled once for all emulated kernels.
#pragma once

#include "jit/gpu/testing/emulator.h"

#include "jit/gpu/device/prelude.h"
