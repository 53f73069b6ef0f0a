#include "mortise/viewer/changing_session.h"

#include <gtest/gtest.h>

namespace mortise::viewer {
namespace {

/// Has one packet for each page.
class OnePacket final : public ViewSession {
 public:
  SessionKind kind() const override { return SessionKind::live; }
  std::string join(int page) override {
    pages_.insert(page);
    return "hello";
  }
  std::string answer(int, const PageMessage&) override { return "answer"; }
  std::optional<ViewPacket> next(int page) override {
    if (pages_.erase(page) == 0) return std::nullopt;
    return ViewPacket{true, "packet"};
  }
  void leave(int page) override { pages_.erase(page); }

 private:
  std::set<int> pages_;
};

std::string nextOf(ChangingSession& session, int page) {
  const std::optional<ViewPacket> packet = session.next(page);
  return packet ? packet->bytes : "";
}

TEST(ChangingSession, PagesThatJoinAfterAChangeLearnItsVersion) {
  OnePacket first, second;
  ChangingSession session;
  session.set(&first);
  const std::int64_t listed = session.version();
  session.set(&second);
  EXPECT_NE(session.version(), listed);
  session.join(1);
  EXPECT_EQ(nextOf(session, 1), R"({"type":"version","version":)" + std::to_string(session.version()) + "}");
  EXPECT_EQ(nextOf(session, 1), "packet");
  EXPECT_EQ(nextOf(session, 1), "");
}

TEST(ChangingSession, PagesThatJoinWhereNothingRunsLearnItToo) {
  ChangingSession session;
  session.set(nullptr);
  session.join(1);
  EXPECT_NE(nextOf(session, 1).find("version"), std::string::npos);
}

TEST(ChangingSession, PagesOfTheSessionBeforeLoadAgain) {
  OnePacket first, second;
  ChangingSession session;
  session.set(&first);
  session.join(1);
  session.set(&second);
  EXPECT_EQ(nextOf(session, 1), R"({"type":"reload"})");
  EXPECT_EQ(nextOf(session, 1), "") << "it has not joined again";
  EXPECT_EQ(session.answer(1, message::Drawn{}), "");
}

}  // namespace
}  // namespace mortise::viewer
