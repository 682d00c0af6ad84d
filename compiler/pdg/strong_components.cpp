#include "compiler/pdg/strong_components.h"

#include <algorithm>

namespace rlc::pdg {

namespace {

class Tarjan {
 public:
  explicit Tarjan(const std::vector<std::vector<int>>& successors)
      : successors_(successors),
        order_(successors.size(), -1),
        low_(successors.size()),
        on_stack_(successors.size()) {
    result_.of.assign(successors.size(), -1);
  }

  StrongComponents run() {
    for (size_t vertex = 0; vertex < successors_.size(); ++vertex)
      if (order_[vertex] < 0) visit(vertex);
    return std::move(result_);
  }

 private:
  struct Frame {
    size_t vertex, next;  // the successor to look at
  };

  void enter(size_t vertex) {
    order_[vertex] = low_[vertex] = counter_++;
    stack_.push_back(vertex);
    on_stack_[vertex] = true;
    frames_.push_back({vertex, 0});
  }

  void visit(size_t root) {
    enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const size_t vertex = frame.vertex;
      if (frame.next < successors_[vertex].size()) {
        const auto to = static_cast<size_t>(successors_[vertex][frame.next++]);
        if (order_[to] < 0) {
          enter(to);
        } else if (on_stack_[to]) {
          low_[vertex] = std::min(low_[vertex], order_[to]);
        }
        continue;
      }
      frames_.pop_back();
      if (low_[vertex] == order_[vertex]) close(vertex);
      if (!frames_.empty()) {
        int& low = low_[frames_.back().vertex];
        low = std::min(low, low_[vertex]);
      }
    }
  }

  void close(size_t head) {
    size_t member;
    do {
      member = stack_.back();
      stack_.pop_back();
      on_stack_[member] = false;
      result_.of[member] = result_.count;
    } while (member != head);
    ++result_.count;
  }

  const std::vector<std::vector<int>>& successors_;
  std::vector<int> order_, low_;
  std::vector<bool> on_stack_;
  std::vector<size_t> stack_;
  std::vector<Frame> frames_;
  StrongComponents result_;
  int counter_ = 0;
};

}  // namespace

StrongComponents findStrongComponents(const std::vector<std::vector<int>>& successors) {
  return Tarjan(successors).run();
}

}  // namespace rlc::pdg
