#pragma once

/// The relay of Klamp't's manual: a robot does what trajectories on a topic of ROS and goals of an action say, and its
/// joints and the clock are published.

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mortise/component/controller.h"
#include "ros/messages/joints.h"
#include "ros/relay/action_settings.h"
#include "ros/relay/action_topics.h"
#include "ros/relay/arrival_log.h"
#include "ros/relay/relay_settings.h"
#include "ros/relay/sender.h"
#include "ros/relay/trajectory_action.h"
#include "ros/relay/trajectory_follower.h"
#include "ros/transport/transport.h"

namespace mortise::ros {

/// Messages enter at the ticks of the controller's updates and are logged with them; with the setting `replay` such a
/// log takes the place of ROS. A carrier derives its relay from this and says how to connect.
class RelayController : public Controller {
 public:
  /// Called once, when there is no log to repeat.
  using Connect = std::function<std::unique_ptr<Transport>()>;

  /// `context.settings` holds what `settings` was read from. `action`: absent where the carrier has no actions.
  RelayController(const ComponentContext& context, RelaySettings settings, std::optional<ActionSettings> action,
                  Connect connect);
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
  /// Throws `Error` as soon as this run's time step is known, and not that of the log.
  void compareSteps(const ControllerInput& input);
  void take(const ControllerInput& input, const std::string& topic, std::span<const std::byte> bytes,
            Encoding encoding);
  void follow(const ControllerInput& input, std::span<const std::byte> bytes, Encoding encoding,
              std::vector<std::string>& remarks);
  void takeGoal(const ControllerInput& input, Incoming what, std::span<const std::byte> bytes, Encoding encoding,
                std::vector<std::string>& remarks);
  void endGoals(double time);
  std::string actionName() const;
  std::string trajectoryTopic() const;
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
  const std::optional<ActionSettings> actionOptions_;
  const Connect connect_;
  const Robot* robot_ = nullptr;
  std::string name_;   ///< Name of the robot in its world.
  double period_ = 0;  ///< s
  std::optional<TrajectoryFollower> follower_;
  std::optional<TrajectoryAction> action_;      ///< Absent where no action is served.
  VectorXd q_, dq_, effort_;                    ///< Commanded, one a link.
  VectorXd qSensed_, dqSensed_, effortSensed_;  ///< The last two have no entries where nothing measures.
  int positionSensor_ = -1, velocitySensor_ = -1, torqueSensor_ = -1;
  std::vector<int> positionLinks_, velocityLinks_;  ///< Link of each channel; -1: none.
  std::int64_t lastState_ = -1;                     ///< Whole periods of the rate at the last message.

  Inbox inbox_;
  std::unique_ptr<Transport> transport_;        ///< Null in a replay.
  std::unique_ptr<Sender> sender_;              ///< Ends before `transport_`.
  std::unique_ptr<ActionTopics> actionTopics_;  ///< The same.
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
  double lastTime_ = 0;  ///< s, of `lastTick_`.
};

}  // namespace mortise::ros
