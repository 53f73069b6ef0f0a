#include <algorithm>
#include <cmath>
#include <random>

#include "common/define.h"
#include "common/environment.h"
#include "mortise/configuration/drivers.h"
#include "mortise/loading/robot_export.h"
#include "mortise/modeling/robot_edit.h"
#include "mortise/modeling/robot_reduce.h"
#include "mortise/plugin/registry.h"
#include "robotsim/bind.h"
#include "robotsim/model/random.h"
#include "robotsim/model/sensor.h"

namespace mortise::robotsim {

RandomStream& sharedRandom() {
  static RandomStream stream(0, "klampt");
  return stream;
}

namespace {

const Link& linkOf(const RobotModel& robot, int i) {
  return robot.description().links[static_cast<std::size_t>(robot.requireLink(i))];
}

int requireDriver(const RobotModel& robot, int i) {
  if (i < 0 || i >= static_cast<int>(robot.description().drivers.size()))
    throw std::runtime_error("robot '" + robot.name + "' has no driver " + std::to_string(i) + ": it has " +
                             std::to_string(robot.description().drivers.size()));
  return i;
}

const Driver& driverOf(const RobotModel& robot, int i) {
  return robot.description().drivers[static_cast<std::size_t>(requireDriver(robot, i))];
}

template <typename Get>
py::list limitsOf(const RobotModel& robot, const Get& get) {
  py::list list;
  for (const Link& link : robot.description().links) list.append(get(link));
  return list;
}

/// Throws ValueError unless there is a number, which may be infinite, for each link.
void requireLimits(const RobotModel& robot, const VectorXd& values, const char* what) {
  requireSize(values, robot.numLinks(), what);
  for (const double value : values)
    if (std::isnan(value)) throw py::value_error(std::string(what) + ": expected numbers, found nan");
}

/// Sets a number of every link, and of the drivers that move one link alone.
template <typename SetLink, typename SetDriver>
void setLimits(RobotModel& robot, const VectorXd& values, const char* what, const SetLink& setLink,
               const SetDriver& setDriver) {
  requireLimits(robot, values, what);
  robot.edit([&](RobotDescription& d) {
    for (std::size_t i = 0; i < d.links.size(); ++i) setLink(d.links[i], values[static_cast<Eigen::Index>(i)]);
    for (Driver& driver : d.drivers)
      if (driver.type == DriverType::normal) setDriver(driver, values[driver.links[0]]);
  });
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string jointType(RobotModel& robot, int i) {
  const int joint = robot.robot()->jointOfLink(robot.requireLink(i));
  return joint < 0 ? "normal"
                   : lower(std::string(jointTypeName(robot.robot()->joints()[static_cast<std::size_t>(joint)].type)));
}

py::tuple massOf(const BodyInertia& body) {
  return py::make_tuple(body.mass, listOf(body.com), listOf(Matrix3d(body.inertia)));
}

void setLinkMass(RobotModel& robot, int i, double mass, const Vec3& com, const Rot9& inertia) {
  robot.requireLink(i);
  const BodyInertia body = bodyFrom(mass, com, inertia);
  robot.edit([&](RobotDescription& d) { d.links[static_cast<std::size_t>(i)].inertia = body; });
}

std::vector<int> reduceFrom(RobotModel& robot, RobotModel& full) {
  const RobotDescription description = full.complete();
  const ReducedRobot reduced = reduceRobot(description, fixedLinks(description), full.q());
  robot.replace(reduced.robot);
  robot.setConfiguration(reduced.reduce(full.q()));
  return reduced.linkOf;
}

void mount(RobotModel& robot, int link, RobotModel& part, const Rot9& R, const Vec3& t) {
  if (link != -1) robot.requireLink(link);
  const RigidTransform X = poseFrom(R, t);
  RobotDescription full = robot.complete();
  const AddedLinks added = mountRobot(full, link, X, part.name, part.complete());
  VectorXd q(static_cast<Eigen::Index>(full.links.size()));
  q << robot.q(), part.q();
  (void)added;
  robot.replace(std::move(full));
  robot.setConfiguration(q);
}

void saveRobot(const RobotModel& robot, const std::string& path, const std::optional<std::string>& prefix) {
  python::withLoader("'" + path + "' cannot be written", [&](FormatLoader& loader, Diagnostics& diagnostics) {
    RobotDescription full = robot.complete();
    if (prefix) exportShapes(full, path, {*prefix, "off"}, loader, diagnostics);
    loader.write(full, path, diagnostics);
  });
}

void loadRobot(RobotModel& robot, const std::string& path) {
  RobotDescription description;
  python::withLoader("'" + path + "' cannot be read", [&](FormatLoader& loader, Diagnostics& diagnostics) {
    description = loader.load<RobotDescription>(path, {}, diagnostics);
  });
  robot.name = description.name;
  robot.replace(std::move(description));
}

void bindLinks(Class<RobotModel, RobotModelPtr>& c) {
  c.def("linkName", [](const RobotModel& r, int i) { return linkOf(r, i).name; })
      .def("setLinkName",
           [](RobotModel& r, int i, const std::string& name) {
             r.requireLink(i);
             r.edit([&](RobotDescription& d) { renameLink(d, i, name); });
           })
      .def("linkIndex", [](const RobotModel& r, const std::string& name) { return r.description().findLink(name); })
      .def("parent", [](const RobotModel& r, int i) { return linkOf(r, i).parent; })
      .def("setParent",
           [](RobotModel& r, int i, int parent) {
             r.requireLink(i);
             if (parent < -1 || parent >= i)
               throw std::runtime_error("the parent of link " + std::to_string(i) +
                                        " must be a link before it, or -1 for the world");
             r.edit([&](RobotDescription& d) { d.links[static_cast<std::size_t>(i)].parent = parent; });
           })
      .def("linkMass", [](const RobotModel& r, int i) { return massOf(linkOf(r, i).inertia); })
      .def("setLinkMass", &setLinkMass)
      .def("parentTransform", [](const RobotModel& r, int i) { return pairOf(linkOf(r, i).X_PL0); })
      .def("setParentTransform",
           [](RobotModel& r, int i, const Rot9& R, const Vec3& t) {
             r.requireLink(i);
             const RigidTransform X = poseFrom(R, t);
             r.edit([&](RobotDescription& d) { d.links[static_cast<std::size_t>(i)].X_PL0 = X; });
           })
      .def("axis", [](const RobotModel& r, int i) { return listOf(linkOf(r, i).axis); })
      .def("setAxis",
           [](RobotModel& r, int i, const Vec3& axis) {
             r.requireLink(i);
             finite(axis, "axis");
             r.edit([&](RobotDescription& d) { d.links[static_cast<std::size_t>(i)].axis = axis.v; });
           })
      .def("prismatic", [](const RobotModel& r, int i) { return linkOf(r, i).motion == LinkMotion::prismatic; })
      .def("setPrismatic",
           [](RobotModel& r, int i, bool on) {
             r.requireLink(i);
             r.edit([&](RobotDescription& d) {
               d.links[static_cast<std::size_t>(i)].motion = on ? LinkMotion::prismatic : LinkMotion::revolute;
             });
           })
      .def("linkTransform", [](const RobotModel& r, int i) { return pairOf(r.X_WL(i)); })
      .def("setLinkTransform",
           [](RobotModel& r, int i, const Rot9& R, const Vec3& t) { r.setTransform(i, poseFrom(R, t)); })
      .def("worldPosition", [](const RobotModel& r, int i, const Vec3& p) { return listOf(Vector3d(r.X_WL(i) * p.v)); })
      .def("worldDirection",
           [](const RobotModel& r, int i, const Vec3& v) { return listOf(Vector3d(r.X_WL(i).R * v.v)); })
      .def("localPosition",
           [](const RobotModel& r, int i, const Vec3& p) { return listOf(Vector3d(r.X_WL(i).inverse() * p.v)); })
      .def("localDirection",
           [](const RobotModel& r, int i, const Vec3& v) { return listOf(Vector3d(r.X_WL(i).R.transpose() * v.v)); })
      .def("shape", [](const RobotModel& r, int i) { return r.shape(i); });
}

void bindDriverLimits(Class<RobotModel, RobotModelPtr>& c) {
  c.def("driverLimits",
        [](const RobotModel& r, int i) { return py::make_tuple(driverOf(r, i).qMin, driverOf(r, i).qMax); })
      .def("driverVelocityLimits",
           [](const RobotModel& r, int i) {
             return py::make_tuple(driverOf(r, i).velocityMin, driverOf(r, i).velocityMax);
           })
      .def("driverAccelerationLimits",
           [](const RobotModel& r, int i) {
             return py::make_tuple(driverOf(r, i).accelerationMin, driverOf(r, i).accelerationMax);
           })
      .def(
          "driverTorqueLimits",
          [](const RobotModel& r, int i) { return py::make_tuple(driverOf(r, i).torqueMin, driverOf(r, i).torqueMax); })
      .def("driverGains", [](const RobotModel& r, int i) {
        return py::make_tuple(driverOf(r, i).servoP, driverOf(r, i).servoI, driverOf(r, i).servoD);
      });
}

void bindDriverConversions(Class<RobotModel, RobotModelPtr>& c) {
  c.def("toDrivers",
        [](RobotModel& r, const Reals& q) {
          requireSize(q.v, r.numLinks(), "the configuration");
          VectorXd v(r.robot()->numDrivers());
          driverValues(*r.robot(), q.v, v);
          return listOf(v);
        })
      .def("velocityToDrivers",
           [](RobotModel& r, const Reals& dq) {
             requireSize(dq.v, r.numLinks(), "the velocity");
             VectorXd v(r.robot()->numDrivers());
             driverVelocities(*r.robot(), dq.v, v);
             return listOf(v);
           })
      .def("fromDrivers",
           [](RobotModel& r, const Reals& v) {
             requireSize(v.v, r.robot()->numDrivers(), "the list of driver values");
             VectorXd q = r.q();
             setDriverValues(*r.robot(), v.v, q);
             return listOf(q);
           })
      .def("velocityFromDrivers", [](RobotModel& r, const Reals& v) {
        requireSize(v.v, r.robot()->numDrivers(), "the list of driver velocities");
        VectorXd dq = r.dq();
        setDriverVelocities(*r.robot(), v.v, dq);
        return listOf(dq);
      });
}

void bindDrivers(Class<RobotModel, RobotModelPtr>& c) {
  c.def("numDrivers", [](const RobotModel& r) { return r.description().drivers.size(); })
      .def("driverName", [](const RobotModel& r, int i) { return driverOf(r, i).name; })
      .def("setDriverName",
           [](RobotModel& r, int i, const std::string& name) {
             requireDriver(r, i);
             r.edit([&](RobotDescription& d) { d.drivers[static_cast<std::size_t>(i)].name = name; });
           })
      .def("driverType",
           [](const RobotModel& r, int i) { return lower(std::string(driverTypeName(driverOf(r, i).type))); })
      .def("driverLinks", [](const RobotModel& r, int i) { return driverOf(r, i).links; })
      .def("driverAffine",
           [](const RobotModel& r, int i) { return py::make_tuple(driverOf(r, i).scale, driverOf(r, i).offset); })
      .def("driverValue", [](RobotModel& r, int i) { return driverValue(*r.robot(), requireDriver(r, i), r.q()); })
      .def("setDriverValue",
           [](RobotModel& r, int i, double value) {
             VectorXd q = r.q();
             setDriverValue(*r.robot(), requireDriver(r, i), finite(value, "value"), q);
             r.setPositions(q);
           })
      .def("driverVelocity",
           [](RobotModel& r, int i) { return driverVelocity(*r.robot(), requireDriver(r, i), r.dq()); })
      .def("setDriverVelocity", [](RobotModel& r, int i, double value) {
        const Driver& driver = driverOf(r, i);
        VectorXd dq = r.dq();
        finite(value, "velocity");
        // The second link of a driver of a base is the one that its force acts on, and moves with the first.
        const std::size_t moved = driver.type == DriverType::affine ? driver.links.size() : 1;
        for (std::size_t k = 0; k < moved; ++k)
          dq[driver.links[k]] = driver.type == DriverType::affine ? driver.scale[k] * value : value;
        r.setVelocity(dq);
      });
  bindDriverLimits(c);
  bindDriverConversions(c);
}

void bindLimits(Class<RobotModel, RobotModelPtr>& c) {
  c.def("jointLimits",
        [](const RobotModel& r) {
          return py::make_tuple(limitsOf(r, [](const Link& l) { return l.qMin; }),
                                limitsOf(r, [](const Link& l) { return l.qMax; }));
        })
      .def("setJointLimits",
           [](RobotModel& r, const Reals& low, const Reals& high) {
             requireLimits(r, low.v, "the list of lower limits");
             requireLimits(r, high.v, "the list of upper limits");
             setLimits(
                 r, low.v, "the list of lower limits", [](Link& l, double v) { l.qMin = v; },
                 [](Driver& d, double v) { d.qMin = v; });
             setLimits(
                 r, high.v, "the list of upper limits", [](Link& l, double v) { l.qMax = v; },
                 [](Driver& d, double v) { d.qMax = v; });
           })
      .def("velocityLimits",
           [](const RobotModel& r) { return limitsOf(r, [](const Link& l) { return l.velocityMax; }); })
      .def("setVelocityLimits",
           [](RobotModel& r, const Reals& v) {
             setLimits(
                 r, v.v, "the list of velocity limits",
                 [](Link& l, double x) {
                   l.velocityMin = -x;
                   l.velocityMax = x;
                 },
                 [](Driver& d, double x) {
                   d.velocityMin = -x;
                   d.velocityMax = x;
                 });
           })
      .def("accelerationLimits",
           [](const RobotModel& r) { return limitsOf(r, [](const Link& l) { return l.accelerationMax; }); })
      .def("setAccelerationLimits",
           [](RobotModel& r, const Reals& v) {
             setLimits(
                 r, v.v, "the list of acceleration limits", [](Link& l, double x) { l.accelerationMax = x; },
                 [](Driver& d, double x) {
                   d.accelerationMin = -x;
                   d.accelerationMax = x;
                 });
           })
      .def("torqueLimits", [](const RobotModel& r) { return limitsOf(r, [](const Link& l) { return l.torqueMax; }); })
      .def("setTorqueLimits", [](RobotModel& r, const Reals& v) {
        setLimits(
            r, v.v, "the list of torque limits", [](Link& l, double x) { l.torqueMax = x; },
            [](Driver& d, double x) {
              d.torqueMin = -x;
              d.torqueMax = x;
            });
      });
}

void bindConfigurations(Class<RobotModel, RobotModelPtr>& c) {
  const auto both = [](RobotModel& r, const Reals& a, const Reals& b) {
    requireSize(a.v, r.numLinks(), "the first configuration");
    requireSize(b.v, r.numLinks(), "the second configuration");
  };
  c.def("getConfig", [](const RobotModel& r) { return listOf(r.q()); })
      .def("setConfig", [](RobotModel& r, const Reals& q) { r.setConfiguration(finite(q, "configuration")); })
      .def("getVelocity", [](const RobotModel& r) { return listOf(r.dq()); })
      .def("setVelocity", [](RobotModel& r, const Reals& dq) { r.setVelocity(finite(dq, "velocity")); })
      .def("interpolate",
           [both](RobotModel& r, const Reals& a, const Reals& b, double u) {
             both(r, a, b);
             VectorXd q;
             r.space().interpolate(a.v, b.v, u, q);
             return listOf(q);
           })
      .def("distance",
           [both](RobotModel& r, const Reals& a, const Reals& b) {
             both(r, a, b);
             return r.space().distance(a.v, b.v);
           })
      .def("interpolateDeriv",
           [both](RobotModel& r, const Reals& a, const Reals& b) {
             both(r, a, b);
             VectorXd dq;
             r.space().velocity(a.v, b.v, 0, dq);
             return listOf(dq);
           })
      .def("randomize",
           [](RobotModel& r, double scale) {
             VectorXd q;
             SampleOptions options;
             options.unboundedScale = scale;
             r.space().sample(sharedRandom(), q, options);
             r.setConfiguration(q);
           })
      .def("selfCollisionEnabled",
           [](const RobotModel& r, int a, int b) {
             r.requireLink(a);
             r.requireLink(b);
             return selfCollisionEnabled(r.description(), a, b);
           })
      .def("setSelfCollision",
           [](RobotModel& r, int a, int b, bool on) {
             r.requireLink(a);
             r.requireLink(b);
             if (a != b) r.edit([&](RobotDescription& d) { setSelfCollision(d, a, b, on); });
           })
      .def("selfCollides", &RobotModel::selfCollides);
}

}  // namespace

void bindRobots(py::module_& m) {
  Class<RobotModel, RobotModelPtr> c(m, "Robot", "What stands behind a RobotModel.");
  c.def(constructor([](const std::string& name) {
     RobotDescription description;
     description.name = name;
     return std::make_shared<RobotModel>(std::move(description), name);
   }))
      .def_readwrite("name", &RobotModel::name)
      .def_readwrite("file", &RobotModel::file)
      .def_readwrite("appearances", &RobotModel::appearances)
      .def("numLinks", &RobotModel::numLinks)
      .def("jointType", &jointType)
      .def("reduce", &reduceFrom)
      .def("mount", &mount)
      .def("save", &saveRobot)
      .def("load", &loadRobot)
      .def("sensors", [](const RobotModel& r) { return r.sensors; })
      .def("addSensor",
           [](RobotModel& r, const std::string& name, const std::string& type) {
             r.sensors.push_back(makeSensor(name, type));
             return r.sensors.back();
           })
      .def("properties", [](const RobotModel& r) { return r.description().properties; });
  bindLinks(c);
  bindDrivers(c);
  bindLimits(c);
  bindConfigurations(c);
  bindRobotDynamics(c);
  define(m, "setRandomSeed", [](std::uint64_t seed) { sharedRandom() = RandomStream(seed, "klampt"); });
  define(m, "random", [] { return sharedRandom().uniform(); });
}

}  // namespace mortise::robotsim
