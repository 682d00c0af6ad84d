// A libcuda for tests: a device whose kernels are emulated, in the process's own memory. Events are
// reported later than they happen.
//
// RLC_FAKE_GPU, a list of name=value: threads (of a block at most, default 16), memory (bytes),
// capability, driver (version), devices, clock (kHz; 0: not told; -1: an error), fail=FUNCTION:CODE
// or fail=FUNCTION:CODE@N (from its Nth call on), order=SEED (of work on several streams), lose=N
// (the Nth wait for an event has no effect; all: none has), launches=FILE (how often which kernel
// ran), alive=FILE (how many events and streams the process has left), copying=N (milliseconds of
// each copy to the device).
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "jit/gpu/testing/fake_streams.h"

namespace {

using rlc_fake::enqueue;
using rlc_fake::Event;
using rlc_fake::Graph;
using rlc_fake::Stream;

struct Function {
  void (*entry)(void**);
  void (*run)(void (*)(void**), void**, unsigned, unsigned);
  std::vector<size_t> sizes;
  std::string name;
};
struct Module {
  void* library;
  std::map<std::string, Function> functions;
};

std::map<std::string, std::string> settings() {
  std::map<std::string, std::string> result{{"threads", "16"},    {"memory", "4294967296"},
                                            {"capability", "90"}, {"driver", "13000"},
                                            {"devices", "1"},     {"clock", "1000000"}};
  const char* text = std::getenv("RLC_FAKE_GPU");
  std::stringstream list(text ? text : "");
  for (std::string entry; std::getline(list, entry, ',');)
    if (const size_t at = entry.find('='); at != std::string::npos)
      result[entry.substr(0, at)] = entry.substr(at + 1);
  return result;
}

int number(const char* name) { return std::atoi(settings()[name].c_str()); }

std::map<std::string, int> calls;
size_t allocated = 0;
std::map<void*, size_t> blocks;

// How often each kernel ran, written at the end.
struct Launches {
  std::map<std::string, int> counts;
  ~Launches() {
    const std::string path = settings()["launches"];
    if (path.empty()) return;
    std::ofstream file(path);
    for (const auto& [name, count] : counts) file << name << " " << count << "\n";
  }
} launches;

// Handles that are there, written at the end.
struct Alive {
  int events = 0, streams = 0;
  ~Alive() {
    const std::string path = settings()["alive"];
    if (!path.empty()) std::ofstream(path) << events << " " << streams << "\n";
  }
} alive;

// The code with which this call shall fail, else 0.
int failure(const char* function) {
  const int call = ++calls[function];
  const std::string wanted = settings()["fail"];
  const size_t colon = wanted.find(':');
  if (colon == std::string::npos || wanted.substr(0, colon) != function) return 0;
  const size_t from = wanted.find('@');
  if (from != std::string::npos && call < std::atoi(wanted.c_str() + from + 1)) return 0;
  return std::atoi(wanted.c_str() + colon + 1);
}

}  // namespace

// Work of other libraries on a stream.
void rlcFakeEnqueue(void* stream, void (*work)(void*), void* data) {
  enqueue(static_cast<Stream*>(stream), [=] { work(data); });
}

#define FAIL_IF_ASKED \
  if (const int code = failure(__func__); code != 0) return code

extern "C" {

int cuInit(unsigned) {
  FAIL_IF_ASKED;
  if (const std::string seed = settings()["order"]; !seed.empty())
    rlc_fake::order = static_cast<unsigned>(std::atoi(seed.c_str()));
  return 0;
}
int cuDriverGetVersion(int* version) {
  *version = number("driver");
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = number("devices");
  return 0;
}
int cuDeviceGet(int* device, int) {
  *device = 0;
  return 0;
}
int cuDeviceGetName(char* name, int length, int) {
  std::strncpy(name, "Emulated GPU", static_cast<size_t>(length));
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  const int capability = number("capability"), clock = number("clock");
  if (attribute == 13 && clock < 0) return 1;
  *value = attribute == 1    ? number("threads")
           : attribute == 13 ? clock
           : attribute == 16 ? 4
           : attribute == 36 ? clock
           : attribute == 37 ? 64
           : attribute == 75 ? capability / 10
           : attribute == 76 ? capability % 10
                             : 0;
  return 0;
}
int cuDeviceTotalMem_v2(size_t* bytes, int) {
  *bytes = std::strtoull(settings()["memory"].c_str(), nullptr, 10);
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  FAIL_IF_ASKED;
  *context = context;
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(void*) { return 0; }

int cuModuleLoadData(Module** module, const void* image) {
  FAIL_IF_ASKED;
  const char* bytes = static_cast<const char*>(image);
  if (std::memcmp(bytes, "RLCEMU::", 8) != 0) return 200;
  uint64_t size = 0;
  std::memcpy(&size, bytes + 8, 8);
  const int file = memfd_create("kernels", 0);
  if (file < 0 || write(file, bytes + 16, size) != static_cast<ssize_t>(size)) return 999;
  // dlopen knows libraries by name: each needs one of its own.
  static int number = 100;
  const int named = fcntl(file, F_DUPFD, number++);
  const std::string path = "/proc/self/fd/" + std::to_string(named);
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  close(named);
  close(file);
  if (library == nullptr) return 200;
  *module = new Module{library, {}};
  return 0;
}
int cuModuleUnload(Module* module) {
  dlclose(module->library);
  delete module;
  return 0;
}
int cuModuleGetFunction(Function** function, Module* module, const char* name) {
  Function found;
  found.name = name;
  found.entry = reinterpret_cast<void (*)(void**)>(
      dlsym(module->library, (std::string("rlc_entry_") + name).c_str()));
  found.run = reinterpret_cast<decltype(found.run)>(dlsym(module->library, "rlc_emulated_run"));
  const int* sizes =
      static_cast<const int*>(dlsym(module->library, (std::string("rlc_sizes_") + name).c_str()));
  if (found.entry == nullptr || sizes == nullptr) return 500;
  for (; *sizes != 0; ++sizes) found.sizes.push_back(static_cast<size_t>(*sizes));
  *function = &(module->functions[name] = found);
  return 0;
}

int cuMemGetInfo_v2(size_t* free, size_t* total) {
  *total = std::strtoull(settings()["memory"].c_str(), nullptr, 10);
  *free = *total > allocated ? *total - allocated : 0;
  return 0;
}
int cuMemAlloc_v2(unsigned long long* pointer, size_t bytes) {
  FAIL_IF_ASKED;
  // A kernel that reads what nothing has written finds NaN.
  void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  std::memset(memory, 0xff, bytes);
  blocks[memory] = bytes;
  allocated += bytes;
  *pointer = reinterpret_cast<unsigned long long>(memory);
  return 0;
}
int cuMemFree_v2(unsigned long long pointer) {
  rlc_fake::runAll();
  void* memory = reinterpret_cast<void*>(pointer);
  allocated -= blocks[memory];
  blocks.erase(memory);
  std::free(memory);
  return 0;
}
int cuMemHostAlloc(void** pointer, size_t bytes, unsigned) {
  FAIL_IF_ASKED;
  *pointer = std::calloc(1, bytes);
  return 0;
}
int cuMemFreeHost(void* pointer) {
  rlc_fake::runAll();
  std::free(pointer);
  return 0;
}
int cuMemHostGetDevicePointer_v2(unsigned long long* device, void* host, unsigned) {
  *device = reinterpret_cast<unsigned long long>(host);
  return 0;
}

int cuMemcpyHtoDAsync_v2(unsigned long long to, const void* from, size_t bytes, Stream* stream) {
  FAIL_IF_ASKED;
  const int slow = number("copying");
  return enqueue(stream, [=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(slow));
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  });
}
int cuMemcpyDtoHAsync_v2(void* to, unsigned long long from, size_t bytes, Stream* stream) {
  FAIL_IF_ASKED;
  return enqueue(stream, [=] { std::memcpy(to, reinterpret_cast<const void*>(from), bytes); });
}
int cuMemsetD8Async(unsigned long long to, unsigned char value, size_t bytes, Stream* stream) {
  return enqueue(stream, [=] { std::memset(reinterpret_cast<void*>(to), value, bytes); });
}

int cuStreamCreate(Stream** stream, unsigned) {
  FAIL_IF_ASKED;
  ++alive.streams;
  *stream = new Stream;
  rlc_fake::streams.insert(*stream);
  return 0;
}
int cuStreamDestroy_v2(Stream* stream) {
  rlc_fake::runAll();
  rlc_fake::streams.erase(stream);
  --alive.streams;
  delete stream;
  return 0;
}
int cuStreamBeginCapture_v2(Stream* stream, int) { return rlc_fake::beginCapture(stream); }
int cuStreamEndCapture(Stream* stream, Graph** graph) {
  return rlc_fake::endCapture(stream, graph);
}
int cuGraphInstantiateWithFlags(Graph** executable, Graph* graph, unsigned long long) {
  *executable = new Graph(*graph);
  return 0;
}
int cuGraphLaunch(Graph* executable, Stream* stream) {
  FAIL_IF_ASKED;
  return rlc_fake::launch(*executable, stream);
}
int cuGraphDestroy(Graph* graph) {
  delete graph;
  return 0;
}
int cuGraphExecDestroy(Graph* graph) {
  delete graph;
  return 0;
}

int cuEventCreate(Event** event, unsigned) {
  FAIL_IF_ASKED;
  ++alive.events;
  *event = new Event;
  return 0;
}
int cuEventDestroy_v2(Event* event) {
  --alive.events;
  delete event;
  return 0;
}
int cuEventRecord(Event* event, Stream* stream) { return rlc_fake::record(event, stream); }
int cuStreamWaitEvent(Stream* stream, Event* event, unsigned) {
  FAIL_IF_ASKED;
  const std::string lost = settings()["lose"];
  if (lost == "all" || std::atoi(lost.c_str()) == calls[__func__]) return 0;
  return rlc_fake::wait(stream, event);
}
int cuEventElapsedTime(float* milliseconds, Event* from, Event* to) {
  FAIL_IF_ASKED;
  *milliseconds = std::chrono::duration<float, std::milli>(to->at - from->at).count();
  return 0;
}
int cuFuncGetAttribute(int* value, int, Function*) {
  FAIL_IF_ASKED;
  *value = 0;
  return 0;
}
int cuEventQuery(Event* event) {
  FAIL_IF_ASKED;
  return rlc_fake::query(event);
}

int cuLaunchKernel(Function* function, unsigned blocksX, unsigned, unsigned, unsigned threads,
                   unsigned, unsigned, unsigned, Stream* stream, void** parameters, void**) {
  FAIL_IF_ASKED;
  if (threads > static_cast<unsigned>(number("threads")) || blocksX == 0) return 1;
  // Parameters are copied at the launch.
  std::vector<std::vector<char>> values;
  for (size_t k = 0; k < function->sizes.size(); ++k) {
    const char* bytes = static_cast<const char*>(parameters[k]);
    values.emplace_back(bytes, bytes + function->sizes[k]);
  }
  return enqueue(stream, [=]() mutable {
    std::vector<void*> pointers;
    for (auto& value : values) pointers.push_back(value.data());
    ++launches.counts[function->name];
    function->run(function->entry, pointers.data(), blocksX, threads);
  });
}

int cuGetErrorName(int, const char** name) {
  *name = "CUDA_ERROR_EMULATED";
  return 0;
}
int cuGetErrorString(int, const char** text) {
  *text = "as the test asked";
  return 0;
}

}  // extern "C"
