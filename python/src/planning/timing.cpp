#include <cmath>
#include <pybind11/stl.h>
#include <sstream>

#include "common/arrays.h"
#include "common/define.h"
#include "common/operation_settings.h"
#include "geometry/shapes.h"
#include "mechanics/contacts.h"
#include "model/models.h"
#include "model/worlds.h"
#include "mortise/base/error.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/mechanics/contact_formation.h"
#include "mortise/mechanics/held_motion.h"
#include "mortise/planning/paths/retime.h"
#include "mortise/planning/request/path_settings.h"
#include "mortise/timing/bound_usage.h"
#include "mortise/timing/jerk_filter.h"
#include "mortise/timing/multipath/multipath_timing.h"
#include "mortise/timing/path_timing.h"
#include "mortise/timing/ramp_path.h"
#include "planning/plan_result.h"

namespace mortise::python {

namespace {

/// One number for all coordinates or one each, above 0; None: infinite.
VectorXd limitsFrom(py::handle from, const char* name, Eigen::Index size) {
  if (from.is_none()) return VectorXd::Constant(size, std::numeric_limits<double>::infinity());
  VectorXd limits;
  if (PyFloat_Check(from.ptr()) != 0 || PyLong_Check(from.ptr()) != 0)
    limits = VectorXd::Constant(size, numberFrom(from, name));
  else
    limits = vectorFrom(from, name, size, Accept::any);
  for (Eigen::Index i = 0; i < size; ++i)
    if (!(limits[i] >= 0))
      throw py::value_error(std::string(name) + ": expected limits of at least 0, found " + std::to_string(limits[i]) +
                            " at index " + std::to_string(i));
  return limits;
}

std::vector<CoordinateLimits> coordinatesFrom(Eigen::Index size, py::handle velocity, py::handle acceleration,
                                              py::handle circular) {
  const VectorXd v = limitsFrom(velocity, "velocity_max", size), a = limitsFrom(acceleration, "acceleration_max", size);
  std::vector<CoordinateLimits> limits(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    limits[i].vMin = -v[k];
    limits[i].vMax = v[k];
    limits[i].aMax = a[k];
  }
  if (circular.is_none()) return limits;
  for (const int index : indicesFrom(circular, "circular")) {
    if (index < 0 || index >= size) throw py::index_error("circular: there is no coordinate " + std::to_string(index));
    limits[static_cast<std::size_t>(index)].circular = true;
  }
  return limits;
}

HermiteTrajectory timedPath(const std::vector<VectorXd>& path, const std::vector<CoordinateLimits>& limits,
                            const std::string& method, double deviation) {
  if (method == "parabolic") return RampPath::throughMilestones(path, limits).trajectory();
  if (method == "linear") return timeLinear(path, limits);
  if (method == "blend") {
    BlendOptions options;
    options.deviation = deviation;
    return timeBlended(path, limits, options).trajectory;
  }
  if (method == "smooth") return timeOptimally(smoothCurve(path), limits).trajectory;
  throw Error("there is no method '" + method + "'", {}, "there are parabolic, blend, smooth and linear");
}

HermiteTrajectory timePath(py::handle path, py::handle velocity, py::handle acceleration, const std::string& method,
                           double deviation, py::handle jerk, py::handle circular) {
  const std::vector<VectorXd> milestones = configurationList(path, "path");
  if (milestones.empty()) throw py::value_error("path: expected at least one configuration");
  const Eigen::Index size = milestones.front().size();
  const auto limits = coordinatesFrom(size, velocity, acceleration, circular);
  const bool jerks = !jerk.is_none();
  const VectorXd maximum = limitsFrom(jerk, "jerk_max", size);
  requireNumber(deviation, "deviation", 0);
  py::gil_scoped_release release;
  HermiteTrajectory motion = timedPath(milestones, limits, method, deviation);
  if (!jerks) return motion;
  return limitJerk(motion, limits, std::span(maximum.data(), static_cast<std::size_t>(size))).trajectory;
}

MultiPath sectionsFrom(py::handle path, Eigen::Index size) {
  if (py::isinstance<MultiPath>(path)) return objectOf<MultiPath>(path.ptr());
  if (py::isinstance<HermiteTrajectory>(path)) return multiPathOf(objectOf<HermiteTrajectory>(path.ptr()));
  MultiPath result;
  result.sections.emplace_back();
  if (py::isinstance<Trajectory>(path))
    result.sections[0].milestones = objectOf<Trajectory>(path.ptr()).configurations;
  else
    result.sections[0].milestones = configurationList(path, "path", size);
  if (result.sections[0].milestones.size() < 2) throw py::value_error("path: expected at least two configurations");
  return result;
}

/// The path held at these contacts all along.
void holdAt(MultiPath& path, const RobotPtr& robot, const std::vector<LinkContact>& contacts) {
  RobotDynamics dynamics(robot);
  dynamics.setPosition(path.sections.front().milestones.front());
  const Stance stance = stanceOfContacts(dynamics, contacts);
  for (MultiPath::Section& section : path.sections)
    section.holds.insert(section.holds.end(), stance.holds.begin(), stance.holds.end());
}

/// Inputs of `retime` beside its settings, of which `contacts` also takes the contacts themselves.
struct RetimeInputs {
  TimingSettings settings;
  std::vector<LinkContact> contacts;
  WorldPtr world;
  int robot = 0;  ///< In the world.
};

int robotOfSize(const World& world, int numLinks) {
  for (std::size_t i = 0; i < world.robots.size(); ++i)
    if (world.robots[i].robot->numLinks() == numLinks) return static_cast<int>(i);
  throw py::value_error("world: it has no robot with " + std::to_string(numLinks) + " links");
}

RetimeInputs retimeInputs(const Robot& robot, py::handle contacts, py::handle world, py::dict given) {
  RetimeInputs inputs;
  const bool listed = !contacts.is_none() && contacts.ptr() != Py_False && contacts.ptr() != Py_True;
  if (listed) inputs.contacts = contactsFrom(contacts, "contacts", &robot);
  given["contacts"] = listed ? py::object(py::bool_(true)) : py::reinterpret_borrow<py::object>(contacts);
  inputs.settings = operationSettings<TimingSettings>("retime", given, {},
                                                      {{"tolerance", "goal_tolerance"}, {"grid_points", "grid"}});
  if (world.is_none()) return inputs;
  if (!py::isinstance<World>(world)) throw py::type_error("world: expected a World, found " + shapeText(world));
  inputs.world = world.cast<WorldPtr>();
  inputs.robot = robotOfSize(*inputs.world, robot.numLinks());
  return inputs;
}

MultiPathTiming retimed(const std::shared_ptr<Robot>& robot, py::handle path, py::handle torque, py::handle contacts,
                        py::handle jerk, py::handle world, py::handle touch, py::handle friction,
                        const py::kwargs& more) {
  py::dict given = more;
  given["torque"] = torque;
  given["jerk"] = jerk;
  given["touch"] = touch;
  given["friction"] = friction;
  const RetimeInputs inputs = retimeInputs(*robot, contacts, world, given);
  MultiPath sections = sectionsFrom(path, robot->numLinks());
  if (sections.dimension() != robot->numLinks())
    throw py::value_error("path: expected configurations of " + std::to_string(robot->numLinks()) + " numbers, found " +
                          std::to_string(sections.dimension()));
  if (const std::string problem = sections.problem(); !problem.empty()) throw Error("path: " + problem);
  py::gil_scoped_release release;
  if (!inputs.contacts.empty()) holdAt(sections, robot, inputs.contacts);
  Vector3d gravity_W = MultiPathTimingOptions().gravity_W;
  if (inputs.world) {
    gravity_W = inputs.world->simulation.gravity;
    WorldContactOptions touching;
    touching.touch = inputs.settings.forces.touch;
    touching.maxContacts = 8;
    touching.friction = inputs.settings.forces.friction;
    RobotInWorld standing(inputs.world, inputs.robot, touching);
    sections = holdInWorld(standing, robot, sections).path;
  }
  return timeMultiPath(robot, sections, multiPathTiming(inputs.settings, gravity_W));
}

void bindRetiming(py::module_& m) {
  Class<MultiPathTiming>(m, "PathTiming", "The fastest motion along a path within bounds.")
      .def_readonly("motion", &MultiPathTiming::motion, "HermiteTrajectory")
      .def_readonly("path", &MultiPathTiming::path, "MultiPath: the same, with its sections, goals and holds.")
      .def_readonly("duration", &MultiPathTiming::duration, "s")
      .def_readonly("duration_before", &MultiPathTiming::durationBefore,
                    "s: of the path's own times, or with a rest in every milestone.")
      .def_readonly("peak_velocity", &MultiPathTiming::peakVelocity, "The largest share of a limit.")
      .def_readonly("peak_acceleration", &MultiPathTiming::peakAcceleration, "The same.")
      .def_readonly("peak_torque", &MultiPathTiming::peakTorque, "The same.")
      .def_readonly("peak_jerk", &MultiPathTiming::peakJerk, "The same.")
      .def_readonly("segments", &MultiPathTiming::segments, "Of the path while its times were sought.")
      .def_readonly("unbounded", &MultiPathTiming::unbounded, "Links without any limit, carried along by the others.")
      .def_readonly("assumed", &MultiPathTiming::assumed, "Links whose acceleration follows from ramp_up.")
      .def("__repr__", [](const MultiPathTiming& t) {
        std::ostringstream text;
        text << "PathTiming(" << t.duration << " s, peaks: velocity " << t.peakVelocity << ", acceleration "
             << t.peakAcceleration << ")";
        return text.str();
      });
  const Schema settings = schemaOf<TimingSettings>({});
  const std::vector<std::string> named = {"torque", "contacts", "jerk", "touch", "friction"};
  const std::string text =
      "retime(robot: Robot, path: ArrayLike | Trajectory | HermiteTrajectory | MultiPath, torque: bool = False, "
      "contacts: bool | Contacts | None = None, jerk: float | str = 0, world: World | None = None, touch: float | str "
      "= 0.005, "
      "friction: float | str | None = None, " +
      signatureText(settings, named) +
      ") -> PathTiming\n\nThe fastest motion along a path within the robot's limits of velocity and acceleration (Pham "
      "and Pham, "
      "2018).\n\nArguments:\n    path: (n, num_links), a trajectory or a MultiPath.\n    contacts: whether contact "
      "forces stay within "
      "their friction cones at the holds of the path's sections (True), or contacts that hold all along (a list of "
      "LinkContact, dicts, "
      "or an array (n, 7)).\n    world: a World; the path's sections are held by what the robot touches there.\n" +
      argumentsText(settings, {"contacts"}) + "\nRaises Error where no motion keeps to the limits.";
  define(m, "retime", &retimed, py::arg("robot").none(false), py::arg("path"), py::arg("torque") = py::none(),
         py::arg("contacts") = py::none(), py::arg("jerk") = py::none(), py::arg("world") = py::none(),
         py::arg("touch") = py::none(), py::arg("friction") = py::none(), text.c_str());
  define(m, "time_path", &timePath, py::arg("path"), py::arg("velocity_max") = py::none(),
         py::arg("acceleration_max") = py::none(), py::arg("method") = "blend", py::arg("deviation") = 0.01,
         py::arg("jerk_max") = py::none(), py::arg("circular") = py::none(),
         "time_path(path: ArrayLike, velocity_max: float | ArrayLike | None = None, acceleration_max: float | "
         "ArrayLike | None = None, method = 'blend', deviation = 0.01, jerk_max: float | ArrayLike | None = None, "
         "circular: Sequence[int] | None = None) -> HermiteTrajectory\n\nTimes for milestones (n, d) of any "
         "coordinates. Limits: a number, (d,), or None for none. method: 'blend' rounds corners off by no more than "
         "deviation, 'parabolic' rests in every milestone, 'smooth' goes through all of them on a smooth curve, "
         "'linear' jumps from velocity to velocity. circular: indices of angles that count modulo whole turns.");
}

struct BoundRamp {
  RampEnds goal;
  CoordinateLimits limits;
};

BoundRamp rampArguments(double x0, double v0, double x1, double v1, py::handle velocity, py::handle acceleration,
                        py::handle range) {
  const std::pair<const char*, double> numbers[] = {{"x0", x0}, {"v0", v0}, {"x1", x1}, {"v1", v1}};
  for (const auto& [name, number] : numbers) requireNumber(number, name);
  BoundRamp bound{{x0, v0, x1, v1}, coordinatesFrom(1, velocity, acceleration, py::none())[0]};
  if (range.is_none()) return bound;
  const VectorXd ends = vectorFrom(range, "range", 2);
  if (!(ends[0] <= ends[1])) throw py::value_error("range: expected (low, high)");
  bound.limits.xMin = ends[0];
  bound.limits.xMax = ends[1];
  return bound;
}

py::object evaluateRamp(const ParabolicRamp& ramp, py::handle t) {
  if (PyFloat_Check(t.ptr()) != 0 || PyLong_Check(t.ptr()) != 0) {
    double x = 0, dx = 0, ddx = 0;
    ramp.evaluate(numberFrom(t, "t"), x, dx, ddx);
    return py::make_tuple(x, dx, ddx);
  }
  const VectorXd times = vectorFrom(t, "t");
  auto x = arrayOfSize<double>(times.size()), dx = arrayOfSize<double>(times.size()),
       ddx = arrayOfSize<double>(times.size());
  for (Eigen::Index i = 0; i < times.size(); ++i)
    ramp.evaluate(times[i], x.mutable_data()[i], dx.mutable_data()[i], ddx.mutable_data()[i]);
  return py::make_tuple(x, dx, ddx);
}

void bindRampMakers(py::module_& m) {
  define(
      m, "shortest_ramp",
      [](double x0, double x1, double v0, double v1, py::handle velocity, py::handle acceleration, py::handle range) {
        const BoundRamp bound = rampArguments(x0, v0, x1, v1, velocity, acceleration, range);
        return shortestRamp(bound.goal, bound.limits);
      },
      py::arg("x0"), py::arg("x1"), py::arg("v0") = 0.0, py::arg("v1") = 0.0, py::arg("velocity_max") = py::none(),
      py::arg("acceleration_max") = py::none(), py::arg("range") = py::none(),
      "shortest_ramp(x0, x1, v0 = 0, v1 = 0, velocity_max: float | ArrayLike | None = None, acceleration_max: float | "
      "ArrayLike | None = None, range: ArrayLike | None = None) -> ParabolicRamp\n\nFrom x0 at velocity v0 to x1 at v1 "
      "in the shortest time; None where no motion keeps to the limits. range: (low, high) of positions.\n\n>>> "
      "round(mortise.shortest_ramp(0, 3, velocity_max=1, acceleration_max=1).duration, 9)\n4.0");
  define(
      m, "ramp_of_time",
      [](double x0, double x1, double duration, double v0, double v1, py::handle velocity, py::handle acceleration,
         py::handle range) {
        requireNumber(duration, "duration", 0);
        const BoundRamp bound = rampArguments(x0, v0, x1, v1, velocity, acceleration, range);
        return rampOfTime(bound.goal, bound.limits, duration);
      },
      py::arg("x0"), py::arg("x1"), py::arg("duration"), py::arg("v0") = 0.0, py::arg("v1") = 0.0,
      py::arg("velocity_max") = py::none(), py::arg("acceleration_max") = py::none(), py::arg("range") = py::none(),
      "ramp_of_time(x0, x1, duration, v0 = 0, v1 = 0, velocity_max: float | ArrayLike | None = None, acceleration_max: "
      "float | ArrayLike | None = None, range: ArrayLike | None = None) -> ParabolicRamp\n\nThe one that takes exactly "
      "this time (s), of least acceleration; None where there is none.");
  define(
      m, "minimum_time",
      [](py::handle x0, py::handle x1, py::handle v0, py::handle v1, py::handle velocity, py::handle acceleration) {
        const bool one = PyFloat_Check(x0.ptr()) != 0 || PyLong_Check(x0.ptr()) != 0;
        if (one) {
          const BoundRamp bound =
              rampArguments(numberFrom(x0, "x0"), v0.is_none() ? 0 : numberFrom(v0, "v0"), numberFrom(x1, "x1"),
                            v1.is_none() ? 0 : numberFrom(v1, "v1"), velocity, acceleration, py::none());
          return minimumTime(std::span(&bound.goal, 1), std::span(&bound.limits, 1));
        }
        const VectorXd from = vectorFrom(x0, "x0"), to = vectorFrom(x1, "x1", from.size());
        const VectorXd zero = VectorXd::Zero(from.size());
        const VectorXd dx0 = v0.is_none() ? zero : vectorFrom(v0, "v0", from.size());
        const VectorXd dx1 = v1.is_none() ? zero : vectorFrom(v1, "v1", from.size());
        if (!from.allFinite() || !to.allFinite() || !dx0.allFinite() || !dx1.allFinite())
          throw py::value_error("x0, x1, v0, v1: expected finite numbers");
        std::vector<RampEnds> goals;
        for (Eigen::Index i = 0; i < from.size(); ++i) goals.push_back({from[i], dx0[i], to[i], dx1[i]});
        return minimumTime(goals, coordinatesFrom(from.size(), velocity, acceleration, py::none()));
      },
      py::arg("x0"), py::arg("x1"), py::arg("v0") = py::none(), py::arg("v1") = py::none(),
      py::arg("velocity_max") = py::none(), py::arg("acceleration_max") = py::none(),
      "minimum_time(x0: float | ArrayLike, x1: float | ArrayLike, v0: float | ArrayLike | None = None, v1: float | "
      "ArrayLike | None = None, velocity_max: float | ArrayLike | None = None, acceleration_max: float | ArrayLike | "
      "None = None) -> float\n\nThe shortest time (s) in which all coordinates, (d,) or one number, can arrive at "
      "once; infinite where one cannot.");
}

void bindRamps(py::module_& m) {
  Class<ParabolicRamp>(m, "ParabolicRamp",
                       "The motion of one coordinate: a constant acceleration, a constant velocity, a constant "
                       "acceleration (Hauser and Ng-Thow-Hing, 2010). shortest_ramp and ramp_of_time make one.")
      .def_readonly("duration", &ParabolicRamp::T, "s")
      .def_readonly("cruise_velocity", &ParabolicRamp::v, "Of the part between both parabolas, a second.")
      .def_property_readonly(
          "switches", [](const ParabolicRamp& r) { return py::make_tuple(r.t1, r.t2); },
          "switches: tuple[float, float]\n\nTimes (s) at which the acceleration changes.")
      .def_property_readonly(
          "accelerations", [](const ParabolicRamp& r) { return py::make_tuple(r.a0, r.a1); },
          "accelerations: tuple[float, float]\n\nOf the first and the last part.")
      .def("evaluate", &evaluateRamp, py::arg("t"),
           "evaluate(t: float | ArrayLike) -> tuple[Any, Any, Any]\n\nAt a "
           "time (s): floats; at many (n,): arrays (n,).")
      .def(
          "range",
          [](const ParabolicRamp& r) {
            double low = 0, high = 0;
            r.range(low, high);
            return py::make_tuple(low, high);
          },
          "range() -> tuple[float, float]\n\nLowest and highest position on the way.")
      .def("__repr__", [](const ParabolicRamp& r) {
        std::ostringstream text;
        text << "ParabolicRamp(" << r.x0 << " to " << r.x1 << ", " << r.T << " s)";
        return text.str();
      });
  bindRampMakers(m);
}

}  // namespace

void bindTiming(py::module_& m) {
  bindRetiming(m);
  bindRamps(m);
  define(
      m, "bound_usage",
      [](const HermiteTrajectory& motion, py::handle velocity, py::handle acceleration) {
        if (motion.empty()) throw py::value_error("motion: expected one with milestones");
        const auto limits = coordinatesFrom(motion.configurations.front().size(), velocity, acceleration, py::none());
        const BoundUsage usage = boundUsage(motion, limits);
        return py::make_tuple(usage.velocity, usage.acceleration);
      },
      py::arg("motion"), py::arg("velocity_max") = py::none(), py::arg("acceleration_max") = py::none(),
      "bound_usage(motion, velocity_max: float | ArrayLike | None = None, acceleration_max: float | ArrayLike | None = "
      "None) -> tuple[float, float]\n\nThe largest shares (velocity, acceleration) of limits that a motion uses "
      "anywhere: at most 1 where it keeps to them.");
  define(
      m, "smooth_curve",
      [](py::handle configurations, double corner) {
        requireNumber(corner, "corner", 0);
        SmoothCurveOptions options;
        options.corner = corner;
        return smoothCurve(configurationList(configurations, "configurations"), options).stretches;
      },
      py::arg("configurations"), py::arg("corner") = 1.2,
      "smooth_curve(configurations: ArrayLike, corner = 1.2) -> list[HermiteTrajectory]\n\nA cubic spline through all "
      "configurations (n, d), by chord length in place of time; tangents are those of the parabolas through three "
      "neighbors (Bessel). It is cut where directions of neighboring edges differ by more than corner (rad).");
  define(
      m, "sampled",
      [](const HermiteTrajectory& motion, double tolerance) {
        if (motion.empty()) throw py::value_error("motion: expected one with milestones");
        requireNumber(tolerance, "tolerance", 0);
        if (!(tolerance > 0)) throw py::value_error("tolerance: expected a number above 0");
        py::gil_scoped_release release;
        return sampled(motion, tolerance);
      },
      py::arg("motion"), py::arg("tolerance") = 1e-4,
      "sampled(motion, tolerance = 1e-4) -> Trajectory\n\nStraight between configurations, no farther than tolerance "
      "from the motion.");
}

}  // namespace mortise::python
