// The values that have been computed, by node and point.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <unordered_map>
#include <vector>

#include "compiler/interpreter/cell.h"

namespace rlc::interpreter {

enum class PointState : uint8_t { Unknown, Running, Done };

// The points of one node, numbered by their place in the bounding box; `elements` cells each. Dense
// where the box is small, else a hash table of the points that were asked for. Nothing is allocated
// before the first point.
class Memo {
 public:
  Memo() = default;
  Memo(int64_t volume, int64_t elements)
      : volume_(volume),
        elements_(elements),
        dense_(elements >= 0 && volume <= kDenseCells / (elements + 1)) {}

  bool dense() const { return dense_; }
  // The slot of a point, made if need be.
  int64_t slot(int64_t key) {
    if (dense_) {
      if (!cells_) allocateDense();
      return key;
    }
    const auto [entry, added] = slots_.try_emplace(key, static_cast<int64_t>(states_.size()));
    if (added) {
      states_.push_back(PointState::Unknown);
      sparse_.push_back(std::make_unique<Cell[]>(static_cast<size_t>(elements_)));
    }
    return entry->second;
  }
  // Its slot if the value is there, else -1.
  int64_t findDone(int64_t key) const {
    int64_t slot = key;
    if (!dense_) {
      const auto entry = slots_.find(key);
      if (entry == slots_.end()) return -1;
      slot = entry->second;
    } else if (!cells_) {
      return -1;
    }
    return state(slot) == PointState::Done ? slot : -1;
  }
  PointState state(int64_t slot) const {
    return dense_ ? static_cast<PointState>(marks_.get()[slot])
                  : states_[static_cast<size_t>(slot)];
  }
  void setState(int64_t slot, PointState state) {
    if (dense_) {
      marks_.get()[slot] = static_cast<uint8_t>(state);
    } else {
      states_[static_cast<size_t>(slot)] = state;
    }
  }
  Cell* cells(int64_t slot) {
    return dense_ ? cells_.get() + slot * elements_ : sparse_[static_cast<size_t>(slot)].get();
  }

 private:
  static constexpr int64_t kDenseCells = int64_t{1} << 22;
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  void allocateDense() {
    // calloc: pages that no point touches cost nothing.
    marks_.reset(static_cast<uint8_t*>(std::calloc(static_cast<size_t>(volume_ + 1), 1)));
    cells_.reset(static_cast<Cell*>(
        std::calloc(static_cast<size_t>(volume_ * elements_ + 1), sizeof(Cell))));
    if (!marks_ || !cells_) throw std::bad_alloc();
  }

  int64_t volume_ = 0, elements_ = 0;
  bool dense_ = true;
  std::unique_ptr<uint8_t, Free> marks_;
  std::unique_ptr<Cell, Free> cells_;
  std::unordered_map<int64_t, int64_t> slots_;
  std::vector<PointState> states_;
  std::vector<std::unique_ptr<Cell[]>> sparse_;
};

}  // namespace rlc::interpreter
