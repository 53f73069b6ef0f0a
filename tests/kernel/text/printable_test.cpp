#include "mortise/text/printable.h"

#include <gtest/gtest.h>

namespace mortise {
namespace {

TEST(Printable, WritesControlCharactersOut) {
  EXPECT_EQ(printable("plain\ttext\n"), "plain\ttext\n");
  EXPECT_EQ(printable("\x1b[31mred\x1b[0m\r"), "\\x1b[31mred\\x1b[0m\\x0d");
  EXPECT_EQ(printable(std::string_view("a\0b\x7f", 4)), "a\\x00b\\x7f");
}

TEST(Printable, KeepsUtf8AndWritesOutWhatIsNone) {
  EXPECT_EQ(printable("\xc3\xa4 \xe2\x82\xac"), "\xc3\xa4 \xe2\x82\xac");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m")
      << "a control character of eight bits";
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
}

}  // namespace
}  // namespace mortise
