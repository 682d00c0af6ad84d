// For tests only: streams, events and graphs of the emulated driver. Work waits for what its stream
// and the events that the stream waits for have before it, and for nothing else: with
// RLC_FAKE_GPU's order=SEED it runs in a random one of the orders that this leaves, as late as the
// host allows; without, when it is asked for.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <vector>

namespace rlc_fake {

using Work = std::function<void()>;

// Codes of cuda.h.
constexpr int kUnjoined = 904, kIsolation = 905, kCapturedEvent = 907, kWrongCapture = 901;

using Clock = std::chrono::steady_clock;

struct Op {
  Work work;
  std::vector<std::shared_ptr<Op>> after;
  bool done = false;
};
using Ops = std::vector<std::shared_ptr<Op>>;

struct Graph {
  Ops nodes;
  bool open = true;  // being recorded
};
struct Stream {
  Ops last;  // what the next work waits for
  std::shared_ptr<Graph> recording;
  Ops outside;  // `last` as it was before the recording
};
struct Event {
  int asked = 0;
  Ops last;
  std::shared_ptr<Graph> recording;
  Clock::time_point at = Clock::now();  // recorded, and later where work came before it
};

inline std::optional<unsigned> order;  // the seed
inline Ops pending;
inline std::set<Stream*> streams;

inline bool ready(const Op& op) {
  return std::all_of(op.after.begin(), op.after.end(), [](const auto& o) { return o->done; });
}

inline void runOne() {
  static std::mt19937 random(*order);
  std::vector<size_t> able;
  for (size_t k = 0; k < pending.size() && able.size() < 8; ++k)
    if (ready(*pending[k])) able.push_back(k);
  const size_t chosen = able[random() % able.size()];
  const std::shared_ptr<Op> op = pending[chosen];
  pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(chosen));
  op->work();
  op->done = true;
  op->work = nullptr;
  op->after.clear();
}

inline void runUntil(const Ops& wanted) {
  while (!std::all_of(wanted.begin(), wanted.end(), [](const auto& o) { return o->done; }))
    runOne();
}
inline void runAll() {
  while (!pending.empty()) runOne();
}

inline void add(std::shared_ptr<Op> op) {
  if (!order) {
    op->work();
    op->done = true;
    op->after.clear();
    return;
  }
  constexpr size_t kMost = 500;
  pending.push_back(std::move(op));
  while (pending.size() > kMost) runOne();
}

inline int enqueue(Stream* stream, Work work) {
  auto op = std::make_shared<Op>(Op{std::move(work), stream->last, false});
  stream->last = {op};
  if (stream->recording)
    stream->recording->nodes.push_back(op);
  else
    add(op);
  return 0;
}

inline int record(Event* event, Stream* stream) {
  *event = {0, stream->last, stream->recording};
  return 0;
}

inline int wait(Stream* stream, Event* event) {
  if (event->recording && !event->recording->open) return kCapturedEvent;
  if (stream->recording != event->recording) {
    if (stream->recording) return kIsolation;
    stream->recording = event->recording;
    stream->outside = std::move(stream->last);
    stream->last.clear();
  }
  stream->last.insert(stream->last.end(), event->last.begin(), event->last.end());
  std::erase_if(stream->last, [](const auto& op) { return op->done; });
  return 0;
}

inline int query(Event* event) {
  constexpr int kNotReady = 600, kPolls = 3;
  if (++event->asked <= kPolls) return kNotReady;
  if (!event->last.empty()) {
    runUntil(event->last);
    event->at = Clock::now();
  }
  event->last.clear();
  return 0;
}

inline int beginCapture(Stream* stream) {
  if (stream->recording) return kWrongCapture;
  stream->recording = std::make_shared<Graph>();
  stream->outside = std::move(stream->last);
  stream->last.clear();
  return 0;
}

// Every node must lie before the end of the stream that the recording began on.
inline int endCapture(Stream* stream, Graph** graph) {
  const auto recording = stream->recording;
  if (!recording) return kWrongCapture;
  std::set<const Op*> joined;
  std::vector<const Op*> next;
  for (const auto& op : stream->last) next.push_back(op.get());
  while (!next.empty()) {
    const Op* op = next.back();
    next.pop_back();
    if (!joined.insert(op).second) continue;
    for (const auto& before : op->after) next.push_back(before.get());
  }
  recording->open = false;
  for (Stream* s : streams)
    if (s->recording == recording) {
      s->recording.reset();
      s->last = std::move(s->outside);
      s->outside.clear();
    }
  if (joined.size() != recording->nodes.size()) return kUnjoined;
  *graph = new Graph(*recording);
  return 0;
}

inline int launch(const Graph& graph, Stream* stream) {
  std::map<const Op*, std::shared_ptr<Op>> own;
  Ops leaves;
  for (const auto& node : graph.nodes) {
    auto op = std::make_shared<Op>(Op{node->work, {}, false});
    for (const auto& before : node->after) {
      op->after.push_back(own.at(before.get()));
      std::erase(leaves, op->after.back());
    }
    if (op->after.empty()) op->after = stream->last;
    own[node.get()] = op;
    leaves.push_back(op);
  }
  for (const auto& node : graph.nodes) add(own.at(node.get()));
  if (!leaves.empty()) stream->last = leaves;
  return 0;
}

}  // namespace rlc_fake
