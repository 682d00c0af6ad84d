#include "compiler/autodiff/order.h"

#include <algorithm>
#include <cstdint>

namespace rlc::autodiff {

namespace {

struct Frame {
  int node;
  size_t next;
};

size_t slot(int node) { return static_cast<size_t>(node); }

class Tarjan {
 public:
  explicit Tarjan(const std::vector<std::vector<int>>& successors)
      : successors_(successors),
        number_(successors.size(), -1),
        low_(successors.size()),
        on_stack_(successors.size()) {}

  std::vector<std::vector<int>> run() {
    for (int node = 0; node < static_cast<int>(successors_.size()); ++node)
      if (number_[slot(node)] < 0) visit(node);
    return std::move(components_);
  }

 private:
  void enter(int node) {
    number_[slot(node)] = low_[slot(node)] = counter_++;
    stack_.push_back(node);
    on_stack_[slot(node)] = true;
    frames_.push_back({node, 0});
  }

  void visit(int root) {
    enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const int node = frame.node;
      if (frame.next < successors_[slot(node)].size()) {
        const int next = successors_[slot(node)][frame.next++];
        if (number_[slot(next)] < 0) {
          enter(next);
        } else if (on_stack_[slot(next)]) {
          low_[slot(node)] = std::min(low_[slot(node)], number_[slot(next)]);
        }
        continue;
      }
      frames_.pop_back();
      if (low_[slot(node)] == number_[slot(node)]) close(node);
      if (!frames_.empty())
        low_[slot(frames_.back().node)] =
            std::min(low_[slot(frames_.back().node)], low_[slot(node)]);
    }
  }

  void close(int head) {
    std::vector<int> component;
    int member;
    do {
      member = stack_.back();
      stack_.pop_back();
      on_stack_[slot(member)] = false;
      component.push_back(member);
    } while (member != head);
    components_.push_back(std::move(component));
  }

  const std::vector<std::vector<int>>& successors_;
  std::vector<int> number_, low_;
  std::vector<bool> on_stack_;
  std::vector<int> stack_;
  std::vector<Frame> frames_;
  std::vector<std::vector<int>> components_;
  int counter_ = 0;
};

}  // namespace

std::vector<std::vector<int>> stronglyConnected(const std::vector<std::vector<int>>& successors) {
  return Tarjan(successors).run();
}

CutOrder cutCycles(const std::vector<int>& members,
                   const std::vector<std::vector<int>>& successors) {
  enum class State : uint8_t { Outside, New, Open, Done };
  std::vector<State> state(successors.size(), State::Outside);
  for (int member : members) state[slot(member)] = State::New;
  std::vector<bool> declared(successors.size());
  CutOrder result;
  std::vector<Frame> frames;
  for (int root : members) {
    if (state[slot(root)] != State::New) continue;
    state[slot(root)] = State::Open;
    frames.push_back({root, 0});
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const int node = frame.node;
      if (frame.next < successors[slot(node)].size()) {
        const int next = successors[slot(node)][frame.next++];
        if (state[slot(next)] == State::New) {
          state[slot(next)] = State::Open;
          frames.push_back({next, 0});
        } else if (state[slot(next)] == State::Open && !declared[slot(next)]) {
          declared[slot(next)] = true;
          result.declared.push_back(next);
        }
        continue;
      }
      state[slot(node)] = State::Done;
      result.order.push_back(node);
      frames.pop_back();
    }
  }
  return result;
}

}  // namespace rlc::autodiff
