#include "common/define.h"
#include "mortise/math/rotation.h"
#include "robotsim/bind.h"
#include "robotsim/model/random.h"
#include "robotsim/planning/inverse_kinematics.h"

namespace mortise::robotsim {

namespace {

SolverSettings settingsFrom(double tolerance, int iterations, const std::vector<int>& active, const Reals& low,
                            const Reals& high, const Reals& bias) {
  SolverSettings s;
  s.tolerance = tolerance;
  s.iterations = iterations;
  s.active = active;
  s.low = low.v;
  s.high = high.v;
  s.bias = bias.v;
  return s;
}

void requireGoals(const RobotModel& robot, const std::vector<ObjectivePtr>& objectives) {
  for (const ObjectivePtr& o : objectives) {
    if (!o) throw py::type_error("objectives: expected an Objective, found None");
    robot.requireLink(o->goal.link);
    if (o->goal.destination >= 0) robot.requireLink(o->goal.destination);
  }
}

void requireLinks(const RobotModel& robot, const std::vector<ObjectivePtr>& objectives, const SolverSettings& s) {
  for (const int link : s.active) robot.requireLink(link);
  requireGoals(robot, objectives);
  for (const VectorXd* v : {&s.low, &s.high, &s.bias})
    if (v->size() != 0) requireSize(*v, robot.numLinks(), "the list");
}

void bindObjective(py::module_& m) {
  Class<Objective, ObjectivePtr>(m, "Objective", "What stands behind an IKObjective.")
      .def(constructor([] { return std::make_shared<Objective>(); }))
      .def("copy", [](const Objective& o) { return std::make_shared<Objective>(o); })
      .def_readwrite("positionScale", &Objective::positionScale)
      .def_readwrite("rotationScale", &Objective::rotationScale)
      .def_property(
          "link", [](const Objective& o) { return o.goal.link; }, [](Objective& o, int i) { o.goal.link = i; })
      .def_property(
          "destination", [](const Objective& o) { return o.goal.destination; },
          [](Objective& o, int i) { o.goal.destination = i; })
      .def("positionRows", [](const Objective& o) { return positionRows(o.goal); })
      .def("rotationRows", [](const Objective& o) { return rotationRows(o.goal); })
      .def("setPosition",
           [](Objective& o, int rows, const Vec3& local, const Vec3& target, const Vec3& direction) {
             for (const Vec3* vector : {&local, &target, &direction}) finite(*vector, "the goal");
             o.goal.position = static_cast<IKGoal::Position>(rows);
             o.goal.p_LP = local.v;
             o.goal.p_DP = target.v;
             o.goal.direction_D = direction.v;
           })
      .def("setFreeRotation", [](Objective& o) { o.goal.rotation = IKGoal::Rotation::free; })
      .def("setRotation",
           [](Objective& o, const Rot9& R) {
             const RigidTransform X = poseFrom(R, {});
             o.goal.rotation = IKGoal::Rotation::fixed;
             o.goal.rotationVector_DL = momentFromRotation(X.R);
           })
      .def("setAxis",
           [](Objective& o, const Vec3& local, const Vec3& target) {
             finite(local, "alocal");
             finite(target, "aworld");
             o.goal.rotation = IKGoal::Rotation::axis;
             o.goal.axis_L = local.v;
             o.goal.axis_D = target.v;
           })
      .def("localPosition", [](const Objective& o) { return listOf(o.goal.p_LP); })
      .def("targetPosition", [](const Objective& o) { return listOf(o.goal.p_DP); })
      .def("direction", [](const Objective& o) { return listOf(o.goal.direction_D); })
      .def("rotation", [](const Objective& o) { return listOf(rotationFromMoment(o.goal.rotationVector_DL)); })
      .def("rotationVector", [](const Objective& o) { return listOf(o.goal.rotationVector_DL); })
      .def("localAxis", [](const Objective& o) { return listOf(o.goal.axis_L); })
      .def("targetAxis", [](const Objective& o) { return listOf(o.goal.axis_D); })
      .def("nearest", [](const Objective& o, const Rot9& R,
                         const Vec3& t) { return pairOf(nearestMatch(o.goal, poseFrom(R, t))); })
      .def("sample", [](const Objective& o) { return pairOf(samplePose(o.goal, sharedRandom())); });
}

}  // namespace

void bindInverseKinematics(py::module_& m) {
  bindObjective(m);
  define(m, "solveIk",
         [](RobotModel& robot, const std::vector<ObjectivePtr>& objectives, double tolerance, int iterations,
            const std::vector<int>& active, const Reals& low, const Reals& high, const Reals& bias) {
           const SolverSettings settings = settingsFrom(tolerance, iterations, active, low, high, bias);
           requireLinks(robot, objectives, settings);
           const SolverResult result = solve(robot, objectives, settings);
           return py::make_tuple(result.solved, result.iterations);
         });
  define(m, "ikResidual", [](RobotModel& robot, const std::vector<ObjectivePtr>& objectives) {
    requireGoals(robot, objectives);
    VectorXd r;
    evaluate(robot, objectives, r, nullptr, Errors::reported);
    return listOf(r);
  });
  define(m, "ikJacobian",
         [](RobotModel& robot, const std::vector<ObjectivePtr>& objectives, const std::vector<int>& active) {
           requireGoals(robot, objectives);
           VectorXd r;
           Eigen::MatrixXd full;
           evaluate(robot, objectives, r, &full, Errors::reported);
           Eigen::MatrixXd J(full.rows(), static_cast<Eigen::Index>(active.size()));
           for (std::size_t i = 0; i < active.size(); ++i)
             J.col(static_cast<Eigen::Index>(i)) = full.col(robot.requireLink(active[i]));
           return arrayOf(J);
         });
  define(m, "defaultIkLinks", &defaultLinks);
}

}  // namespace mortise::robotsim
