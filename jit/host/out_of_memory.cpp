#include "jit/host/out_of_memory.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>

namespace rlc::host {

const char* const kOutOfMemory = "out of memory";
const char* const kNoThread =
    "a thread could not be started: the memory, or the number of threads that may run, is at its "
    "limit";

namespace {

constexpr int kFailedRun = 3;  // tools/status.h
constexpr size_t kLittle = size_t{16} << 20;

const char* programName = "rlc";
std::terminate_handler otherwise = std::abort;
std::atomic<bool> allocationFailed{false};
std::atomic<bool> said{false};  // the message; the process is about to end
thread_local int depth = 0;     // of EndsOutOfMemory

// Where a small part of what is there at the start can't be had, a fault is for want of it.
bool isMemoryUsedUp() {
  void* piece = mmap(nullptr, kLittle, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (piece == MAP_FAILED) return true;
  munmap(piece, kLittle);
  return false;
}

// Where not even one more can be had, oneTBB got none for its work.
bool areThreadsUsedUp() {
  pthread_t thread;
  const auto nothing = [](void*) -> void* { return nullptr; };
  if (pthread_create(&thread, nullptr, nothing, nullptr) != 0) return true;
  pthread_join(thread, nullptr);
  return false;
}

// Nothing here allocates, nor takes a lock that the thread could hold. Other threads may come here
// meanwhile; the first one speaks.
[[noreturn]] void sayAndExit(const char* what) {
  while (said.exchange(true)) pause();
  for (const char* part : {programName, ": ", what, "\n"})
    (void)!write(STDERR_FILENO, part, std::strlen(part));
  _exit(kFailedRun);
}

void onFailedAllocation() {
  allocationFailed = true;
  if (depth > 0) endOutOfMemory();
  throw std::bad_alloc();
}

// Whether an exception that nobody takes, or that there was no memory for, is for want of that.
bool isForMemory() {
  if (isMemoryUsedUp()) return true;
  if (!std::current_exception()) return allocationFailed;
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

[[noreturn]] void onTerminate() {
  if (isForMemory()) endOutOfMemory();
  if (areThreadsUsedUp()) {
    std::cout.flush();
    sayAndExit(kNoThread);
  }
  otherwise();
  std::abort();  // it does not return
}

// Several threads may fault at once, also while one of them writes the message.
void onFault(int signal) {
  if (said || isMemoryUsedUp()) sayAndExit(kOutOfMemory);
  std::signal(signal, SIG_DFL);
  ::raise(signal);  // once this has returned
}

}  // namespace

void sayWhenOutOfMemory(const char* program) {
  static const std::ios_base::Init stream;  // it may be flushed before other objects are made
  programName = program;
  std::set_new_handler(onFailedAllocation);
#if !defined(__SANITIZE_ADDRESS__)  // it reports faults and exceptions itself
  otherwise = std::set_terminate(onTerminate);
  // A stack that can't grow has no room for a handler.
  alignas(16) static std::array<char, 65536> space;
  stack_t stack{};
  stack.ss_sp = space.data();
  stack.ss_size = space.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action{};
  action.sa_handler = onFault;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT}) sigaction(signal, &action, nullptr);
#endif
}

void endOutOfMemory() {
  std::cout.flush();  // what came before stays
  sayAndExit(kOutOfMemory);
}

EndsOutOfMemory::EndsOutOfMemory() { ++depth; }
EndsOutOfMemory::~EndsOutOfMemory() { --depth; }

}  // namespace rlc::host
