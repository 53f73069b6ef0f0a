#include "real_time/real_time_planning_controller.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "common/command_arguments.h"
#include "mortise/base/borrow.h"
#include "mortise/base/error.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/math/rotation.h"
#include "tracking/motion_arguments.h"

namespace mortise::controllers {

namespace {

/// A rotation as nine numbers, row by row, or as a rotation vector.
Vector3d rotationVectorFrom(const Value& value) {
  const std::vector<double> numbers = numbersFrom("set_pose", value);
  if (numbers.size() == 3) return Vector3d(numbers[0], numbers[1], numbers[2]);
  if (numbers.size() != 9)
    throw Error("the rotation of set_pose has " + std::to_string(numbers.size()) + " numbers", value.position(),
                "give nine, row by row, or three: the axis times the angle in rad");
  Matrix3d R;
  for (int i = 0; i < 9; ++i) R(i / 3, i % 3) = numbers[static_cast<std::size_t>(i)];
  if (!((R * R.transpose() - Matrix3d::Identity()).cwiseAbs().maxCoeff() <= 0.01) || R.determinant() < 0)
    throw Error("the rotation of set_pose is not a rotation matrix", value.position(),
                "its rows are perpendicular, of length 1 and right-handed");
  return momentFromRotation(orthonormalized(R));
}

}  // namespace

RealTimePlanningController::RealTimePlanningController(const ComponentContext& context)
    : TrackingController(context), owner_(context.host), settings_(context.settings) {}

std::vector<int> RealTimePlanningController::drivenLinks() const {
  if (!settings_->links.isNull()) return linksFromSetting(robot(), settings_->links);
  std::vector<int> links;
  for (int i = 0; i < robot().numLinks(); ++i)
    if (robot().driverOfLink(i) >= 0) links.push_back(i);
  return links;
}

void RealTimePlanningController::begin(const ControllerSetup& setup) {
  // Neither the world nor the robot is owned; both outlive the controller.
  std::shared_ptr<const World> world(std::shared_ptr<const World>(), setup.world);
  if (!world) {
    owner_.log(LogLevel::warning, "no world is given: the robot avoids collisions with itself only");
    world = worldOf(borrow(setup.robot));
  }
  RealTimeRobotOptions options;
  options.links = drivenLinks();
  options.margin = settings_->margin;
  options.limits = settings_->limits;
  const Value scales = TrackingController::settings();
  options.limits.velocityScaling = scales.at("velocity_scale").asReal();
  options.limits.accelerationScaling = scales.at("acceleration_scale").asReal();
  options.motions = obstaclesFrom(settings_->obstacles, *world, owner_);
  options.planner = settings_->planner;
  options.session = settings_->session;
  options.session.wallClock = settings_->clock == RealTimePlanningSettings::Clock::wall;
  options.session.seed = owner_.random().bits();
  try {
    planning_ =
        std::make_unique<RealTimeRobot>(std::move(world), std::max(setup.robotIndex, 0), setup.q, std::move(options));
  } catch (const Error& error) {
    if (error.message().find("limit") == std::string::npos) throw;
    throw Error(error.message(), error.where(), "set velocity_limit and acceleration_limit of this controller");
  }
  planning_->start(setup.q, 0);
  target_ = {};
  clock_ = 0;
  next_ = 0;
  for (VectorXd* v : {&q_, &dq_, &ddq_, &zero_}) v->setZero(planning_->space().dimension());
}

void RealTimePlanningController::reference(const ControllerInput& input, VectorXd& q, VectorXd& dq, VectorXd& ddq) {
  clock_ = input.time;
  startNextTarget();
  RealTimeSession& session = planning_->session();
  session.advance(clock_);
  session.queue().evaluate(clock_, q_, dq_, ddq_);
  const RobotSpace& space = planning_->space();
  space.lift(q_, q);
  // Coordinates move links in fixed proportion.
  space.lift(zero_, full_);
  space.lift(dq_, dq);
  dq -= full_;
  space.lift(ddq_, ddq);
  ddq -= full_;
  publish();
}

/// To the next of the targets in the settings, when the last has been reached.
void RealTimePlanningController::startNextTarget() {
  const RealTimeSession& session = planning_->session();
  if (settings_->targets.isNull() || next_ >= settings_->targets.size()) return;
  if (session.hasTarget() && !(session.reaches() && clock_ >= session.queue().endTime())) return;
  VectorXd base;
  planning_->space().lift(session.queue().endConfiguration(), base);
  setConfiguration("targets", settings_->targets[next_++], base);
}

void RealTimePlanningController::publish() {
  const RealTimeSession& session = planning_->session();
  const std::array<double, 4> state = {session.reaches() ? 1.0 : 0.0, session.split(),
                                       std::max(session.queue().endTime() - clock_, 0.0), session.response().response};
  static constexpr std::array<const char*, 4> kNames = {"reaches", "split_time", "remaining", "response"};
  for (std::size_t i = 0; i < state.size(); ++i) owner_.publish(kNames[i], std::span(&state[i], 1));
}

std::shared_ptr<RealTimeTarget> RealTimePlanningController::made(const Target& target) {
  if (target.kind == Target::Kind::configuration) return planning_->configurationTarget(target.q);
  if (target.kind == Target::Kind::pose) return planning_->poseTarget({target.goal});
  return nullptr;
}

void RealTimePlanningController::pursue(Target target) {
  planning_->session().setTarget(made(target), clock_);
  target_ = std::move(target);
}

void RealTimePlanningController::setConfiguration(std::string_view name, const Value& arguments, const VectorXd& base) {
  VectorXd q = MotionArgumentReader(robot(), host()).read(name, "q", arguments, base).q;
  clampToLimits(name, q);
  Target target;
  target.kind = Target::Kind::configuration;
  planning_->space().reduce(q, target.q);
  int link = 0;
  if (!planning_->space().agrees(q, &link))
    throw Error(
        std::string(name) + ": '" + names()[static_cast<std::size_t>(link)] + "' is not moved by this controller",
        arguments.position(), "leave it where it is, or add it to 'links'");
  std::string reason;
  if (!planning_->canStay(target.q, clock_ + 1e6, &reason))
    throw Error(std::string(name) + ": the robot cannot stay there: " + reason, arguments.position(),
                "choose a configuration that is free");
  pursue(std::move(target));
}

void RealTimePlanningController::setPose(const Value& arguments) {
  if (!arguments.isMap() || arguments.find("link") == nullptr ||
      (arguments.find("position") == nullptr && arguments.find("rotation") == nullptr))
    throw Error(
        "set_pose takes a map", arguments.position(),
        "write {link: NAME, position: [x, y, z]}, and, as you like, rotation: [...] and point: [x, y, z] of the "
        "link");
  Target target;
  target.kind = Target::Kind::pose;
  target.goal.link = linkFromSetting(robot(), arguments.at("link"));
  if (const Value* position = arguments.find("position")) {
    target.goal.position = IKGoal::Position::point;
    target.goal.p_DP = vectorSetting("set_pose", *position);
  }
  if (const Value* point = arguments.find("point")) target.goal.p_LP = vectorSetting("set_pose", *point);
  if (const Value* rotation = arguments.find("rotation")) {
    target.goal.rotation = IKGoal::Rotation::fixed;
    target.goal.rotationVector_DL = rotationVectorFrom(*rotation);
  }
  pursue(std::move(target));
}

bool RealTimePlanningController::command(std::string_view name, const Value& arguments) {
  if (name == "set_q" || name == "set_joint") {
    // What a target does not name stays: where the motion leads, or, of joints alone, where the robot is.
    VectorXd base;
    const MotionQueue& queue = planning_->session().queue();
    q_ = queue.endConfiguration();
    if (name == "set_joint") queue.evaluate(clock_, q_, dq_, ddq_);
    planning_->space().lift(q_, base);
    setConfiguration(name, arguments, base);
  } else if (name == "set_pose") {
    setPose(arguments);
  } else if (name == "stop") {
    requireNoArguments(name, arguments);
    pursue({});
  } else {
    return TrackingController::command(name, arguments);
  }
  next_ = std::numeric_limits<std::uint64_t>::max();
  return true;
}

std::vector<std::pair<std::string, std::string>> RealTimePlanningController::commands() const {
  auto list = TrackingController::commands();
  list.insert(list.begin(),
              {{"set_q",
                "q: go to this configuration, around what is in the way; links that a map leaves out stay where "
                "the motion leads"},
               {"set_joint", "{JOINT: value, ...}: the same, but other joints stay where they are now"},
               {"set_pose",
                "{link, position (m), rotation, point}: take a point of the link there (world frame), and turn "
                "it so"},
               {"stop", "no arguments: no target any more; the motion goes on to its end, which is safe"}});
  return list;
}

Value RealTimePlanningController::settings() const {
  Value settings = TrackingController::settings();
  if (!planning_) return settings;
  const RealTimeSession& session = planning_->session();
  const VectorXd& end = session.queue().endConfiguration();
  VectorXd full;
  planning_->space().lift(end, full);
  settings.set("reaches", session.reaches());
  settings.set("current_split_time", session.split());
  settings.set("response", session.response().response);
  settings.set("remaining", std::max(session.queue().endTime() - clock_, 0.0));
  settings.set("end_time", session.queue().endTime());
  settings.set("end_configuration", std::vector<double>(full.begin(), full.end()));
  return settings;
}

bool RealTimePlanningController::hasSetting(std::string_view name) const {
  return TrackingController::hasSetting(name) || settings().contains(name);
}

bool RealTimePlanningController::changeSetting(std::string_view name, const Value& value) {
  if (name == "velocity_scale" || name == "velocityScale" || name == "acceleration_scale" ||
      name == "accelerationScale")
    throw Error("'" + std::string(name) + "' does not change while motions are planned", value.position(),
                "set it where the controller is named");
  return TrackingController::changeSetting(name, value);
}

void RealTimePlanningController::save(ByteWriter& out) const {
  TrackingController::save(out);
  out.put(clock_);
  out.put(next_);
  out.put(target_.kind);
  if (target_.kind == Target::Kind::configuration)
    out.put(std::span<const double>(target_.q.data(), static_cast<std::size_t>(target_.q.size())));
  if (target_.kind == Target::Kind::pose) {
    const IKGoal& goal = target_.goal;
    out.put(static_cast<std::int32_t>(goal.link));
    out.put(goal.position == IKGoal::Position::point);
    out.put(goal.rotation == IKGoal::Rotation::fixed);
    for (const Vector3d& v : {goal.p_LP, goal.p_DP, goal.rotationVector_DL})
      for (int i = 0; i < 3; ++i) out.put(v[i]);
  }
  planning_->session().save(out);
}

void RealTimePlanningController::restore(ByteReader& in) {
  TrackingController::restore(in);
  clock_ = in.get<double>();
  next_ = in.get<std::uint64_t>();
  Target target;
  target.kind = static_cast<Target::Kind>(in.get<std::int32_t>());
  if (target.kind == Target::Kind::configuration) {
    target.q.resize(planning_->space().dimension());
    in.get(std::span<double>(target.q.data(), static_cast<std::size_t>(target.q.size())));
  } else if (target.kind == Target::Kind::pose) {
    target.goal.link = in.get<std::int32_t>();
    if (target.goal.link < 0 || target.goal.link >= robot().numLinks())
      throw Error("the saved controller has a target of no link");
    if (in.get<bool>()) target.goal.position = IKGoal::Position::point;
    if (in.get<bool>()) target.goal.rotation = IKGoal::Rotation::fixed;
    for (Vector3d* v : {&target.goal.p_LP, &target.goal.p_DP, &target.goal.rotationVector_DL})
      for (int i = 0; i < 3; ++i) (*v)[i] = in.get<double>();
  } else if (target.kind != Target::Kind::none) {
    throw Error("the saved controller has a target of no known kind");
  }
  std::shared_ptr<RealTimeTarget> again = made(target);
  planning_->session().restore(in, std::move(again));
  target_ = std::move(target);
}

}  // namespace mortise::controllers
