#include "path_following.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise {

PathFollowingController::PathFollowingController(const ComponentContext& context)
    : JointTrackingController(context), fromStart_(context.settings.boolean("ramp", true)) {
  const std::string file = context.settings.string("path", "");
  if (!file.empty()) initial_ = context.host.loadTrajectory(file);
}

void PathFollowingController::start(const ControllerSetup& setup) {
  JointTrackingController::start(setup);
  path_ = Trajectory();
  startTime_ = 0;
  now_ = 0;
  for (std::size_t i = 0; i < initial_.times.size(); ++i) {
    const VectorXd& q = initial_.configurations[i];
    if (q.size() != setup.q.size())
      throw Error("configuration " + std::to_string(i + 1) + " of the path has " + std::to_string(q.size()) +
                      " values, but robot '" + setup.robot.name() + "' has " + std::to_string(setup.robot.numLinks()) +
                      " links",
                  {}, "use a path that was made for this robot");
  }
  path_ = initial_;
  // Move to the first configuration instead of jumping to it.
  if (fromStart_ && !path_.empty() && path_.startTime() > 0) {
    path_.times.insert(path_.times.begin(), 0.0);
    path_.configurations.insert(path_.configurations.begin(), setup.q);
  }
}

void PathFollowingController::desired(const ControllerInput& input, VectorXd& q, VectorXd& dq) {
  now_ = input.time;
  if (path_.empty())
    dq.setZero();
  else
    path_.evaluate(now_ - startTime_, q, dq);
}

void PathFollowingController::append(double time, const std::vector<double>& q, const SourcePosition& where) {
  if (static_cast<int>(q.size()) != robot().numLinks())
    throw Error("a configuration has one value a link: " + std::to_string(robot().numLinks()) + ", not " +
                    std::to_string(q.size()),
                where);
  if (!std::isfinite(time) || (!path_.empty() && time < path_.endTime()))
    throw Error("time " + formatReal(time) + " comes before the end of the path, " + formatReal(path_.endTime()),
                where);
  path_.times.push_back(time);
  path_.configurations.push_back(Eigen::Map<const VectorXd>(q.data(), static_cast<Eigen::Index>(q.size())));
}

bool PathFollowingController::command(std::string_view name, const Value& arguments) {
  if (name == "set_path") {
    const std::vector<double> times = arguments.at("times").asReals();
    const Value& configurations = arguments.at("configurations");
    if (!configurations.isList() || configurations.size() != times.size())
      throw Error("set_path takes as many configurations as times", arguments.position());
    Trajectory before = std::move(path_);
    path_ = Trajectory();
    try {
      for (std::size_t i = 0; i < times.size(); ++i)
        append(times[i], configurations[i].asReals(), configurations[i].position());
    } catch (...) {
      path_ = std::move(before);
      throw;
    }
    startTime_ = now_;
    return true;
  }
  if (name == "append_tq") {
    if (path_.empty()) {
      startTime_ = now_;
      path_.times.push_back(0);
      path_.configurations.push_back(target());
    }
    append(arguments.at("time").asReal(), arguments.at("configuration").asReals(), arguments.position());
    return true;
  }
  if (name == "set_q") path_ = Trajectory();
  return JointTrackingController::command(name, arguments);
}

std::vector<std::pair<std::string, std::string>> PathFollowingController::commands() const {
  auto list = JointTrackingController::commands();
  list.emplace_back("set_path",
                    "{times: [...], configurations: [[...], ...]}: follow this path, times counted from now");
  list.emplace_back("append_tq", "{time: t, configuration: [...]}: go on to this configuration at time t of the path");
  return list;
}

void PathFollowingController::save(ByteWriter& out) const {
  JointTrackingController::save(out);
  out.put(startTime_);
  out.put(now_);
  out.put(std::span<const double>(path_.times));
  for (const VectorXd& q : path_.configurations) out.put(std::span<const double>(q.data(), q.size()));
}

void PathFollowingController::restore(ByteReader& in) {
  JointTrackingController::restore(in);
  in.get(startTime_);
  in.get(now_);
  const auto count = in.get<std::uint64_t>();
  path_ = Trajectory();
  for (std::uint64_t i = 0; i < count; ++i) path_.times.push_back(in.get<double>());
  for (std::uint64_t i = 0; i < count; ++i) {
    VectorXd q(robot().numLinks());
    in.get(std::span<double>(q.data(), q.size()));
    path_.configurations.push_back(std::move(q));
  }
}

}  // namespace mortise
