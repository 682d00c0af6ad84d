// Compiles kernels' text from standard input for an architecture ("90") with the NVRTC of this
// machine, and prints the compiler's report; a second argument says where to keep the code, which
// is PTX for an architecture that the compiler has no machine code for ("81"). Code of an earlier
// time is taken where $RLC_CACHE_DIR has it. Status 77 where there is no NVRTC.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

#include "compiler/diagnostics/internal_error.h"
#include "jit/gpu/compiler.h"
#include "jit/runtime/machine.h"

int main(int argc, char** argv) {
  const std::string source(std::istreambuf_iterator<char>(std::cin), {});
  rlc::gpu::CompilerOptions options;
  options.capability = argc > 1 ? std::atoi(argv[1]) : 90;
  options.cache = std::getenv("RLC_CACHE_DIR") != nullptr;
  try {
    const rlc::gpu::CompiledKernels code = rlc::gpu::compileKernels(source, options);
    std::cout << code.compiler << ": " << code.image.size() << " bytes"
              << (code.cached ? ", from the cache\n" : "\n") << code.log;
    if (argc > 2) std::ofstream(argv[2], std::ios::binary) << code.image;
    return code.image.empty() ? 1 : 0;
  } catch (const rlc::runtime::DeviceError& error) {
    std::cerr << error.what() << "\n";
    return 77;
  } catch (const rlc::InternalError& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
