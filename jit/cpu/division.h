// A list of items in two parts that need nothing of each other, around two long loops.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "jit/cpu/items.h"

namespace rlc::cpu {

// What of a list goes where.
struct Sides {
  Indices before, first, second, behind;
};

// A loop that is worth a thread, but not many.
bool isHeavy(const loops::Stmt& stmt);

// Whether two of a block's loops are, under a condition or not.
bool hasTwoHeavy(const loops::Block& block);

// Operations of a statement, those of loops inside included.
double operationsIn(const loops::Stmt& stmt);

class Division {
 public:
  explicit Division(const Items& items);
  // Of items of which only this is told, by item: which ones it waits for, its operations, and
  // whether it is worth a part. `most`: operations of a part.
  Division(std::vector<Indices> waits, std::vector<double> operations, std::vector<bool> heavy,
           double most);

  // By the two loops whose parts are the largest of those that are alike. What needs one part alone
  // goes with it.
  std::optional<Sides> best(const Indices& list) const;
  // What stands in front of two parts and is read by one of them alone.
  std::optional<Sides> inFront(const Sides& sides) const;
  // What stands behind two parts and reads one of them alone.
  std::optional<Sides> behind(const Sides& sides) const;

  bool waitsFor(size_t later, size_t earlier) const;

 private:
  // Where what needs one part alone goes.
  enum class Results : uint8_t { Inside, Behind };

  double operationsOf(const Indices& part) const;
  bool mayFail(const Sides& sides) const;
  // The list around two parts that hold these items, each with what it alone needs, and need
  // nothing of each other; none where they do.
  std::optional<Sides> around(const Indices& list, const Indices& first, const Indices& second,
                              Results results) const;
  bool canBeApart(const Sides& sides) const;
  // The items of a list that belong to one of two parts alone, as such parts.
  template <class Belongs>
  std::optional<Sides> ofParts(const Indices& list, const Sides& sides, const Belongs& belongs,
                               Results results) const;
  // Those items out that wait for one of the others.
  void dropWaiting(Indices& items, const Indices& others, const Indices& list) const;

  // By item.
  std::vector<Indices> waits_;
  std::vector<double> operations_;
  std::vector<bool> heavy_, checks_, barriers_;
  std::vector<std::set<loops::BufferId>> own_;
  double most_;
};

}  // namespace rlc::cpu
