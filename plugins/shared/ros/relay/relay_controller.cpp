#include "ros/relay/relay_controller.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/model/world.h"
#include "mortise/settings/output_path.h"
#include "ros/codec/codec.h"
#include "ros/conversion/joints.h"

namespace mortise::ros {

namespace {

constexpr const char* kLogName = "ros_messages.log";
constexpr std::size_t kMaxSaid = 200;
constexpr double kSlack = 1e-9;  // Times are sums of steps.
/// Mark in place of a number of periods in front of the goals of an action.
constexpr std::int64_t kGoalsFollow = std::numeric_limits<std::int64_t>::min();

/// The link of each channel of a sensor of joints, which are called "q[link]"; -1 for others.
std::vector<int> linksOfChannels(const Robot& robot, const SensorReading& sensor) {
  std::vector<int> links;
  // All links are in their order: names may repeat.
  const bool all = static_cast<int>(sensor.channels.size()) == robot.numLinks();
  for (const std::string& channel : sensor.channels) {
    int link = all ? static_cast<int>(links.size()) : -1;
    for (int k = 0; k < robot.numLinks() && link < 0; ++k)
      if (channel.ends_with("[" + robot.link(k).name + "]")) link = k;
    links.push_back(link);
  }
  return links;
}

void fill(std::span<const double> values, const std::vector<int>& links, VectorXd& to) {
  for (std::size_t i = 0; i < std::min(links.size(), values.size()); ++i)
    if (links[i] >= 0) to[links[i]] = values[i];
}

}  // namespace

RelayController::RelayController(const ComponentContext& context, RelaySettings settings,
                                 std::optional<ActionSettings> action, Connect connect)
    : host_(context.host),
      given_(context.settings),
      options_(std::move(settings)),
      actionOptions_(std::move(action)),
      connect_(std::move(connect)) {}

RelayController::~RelayController() {
  if (transport_ == nullptr) return;
  sender_.reset();
  actionTopics_.reset();
  transport_->close();
  writeNotices();
}

std::string RelayController::trajectoryTopic() const {
  return options_.trajectoryTopic.empty() ? "/" + topicName(name_) + "/joint_trajectory" : options_.trajectoryTopic;
}

std::string RelayController::actionName() const {
  if (!actionOptions_->actionTopic.empty()) return actionOptions_->actionTopic;
  const bool control = options_.naming == Naming::rosControl;
  return "/" + topicName(name_) + (control ? "/joint_trajectory_controller" : "") + "/follow_joint_trajectory";
}

void RelayController::start(const ControllerSetup& setup) {
  const bool again = robot_ == &setup.robot;
  robot_ = &setup.robot;
  name_ = setup.world != nullptr && setup.robotIndex >= 0
              ? setup.world->robots[static_cast<std::size_t>(setup.robotIndex)].name
              : robot_->name();
  period_ = setup.period;
  StampLimits limits;
  limits.ahead = options_.maxLead;
  limits.late = options_.maxDelay;
  limits.ignored = options_.ignoreStamps;
  follower_.emplace(*robot_, limits);
  follower_->reset(setup.q);
  q_ = qSensed_ = setup.q;
  dq_ = effort_ = VectorXd::Zero(setup.q.size());
  joints_ = namesOfJoints(*robot_, options_.naming);
  lastState_ = -1;
  lastTick_ = -1;
  next_ = 0;
  findSensors(setup);
  if (again && action_)
    endGoals(0);
  else if (actionOptions_ && actionOptions_->action)
    action_.emplace(*robot_, topicName(name_), *actionOptions_);
  if (action_) action_->setMeasured(positionSensor_ >= 0, velocitySensor_ >= 0);
  if (!again && !options_.replay.empty()) startReplay();
  if (!again && options_.replay.empty()) connect();
  inbox_.take();  // Meant for what was before the reset.
  if (options_.replay.empty() && transport_ != nullptr) openLog();
}

void RelayController::findSensors(const ControllerSetup& setup) {
  positionSensor_ = velocitySensor_ = torqueSensor_ = -1;
  dqSensed_.resize(0);
  effortSensed_.resize(0);
  for (std::size_t i = 0; i < setup.sensors.size(); ++i) {
    const SensorReading& sensor = setup.sensors[i];
    const int index = static_cast<int>(i);
    if (positionSensor_ < 0 && sensor.hasRole(role::kJointPositions)) {
      positionSensor_ = index;
      positionLinks_ = linksOfChannels(*robot_, sensor);
    }
    if (velocitySensor_ < 0 && sensor.hasRole(role::kJointVelocities)) {
      velocitySensor_ = index;
      velocityLinks_ = linksOfChannels(*robot_, sensor);
      dqSensed_ = VectorXd::Zero(q_.size());
    }
    if (torqueSensor_ < 0 && sensor.hasRole(role::kDriverTorques) &&
        static_cast<int>(sensor.channels.size()) == robot_->numDrivers()) {
      torqueSensor_ = index;
      effortSensed_ = VectorXd::Zero(q_.size());
    }
  }
}

void RelayController::connect() {
  try {
    transport_ = connect_();
  } catch (const Error& error) {
    if (options_.required) throw;
    host_.log(LogLevel::warning,
              error.message() + "; the robot rests" + (error.hint().empty() ? "" : ". ") + error.hint());
    return;
  }
  const std::string states =
      options_.stateTopic.empty() ? "/" + topicName(name_) + "/joint_states" : options_.stateTopic;
  const std::string trajectories = trajectoryTopic();
  statePublication_ = transport_->advertise(states, messageType<JointState>(), {});
  if (options_.clock) clockPublication_ = transport_->advertise(options_.clockTopic, messageType<Clock>(), {});
  Quality quality;
  quality.depth = 100;  // No trajectory is left out as long as the simulation keeps up.
  transport_->subscribe(trajectories, messageType<JointTrajectory>(), quality, inbox_);
  sender_ = std::make_unique<Sender>(*transport_);
  if (action_) actionTopics_ = std::make_unique<ActionTopics>(*transport_, inbox_, actionName(), *actionOptions_);
  host_.log(LogLevel::info, "follows " + trajectories + (action_ ? " and the action " + actionName() : "") +
                                ", publishes " + states + (options_.clock ? " and " + options_.clockTopic : ""));
}

void RelayController::openLog() {
  const std::string folder = host_.runDirectory();
  if (log_.isOpen()) {
    log_.forgetFrom(std::numeric_limits<std::int64_t>::min());
    return;
  }
  if (options_.log.empty() && folder.empty()) return;
  const std::string name = options_.log.empty() ? kLogName : options_.log;
  const Value* given = given_.find("log");
  const SourcePosition where = given == nullptr ? SourcePosition() : given->position();
  const std::string path = where.known() || folder.empty() ? outputPath(folder, name, where)
                                                           : (std::filesystem::path(folder) / name).string();
  log_.open(path, transport_->encoding(), name_, period_);
  if (log_.path() != path)
    host_.log(LogLevel::warning, "'" + path + "' is there already; messages are logged to '" + log_.path() + "'");
}

void RelayController::startReplay() {
  std::string path = (std::filesystem::path(host_.runDirectory()) / options_.replay).string();
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) path = host_.findResource(options_.replay);
  replayed_ = readArrivalLog(path);
  if (std::abs(replayed_.period - period_) > kSlack)
    throw Error("'" + path + "' was recorded by a controller that is updated every " + formatReal(replayed_.period, 9) +
                    " s, and this one is updated every " + formatReal(period_, 9) + " s",
                {}, "give ros_replay the rate of that run");
  if (replayed_.robot != name_)
    host_.log(LogLevel::warning, "'" + path + "' is of the robot '" + replayed_.robot + "'");
  if (replayed_.droppedBytes > 0)
    host_.log(LogLevel::warning, "'" + path + "' ends with " + std::to_string(replayed_.droppedBytes) +
                                     " bytes that are no whole record; they are left out");
}

void RelayController::update(const ControllerInput& input, double, std::span<ActuatorCommand> commands) {
  sense(input);
  if (!options_.replay.empty())
    replay(input);
  else if (transport_ != nullptr)
    receive(input);
  lastTick_ = input.tick;
  lastTime_ = input.time;
  write(input.time, commands);
  if (actionTopics_)
    actionTopics_->publish(input.time, *action_, {q_, dq_}, {qSensed_, dqSensed_});
  else if (action_)
    action_->takeEnds();  // A repetition has nobody to tell.
  // Also while nobody publishes, which must not tell in the state.
  if (dueAt(input.time) && transport_ != nullptr) publish(input.time);
  if (transport_ != nullptr) writeNotices();
}

void RelayController::sense(const ControllerInput& input) {
  const auto values = [&](int sensor) { return input.sensors[static_cast<std::size_t>(sensor)].values; };
  qSensed_ = q_;
  if (positionSensor_ >= 0) fill(values(positionSensor_), positionLinks_, qSensed_);
  if (velocitySensor_ >= 0) fill(values(velocitySensor_), velocityLinks_, dqSensed_);
  if (torqueSensor_ < 0) return;
  effortSensed_.setZero();
  const std::span<const double> torques = values(torqueSensor_);
  for (int i = 0; i < robot_->numDrivers() && static_cast<std::size_t>(i) < torques.size(); ++i) {
    const Driver& driver = robot_->driver(i);
    if (driver.type == DriverType::normal) effortSensed_[driver.links[0]] += torques[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; driver.type == DriverType::affine && k < driver.links.size(); ++k)
      effortSensed_[driver.links[k]] += driver.scale[k] * torques[static_cast<std::size_t>(i)];
  }
}

void RelayController::receive(const ControllerInput& input) {
  if (input.tick <= lastTick_ && log_.isOpen()) log_.forgetFrom(input.tick);
  Received message;
  Arrival arrival;
  while (inbox_.takeOne(message)) {
    if (log_.isOpen()) {
      arrival.tick = input.tick;
      arrival.time = input.time;
      arrival.topic = message.topic;
      arrival.bytes = message.bytes;
      log_.append(arrival);
    }
    take(input, message.topic, message.bytes, transport_->encoding());
  }
  if (const std::uint64_t dropped = inbox_.dropped(); dropped != saidDropped_) {
    if (saidDropped_ == 0)
      host_.log(LogLevel::warning, "messages come faster than they are read: " + std::to_string(dropped) +
                                       " of the oldest are dropped so far; send fewer trajectories");
    saidDropped_ = dropped;
  }
}

void RelayController::compareSteps(const ControllerInput& input) {
  if (lastTick_ < 0 || input.tick <= lastTick_ || replayed_.timeStep() <= 0) return;
  const double own = (input.time - lastTime_) / static_cast<double>(input.tick - lastTick_);
  if (std::abs(own - replayed_.timeStep()) <= kSlack) return;
  throw Error("'" + options_.replay + "' was recorded with a time step of " + formatReal(replayed_.timeStep(), 9) +
                  " s, and this run has one of " + formatReal(own, 9) + " s",
              {}, "give this run the time step of that one");
}

void RelayController::replay(const ControllerInput& input) {
  compareSteps(input);
  const std::vector<Arrival>& all = replayed_.arrivals;
  if (input.tick <= lastTick_)  // The run went back to an earlier state.
    next_ = static_cast<std::size_t>(
        std::lower_bound(all.begin(), all.end(), input.tick,
                         [](const Arrival& arrival, std::int64_t tick) { return arrival.tick < tick; }) -
        all.begin());
  // A run that continues a saved state begins in the middle of its log.
  while (lastTick_ < 0 && next_ < all.size() && all[next_].tick < input.tick) ++next_;
  for (; next_ < all.size() && all[next_].tick <= input.tick; ++next_) {
    const Arrival& arrival = all[next_];
    if (arrival.tick != input.tick || std::abs(arrival.time - input.time) > kSlack)
      throw Error("the log of messages has one at tick " + std::to_string(arrival.tick) +
                      ", t = " + formatReal(arrival.time, 9) + " s, and this run is at tick " +
                      std::to_string(input.tick) + ", t = " + formatReal(input.time, 9) + " s",
                  {}, "repeat it with the time step and the control rate that it was recorded with");
    take(input, arrival.topic, arrival.bytes, replayed_.encoding);
  }
}

void RelayController::take(const ControllerInput& input, const std::string& topic, std::span<const std::byte> bytes,
                           Encoding encoding) {
  const Incoming what = incomingOf(topic, trajectoryTopic());
  std::vector<std::string> remarks;
  try {
    if (what == Incoming::trajectory)
      follow(input, bytes, encoding, remarks);
    else
      takeGoal(input, what, bytes, encoding, remarks);
  } catch (const Error& error) {
    const char* refused = what == Incoming::trajectory ? "a trajectory"
                          : what == Incoming::goal     ? "a goal of the action"
                                                       : "a cancellation of goals";
    remarks.push_back(std::string(refused) + " is refused: " + error.message() +
                      (error.hint().empty() ? "" : " (" + error.hint() + ")"));
  }
  for (const std::string& remark : remarks) warnOnce(remark);
}

void RelayController::follow(const ControllerInput& input, std::span<const std::byte> bytes, Encoding encoding,
                             std::vector<std::string>& remarks) {
  JointTrajectory message;
  decode(bytes, encoding, message);
  const bool commanded = follower_->accept(message, input.time, qSensed_, remarks);
  if (commanded && action_) action_->preempt(input.time, "a trajectory on " + trajectoryTopic() + " took its place");
}

void RelayController::takeGoal(const ControllerInput& input, Incoming what, std::span<const std::byte> bytes,
                               Encoding encoding, std::vector<std::string>& remarks) {
  if (!action_) {
    remarks.emplace_back("the log has goals of an action, which this relay does not serve; set action as in that run");
    return;
  }
  if (what == Incoming::goal) {
    FollowJointTrajectoryActionGoal goal;
    decode(bytes, encoding, goal);
    action_->accept(goal, input.time, qSensed_, *follower_, remarks);
  } else {
    GoalID request;
    decode(bytes, encoding, request);
    action_->cancel(request, input.time, qSensed_, *follower_);
  }
}

void RelayController::endGoals(double time) {
  action_->abort(time, "the simulation was reset");
  if (actionTopics_) actionTopics_->publish(time, *action_, {q_, dq_}, {qSensed_, dqSensed_});
  action_->reset();
}

void RelayController::write(double time, std::span<ActuatorCommand> commands) {
  follower_->evaluate(time, q_, dq_, effort_);
  if (action_ && action_->update(time, {q_, dq_}, {qSensed_, dqSensed_}, *follower_))
    follower_->evaluate(time, q_, dq_, effort_);
  for (int i = 0; i < robot_->numDrivers(); ++i) {
    const Driver& driver = robot_->driver(i);
    ActuatorCommand& command = commands[static_cast<std::size_t>(i)];
    const bool torque = follower_->torqueOnly(driver.links[0], time);
    command.mode = torque ? ActuatorCommand::Mode::torque : ActuatorCommand::Mode::pid;
    command.position = driverValue(*robot_, i, q_);
    command.velocity = driverVelocity(*robot_, i, dq_);
    command.torque = effort_[driver.links[0]];
    if (driver.type != DriverType::affine) continue;
    // Torque t puts t * scale on each link: the least-squares t.
    double along = 0, square = 0;
    for (std::size_t k = 0; k < driver.links.size(); ++k) {
      along += driver.scale[k] * effort_[driver.links[k]];
      square += driver.scale[k] * driver.scale[k];
    }
    command.torque = square > 0 ? along / square : 0;
  }
}

bool RelayController::dueAt(double time) {
  if (options_.stateRate == 0) return true;
  const auto periods = static_cast<std::int64_t>(std::floor(time * options_.stateRate + kSlack));
  if (periods == lastState_) return false;
  lastState_ = periods;
  return true;
}

void RelayController::publish(double time) {
  const Time stamp = timeFrom(time);
  if (transport_->hasSubscribers(statePublication_)) {
    fillJointState(joints_, stamp, qSensed_, dqSensed_, effortSensed_, state_);
    encode(state_, transport_->encoding(), bytes_);
    sender_->send(statePublication_, bytes_);
    ++state_.header.seq;
  }
  if (clockPublication_ < 0 || !transport_->hasSubscribers(clockPublication_)) return;
  encode(Clock{stamp}, transport_->encoding(), bytes_);
  sender_->send(clockPublication_, bytes_);
}

void RelayController::writeNotices() {
  for (const Notice& notice : transport_->takeNotices()) host_.log(notice.level, notice.text);
}

void RelayController::warnOnce(const std::string& text) {
  if (said_.size() >= kMaxSaid || !said_.insert(text).second) return;
  host_.log(LogLevel::warning, text);
  if (said_.size() == kMaxSaid) host_.log(LogLevel::warning, "further trajectories are not commented on");
}

Value RelayController::settings() const {
  Value all = given_;
  all.set("connected", transport_ != nullptr);
  all.set("received", static_cast<std::int64_t>(inbox_.received()));
  all.set("dropped", static_cast<std::int64_t>(inbox_.dropped()));
  if (action_) all.set("goal", action_->activeId());
  all.set("log_file", log_.isOpen() ? log_.path() : std::string());
  return all;
}

void RelayController::save(ByteWriter& out) const {
  follower_->save(out);
  // Snapshots of relays that never had a goal are as they were before there were actions.
  if (action_ && !action_->blank()) {
    out.put(kGoalsFollow);
    action_->save(out);
  }
  out.put(lastState_);
}

void RelayController::restore(ByteReader& in) {
  follower_->restore(in);
  if (action_) action_->reset();
  in.get(lastState_);
  if (lastState_ != kGoalsFollow) return;
  if (!action_)
    throw Error("the snapshot has goals of an action, which this relay does not serve", {},
                "set action as in the run that it is of");
  action_->restore(in);
  in.get(lastState_);
}

}  // namespace mortise::ros
