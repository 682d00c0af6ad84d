// How processes end that have no memory left.
#include "jit/host/out_of_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <exception>
#include <latch>
#include <limits>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

namespace rlc::host {
namespace {

using testing::ExitedWithCode;
using testing::KilledBySignal;

constexpr char kMessage[] = "^program: out of memory\n$";

void useUpMemory() {
  const struct rlimit none{1, 1};
  setrlimit(RLIMIT_AS, &none);
}

void allocateTooMuch() {
  ::operator delete(::operator new(std::numeric_limits<int64_t>::max() / 2));
}

void failOtherwise() { throw std::runtime_error("another"); }

#if !defined(__SANITIZE_ADDRESS__)

TEST(OutOfMemoryDeathTest, AFaultForWantOfMemoryIsAMessage) {
  for (const int signal : {SIGSEGV, SIGABRT})
    EXPECT_EXIT(
        {
          sayWhenOutOfMemory("program");
          useUpMemory();
          raise(signal);
        },
        ExitedWithCode(3), kMessage);
}

TEST(OutOfMemoryDeathTest, FaultsOfManyThreadsAreOneMessage) {
  for (int turn = 0; turn < 5; ++turn)  // the first may be through before another one faults
    EXPECT_EXIT(
        {
          sayWhenOutOfMemory("program");
          std::vector<std::jthread> threads;
          std::latch started(8);
          std::latch memoryIsUsedUp(1);
          for (int k = 0; k < 8; ++k)
            threads.emplace_back([&] {
              started.count_down();
              memoryIsUsedUp.wait();
              raise(SIGSEGV);
            });
          started.wait();
          useUpMemory();
          memoryIsUsedUp.count_down();
        },
        ExitedWithCode(3), kMessage);
}

TEST(OutOfMemoryDeathTest, AnyOtherFaultIsASignal) {
  EXPECT_EXIT(
      {
        sayWhenOutOfMemory("program");
        raise(SIGSEGV);
      },
      KilledBySignal(SIGSEGV), "^$");
}

TEST(OutOfMemoryDeathTest, AnExceptionThatNobodyTakesIsAMessage) {
  EXPECT_EXIT(
      {
        sayWhenOutOfMemory("program");
        []() noexcept { allocateTooMuch(); }();
      },
      ExitedWithCode(3), kMessage);
  EXPECT_EXIT(
      {
        sayWhenOutOfMemory("program");
        []() noexcept { failOtherwise(); }();
      },
      KilledBySignal(SIGABRT), "another");
}

TEST(OutOfMemoryDeathTest, AllocationsFailByAnExceptionWhereOneCanPass) {
  EXPECT_EXIT(
      {
        sayWhenOutOfMemory("program");
        try {
          allocateTooMuch();
        } catch (const std::bad_alloc&) {
          _exit(0);
        }
      },
      ExitedWithCode(0), "^$");
  EXPECT_EXIT(
      {
        sayWhenOutOfMemory("program");
        const EndsOutOfMemory noWayBack;
        try {
          allocateTooMuch();
        } catch (const std::bad_alloc&) {
          _exit(0);
        }
      },
      ExitedWithCode(3), kMessage);
}

#endif

}  // namespace
}  // namespace rlc::host
