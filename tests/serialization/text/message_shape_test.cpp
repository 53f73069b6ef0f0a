#include "mortise/text/message_shape.h"

#include <gtest/gtest.h>

namespace mortise {
namespace {

TEST(MessageShape, HasNoNamesAndNumbers) {
  EXPECT_EQ(messageShape("joint 'j2': the limit -1.5e-3 lies above 2"), "joint '': the limit # lies above #");
  EXPECT_EQ(messageShape("'a' and 'b c'"), "'' and ''");
  EXPECT_EQ(messageShape("(and 12 more)"), "(and # more)");
  EXPECT_EQ(messageShape("3-4 of 5.25"), "#-# of #");
}

TEST(MessageShape, LeavesWordsAlone) {
  EXPECT_EQ(messageShape("Klamp't's format, version v2 of x86"), "Klamp't's format, version v2 of x86");
  EXPECT_EQ(messageShape("'unclosed"), "'unclosed");
  EXPECT_EQ(messageShape(""), "");
}

/// The same message about other places has the same shape, another message has not.
TEST(MessageShape, TellsKindsApart) {
  const auto limits = [](const std::string& name, const std::string& value) {
    return messageShape("<limit> of '" + name + "' is " + value + "; it is taken as unlimited");
  };
  EXPECT_EQ(limits("elbow", "-3"), limits("wrist's end", "-0.25"));
  EXPECT_NE(limits("elbow", "-3"), messageShape("<limit> of 'elbow' is -3; it is taken as 0"));
}

}  // namespace
}  // namespace mortise
