/// The cost of broadcasting for the simulation's thread: a tick of hubo with its torques, commands and ten load cells,
/// while another thread makes all the messages and gives them to a carrier that forgets them. A tick comes each
/// millisecond, as in a run that keeps pace with the clock. With MORTISE_REFERENCE_DIR; promised are at most 5 us.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <time.h>
#include <vector>

#include "mortise/base/random.h"
#include "mortise/loading/format_loader.h"
#include "ros/recording/broadcast_recorder.h"
#include "shared/plugins.h"
#include "shared/timing.h"
#include "tests/support/quiet_host.h"

namespace mortise {
namespace {

constexpr int kTicks = 3000;

/// Takes everything and keeps nothing.
class SilentTransport final : public ros::Transport {
 public:
  ros::Encoding encoding() const override { return ros::Encoding::cdr; }
  int advertise(const std::string&, const ros::MessageType&, const ros::Quality&) override { return 0; }
  bool hasSubscribers(int) const override { return true; }
  bool publish(int, std::span<const std::byte> bytes) override {
    bytes_ += bytes.size();
    return true;
  }
  void subscribe(const std::string&, const ros::MessageType&, const ros::Quality&, ros::Inbox&) override {}
  std::vector<ros::Notice> takeNotices() override { return {}; }
  void close() override { std::printf("%.1f MB were sent\n", 1e-6 * static_cast<double>(bytes_)); }

 private:
  std::size_t bytes_ = 0;
};

void waitUntil(double time) {
  const timespec until = {static_cast<time_t>(time),
                          static_cast<long>(1e9 * (time - static_cast<double>(static_cast<time_t>(time))))};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

void measure(const std::string& file) {
  FormatLoader loader(bench::pluginRegistry(), bench::silentLog());
  Diagnostics diagnostics;
  World world;
  WorldRobot placed;
  placed.name = "hubo";
  placed.robot = Robot::compile(loader.load<RobotDescription>(file, {}, diagnostics));
  world.robots.push_back(placed);
  const Robot& robot = *placed.robot;

  RobotState state(robot);
  const auto drivers = static_cast<std::size_t>(robot.numDrivers());
  std::vector<double> torques(drivers);
  std::vector<ActuatorCommand> commands(drivers);
  const std::vector<std::string> channels = {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"};
  std::vector<std::vector<double>> readings(10, std::vector<double>(6));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < readings.size(); ++i) names.push_back("cell" + std::to_string(i));
  std::vector<SensorReading> sensors;
  for (std::size_t i = 0; i < readings.size(); ++i)
    sensors.push_back({names[i], "ForceTorqueSensor", channels, readings[i], nullptr});
  const std::vector<RobotView> robots = {{&state, torques, commands, sensors, {}}};
  SimulationView view;
  view.world = &world;
  view.robots = robots;

  test::QuietHost host;
  ros::BroadcastRecorder recorder(host, {}, [](const RecorderSetup&) { return std::make_unique<SilentTransport>(); });
  recorder.open({world, "", "", {}});
  recorder.write(view);
  RandomStream random(1, "bench");
  std::vector<double> clock, processor;
  const double start = bench::seconds(CLOCK_MONOTONIC);
  for (int tick = 1; tick <= kTicks; ++tick) {
    waitUntil(start + 0.001 * tick);
    for (int i = 0; i < robot.numLinks(); ++i) state.q[i] = random.uniform(-1, 1);
    updateFrames(robot, state);
    for (std::vector<double>& reading : readings) reading[0] = random.uniform(-1, 1);
    view.time = 0.001 * tick;
    const double before = bench::threadSeconds(), at = bench::seconds(CLOCK_MONOTONIC);
    recorder.write(view);
    clock.push_back(1e6 * (bench::seconds(CLOCK_MONOTONIC) - at));
    processor.push_back(1e6 * (bench::threadSeconds() - before));
  }
  recorder.close();
  std::printf("%d links, %d drivers, %zu sensors, %d ticks at 1 kHz, %llu dropped\n", robot.numLinks(),
              robot.numDrivers(), sensors.size(), kTicks, static_cast<unsigned long long>(recorder.dropped()));
  std::sort(clock.begin(), clock.end());
  std::printf(
      "a tick on the simulation's thread: median %.2f us of the clock, 99 of 100 within %.2f us; %.2f us of the "
      "processor\n",
      bench::median(clock), clock[clock.size() * 99 / 100], bench::median(processor));
}

}  // namespace
}  // namespace mortise

int main() {
  const char* data = std::getenv("MORTISE_REFERENCE_DIR");
  if (data == nullptr) {
    std::printf("MORTISE_REFERENCE_DIR is not set: nothing is measured\n");
    return 0;
  }
  mortise::measure(std::string(data) + "/klampt-data/robots/huboplus/huboplus_col.rob");
}
