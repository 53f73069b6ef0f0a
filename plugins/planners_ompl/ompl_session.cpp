#include "ompl_session.h"

#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

namespace mortise::ompl_planners {

namespace {

struct ThreadLog {
  Host* host = nullptr;
  bool inSession = false;
};
thread_local ThreadLog threadLog;

/// Messages of other users of OMPL in this process go where they went.
class Router final : public ompl::msg::OutputHandler {
 public:
  explicit Router(ompl::msg::OutputHandler* before) : before_(before) {}

  void log(const std::string& text, ompl::msg::LogLevel level, const char* file, int line) override {
    if (!threadLog.inSession) {
      if (before_ != nullptr) before_->log(text, level, file, line);
    } else if (threadLog.host != nullptr) {
      threadLog.host->log(level >= ompl::msg::LOG_ERROR ? LogLevel::warning : LogLevel::debug, text);
    }
  }

 private:
  ompl::msg::OutputHandler* before_;
};

void routeMessages() {
  // Never deleted: OMPL may speak until the process ends.
  static const bool routed = [] {
    ompl::msg::useOutputHandler(new Router(ompl::msg::getOutputHandler()));
    return true;
  }();
  static_cast<void>(routed);
}

std::recursive_mutex& oneAtATime() {
  static std::recursive_mutex mutex;
  return mutex;
}

}  // namespace

OmplSession::OmplSession(RandomStream& random, Host* host) {
  routeMessages();
  hostBefore_ = threadLog.host;
  mutedBefore_ = threadLog.inSession;
  threadLog = {nullptr, true};
  const auto seed = static_cast<std::uint_fast32_t>(random.below(1000000000) + 1);
  seeds_.seed(seed);
  if (!ompl_random::takesPart()) {
    alone_ = std::unique_lock(oneAtATime());
    ompl::RNG::setSeed(seed);
  }
  threadLog.host = host;
  before_ = ompl_random::exchangeSeedSource(this);
}

OmplSession::~OmplSession() {
  ompl_random::exchangeSeedSource(before_);
  threadLog = {hostBefore_, mutedBefore_};
}

std::uint32_t OmplSession::nextSeed() {
  return static_cast<std::uint32_t>(std::uniform_int_distribution<>(1, 1000000000)(seeds_));
}

}  // namespace mortise::ompl_planners
