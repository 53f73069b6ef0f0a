#include "tracking/polynomial_path_controller.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "common/command_arguments.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/timing/parabolic_ramp.h"
#include "tracking/motion_arguments.h"
#include "tracking/path_demand.h"

namespace mortise::controllers {

namespace {

/// Fraction of a limit by which a timed motion may exceed it before anything is said.
constexpr double kPaceTolerance = 1e-6;

constexpr const char* kSlower = "`mortise path retime` gives a motion the time that it needs";

/// rad or m: a start of a motion that is no farther away is approached without a word.
constexpr double kSmallJump = 0.02;

void requireLinks(const VectorXd& q, std::size_t index, const Robot& robot, const SourcePosition& where = {}) {
  if (q.size() != robot.numLinks())
    throw Error("configuration " + std::to_string(index + 1) + " of the path has " + std::to_string(q.size()) +
                    " values, but robot '" + robot.name() + "' has " + std::to_string(robot.numLinks()) + " links",
                where, "use a path that was made for this robot");
}

}  // namespace

std::span<const PolynomialPathController::Motion> PolynomialPathController::motions() {
  static constexpr std::array<Motion, 11> kMotions = {{
      {"set_q", "q", true, "q: from here, move to q as fast as the limits allow and stop there"},
      {"set_qv", "qv", true, "q v: from here, move to q as fast as the limits allow, arriving with velocity v"},
      {"set_tq", "tq", true, "t q: from here, move to q at constant velocity, arriving at time t"},
      {"set_tqv", "tqv", true, "t q v: from here, a cubic that arrives at time t at q with velocity v"},
      {"set_tv", "tv", true, "t v: from here, move at velocity v for t seconds and stop"},
      {"append_q", "q", false, "q: after what is queued, move to q as fast as the limits allow and stop there"},
      {"append_qv", "qv", false, "q v: after what is queued, move to q as fast as the limits allow, arriving with v"},
      {"append_q_linear", "q", false,
       "q: after what is queued, stop, and move to q on a straight line as fast as the limits allow"},
      {"append_tq", "tq", false, "t q: after what is queued, move to q at constant velocity, arriving at time t"},
      {"append_tqv", "tqv", false, "t q v: after what is queued, a cubic that arrives at time t at q with velocity v"},
      {"brake", "", true, "no arguments: stop, each link as fast as its limits allow"},
  }};
  return kMotions;
}

std::vector<std::string> PolynomialPathController::commandNames() {
  std::vector<std::string> names = {"set_path"};
  for (const Motion& motion : motions()) names.emplace_back(motion.name);
  return names;
}

std::vector<std::string> PolynomialPathController::timelessNames() {
  std::vector<std::string> names;
  for (const Motion& motion : motions())
    if (motion.shape.find('t') == std::string_view::npos) names.emplace_back(motion.name);
  return names;
}

void PathSettings::bind(SettingBinder& b) {
  b.add("path", path,
        "Motion file (`.path`, ...) to follow from the start, times in seconds; empty: hold the start configuration "
        "until "
        "a command comes.");
  b.add("ramp", ramp,
        "When the path starts later than time 0, move there from the start configuration instead of jumping.");
  b.add(
      "milestones", milestones,
      "List of maps {q: [...], v: [...]} to move through from the start, as fast as the limits allow; as `set_qv` and "
      "then `append_qv` do. Without v: stopping there.");
  b.choice("timed_limits", timedLimits, {{"warn", TimedLimits::warn}, {"refuse", TimedLimits::refuse}},
           "What happens when a motion with a given time is faster than the velocity limits: `warn` once per link and "
           "execute it, or `refuse` it.",
           {.aliases = {"timedLimits"}});
}

void PathSettings::check() const {
  if (!milestones.isNull() && !milestones.isList())
    throw Error("'milestones' is a list", milestones.position(), "write [{q: [...], v: [...]}, ...]");
  if (!path.empty() && !milestones.isNull())
    throw Error("'path' and 'milestones' exclude each other", milestones.position());
}

PolynomialPathController::PolynomialPathController(const ComponentContext& context)
    : TrackingController(context),
      settings_(context.settings),
      initial_(settings_->path.empty() ? Trajectory() : context.host.loadTrajectory(settings_->path)) {}

void PolynomialPathController::begin(const ControllerSetup& setup) {
  queue_.reset(setup.q, limits());
  clock_ = 0;
  running_ = approaching_ = false;
  startUnjudged_ = !initial_.empty();
  if (!initial_.empty()) followFile();
  if (!settings_->milestones.isNull()) sendMilestones();
}

void PolynomialPathController::followFile() {
  for (std::size_t i = 0; i < initial_.times.size(); ++i) requireLinks(initial_.configurations[i], i, robot());
  VectorXd first = initial_.configurations.front();
  clampToLimits("path", first);
  approaching_ = settings_->ramp && initial_.startTime() > 0;
  if (initial_.startTime() < 0) {
    queue_.reset(first, limits(), initial_.startTime());
  } else {
    if (!approaching_) queue_.appendLinear(first, 0);
    queue_.appendLinear(first, initial_.startTime());
  }
  appendPath(queue_, initial_, 0, 1);
}

/// At the first update, and not when the controller is started: a state that was restored in between has moved the
/// robot, or is of a run in which the motion had begun already.
void PolynomialPathController::judgeStart(const VectorXd& from) {
  MotionQueue here;
  here.reset(from, limits(), clock_);
  VectorXd q = from, dq = from, ddq = from;
  queue_.evaluate(clock_, q, dq, ddq);
  checkPace(here, "path", q, nullptr, 0);
  if (!approaching_) return;
  VectorXd first = initial_.configurations.front();
  clampToLimits("path", first);
  checkPace(here, "path", first, nullptr, initial_.startTime());
}

void PolynomialPathController::sendMilestones() {
  for (const Value& milestone : settings_->milestones.items()) {
    const bool moving = milestone.isMap() && milestone.find("v") != nullptr;
    MotionArguments arguments = MotionArgumentReader(robot(), host())
                                    .read("milestones", moving ? "qv" : "q", milestone, queue_.endConfiguration());
    if (!moving) arguments.v = VectorXd::Zero(arguments.q.size());
    clampToLimits("milestones", arguments.q);
    clampVelocities(arguments.v);
    queue_.appendRamp(arguments.q, arguments.v, names());
  }
}

void PolynomialPathController::clampVelocities(VectorXd& v) {
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    const CoordinateLimits& c = limits()[static_cast<std::size_t>(i)];
    const double allowed = std::clamp(v[i], c.vMin, c.vMax);
    if (v[i] != allowed)
      warnOnce(static_cast<int>(i), "milestones: velocity " + formatReal(v[i]) + " is beyond the limit of '" +
                                        names()[static_cast<std::size_t>(i)] + "', " + formatReal(allowed) +
                                        ", and becomes that");
    v[i] = allowed;
  }
}

void PolynomialPathController::checkPace(const MotionQueue& queue, std::string_view command, const VectorXd& q,
                                         const VectorXd* v, double duration) {
  int link = 0;
  const double factor = queue.limitUsage(q, v, duration, link);
  if (factor <= 1 + kPaceTolerance) return;
  if (std::isinf(factor)) {
    jump(queue, command, q);
    return;
  }
  const std::string message = std::string(command) + ": '" + names()[static_cast<std::size_t>(link)] +
                              "' has to move at " + formatReal(factor, 3) + " times its velocity limit";
  if (refusesFast()) throw Error(message, {}, "allow more time, or use a command without time");
  warnOnce(link, message +
                     "; it lags behind where its motor is not strong enough\n  hint: allow more time, or use a "
                     "command without time");
}

/// A place that is not where the motion before ends, with no time to get there.
void PolynomialPathController::jump(const MotionQueue& queue, std::string_view command, const VectorXd& q) {
  const VectorXd& from = queue.endConfiguration();
  Eigen::Index link = 0;
  double farthest = 0;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const double away = std::abs(nearestTurn(limits()[static_cast<std::size_t>(i)], from[i], q[i]) - from[i]);
    if (!(away > farthest)) continue;
    farthest = away;
    link = i;
  }
  const bool straight = robot().link(static_cast<int>(link)).motion == LinkMotion::prismatic;
  const std::string how = formatReal(farthest, 3) + (straight ? " m" : " rad") + " away from where '" +
                          names()[static_cast<std::size_t>(link)] + "' is";
  const bool start = command == "path" && queue.endTime() <= clock_;
  const std::string message = std::string(command) + (start ? ": the start is " + how
                                                            : ": the target is " + how + ", with no time to get there");
  // A robot that came to rest hangs a little below what it was asked for.
  if (start && farthest <= kSmallJump) return;
  if (refusesFast()) throw Error(message, {}, "allow more time, or use a command without time");
  if (farthest > kSmallJump) warnOnce(static_cast<int>(link), message + "; it is approached at full speed");
}

void PolynomialPathController::appendPath(MotionQueue& queue, const Trajectory& path, double start, std::size_t from) {
  PathDemand demand(robot(), limits());
  for (std::size_t i = from; i < path.times.size(); ++i) {
    VectorXd q = path.configurations[i];
    clampToLimits("path", q);
    const double duration = std::max(start + path.times[i] - queue.endTime(), 0.0);
    int link = 0;
    const double factor = queue.limitUsage(q, nullptr, duration, link);
    if (std::isinf(factor) || refusesFast())
      checkPace(queue, "path", q, nullptr, duration);
    else
      demand.countVelocity(link, factor, queue.endTime());
    demand.add(queue.endConfiguration(), q, queue.endTime(), duration);
    queue.appendLinear(q, duration);
  }
  if (const std::string fast = demand.text(); !fast.empty())
    warn("path: " + fast + "; what cannot keep up lags behind\n  hint: " + kSlower);
}

void PolynomialPathController::reference(const ControllerInput& input, VectorXd& q, VectorXd& dq, VectorXd& ddq) {
  // Who is started in the middle of a run counts from there what was queued before.
  if (!running_ && input.tick > 0) queue_.shift(input.time);
  running_ = true;
  clock_ = input.time;
  if (startUnjudged_) {
    judgeStart(q);
    startUnjudged_ = false;
  }
  queue_.evaluate(clock_, q, dq, ddq);
}

void PolynomialPathController::move(const Motion& motion, const Value& arguments) {
  MotionArguments to;
  if (motion.shape.empty()) {
    requireNoArguments(motion.name, arguments);
  } else {
    to = MotionArgumentReader(robot(), host()).read(motion.name, motion.shape, arguments, queue_.endConfiguration());
  }
  // All or nothing: what throws below leaves the queue as it was. Appending copies nothing of what is queued.
  MotionQueue queue = motion.set ? queue_ : queue_.continuation(clock_, limits());
  if (motion.set) {
    queue.setLimits(limits());
    queue.cut(clock_);
  }
  const bool timed = motion.shape.find('t') != std::string_view::npos;
  double duration = to.t;
  if (motion.name == "set_tv") {
    if (to.t < 0) throw Error("set_tv takes a time of at least 0, not " + formatReal(to.t), arguments.position());
    to.q = queue.endConfiguration() + to.v * to.t;
  } else if (timed) {
    duration = to.t - queue.endTime();
    // What a clock and a user's decimals make different is no time in the past.
    if (duration < 0 && duration > -1e-9) duration = 0;
    if (duration < 0)
      throw Error(std::string(motion.name) + ": time " + formatReal(to.t) + " comes before the " +
                      (motion.set || clock_ >= queue_.endTime() ? "present" : "end of the path") + ", " +
                      formatReal(queue.endTime()),
                  arguments.position(), "times are seconds of the simulation, not from now");
  }
  if (to.q.size() > 0) clampToLimits(motion.name, to.q);
  const bool cubic = motion.shape == "tqv";
  if (timed) checkPace(queue, motion.name, to.q, cubic ? &to.v : nullptr, duration);
  if (motion.shape.empty())
    queue.appendBrake();
  else if (cubic)
    queue.appendCubic(to.q, to.v, duration);
  else if (timed)
    queue.appendLinear(to.q, duration);
  else if (motion.name == "append_q_linear")
    queue.appendLinearRamp(to.q, names());
  else
    queue.appendRamp(to.q, motion.shape == "qv" ? to.v : VectorXd(VectorXd::Zero(to.q.size())), names());
  if (motion.set) {
    queue_ = std::move(queue);
    approaching_ = false;
  } else {
    queue_.append(queue, clock_);
  }
}

void PolynomialPathController::setPath(const Value& arguments) {
  Trajectory path;
  if (const std::string file = nameFrom(arguments); !file.empty()) {
    path = host().loadTrajectory(file);
  } else {
    if (!arguments.isMap())
      throw Error("set_path takes a map or the name of a motion file", arguments.position(),
                  "write {times: [...], configurations: [[...], ...]}");
    path.times = arguments.at("times").asReals();
    const Value& configurations = arguments.at("configurations");
    if (!configurations.isList() || configurations.size() != path.times.size())
      throw Error("set_path takes as many configurations as times", arguments.position());
    const MotionArgumentReader reader(robot(), host());
    VectorXd before = queue_.endConfiguration();
    for (const Value& q : configurations.items()) {
      before = reader.read("set_path", "q", q, before).q;
      path.configurations.push_back(before);
    }
  }
  if (path.times.empty())
    throw Error("set_path takes a path, and this one has no configuration", arguments.position(),
                "`brake` stops the robot");
  for (std::size_t i = 0; i < path.times.size(); ++i) {
    requireLinks(path.configurations[i], i, robot(), arguments.position());
    if (!std::isfinite(path.times[i]))
      throw Error("time " + std::to_string(i + 1) + " of the path is " + formatReal(path.times[i]),
                  arguments.position(), "times are finite numbers of seconds, counted from now");
    const double before = i > 0 ? path.times[i - 1] : 0;
    if (!(path.times[i] >= before))
      throw Error("time " + formatReal(path.times[i]) + " of the path comes after " + formatReal(before),
                  arguments.position(), "times count from now and never decrease");
  }
  MotionQueue queue = queue_;
  queue.setLimits(limits());
  queue.cut(clock_);
  appendPath(queue, path, clock_);
  queue_ = std::move(queue);
  approaching_ = false;
}

bool PolynomialPathController::command(std::string_view name, const Value& arguments) {
  for (const Motion& motion : motions())
    if (motion.name == name) {
      move(motion, arguments);
      return true;
    }
  if (name != "set_path") return TrackingController::command(name, arguments);
  setPath(arguments);
  return true;
}

std::vector<std::pair<std::string, std::string>> PolynomialPathController::commands() const {
  std::vector<std::pair<std::string, std::string>> list;
  for (const Motion& motion : motions()) list.emplace_back(motion.name, motion.help);
  list.emplace_back("set_path",
                    "{times: [...], configurations: [[...], ...]}, or a motion file: follow this path, times counted "
                    "from now");
  for (auto& entry : TrackingController::commands()) list.push_back(std::move(entry));
  return list;
}

Value PolynomialPathController::settings() const {
  Value settings = TrackingController::settings();
  settings.set("remaining", std::max(queue_.endTime() - clock_, 0.0));
  settings.set("end_time", queue_.endTime());
  const VectorXd& q = queue_.endConfiguration();
  settings.set("end_configuration", std::vector<double>(q.begin(), q.end()));
  return settings;
}

bool PolynomialPathController::hasSetting(std::string_view name) const {
  return TrackingController::hasSetting(name) || settings().contains(name);
}

void PolynomialPathController::save(ByteWriter& out) const {
  TrackingController::save(out);
  out.put(clock_);
  out.put(running_);
  queue_.save(out);
}

void PolynomialPathController::restore(ByteReader& in) {
  TrackingController::restore(in);
  const auto clock = in.get<double>();
  if (!std::isfinite(clock)) throw Error("the saved controller has a clock that is not finite");
  clock_ = clock;
  running_ = in.get<unsigned char>() != 0;
  startUnjudged_ = !running_ && !initial_.empty();
  queue_.restore(in);
}

}  // namespace mortise::controllers
