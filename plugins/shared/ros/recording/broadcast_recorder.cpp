#include "ros/recording/broadcast_recorder.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "ros/recording/broadcast_thread.h"

namespace mortise::ros {

namespace {

bool isUrdf(const std::string& file) {
  std::string extension = file.substr(std::min(file.rfind('.'), file.size()));
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension == ".urdf";
}

/// The text of each robot's URDF file, empty where there is none, which is said.
std::vector<std::string> readDescriptions(const World& world, const BroadcastSettings& settings, Host& host) {
  std::vector<std::string> texts(world.robots.size());
  if (!settings.broadcasts("robot_description")) return texts;
  if (!settings.robotDescription.empty() && world.robots.size() > 1)
    throw Error("expected a world of one robot, found " + std::to_string(world.robots.size()) +
                    ": one file cannot describe them all",
                settings.robotDescription.where, "leave robot_description empty: each robot's own URDF file is sent");
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    const std::string& own = world.robots[r].robot->description().file;
    if (!settings.robotDescription.empty()) {
      texts[r] = readFile(host.findResource(settings.robotDescription.text));
      if (texts[r].find("<robot") == std::string::npos)
        throw Error(
            "robot_description: expected a URDF file, and '" + settings.robotDescription.text + "' has no <robot>",
            settings.robotDescription.where, "convert the robot with `mortise convert`, or leave it empty");
    } else if (isUrdf(own)) {
      texts[r] = readFile(own);
    } else {
      host.log(LogLevel::info, "robot_description of '" + world.robots[r].name + "' is not sent: its file " + own +
                                   " is no URDF; name one in the setting robot_description");
    }
  }
  return texts;
}

}  // namespace

BroadcastRecorder::BroadcastRecorder(Host& host, BroadcastSettings settings, Connect connect)
    : host_(host), settings_(std::move(settings)), connect_(std::move(connect)) {}

BroadcastRecorder::~BroadcastRecorder() {
  try {
    close();
  } catch (...) {  // Nobody is left to be told.
  }
}

void BroadcastRecorder::open(const RecorderSetup& setup) {
  record_ = setup.what;
  descriptions_ = readDescriptions(setup.world, settings_, host_);
  thread_.reset();
  transport_ = connect(setup);
  dropped_ = sent_ = 0;
  nextImages_ = lastTime_ = 0;
  dropReported_ = false;
}

std::unique_ptr<Transport> BroadcastRecorder::connect(const RecorderSetup& setup) {
  try {
    return connect_(setup);
  } catch (const Error& error) {
    if (settings_.required) throw;
    host_.log(LogLevel::warning,
              error.message() + "; nothing is broadcast" + (error.hint().empty() ? "" : ". ") + error.hint());
    return nullptr;
  }
}

void BroadcastRecorder::start(const SimulationView& view) {
  thread_ =
      std::make_unique<BroadcastThread>(*transport_, settings_, selectForBroadcast(record_, view), view, descriptions_);
  images_.assign(thread_->selection().sensors.size(), false);
  nextImages_ = view.time;
}

/// Half a nanosecond of tolerance: times are sums of steps.
bool BroadcastRecorder::imagesDue(double time) {
  if (time < lastTime_) nextImages_ = time;  // The simulation was reset.
  lastTime_ = time;
  if (settings_.cameraRate <= 0 || time < nextImages_ - 5e-10) return false;
  nextImages_ = std::max(nextImages_ + 1 / settings_.cameraRate, time);
  return true;
}

void BroadcastRecorder::write(const SimulationView& view) {
  if (!transport_) return;  // There is no ROS, and none is required.
  if (!thread_) start(view);
  for (const Notice& notice : thread_->takeNotices()) host_.log(notice.level, notice.text);
  thread_->throwIfFailed();
  const bool due = imagesDue(view.time);
  const std::vector<SelectedSensor>& sensors = thread_->selection().sensors;
  for (std::size_t i = 0; i < sensors.size(); ++i) images_[i] = due && sensors[i].camera && thread_->imagesWanted(i);
  Snapshot* snapshot = thread_->next();
  if (snapshot == nullptr) {
    ++dropped_;
    if (!dropReported_) reportDrops(false);
    return;
  }
  copySnapshot(thread_->selection(), view, images_, *snapshot);
  thread_->commit();
}

void BroadcastRecorder::reportDrops(bool end) {
  dropReported_ = true;
  if (!end) {
    host_.log(LogLevel::warning,
              "broadcasts are made faster than they go out, so that some are dropped; lower the recorder's rate, or "
              "raise its queue (" +
                  std::to_string(settings_.queue) + ")");
    return;
  }
  host_.log(LogLevel::warning, std::to_string(dropped_) + " broadcasts were dropped in all");
}

void BroadcastRecorder::close() {
  // Whatever is thrown below, neither is closed twice.
  const std::unique_ptr<Transport> transport = std::move(transport_);
  const std::unique_ptr<BroadcastThread> thread = std::move(thread_);
  if (thread) {
    thread->finish(settings_.waitAtEnd);
    for (const Notice& notice : thread->takeNotices()) host_.log(notice.level, notice.text);
    dropped_ += thread->leftOver();
    sent_ = thread->sent();
    if (thread->refused() > 0)
      host_.log(LogLevel::warning, std::to_string(thread->refused()) +
                                       " messages were dropped because subscribers did not keep up; lower the "
                                       "recorder's rate");
    if (dropped_ > 0) reportDrops(true);
    thread->throwIfFailed();
  }
  if (transport) transport->close();
}

}  // namespace mortise::ros
