#include "mortise/hardware/work_thread.h"

#include <future>
#include <gtest/gtest.h>
#include <stdexcept>

namespace mortise {
namespace {

constexpr double kLong = 60;  // s; nothing waits so long.

TEST(WorkThread, DoesItsWorkOnceABeginning) {
  int done = 0;
  std::thread::id where;
  WorkThread thread([&] {
    ++done;
    where = std::this_thread::get_id();
  });
  for (int i = 1; i <= 100; ++i) {
    thread.begin();
    ASSERT_TRUE(thread.wait(kLong));
    EXPECT_EQ(done, i);
    EXPECT_NE(where, std::this_thread::get_id());
  }
}

TEST(WorkThread, SaysThatItIsBusy) {
  std::promise<void> go;
  WorkThread thread([&] { go.get_future().wait(); });
  thread.begin();
  EXPECT_FALSE(thread.wait(0));
  go.set_value();
  EXPECT_TRUE(thread.wait(kLong));
}

TEST(WorkThread, HandsOnWhatTheWorkThrows) {
  bool fails = true;
  WorkThread thread([&] {
    if (fails) throw std::runtime_error("no plan");
  });
  thread.begin();
  EXPECT_THROW(thread.wait(kLong), std::runtime_error);
  fails = false;
  thread.begin();
  EXPECT_TRUE(thread.wait(kLong)) << "once";
}

TEST(WorkThread, EndsAfterTheWorkThatHasBegun) {
  bool done = false;
  {
    WorkThread thread([&] { done = true; });
    thread.begin();
  }
  EXPECT_TRUE(done);
  const WorkThread idle([] {});
}

}  // namespace
}  // namespace mortise
