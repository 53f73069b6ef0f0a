#include "mortise/base/interruption.h"

#include <gtest/gtest.h>
#include <thread>

namespace mortise {
namespace {

TEST(Interruption, NothingHappensWithoutAScope) {
  EXPECT_NO_THROW(interruptionPoint());
  InterruptionPoints points;
  for (int i = 0; i < 200; ++i) EXPECT_NO_THROW(points.pass());
}

TEST(Interruption, PointsThrowOnceItIsWanted) {
  bool wanted = false;
  const InterruptionScope scope([&] { return wanted; });
  EXPECT_NO_THROW(interruptionPoint());
  wanted = true;
  EXPECT_THROW(interruptionPoint(), Interrupted);
  const auto loop = [] {
    InterruptionPoints points;
    for (int i = 0; i < 64; ++i) points.pass();
  };
  EXPECT_THROW(loop(), Interrupted);
  std::thread other([] { EXPECT_NO_THROW(interruptionPoint()); });
  other.join();
}

TEST(Interruption, TheInnermostScopeIsAsked) {
  const InterruptionScope outer([] { return true; });
  {
    const InterruptionScope whole({});
    EXPECT_NO_THROW(interruptionPoint());
  }
  EXPECT_THROW(interruptionPoint(), Interrupted);
}

}  // namespace
}  // namespace mortise
