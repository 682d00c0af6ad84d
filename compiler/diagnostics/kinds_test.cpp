#include "compiler/diagnostics/kinds.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace rlc::diagnostics {
namespace {

TEST(Kinds, CodesAreUniqueAndWellFormed) {
  std::set<std::string_view> seen;
  for (const KindInfo& kind : allKinds()) {
    EXPECT_EQ(kind.code.size(), 5u) << kind.name;
    EXPECT_EQ(kind.code.substr(0, 2), "E0") << kind.name;
    EXPECT_TRUE(seen.insert(kind.code).second) << kind.code << " is used twice";
  }
}

TEST(Kinds, EachHasATitleAndAnExplanation) {
  for (const KindInfo& kind : allKinds()) {
    EXPECT_FALSE(kind.title.empty()) << kind.code;
    EXPECT_GE(kind.explanation.size(), 60u) << kind.code;
    EXPECT_NE(kind.explanation.front(), '\n') << kind.code;
    EXPECT_NE(kind.title.back(), '.') << kind.code;
  }
}

TEST(Kinds, AreFoundByCode) {
  EXPECT_EQ(kindOfCode("E0101"), Kind::UnknownName);
  EXPECT_EQ(kindOfCode("e0101"), Kind::UnknownName);
  EXPECT_EQ(kindOfCode("E9999"), std::nullopt);
  EXPECT_EQ(kindOfCode(""), std::nullopt);
  EXPECT_EQ(info(Kind::UnknownName).code, "E0101");
}

}  // namespace
}  // namespace rlc::diagnostics
