#include "tools/linker.h"

#include <dlfcn.h>
#include <tbb/version.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tools/child_process.h"
#include "tools/scratch_folder.h"
#include "tools/status.h"

namespace rlc::tools {

namespace fs = std::filesystem;

namespace {

constexpr const char* kArchive = "librlc_program.a";

bool isThere(const std::string& program) {
  if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((fs::path(folder.empty() ? "." : folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

std::string findLinker(const std::string& asked) {
  if (!asked.empty()) {
    if (!isThere(asked)) throw UsageError("there is no program `" + asked + "` to link with");
    return asked;
  }
  if (const char* given = std::getenv("CXX"); given != nullptr && isThere(given)) return given;
  for (const char* driver : {"c++", "g++", "clang++", "cc", "gcc", "clang"})
    if (isThere(driver)) return driver;
  throw UsageError(
      "rlc build links with a C++ compiler, and there is none: install g++ or clang, or name one "
      "with --linker");
}

std::string findArchive() {
  std::error_code code;
  const fs::path self = fs::read_symlink("/proc/self/exe", code).parent_path();
  for (const char* folder : {".", "../lib/rlc"}) {
    const fs::path archive = (self / folder / kArchive).lexically_normal();
    if (fs::exists(archive, code)) return archive.string();
  }
  throw UsageError(std::string("the runtime ") + kArchive +
                   " is missing: it belongs beside rlc, in " + self.string() + " or in " +
                   (self / "../lib/rlc").lexically_normal().string());
}

// Where rlc itself has oneTBB from: its development files need not be here.
std::string threadLibrary() {
  Dl_info found{};
  if (dladdr(reinterpret_cast<const void*>(&TBB_runtime_version), &found) != 0 &&
      found.dli_fname != nullptr && std::strstr(found.dli_fname, ".so") != nullptr)
    return found.dli_fname;
  return "-ltbb";
}

}  // namespace

void linkProgram(const std::vector<std::string>& objects, const std::string& output,
                 const std::string& linker) {
  const std::string driver = findLinker(linker), archive = findArchive();
  const ScratchFolder folder;
  // Linked under another name and moved at the end: a program that runs is not written over, and
  // none is left half done.
  const fs::path unfinished = output + ".unfinished";
  std::vector<std::string> command{driver, "-o", unfinished.string()};
  for (size_t k = 0; k < objects.size(); ++k) {
    const fs::path path = folder.path() / ("part" + std::to_string(k) + ".o");
    std::ofstream file(path, std::ios::binary);
    file << objects[k];
    file.close();
    if (!file) throw UsageError("can't write " + path.string() + ": " + std::strerror(errno));
    command.push_back(path.string());
  }
  command.push_back(archive);
  std::istringstream flags(RLC_LINK_FLAGS);
  for (std::string flag; flags >> flag;) command.push_back(flag);
  for (const std::string& library :
       {threadLibrary(), std::string("-lstdc++"), std::string("-lm"), std::string("-lpthread")})
    command.push_back(library);
  const ChildEnd end = runChild(command, ChildErrors::Joined);
  std::error_code code;
  if (end.status == 0) fs::rename(unfinished, output, code);
  if (end.status == 0 && !code) return;
  std::error_code ignored;
  fs::remove(unfinished, ignored);
  if (code) throw UsageError("can't write " + output + ": " + code.message());
  throw UsageError(driver + " could not link " + output + ":\n" + end.output);
}

}  // namespace rlc::tools
