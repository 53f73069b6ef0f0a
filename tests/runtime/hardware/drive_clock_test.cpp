#include "mortise/hardware/drive_clock.h"

#include <gtest/gtest.h>

#include "fake_clock.h"

namespace mortise {
namespace {

using test::FakeClock;

TEST(DrivePace, CyclesBeginAtMultiplesOfThePeriod) {
  FakeClock clock;
  DrivePace pace(clock, 0.25);
  for (int i = 1; i <= 4; ++i) {
    clock.time += 0.1;  // Work within the period.
    EXPECT_EQ(pace.next({}), 0);
  }
  EXPECT_EQ(clock.waits, (std::vector<double>{100.25, 100.5, 100.75, 101}));
  EXPECT_EQ(pace.overruns(), 0);
  EXPECT_EQ(pace.skippedCycles(), 0);
}

TEST(DrivePace, AnOverrunLeavesOutWhatShouldHaveBegunMeanwhile) {
  FakeClock clock;
  DrivePace pace(clock, 0.25);
  clock.time += 0.875;  // Cycles should have begun at 0.25, 0.5 and 0.75.
  EXPECT_EQ(pace.next({}), 0.625);
  EXPECT_EQ(clock.now(), 101);
  EXPECT_EQ(pace.overruns(), 1);
  EXPECT_EQ(pace.skippedCycles(), 3);
  // Those that follow begin at their times.
  EXPECT_EQ(pace.next({}), 0);
  EXPECT_EQ(clock.now(), 101.25);
  EXPECT_EQ(pace.overruns(), 1);
}

TEST(DrivePace, TheFullPeriodIsNoOverrun) {
  FakeClock clock;
  DrivePace pace(clock, 0.1);
  for (int i = 1; i <= 1000; ++i) {
    clock.time = 100 + i * 0.1;
    EXPECT_EQ(pace.next({}), 0) << i;
  }
  EXPECT_EQ(pace.overruns(), 0);
}

TEST(SteadyDriveClock, DoesNotGoBackAndReturnsWhenAskedToStop) {
  SteadyDriveClock clock;
  const double before = clock.now();
  clock.waitUntil(before - 1, {});                     // Gone by.
  clock.waitUntil(before + 1e9, [] { return true; });  // Nobody waits so long.
  EXPECT_GE(clock.now(), before);
}

}  // namespace
}  // namespace mortise
