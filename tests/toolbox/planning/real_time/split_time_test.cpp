#include "mortise/planning/real_time/split_time.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "mortise/base/error.h"

namespace mortise {
namespace {

using Kind = SplitTimeOptions::Kind;

TEST(SplitTime, HalvesAfterSuccessAndDoublesAfterFailureWithinItsEnds) {
  const SplitTimeOptions options{Kind::adaptive, 0.1, 0.02, 0.5};
  options.check();
  SplitTime split(options);
  split.start();
  EXPECT_EQ(split.seconds(), 0.1);
  split.adapt(true);
  EXPECT_EQ(split.seconds(), 0.05);
  for (int k = 0; k < 5; ++k) split.adapt(true);
  EXPECT_EQ(split.seconds(), 0.02);
  split.adapt(false);
  EXPECT_EQ(split.seconds(), 0.04);
  for (int k = 0; k < 10; ++k) split.adapt(false);
  EXPECT_EQ(split.seconds(), 0.5);
  // A new target begins as late as the first one at most.
  split.changeTarget();
  EXPECT_EQ(split.seconds(), 0.1);
  split.adapt(true);
  split.changeTarget();
  EXPECT_EQ(split.seconds(), 0.05);
  split.start();
  EXPECT_EQ(split.seconds(), 0.1);
  EXPECT_EQ(options.smallest(), 0.02);
  EXPECT_EQ(options.greatest(), 0.5);
}

TEST(SplitTime, BeginsWithinItsEnds) {
  SplitTime above({Kind::adaptive, 3, 0.02, 0.5}), below({Kind::adaptive, 0.001, 0.02, 0.5});
  above.start();
  below.start();
  EXPECT_EQ(above.seconds(), 0.5);
  EXPECT_EQ(below.seconds(), 0.02);
}

TEST(SplitTime, ConstantIsConstant) {
  const SplitTimeOptions options{Kind::constant, 0.15, 0.02, 0.1};
  SplitTime split(options);
  split.start();
  for (const bool success : {true, false, false, true}) {
    split.adapt(success);
    split.changeTarget();
    EXPECT_EQ(split.seconds(), 0.15);
  }
  EXPECT_EQ(options.smallest(), 0.15);
  EXPECT_EQ(options.greatest(), 0.15);
}

TEST(SplitTime, IsSavedAndRestored) {
  const SplitTimeOptions options{Kind::adaptive, 0.1, 0.02, 0.5};
  SplitTime split(options), again(options);
  split.start();
  split.adapt(false);
  ByteWriter out;
  split.save(out);
  ByteReader in(out.bytes());
  again.restore(in);
  EXPECT_EQ(again.seconds(), 0.2);
  for (const double wrong : {0.0, -0.1, 0.6, std::numeric_limits<double>::infinity(), std::nan("")}) {
    ByteWriter hostile;
    hostile.put(wrong);
    ByteReader from(hostile.bytes());
    EXPECT_THROW(again.restore(from), Error) << wrong;
    EXPECT_EQ(again.seconds(), 0.2) << "what cannot be restored changes nothing";
  }
}

TEST(SplitTime, RefusesTimesThatMakeNoSense) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const SplitTimeOptions& options :
       {SplitTimeOptions{Kind::adaptive, 0, 0.02, 2}, SplitTimeOptions{Kind::adaptive, 0.1, 0, 2},
        SplitTimeOptions{Kind::adaptive, 0.1, 0.2, 0.1}, SplitTimeOptions{Kind::constant, kNan, 0.02, 2},
        SplitTimeOptions{Kind::adaptive, 0.1, 0.02, std::numeric_limits<double>::infinity()}})
    EXPECT_THROW(options.check(), Error) << options.initial << " " << options.min << " " << options.max;
}

}  // namespace
}  // namespace mortise
