#include "jit/gpu/entry_points.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>

#include "compiler/types/lists.h"
#include "jit/runtime/machine.h"

namespace rlc::gpu {

namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void addFolders(const std::string& list, std::vector<std::string>& folders) {
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(':', begin), list.size());
    if (end > begin) folders.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
}

// Folders in `parent` whose names begin with `prefix`, the latest version first.
std::vector<std::string> matching(const std::string& parent, const std::string& prefix) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator it(parent, error), end; !error && it != end; it.increment(error))
    if (it->path().filename().string().starts_with(prefix)) found.push_back(it->path().string());
  std::sort(found.rbegin(), found.rend());
  return found;
}

void addToolkit(const std::string& root, std::vector<std::string>& folders) {
  for (const char* sub : {"/lib64", "/lib", "/targets/x86_64-linux/lib", "/targets/sbsa-linux/lib"})
    folders.push_back(root + sub);
}

// site-packages folders of the Pythons that are likely to be meant.
std::vector<std::string> sitePackages() {
  std::vector<std::string> roots, result;
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (!environment(name).empty()) roots.push_back(environment(name) + "/lib");
  if (!environment("HOME").empty()) roots.push_back(environment("HOME") + "/.local/lib");
  for (const char* root : {"/usr/local/lib", "/usr/lib", "/opt/conda/lib"}) roots.push_back(root);
  for (const std::string& root : roots)
    for (const std::string& python : matching(root, "python3"))
      for (const char* sub : {"/site-packages", "/dist-packages"}) result.push_back(python + sub);
  return result;
}

// All of the table's functions, or the name of the first that is missing.
std::string load(void* library, Cuda& table) {
#define RLC_LOAD(name, parameters)                                            \
  table.name = reinterpret_cast<decltype(table.name)>(dlsym(library, #name)); \
  if (table.name == nullptr) return #name;
  RLC_CUDA_ENTRY_POINTS(RLC_LOAD)
  return "";
}
std::string load(void* library, Nvrtc& table) {
  RLC_NVRTC_ENTRY_POINTS(RLC_LOAD)
  return "";
}
std::string load(void* library, Cublas& table) {
  RLC_CUBLAS_ENTRY_POINTS(RLC_LOAD)
#undef RLC_LOAD
  return "";
}

// NVRTC asks the loader for its library of builtins by name, which finds the one beside NVRTC only
// where NVRTC has been linked to look there: distributions' packages have not. It stays open.
void openBuiltins(const Nvrtc& compiler) {
  const fs::path path(compiler.path);
  if (path.has_parent_path()) dlopen((path.parent_path() / compiler.builtins()).c_str(), RTLD_NOW);
}

std::string listed(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

}  // namespace

std::vector<std::string> placesOf(const std::vector<std::string>& names,
                                  const std::vector<std::string>& packageFolders) {
  std::vector<std::string> folders, places;
  addFolders(environment("RLC_CUDA_PATH"), folders);
  const auto addAll = [&] {
    for (const std::string& folder : folders)
      for (const std::string& name : names) places.push_back(folder + "/" + name);
    folders.clear();
  };
  addAll();
  for (const std::string& name : names) places.push_back(name);
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (!environment(variable).empty()) addToolkit(environment(variable), folders);
  addToolkit("/usr/local/cuda", folders);
  for (const std::string& root : matching("/usr/local", "cuda-")) addToolkit(root, folders);
  addToolkit("/opt/cuda", folders);
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib/wsl/lib",
                             "/usr/lib64-nvidia", "/usr/local/nvidia/lib64"})
    folders.push_back(folder);
  for (const std::string& site : sitePackages())
    for (const std::string& package : packageFolders) folders.push_back(site + "/" + package);
  addAll();
  // Each once, where it came first: settings often name what is looked at anyway.
  std::vector<std::string> unique;
  for (const std::string& place : places)
    if (!contains(unique, place)) unique.push_back(place);
  return unique;
}

const Cuda& cuda() {
  static std::mutex mutex;
  static std::unique_ptr<Cuda> table;
  const std::lock_guard lock(mutex);
  if (table) return *table;
  std::vector<std::string> tried;
  for (const std::string& place : placesOf({"libcuda.so.1"}, {})) {
    if (place.find('/') != std::string::npos && !fs::exists(place)) {
      tried.push_back(place);
      continue;
    }
    void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      tried.push_back(place + (place.find('/') == std::string::npos
                                   ? " (where the system looks for libraries, LD_LIBRARY_PATH)"
                                   : ""));
      continue;
    }
    auto found = std::make_unique<Cuda>();
    const std::string missing = load(library, *found);
    if (missing.empty()) {
      table = std::move(found);
      return *table;
    }
    tried.push_back(place + " (it has no " + missing + ": the driver is too old)");
    dlclose(library);
  }
  throw runtime::DeviceError(
      "there is no GPU to run on: the NVIDIA driver's library libcuda.so.1 was not found; looked "
      "for" +
      listed(tried) +
      "\ninstall the driver, or set RLC_CUDA_PATH to the folder that has it; --device cpu runs the "
      "program without a GPU");
}

const Nvrtc& nvrtc(int driverMajor) {
  static std::mutex mutex;
  static std::vector<std::unique_ptr<Nvrtc>> opened;
  const std::lock_guard lock(mutex);
  for (const auto& table : opened)
    if (driverMajor == 0 || table->major <= driverMajor) return *table;
  std::vector<std::string> tried;
  const std::vector<std::string> packages = {"nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"};
  for (const std::string& place :
       placesOf({"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}, packages)) {
    const bool path = place.find('/') != std::string::npos;
    if (path && !fs::exists(place)) continue;
    void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      if (path) tried.push_back(place + " (" + dlerror() + ")");
      continue;
    }
    auto found = std::make_unique<Nvrtc>();
    const std::string missing = load(library, *found);
    if (!missing.empty() || found->nvrtcVersion(&found->major, &found->minor) != 0 ||
        found->major < 12) {
      tried.push_back(place + " (older than CUDA 12)");
      continue;
    }
    found->path = place;
    openBuiltins(*found);
    if (driverMajor != 0 && found->major > driverMajor) {
      tried.push_back(place + " (CUDA " + std::to_string(found->major) + "." +
                      std::to_string(found->minor) + ", newer than the driver, which is for CUDA " +
                      std::to_string(driverMajor) + ")");
      opened.push_back(std::move(found));
      continue;
    }
    opened.push_back(std::move(found));
    return *opened.back();
  }
  if (tried.empty())
    tried.push_back(
        "libnvrtc.so.13, libnvrtc.so.12 and libnvrtc.so in RLC_CUDA_PATH, LD_LIBRARY_PATH, "
        "CUDA_HOME, CUDA_PATH, "
        "/usr/local/cuda*, /opt/cuda, the system's folders and Python's packages nvidia/cuda_nvrtc "
        "and nvidia/cu13");
  throw runtime::DeviceError(
      "no run-time compiler for the GPU was found (NVRTC, of CUDA 12 or later); looked for" +
      listed(tried) +
      "\n`pip install nvidia-cuda-nvrtc-cu12` or a CUDA toolkit has it; RLC_CUDA_PATH names the "
      "folder");
}

const Cublas* cublas(int driverMajor) {
  static const std::vector<std::unique_ptr<Cublas>> opened = [] {
    std::vector<std::unique_ptr<Cublas>> tables;
    for (const std::string& place : placesOf({"libcublas.so.13", "libcublas.so.12", "libcublas.so"},
                                             {"nvidia/cu13/lib", "nvidia/cublas/lib"})) {
      void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (library == nullptr) continue;
      auto found = std::make_unique<Cublas>();
      constexpr int kMajor = 0;
      if (!load(library, *found).empty() || found->cublasGetProperty(kMajor, &found->major) != 0 ||
          found->major < 12)
        continue;
      found->path = place;
      tables.push_back(std::move(found));
    }
    return tables;
  }();
  for (const auto& table : opened)
    if (driverMajor == 0 || table->major <= driverMajor) return table.get();
  return nullptr;
}

}  // namespace rlc::gpu
