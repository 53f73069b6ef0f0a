#include "mortise/planning/real_time/trials/user_trial.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/configuration_reader.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/goals/goal_setting.h"
#include "mortise/ik/equations/ik_equations.h"
#include "mortise/planning/real_time/moving_ramps.h"

namespace mortise {

namespace {

constexpr int kPlaceTries = 10000;
constexpr double kMousePeriod = 0.1;  ///< Seconds between two events of the random user.
/// Seconds without an event after which a drag has ended.
constexpr double kPause = 0.5;

/// The last link with a shape that can move.
int draggedLink(const Robot& robot) {
  for (int l = robot.numLinks() - 1; l >= 0; --l)
    if (robot.link(l).geometry != nullptr && !robot.link(l).geometry->empty()) return l;
  return robot.numLinks() - 1;
}

IKGoal pointAt(int link, const Vector3d& p_W) {
  IKGoal goal;
  goal.link = link;
  goal.position = IKGoal::Position::point;
  goal.p_DP = p_W;
  return goal;
}

/// Straight from place to place; joints go along to where the robot would be there.
std::vector<DragEvent> randomEvents(RealTimeRobot& robot, const VectorXd& start, const UserTrialSettings& settings) {
  RandomStream random(settings.seed, "user trials");
  RobotDynamics dynamics(robot.world().robots[static_cast<std::size_t>(settings.robot)].robot);
  const int link = draggedLink(dynamics.robot());
  std::vector<DragEvent> events;
  VectorXd q, from = start, to = start;
  dynamics.setPosition(start);
  Vector3d here = dynamics.X_WL(link).p;
  for (int k = 0; k < settings.drags; ++k) {
    std::string reason;
    int tries = 0;
    do {
      if (++tries > kPlaceTries)
        throw Error("no free place in " + std::to_string(kPlaceTries) + " random configurations; the last: " + reason);
      robot.space().sample(random, q);
    } while (!robot.canStay(q, 0, &reason));
    robot.space().lift(q, to);
    dynamics.setPosition(to);
    const Vector3d there = dynamics.X_WL(link).p;
    const int steps = std::max(1, static_cast<int>(std::lround(settings.dragging / kMousePeriod)));
    for (int i = 1; i <= steps; ++i) {
      const double u = static_cast<double>(i) / steps;
      const double time = k * (settings.dragging + settings.patience) + (i - 1) * kMousePeriod;
      events.push_back({time, pointAt(link, here + u * (there - here)), from + u * (to - from)});
    }
    here = there;
    from = to;
  }
  return events;
}

class UserTrial {
 public:
  UserTrial(std::shared_ptr<const World> world, const UserTrialSettings& settings, TrialInterface kind)
      : settings_(settings),
        kind_(kind),
        world_(std::move(world)),
        robot_(world_, settings.robot, start(), options()),
        audit_(robot_.space(), realTimeCollider(world_), robot_.limits().limits, settings.options.motions) {
    for (VectorXd* v : {&q_, &dq_, &ddq_}) v->setZero(robot_.space().dimension());
    robot_.start(start(), 0);
    robot_.space().reduce(start(), q_);
    queue_.reset(q_, robot_.limits().limits, 0);
    events_ = settings.events.empty() ? randomEvents(robot_, start(), settings) : settings.events;
  }

  Value run(Trajectory& motion, bool& valid) {
    note("Activate", "");
    const double end = events_.back().time + settings_.dragging + settings_.patience;
    std::size_t next = 0;
    for (; now() < end && !(settings_.stopRequested && settings_.stopRequested()); ++ticks_) {
      const bool ends = next > 0 && next < events_.size() && events_[next].time <= now() &&
                        events_[next].time - events_[next - 1].time >= kPause;
      if (ends) endDrag();
      while (next < events_.size() && events_[next].time <= now()) last_ = &events_[next++];
      if (last_ != nullptr && last_ != followed_) follow();
      tick(motion);
    }
    if (last_ != nullptr) endDrag();
    note("Deactivate", "");
    answered();
    valid = audit_.findings().clean();
    return report();
  }

 private:
  bool planned() const { return isSafe(kind_); }
  const VectorXd& start() const { return world_->robots.at(static_cast<std::size_t>(settings_.robot)).q; }
  double now() const { return static_cast<double>(ticks_) * settings_.tick; }
  const MotionQueue& queue() const { return planned() ? robot_.session().queue() : queue_; }

  RealTimeRobotOptions options() const {
    RealTimeRobotOptions options = settings_.options;
    options.session.seed = settings_.seed;
    options.planner.method = kind_ == TrialInterface::ikPointPoser    ? RealTimeMethod::ik
                             : kind_ == TrialInterface::rrtPointPoser ? RealTimeMethod::tree
                                                                      : RealTimeMethod::hybrid;
    return options;
  }

  void note(const char* event, const std::string& what) const {
    if (!settings_.log) return;
    settings_.log(std::string(event) + " " + std::string(trialInterfaceName(kind_)) + " " + formatReal(now(), 6) +
                  (what.empty() ? "" : " " + what));
  }

  /// The answers to the last target.
  void answered() {
    if (!planned() || followed_ == nullptr) return;
    const RealTimeResponse& r = robot_.session().response();
    if (r.response >= 0) responses_.push_back(r.response);
    cycles_ += r.cycles;
    splices_ += r.splices;
    failures_ += r.failures;
    refusals_ += r.refusals;
  }

  void follow() {
    const DragEvent& event = *last_;
    answered();
    followed_ = last_;
    const RobotPtr& robot = world_->robots[static_cast<std::size_t>(settings_.robot)].robot;
    goal_ = std::make_unique<IKEquations>(robot, termsOf({event.goal}), linkVariables(*robot));
    r_.resize(goal_->size());
    const Vector3d& p = event.goal.p_DP;
    note("MouseInput", kind_ == TrialInterface::jointPoser
                           ? "joints"
                           : formatReal(p[0], 6) + " " + formatReal(p[1], 6) + " " + formatReal(p[2], 6));
    if (planned()) {
      robot_.session().setTarget(robot_.poseTarget({event.goal}, 0.1 * settings_.reached), now());
      return;
    }
    VectorXd goal = queue_.endConfiguration();
    if (kind_ == TrialInterface::jointPoser) {
      if (event.q.size() == 0) return;
      robot_.space().reduce(event.q, goal);
    } else {
      PoseTarget(robot_.space(), world_, {settings_.robot, {event.goal}}).approach(goal);
    }
    queue_.evaluate(now(), q_, dq_, ddq_);
    std::vector<ParabolicRamp> ramps;
    if (!fastestRamps(q_, dq_, goal, VectorXd::Zero(goal.size()), robot_.limits().limits, ramps) || !(ramps[0].T > 0))
      return;
    RampPath path(static_cast<int>(goal.size()));
    path.append(ramps);
    if (queue_.splice(path, now(), now())) ++splices_;
  }

  void tick(Trajectory& motion) {
    const int before = planned() ? robot_.session().response().splices : 0;
    if (planned()) robot_.session().advance(now());
    if (planned() && robot_.session().response().splices > before)
      note("Update", "path of " + formatReal(queue().endTime() - now(), 4) + " s");
    const int checks = std::max(settings_.checks, 1);
    for (int k = 0; k < checks; ++k) {
      const double t = (static_cast<double>(ticks_) + static_cast<double>(k) / checks) * settings_.tick;
      queue().evaluate(t, q_, dq_, ddq_);
      if (settings_.checks > 0) audit_.observe(t, q_, dq_);
      if (k > 0) continue;
      hash_ = hashBytes(q_.data(), static_cast<std::size_t>(q_.size()) * sizeof(double), hash_);
      motion.times.push_back(t);
      motion.configurations.emplace_back();
      robot_.space().lift(q_, motion.configurations.back());
      if (goal_ == nullptr) continue;
      goal_->residual(motion.configurations.back().data(), r_.data());
      off_ = r_.norm();
      offSum_ += off_;
      ++offCount_;
    }
  }

  void endDrag() {
    ++drags_;
    reached_ += off_ <= settings_.reached;
    left_.push_back(off_);
  }

  Value report() {
    Value map = Value::map();
    const MotionAudit::Findings& f = audit_.findings();
    std::sort(left_.begin(), left_.end());
    std::sort(responses_.begin(), responses_.end());
    map.set("interface", std::string(trialInterfaceName(kind_)));
    map.set("drags", drags_);
    map.set("reached", reached_);
    map.set("mean_distance", offCount_ > 0 ? Value(offSum_ / static_cast<double>(offCount_)) : Value());
    map.set("end_distance", left_.empty() ? Value() : Value(left_[left_.size() / 2]));
    map.set("response", responses_.empty() ? Value() : Value(responses_[responses_.size() / 2]));
    map.set("cycles", cycles_);
    map.set("splices", splices_);
    map.set("failed_cycles", failures_);
    map.set("refused_splices", refusals_);
    map.set("duration", now());
    if (settings_.checks > 0) {
      Value check = Value::map();
      check.set("valid", f.clean());
      check.set("places", f.places);
      check.set("jumps", f.jumps);
      check.set("beyond_limits", f.beyondLimits);
      check.set("collisions", f.collisions);
      if (!f.first.empty()) check.set("first", f.first);
      map.set("check", std::move(check));
    }
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(hash_));
    map.set("motion_hash", hash);
    return map;
  }

  const UserTrialSettings& settings_;
  TrialInterface kind_;
  std::shared_ptr<const World> world_;
  RealTimeRobot robot_;
  MotionAudit audit_;
  MotionQueue queue_;
  std::vector<DragEvent> events_;
  const DragEvent *last_ = nullptr, *followed_ = nullptr;
  std::unique_ptr<IKEquations> goal_;
  std::int64_t ticks_ = 0, offCount_ = 0;
  int drags_ = 0, reached_ = 0, cycles_ = 0, splices_ = 0, failures_ = 0, refusals_ = 0;
  double off_ = 0, offSum_ = 0;
  std::vector<double> left_, responses_;
  std::uint64_t hash_ = 0;
  VectorXd q_, dq_, ddq_, r_;
};

}  // namespace

std::string_view trialInterfaceName(TrialInterface kind) {
  constexpr std::string_view kNames[] = {"JointPoser", "PointPoser", "IKPointPoser", "RRTPointPoser",
                                         "HybridPointPoser"};
  return kNames[static_cast<int>(kind)];
}

bool isSafe(TrialInterface kind) { return kind != TrialInterface::jointPoser && kind != TrialInterface::pointPoser; }

UserTrialResult runUserTrials(std::shared_ptr<const World> world, const UserTrialSettings& settings) {
  if (settings.robot < 0 || settings.robot >= static_cast<int>(world->robots.size()))
    throw Error("there is no robot " + std::to_string(settings.robot) + "; the world has " +
                std::to_string(world->robots.size()));
  if (!(settings.tick > 0) || !(settings.dragging > 0) || !(settings.patience > 0))
    throw Error("the tick, the time of a drag and the patience must be above 0");
  std::vector<TrialInterface> kinds = settings.interfaces;
  if (kinds.empty())
    for (int k = 0; k < kTrialInterfaces; ++k) kinds.push_back(static_cast<TrialInterface>(k));
  UserTrialResult result;
  result.report = Value::list();
  for (const TrialInterface kind : kinds) {
    if (settings.stopRequested && settings.stopRequested()) break;
    result.motions.emplace_back();
    bool valid = true;
    result.report.push_back(UserTrial(world, settings, kind).run(result.motions.back(), valid));
    result.valid = result.valid && (valid || !isSafe(kind));
  }
  return result;
}

std::string userTrialText(const Value& report) {
  std::ostringstream text;
  char line[200];
  std::snprintf(line, sizeof line, "%-17s %7s %15s %13s %9s %7s %10s\n", "interface", "reached", "mean distance",
                "at the end", "response", "splices", "collisions");
  text << line;
  for (const Value& trial : report.items()) {
    const auto meters = [&](const char* key) {
      if (trial.at(key).isNull()) return std::string("-");
      char number[40];
      std::snprintf(number, sizeof number, "%.1f mm", 1e3 * trial.at(key).asReal());
      return std::string(number);
    };
    const Value* check = trial.find("check");
    const std::string response =
        trial.at("response").isNull() ? "-" : formatReal(1e3 * trial.at("response").asReal(), 3) + " ms";
    const std::string reached =
        std::to_string(trial.at("reached").asInteger()) + "/" + std::to_string(trial.at("drags").asInteger());
    std::snprintf(line, sizeof line, "%-17s %7s %15s %13s %9s %7lld %10s\n", trial.at("interface").asString().c_str(),
                  reached.c_str(), meters("mean_distance").c_str(), meters("end_distance").c_str(), response.c_str(),
                  static_cast<long long>(trial.at("splices").asInteger()),
                  check == nullptr ? "-" : std::to_string(check->at("collisions").asInteger()).c_str());
    text << line;
  }
  return text.str();
}

std::vector<DragEvent> dragEventsFromSetting(const Value& value, const WorldRobot& robot, ResourceLoader& loader) {
  if (value.isString()) {
    const std::string path = loader.find(value.asString(), {});
    return dragEventsFromSetting(parseYaml(readFile(path), path), robot, loader);
  }
  if (!value.isList() || value.size() == 0)
    throw Error("expected a list of what the user does", value.position(),
                "write [{at: 0.5 s, link: hand, position: [0.4, 0, 0.3]}, ...]");
  std::vector<DragEvent> events;
  RobotDynamics dynamics(robot.robot);
  for (const Value& item : value.items()) {
    const Value* at = item.isMap() ? item.find("at") : nullptr;
    if (at == nullptr)
      throw Error("an event needs its time, 'at'", item.position(), "write {at: 0.5 s, link: hand, position: [...]}");
    DragEvent event;
    event.time = quantityOf(*at, "s");
    if (!std::isfinite(event.time) || event.time < (events.empty() ? 0 : events.back().time))
      throw Error("times begin at 0 or later, and do not fall: " + formatReal(event.time), at->position());
    Value goal = item;
    goal.erase("at");
    if (const Value* joints = goal.find("joints")) {
      event.q = ConfigurationReader(*robot.robot).fromMap(*joints, events.empty() ? robot.q : events.back().q);
      const int link = draggedLink(*robot.robot);
      dynamics.setPosition(event.q);
      event.goal = pointAt(link, dynamics.X_WL(link).p);
    } else {
      event.goal = linkGoalFromSetting(goal, *robot.robot);
    }
    if (event.q.size() == 0 && !events.empty()) event.q = events.back().q;
    events.push_back(std::move(event));
  }
  return events;
}

}  // namespace mortise
