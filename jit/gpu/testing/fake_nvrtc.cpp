// A libnvrtc for tests: compiles kernels with the host's compiler, for emulator.h. RLC_FAKE_GPU's
// nvrtc=MAJOR is the version that it says it has, else 13; with builtins=asked it does not compile
// unless its library of builtins is open.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;

struct Program {
  std::string source, log, image;
};

// Calls each kernel with the driver's array of pointers to parameters.
std::string glue(const std::string& source) {
  std::string text = "\n";
  const std::regex kernel(
      "extern \"C\" __global__ void (?:__launch_bounds__\\([^)]*\\) )?(\\w+)\\(([^)]*)\\)");
  for (std::sregex_iterator it(source.begin(), source.end(), kernel), end; it != end; ++it) {
    const std::string name = (*it)[1];
    std::stringstream parameters((*it)[2]);
    std::string calls, sizes, parameter;
    for (int k = 0; std::getline(parameters, parameter, ','); ++k) {
      parameter.erase(0, parameter.find_first_not_of(' '));
      const std::string type = parameter.substr(0, parameter.rfind(' '));
      calls += (k ? ", " : "") + std::string("*(") + type + "*)a[" + std::to_string(k) + "]";
      sizes += "sizeof(" + type + "), ";
    }
    text += "extern \"C\" void rlc_entry_" + name + "(void** a) { " + name + "(" + calls + "); }\n";
    text += "extern \"C\" const int rlc_sizes_" + name + "[] = {" + sizes + "0};\n";
  }
  return text;
}

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

extern "C" {

int nvrtcVersion(int* major, int* minor) {
  const char* settings = std::getenv("RLC_FAKE_GPU");
  const char* own = settings ? std::strstr(settings, "nvrtc=") : nullptr;
  *major = own ? std::atoi(own + std::strlen("nvrtc=")) : 13;
  *minor = 0;
  return 0;
}
int nvrtcGetNumSupportedArchs(int* count) {
  *count = 2;
  return 0;
}
int nvrtcGetSupportedArchs(int* archs) {
  archs[0] = 80;
  archs[1] = 90;
  return 0;
}
int nvrtcCreateProgram(Program** program, const char* source, const char*, int, const char* const*,
                       const char* const*) {
  *program = new Program;
  (*program)->source = source;
  return 0;
}
int nvrtcDestroyProgram(Program** program) {
  delete *program;
  *program = nullptr;
  return 0;
}
int nvrtcCompileProgram(Program* program, int, const char* const*) {
  const char* settings = std::getenv("RLC_FAKE_GPU");
  if (settings && std::strstr(settings, "builtins=asked") &&
      dlopen("libnvrtc-builtins.so.13.0", RTLD_NOW | RTLD_NOLOAD) == nullptr)
    return 7;
  char folder[] = "/tmp/rlc-emulated-XXXXXX";
  if (mkdtemp(folder) == nullptr) return 1;
  const fs::path root(folder);
  std::string source = program->source;
  const std::string include = "#include \"rlc/prelude.h\"";
  if (const size_t at = source.find(include); at != std::string::npos)
    source.erase(at, include.size());
  std::ofstream(root / "kernels.cpp") << source << glue(program->source);
  // Names without the folder: what a linker writes of them would make each time another library.
  const std::string command = "cd " + root.string() +
                              " && " RLC_EMULATOR_COMMAND
                              " -shared -o kernels.so kernels.cpp " RLC_EMULATOR_THREADS
                              " > log 2>&1";
  const int status = std::system(command.c_str());
  program->log = slurp(root / "log");
  std::string code = slurp(root / "kernels.so");
  fs::remove_all(root);
  if (status != 0) return 6;
  const uint64_t size = code.size();
  program->image = "RLCEMU::" + std::string(reinterpret_cast<const char*>(&size), 8) + code;
  return 0;
}
int nvrtcGetProgramLogSize(Program* program, size_t* bytes) {
  *bytes = program->log.size() + 1;
  return 0;
}
int nvrtcGetProgramLog(Program* program, char* log) {
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return 0;
}
int nvrtcGetCUBINSize(Program* program, size_t* bytes) {
  *bytes = program->image.size();
  return 0;
}
int nvrtcGetCUBIN(Program* program, char* image) {
  std::memcpy(image, program->image.data(), program->image.size());
  return 0;
}
int nvrtcGetPTXSize(Program*, size_t*) { return 1; }
int nvrtcGetPTX(Program*, char*) { return 1; }

}  // extern "C"
