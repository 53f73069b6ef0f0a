#include <cmath>
#include <limits>

#include "common/define.h"
#include "common/values.h"
#include "model/worlds.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/drivers.h"
#include "mortise/simulation/scene/overlaps.h"
#include "robotsim/bind.h"
#include "robotsim/model/sensor.h"
#include "robotsim/simulation/simulator.h"

namespace mortise::robotsim {

namespace {

/// One number a driver, from one a driver or one a link.
VectorXd forDrivers(const Robot& robot, const VectorXd& values, const char* what,
                    void (*reduce)(const Robot&, const VectorXd&, VectorXd&)) {
  if (values.size() == robot.numDrivers()) return values;
  if (values.size() != robot.numLinks())
    throw std::runtime_error(std::string(what) + " has " + std::to_string(values.size()) +
                             " numbers, but the robot has " + std::to_string(robot.numDrivers()) + " drivers and " +
                             std::to_string(robot.numLinks()) + " links");
  VectorXd result(robot.numDrivers());
  reduce(robot, values, result);
  return result;
}

void setPid(SimulatorModel& s, int robot, const Reals& q, const Reals& dq, const Reals& torques) {
  ProgramController& c = s.controller(robot);
  finite(q, "qdes");
  finite(dq, "dqdes");
  finite(torques, "tfeedforward");
  const VectorXd feedforward = torques.v.size() == 0
                                   ? VectorXd::Zero(c.robot().numDrivers())
                                   : forDrivers(c.robot(), torques.v, "the list of torques", driverTorques);
  c.setPid(forDrivers(c.robot(), q.v, "the configuration", driverValues),
           forDrivers(c.robot(), dq.v, "the velocity", driverVelocities), feedforward);
}

VectorXd forLinks(const ProgramController& c, const VectorXd& values, const char* what, bool velocity) {
  const Robot& robot = c.robot();
  if (values.size() == robot.numLinks()) return values;
  if (values.size() != robot.numDrivers()) requireSize(values, robot.numLinks(), what);
  VectorXd result = velocity ? VectorXd::Zero(robot.numLinks()) : c.commandedPosition();
  velocity ? setDriverVelocities(robot, values, result) : setDriverValues(robot, values, result);
  return result;
}

/// A motion in the queue: "ramp", "linearRamp", "linear", "cubic"; after what is queued, or instead of it.
void move(SimulatorModel& s, int robot, const std::string& kind, bool append, const Reals& q, const Reals& dq,
          double duration) {
  ProgramController& c = s.controller(robot);
  VectorXd goal = forLinks(c, q.v, "the configuration", false);
  VectorXd speed = dq.v.size() == 0 ? VectorXd::Zero(goal.size()) : forLinks(c, dq.v, "the velocity", true);
  if (!goal.allFinite() || !speed.allFinite())
    throw std::runtime_error("a motion needs finite numbers for its configuration and velocity");
  MotionQueue& queue = c.queue();
  if (!append) c.cutQueue();
  c.keepUndriven(goal, speed);
  if (kind == "ramp" || kind == "linearRamp") c.clampToLimits(goal, speed);
  if (kind == "ramp") queue.appendRamp(goal, speed);
  if (kind == "linearRamp") queue.appendLinearRamp(goal);
  if ((kind == "linear" || kind == "cubic") && !(duration > 0))
    throw std::runtime_error("the duration of a motion must be above 0");
  if (kind == "linear") queue.appendLinear(goal, duration);
  if (kind == "cubic") queue.appendCubic(goal, speed, duration);
}

void moveAtVelocity(SimulatorModel& s, int robot, const Reals& dq, double duration) {
  ProgramController& c = s.controller(robot);
  if (!(duration > 0)) throw std::runtime_error("the duration of a motion must be above 0");
  finite(dq, "dq");
  finite(duration, "dt");
  VectorXd speed = forLinks(c, dq.v, "the velocity", true), start = c.commandedPosition();
  MotionQueue& queue = c.queue();
  c.cutQueue();
  c.keepUndriven(start, speed);
  queue.appendLinear(VectorXd(queue.endConfiguration() + duration * speed), duration);
}

const VectorXd& sensed(SimulatorModel& s, int robot, bool velocity) {
  return velocity ? s.simulation().velocity(robot) : s.simulation().configuration(robot);
}

py::object reading(SimulatorModel& s, int robot, std::string_view role) {
  for (const SensorReading& r : s.simulation().sensorReadings(robot))
    if (r.hasRole(role) && !r.values.empty()) return listOf(r.values.data(), r.values.size());
  return py::none();
}

void bindController(Class<SimulatorModel, SimulatorPtr>& c) {
  c.def("setPid", &setPid)
      .def("setTorque",
           [](SimulatorModel& s, int robot, const Reals& t) {
             ProgramController& k = s.controller(robot);
             k.setTorques(forDrivers(k.robot(), finite(t, "torques"), "the list of torques", driverTorques));
           })
      .def("move", &move)
      .def("moveAtVelocity", &moveAtVelocity)
      .def("setManual",
           [](SimulatorModel& s, int robot, bool on) {
             if (!on) s.controller(robot).leaveManual();
           })
      .def("mode", [](SimulatorModel& s, int robot) { return static_cast<int>(s.controller(robot).mode()); })
      .def("remaining", [](SimulatorModel& s, int robot) { return s.controller(robot).remaining(); })
      .def("controllerPeriod", &SimulatorModel::controllerPeriod)
      .def("setControllerPeriod", &SimulatorModel::setControllerPeriod)
      .def("commandedConfig",
           [](SimulatorModel& s, int robot) { return listOf(s.controller(robot).commandedPosition()); })
      .def("commandedVelocity",
           [](SimulatorModel& s, int robot) { return listOf(s.controller(robot).commandedVelocity()); })
      .def("commandedTorque",
           [](SimulatorModel& s, int robot) { return listOf(s.controller(robot).commandedTorque()); })
      .def("gains",
           [](SimulatorModel& s, int robot) {
             ProgramController& k = s.controller(robot);
             return py::make_tuple(listOf(k.kP()), listOf(k.kI()), listOf(k.kD()));
           })
      .def("setGains",
           [](SimulatorModel& s, int robot, const Reals& p, const Reals& i, const Reals& d) {
             ProgramController& k = s.controller(robot);
             for (const Reals* gains : {&p, &i, &d}) {
               requireSize(gains->v, k.robot().numDrivers(), "the list of gains");
               if (!(finite(*gains, "gains").array() >= 0).all())
                 throw py::value_error("gains: expected numbers of at least 0");
             }
             k.setGains(p.v, i.v, d.v);
           })
      .def("reading", &reading)
      .def("sensors", [](SimulatorModel& s, int robot) { return s.sensors(robot); })
      .def("addSensor", &SimulatorModel::addSensor)
      .def("settings", [](SimulatorModel& s, int robot) { return python::toPython(s.controller(robot).settings()); })
      .def("hasSetting",
           [](SimulatorModel& s, int robot, const std::string& name) { return s.controller(robot).hasSetting(name); })
      .def("changeSetting",
           [](SimulatorModel& s, int robot, const std::string& name, const py::object& value) {
             return s.controller(robot).changeSetting(name, python::valueFrom(value, name));
           })
      .def("hasQueueEnd",
           [](SimulatorModel& s, int robot) { return listOf(s.controller(robot).queue().endConfiguration()); });
}

void bindBodies(Class<SimulatorModel, SimulatorPtr>& c) {
  c.def("center", [](SimulatorModel& s, int id) { return listOf(s.center(id)); })
      .def("pose", [](SimulatorModel& s, int id) { return pairOf(s.pose(id)); })
      .def("setPose", [](SimulatorModel& s, int id, const Rot9& R, const Vec3& t) { s.setPose(id, poseFrom(R, t)); })
      .def("bodyVelocity",
           [](SimulatorModel& s, int id) {
             const auto [w, v] = s.velocity(id);
             return py::make_tuple(listOf(w), listOf(v));
           })
      .def("setBodyVelocity", [](SimulatorModel& s, int id, const Vec3& w,
                                 const Vec3& v) { s.setVelocity(id, finite(w, "w"), finite(v, "v")); })
      .def("applyWrench", [](SimulatorModel& s, int id, const Vec3& f, const Vec3& torque,
                             const Vec3& p) { s.simulation().applyWrench(id, f.v, torque.v, p.v); })
      .def("setDynamics",
           [](SimulatorModel& s, int id, bool on) {
             const World::Entity entity = s.scene().entity(id);
             if (entity.kind != World::Kind::object)
               throw std::runtime_error("only the dynamics of rigid objects can be switched");
             s.setDynamics(entity.index, on);
           })
      .def("setCollision", [](SimulatorModel& s, int a, int b, bool on) { s.setCollision(a, b, on); })
      .def("surface",
           [](SimulatorModel& s, int id) {
             const Surface f = s.scene().simulationSurface(id);
             return py::make_tuple(f.friction, f.restitution, f.stiffness, f.damping, f.thickness(), f.preshrink);
           })
      .def("setSurface", [](SimulatorModel& s, int id, double friction, double restitution, double stiffness,
                            double damping, double padding, int preshrink) {
        python::requireSurface({friction, restitution, stiffness, damping, padding, preshrink});
        s.change([&](World& w) {
          SurfaceOverride change;
          change.friction = friction;
          change.restitution = restitution;
          change.stiffness = stiffness;
          change.damping = damping;
          change.padding = padding;
          change.preshrink = preshrink;
          w.simulation.surfaces.emplace_back(id, change);
        });
      });
}

py::array_t<double> contactsOf(SimulatorModel& s, int a, int b, bool forces) {
  std::vector<std::array<double, 7>> rows;
  const auto covers = [&](int wanted, int id) {
    if (wanted < 0 || wanted == id) return true;
    const World::Entity entity = s.scene().entity(wanted);
    if (entity.kind != World::Kind::robot) return false;
    return id > wanted && id <= wanted + s.scene().robots[static_cast<std::size_t>(entity.index)].robot->numLinks();
  };
  for (const ContactForce& c : s.simulation().contacts()) {
    double sign = 0;
    if (covers(a, c.idA) && covers(b, c.idB))
      sign = 1;
    else if (covers(a, c.idB) && covers(b, c.idA))
      sign = -1;
    else
      continue;
    const Vector3d n = sign * c.normal, f = sign * c.force;
    const double friction = combine(s.scene().simulationSurface(c.idA), s.scene().simulationSurface(c.idB)).friction;
    if (forces)
      rows.push_back({f[0], f[1], f[2]});
    else
      rows.push_back({c.point[0], c.point[1], c.point[2], n[0], n[1], n[2], friction});
  }
  const py::ssize_t columns = forces ? 3 : 7;
  py::array_t<double> result({static_cast<py::ssize_t>(rows.size()), columns});
  auto r = result.mutable_unchecked<2>();
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (py::ssize_t k = 0; k < columns; ++k) r(static_cast<py::ssize_t>(i), k) = rows[i][static_cast<std::size_t>(k)];
  return result;
}

py::dict summaryOf(SimulatorModel& s, int a, int b) {
  const ContactSummary c = s.simulation().contactSummary(a, b);
  py::dict d;
  d["inContact"] = c.inContact;
  d["hadContact"] = c.hadContact;
  d["hadSeparation"] = c.hadSeparation;
  d["hadPenetration"] = c.hadPenetration;
  d["meanForce"] = listOf(c.meanForce);
  d["meanTorque"] = listOf(c.meanTorque);
  return d;
}

py::tuple overlapPairs(SimulatorModel& s) {
  std::vector<int> a, b;
  for (const BodyOverlap& overlap : s.simulation().overlaps().bodies) {
    a.push_back(overlap.idA);
    b.push_back(overlap.idB);
  }
  return py::make_tuple(a, b);
}

py::object simulationSetting(SimulatorModel& s, const std::string& name) {
  const SimulationSettings& w = s.scene().simulation;
  if (name == "gravity") return listOf(w.gravity);
  if (name == "simStep") return py::float_(s.simStep());
  if (name == "boundaryLayerCollisions") return py::bool_(w.boundaryLayerContacts);
  if (name == "rigidObjectCollisions") return py::bool_(w.objectCollisions);
  if (name == "robotSelfCollisions") return py::bool_(w.robotSelfCollisions);
  if (name == "robotRobotCollisions") return py::bool_(w.robotRobotCollisions);
  if (name == "adaptiveTimeStepping") return py::bool_(w.adaptiveTimeStepping);
  if (name == "maxContacts") return py::int_(w.maxContacts);
  if (name == "errorReductionParameter") return py::float_(w.errorReduction);
  if (name == "dampedLeastSquaresParameter") return py::float_(w.constraintForceMixing);
  return py::none();
}

void changeSimulationSetting(SimulatorModel& s, const std::string& name, const std::vector<double>& v) {
  if (v.size() != (name == "gravity" ? 3U : 1U))
    throw py::value_error(name + (name == "gravity" ? ": expected 3 numbers" : ": expected a number"));
  for (const double number : v) finite(number, name.c_str());
  const auto within = [&](double minimum, double maximum) {
    if (v[0] < minimum || v[0] > maximum)
      throw py::value_error(name + ": expected a number from " + formatReal(minimum) + " to " + formatReal(maximum) +
                            ", found " + formatReal(v[0]));
  };
  if (name == "maxContacts") within(1, 1e6);
  if (name == "errorReductionParameter") within(0, 1);
  if (name == "dampedLeastSquaresParameter") within(0, std::numeric_limits<double>::max());
  if (name == "simStep") return s.setSimStep(v.at(0));
  if (name == "gravity") {
    s.setGravity({v.at(0), v.at(1), v.at(2)});
    return;
  }
  s.change([&](World& world) {
    SimulationSettings& w = world.simulation;
    const bool on = v.at(0) != 0;
    if (name == "boundaryLayerCollisions") w.boundaryLayerContacts = on;
    if (name == "rigidObjectCollisions") w.objectCollisions = on;
    if (name == "robotSelfCollisions") w.robotSelfCollisions = on;
    if (name == "robotRobotCollisions") w.robotRobotCollisions = on;
    if (name == "adaptiveTimeStepping") w.adaptiveTimeStepping = on;
    if (name == "maxContacts") w.maxContacts = static_cast<int>(v[0]);
    if (name == "errorReductionParameter") w.errorReduction = v[0];
    if (name == "dampedLeastSquaresParameter") w.constraintForceMixing = v[0];
  });
}

/// A joint between two bodies (-1: the world) from now on; index in the list of joints.
int addJoint(SimulatorModel& s, const std::string& kind, int a, int b, const Vec3& point, const Vec3& axis) {
  int index = -1;
  finite(point, "point");
  finite(axis, "axis");
  s.changeNow([&](World& world) {
    WorldJoint joint;
    joint.type = kind == "hinge"    ? WorldJoint::Type::hinge
                 : kind == "slider" ? WorldJoint::Type::slider
                                    : WorldJoint::Type::fixed;
    joint.idA = a;
    joint.idB = b;
    joint.point = point.v;
    joint.axis = axis.v;
    index = static_cast<int>(world.simulation.joints.size());
    world.simulation.joints.push_back(joint);
  });
  return index;
}

void changeJoint(SimulatorModel& s, int index, std::optional<double> min, std::optional<double> max,
                 std::optional<double> friction) {
  if ((min && std::isnan(*min)) || (max && std::isnan(*max)) || (min && max && *min > *max))
    throw py::value_error("limits: expected two numbers, the lower one first");
  if (friction && finite(*friction, "friction") < 0) throw py::value_error("friction: expected a number of at least 0");
  s.changeNow([&](World& world) {
    WorldJoint& joint = world.simulation.joints.at(static_cast<std::size_t>(index));
    if (min) joint.min = *min;
    if (max) joint.max = *max;
    if (friction) joint.friction = *friction;
  });
}

}  // namespace

void bindSimulators(py::module_& m) {
  Class<SimulatorModel, SimulatorPtr> c(m, "Simulator", "What stands behind a Simulator.");
  c.def(constructor([](const WorldModelPtr& world) { return std::make_shared<SimulatorModel>(world); }),
        py::arg("world").none(false))
      .def("advance", &SimulatorModel::advance)
      .def("status", &SimulatorModel::status)
      .def("updateWorld", &SimulatorModel::updateWorld)
      .def("fake", &SimulatorModel::fake)
      .def("reset", &SimulatorModel::reset)
      .def("time", &SimulatorModel::time)
      .def("save",
           [](SimulatorModel& s) {
             const auto bytes = s.simulation().save();
             return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
           })
      .def("restore",
           [](SimulatorModel& s, const std::string& bytes) {
             s.simulation().restore({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
             s.updateWorld();
           })
      .def("config", [](SimulatorModel& s, int robot) { return listOf(sensed(s, robot, false)); })
      .def("velocity", [](SimulatorModel& s, int robot) { return listOf(sensed(s, robot, true)); })
      .def("torques",
           [](SimulatorModel& s, int robot) {
             const SimulationView view = s.simulation().view();
             if (robot < 0 || static_cast<std::size_t>(robot) >= view.robots.size())
               throw std::out_of_range("there is no robot " + std::to_string(robot));
             const auto torques = view.robots[static_cast<std::size_t>(robot)].driverTorques;
             return listOf(torques.data(), torques.size());
           })
      .def("contacts", [](SimulatorModel& s, int a, int b) { return contactsOf(s, a, b, false); })
      .def("contactForces", [](SimulatorModel& s, int a, int b) { return contactsOf(s, a, b, true); })
      .def("summary", &summaryOf)
      .def("overlaps", &overlapPairs)
      .def("setting", &simulationSetting)
      .def("setSetting", &changeSimulationSetting)
      .def("addJoint", &addJoint)
      .def("changeJoint", &changeJoint)
      .def("removeJoint", [](SimulatorModel& s, int index) {
        s.changeNow([&](World& world) {
          auto& joints = world.simulation.joints;
          static_cast<void>(joints.at(static_cast<std::size_t>(index)));  // Throws.
          joints.erase(joints.begin() + index);
        });
      });
  bindController(c);
  bindBodies(c);
}

}  // namespace mortise::robotsim
