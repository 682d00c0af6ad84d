// What becomes of a process where memory is used up and no exception can say so: a message and an
// exit status in place of a signal.
#pragma once

namespace rlc::host {

// What messages say, of memory and of a thread that could not be started.
extern const char* const kOutOfMemory;
extern const char* const kNoThread;

// Exceptions pass through code that frees what it holds; the rest ends here: a library that takes
// a failed allocation's null for an address, a stack that can't grow, an exception there was no
// memory for. To be called once, before what may fail so; `program` is what messages begin with.
void sayWhenOutOfMemory(const char* program);

// Says so, and ends the process with the status of a failed run.
[[noreturn]] void endOutOfMemory();

// While there is one, an allocation of its thread that fails ends the process: around code that
// exceptions can't pass through.
class EndsOutOfMemory {
 public:
  EndsOutOfMemory();
  ~EndsOutOfMemory();
  EndsOutOfMemory(const EndsOutOfMemory&) = delete;
  EndsOutOfMemory& operator=(const EndsOutOfMemory&) = delete;
};

}  // namespace rlc::host
