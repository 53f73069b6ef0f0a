#include "mortise/text/text_table.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mortise {
namespace {

TEST(TextTable, AlignsColumnsByCharacters) {
  TextTable table({"name", "value"});
  table.row({"é", "1"});
  table.separator();
  table.row({"long name", "12.5"});
  table.row({"x"});
  EXPECT_EQ(table.text(2, 2),
            "  name       value\n"
            "  ----------------\n"
            "  é              1\n"
            "  ----------------\n"
            "  long name   12.5\n"
            "  x\n");
}

TEST(TextTable, NumbersForPeople) {
  EXPECT_EQ(fixedPoint(1.23456, 2), "1.23");
  EXPECT_EQ(fixedPoint(-0.00001, 3), "0.000");
  EXPECT_EQ(fixedPoint(-0.5, 1), "-0.5");
  EXPECT_EQ(fixedPoint(HUGE_VAL, 3), "-");
  EXPECT_EQ(fixedPoint(std::nan(""), 3), "-");
  EXPECT_LE(fixedPoint(1e300, 3).size(), 24u);
  EXPECT_EQ(significant(0.0412345, 3), "0.0412");
  EXPECT_EQ(significant(std::nan(""), 3), "-");
}

}  // namespace
}  // namespace mortise
