#include "planning/real_time.h"

#include <cmath>
#include <pybind11/stl.h>

#include "common/arrays.h"
#include "common/define.h"
#include "geometry/shapes.h"
#include "model/worlds.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/planning/real_time/real_time_robot.h"
#include "mortise/text/suggest.h"

namespace mortise::python {

namespace {

/// Behind Python's RealTimePlanner: a robot that moves on its own clock, and what it is asked for.
struct RealTimeHandle {
  std::shared_ptr<const World> world;
  std::unique_ptr<RealTimeRobot> robot;
  double time = 0;
  VectorXd q, dq, ddq;  ///< At `time`, coordinates of the space.

  RealTimeSession& session() { return robot->session(); }
  const RealTimeSession& session() const { return robot->session(); }

  void evaluate() { session().queue().evaluate(time, q, dq, ddq); }
  VectorXd full(const VectorXd& own) const {
    VectorXd all;
    robot->space().lift(own, all);
    return all;
  }
};

RealTimeMethod methodNamed(const std::string& name) {
  std::vector<std::string> names;
  for (const RealTimeMethod each : {RealTimeMethod::hybrid, RealTimeMethod::tree, RealTimeMethod::ik}) {
    names.emplace_back(realTimeMethodName(each));
    if (name == names.back()) return each;
  }
  throw py::value_error("method: expected " + nameList(names) + ", found '" + name + "'");
}

double aboveZero(double value, const char* name) {
  if (!(value > 0) || !std::isfinite(value))
    throw py::value_error(std::string(name) + ": expected a number above 0, found " + std::to_string(value));
  return value;
}

std::shared_ptr<RealTimeHandle> makeRealTimePlanner(const WorldPtr& world, py::handle robot, py::handle start,
                                                    const std::string& method, double margin, py::handle split,
                                                    double iterationsPerSecond, std::uint64_t seed) {
  if (world->robots.empty()) throw py::value_error("world: expected a world with a robot");
  const int index = robot.is_none() ? 0 : robotIndex(*world, robot);
  const WorldRobot& moved = world->robots[static_cast<std::size_t>(index)];
  const VectorXd q = start.is_none() ? moved.q : vectorFrom(start, "start", moved.robot->numLinks());
  RealTimeRobotOptions options;
  options.planner.method = methodNamed(method);
  if (!(margin >= 0) || !std::isfinite(margin)) throw py::value_error("margin: expected a length of at least 0");
  options.margin = margin;
  options.session.seed = seed;
  options.session.iterationsPerSecond = aboveZero(iterationsPerSecond, "iterations_per_second");
  if (!split.is_none()) {
    options.session.split.initial = aboveZero(numberFrom(split, "split"), "split");
    options.session.split.kind = SplitTimeOptions::Kind::constant;
  }
  auto handle = std::make_shared<RealTimeHandle>();
  handle->world = world;
  const py::gil_scoped_release release;
  handle->robot = std::make_unique<RealTimeRobot>(handle->world, index, q, options);
  for (VectorXd* v : {&handle->q, &handle->dq, &handle->ddq}) v->setZero(handle->robot->space().dimension());
  handle->robot->start(q, 0);
  handle->evaluate();
  return handle;
}

/// Throws `Error` for a target where the robot cannot stay, and says why.
void setTarget(RealTimeHandle& handle, py::handle target) {
  if (target.is_none()) {
    handle.session().setTarget(nullptr, handle.time);
    return;
  }
  const RobotSpace& space = handle.robot->space();
  const VectorXd full = vectorFrom(target, "q", space.fullSize());
  VectorXd q;
  space.reduce(full, q);
  std::string reason;
  if (!handle.robot->canStay(q, handle.time, &reason)) throw Error("the robot cannot stay at the target: " + reason);
  handle.session().setTarget(handle.robot->configurationTarget(q), handle.time);
}

void advanceTo(RealTimeHandle& handle, double time) {
  if (!std::isfinite(time) || time < handle.time)
    throw py::value_error("time: expected a time of at least " + std::to_string(handle.time) + ", found " +
                          std::to_string(time));
  const py::gil_scoped_release release;
  handle.time = time;
  handle.session().advance(time);
  handle.evaluate();
}

py::dict responseOf(const RealTimeHandle& handle) {
  const RealTimeResponse& response = handle.session().response();
  py::dict result;
  const auto known = [](double seconds) { return seconds < 0 ? py::object(py::none()) : py::float_(seconds); };
  result["given"] = response.given;
  result["response"] = known(response.response);
  result["arrival"] = known(response.arrival);
  result["cycles"] = response.cycles;
  result["splices"] = response.splices;
  result["failures"] = response.failures;
  result["iterations"] = response.iterations;
  return result;
}

}  // namespace

void bindRealTimePlanning(py::module_& m) {
  Class<RealTimeHandle, std::shared_ptr<RealTimeHandle>>(
      m, "RealTimePlanner",
      "RealTimePlanner(world: World, robot: int | str | None = None, start: ArrayLike | None = None, method = "
      "'hybrid', "
      "margin = 0, split: float | None = None, iterations_per_second = 2000, seed = 0)\n\nA robot that plans its next "
      "motion while it executes one, as Klamp't's RealTimePlanning does. It rests at start, (num_links,), the world's "
      "configuration if None, and its clock begins at 0: advance(time) lets it pass. What it executes is continuous in "
      "position and velocity, within the limits, free of collisions, and ends at rest. method: 'hybrid', 'tree' or "
      "'ik'. margin: m kept from everything. split: s from when planning begins to when the new motion does; adaptive "
      "if None. Planning is counted in iterations for each second of the robot's clock, so that equal seeds and calls "
      "give equal motions.")
      .def(constructor(&makeRealTimePlanner), py::arg("world").none(false), py::arg("robot") = py::none(),
           py::arg("start") = py::none(), py::arg("method") = "hybrid", py::arg("margin") = 0.0,
           py::arg("split") = py::none(), py::arg("iterations_per_second") = 2000.0, py::arg("seed") = 0)
      .def("set_target", &setTarget, py::arg("q"),
           "set_target(q: ArrayLike | None) -> None\n\nA configuration (num_links,) to go to from now on, in place of "
           "the target before. None: the robot finishes its motion and rests. Raises Error where it could not stay "
           "there.")
      .def("advance", &advanceTo, py::arg("time"),
           "advance(time: float) -> None\n\nLets the robot's clock go on to this time, s. Call it often, such as every "
           "millisecond: motions that were planned take over at these times.")
      .def_property_readonly(
          "time", [](const RealTimeHandle& h) { return h.time; }, "time: float\n\ns")
      .def_property_readonly(
          "q", [](const RealTimeHandle& h) { return readOnly(arrayOf(h.full(h.q))); },
          "(num_links,): where the robot is now.")
      .def_property_readonly(
          "reaches", [](const RealTimeHandle& h) { return h.session().reaches(); },
          "reaches: bool\n\nWhether the motion that it executes ends at the target.")
      .def_property_readonly(
          "arrived",
          [](const RealTimeHandle& h) { return h.session().reaches() && h.time >= h.session().queue().endTime(); },
          "arrived: bool\n\nWhether it rests at the target.")
      .def_property_readonly(
          "end_time", [](const RealTimeHandle& h) { return h.session().queue().endTime(); },
          "end_time: float\n\nWhen it comes to rest if nothing more is planned, s.")
      .def_property_readonly("response", &responseOf,
                             "response: dict[str, Any]\n\nOf the target: when it was given (s), after how long the "
                             "robot moved otherwise because of it (response) and rested there (arrival), None where "
                             "that is not known yet, and the cycles, splices, failures and iterations of planning.")
      .def("__repr__", [](const RealTimeHandle& h) { return "RealTimePlanner(t = " + formatReal(h.time, 6) + " s)"; });
}

}  // namespace mortise::python
