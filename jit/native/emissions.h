// Hands what a running program emits to the thread that shows it, in the order in which that one asks.
#pragma once

#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>

#include "compiler/interpreter/sink_driver.h"
#include "jit/native/host_values.h"

namespace rlc::native {

// What a sink's point showed.
struct Emission {
  std::vector<DenseTensor> leaves;
  bool holds = true;
};

// Thrown to the asking thread when the run was stopped before it emitted what is asked for.
struct StoppedEarly {};

class Emissions final : public interpreter::SinkValues {
 public:
  Emissions(const pdg::Graph& graph, const HostValues& values) : graph_(graph), values_(values) {}

  // The running thread's side.
  void emit(int sink, const Point& at);
  void finish(std::exception_ptr failure, bool stopped);

  // The asking thread's side: waits for the point. Prints are read from memory once the run has ended.
  DenseTensor leaf(int sink, int number, const Point& at) override;
  bool holds(int sink, const Point& at) override;
  void waitForEnd();
  // The last point that a sink emitted.
  std::optional<Point> latest(int sink) const;

 private:
  using Key = std::pair<int, Point>;
  // A sink's points are asked for in lexicographic order: earlier ones are dropped.
  const Emission& await(std::unique_lock<std::mutex>& lock, int sink, const Point& at);
  void dropBefore(int sink, const Point& at);
  Emission capture(int sink, const Point& at) const;

  const pdg::Graph& graph_;
  const HostValues& values_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Key, Emission> pending_;
  std::map<int, Point> latest_;
  bool ended_ = false, stopped_ = false;
  std::exception_ptr failure_;
};

}  // namespace rlc::native
