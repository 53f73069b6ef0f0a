#pragma once

/// The relay of Klamp't's manual: a robot does what trajectories on a topic of ROS say, and its joints and the clock
/// are published.

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mortise/component/controller.h"
#include "ros/messages/joints.h"
#include "ros/relay/arrival_log.h"
#include "ros/relay/relay_settings.h"
#include "ros/relay/sender.h"
#include "ros/relay/trajectory_follower.h"
#include "ros/transport/transport.h"

namespace mortise::ros {

/// Messages enter at the ticks of the controller's updates and are logged with them; with the setting `replay` such a
/// log takes the place of ROS. A carrier derives its relay from this and says how to connect.
class RelayController : public Controller {
 public:
  /// Called once, when there is no log to repeat.
  using Connect = std::function<std::unique_ptr<Transport>()>;

  /// `context.settings` holds what `settings` was read from.
  RelayController(const ComponentContext& context, RelaySettings settings, Connect connect);
  ~RelayController() override;

  void start(const ControllerSetup& setup) override;
  void update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) override;
  Value settings() const override;
  bool hasSetting(std::string_view name) const override { return settings().contains(name); }
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;

 private:
  void findSensors(const ControllerSetup& setup);
  void connect();
  void openLog();
  void startReplay();
  /// Hands on what came, or came in the run that is repeated.
  void receive(const ControllerInput& input);
  void replay(const ControllerInput& input);
  void take(const ControllerInput& input, std::span<const std::byte> bytes, Encoding encoding);
  void sense(const ControllerInput& input);
  void write(double time, std::span<ActuatorCommand> commands);
  bool dueAt(double time);
  void publish(double time);
  void writeNotices();
  /// Warns of each thing once.
  void warnOnce(const std::string& text);

  Host& host_;
  const Value given_;
  const RelaySettings options_;
  const Connect connect_;
  const Robot* robot_ = nullptr;
  std::string name_;   ///< Name of the robot in its world.
  double period_ = 0;  ///< s
  std::optional<TrajectoryFollower> follower_;
  VectorXd q_, dq_, effort_;                    ///< Commanded, one a link.
  VectorXd qSensed_, dqSensed_, effortSensed_;  ///< The last two have no entries where nothing measures.
  int positionSensor_ = -1, velocitySensor_ = -1, torqueSensor_ = -1;
  std::vector<int> positionLinks_, velocityLinks_;  ///< Link of each channel; -1: none.
  std::int64_t lastState_ = -1;                     ///< Whole periods of the rate at the last message.

  Inbox inbox_;
  std::unique_ptr<Transport> transport_;  ///< Null in a replay.
  std::unique_ptr<Sender> sender_;        ///< Ends before `transport_`.
  int statePublication_ = -1, clockPublication_ = -1;
  JointNames joints_;
  JointState state_;
  std::vector<std::byte> bytes_;
  std::set<std::string> said_;
  std::uint64_t saidDropped_ = 0;

  ArrivalLogWriter log_;
  ArrivalLog replayed_;
  std::size_t next_ = 0;  ///< Arrival that comes next.
  std::int64_t lastTick_ = -1;
};

}  // namespace mortise::ros
