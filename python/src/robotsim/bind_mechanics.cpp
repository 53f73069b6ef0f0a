#include "common/define.h"
#include "mortise/mechanics/contact_torques.h"
#include "mortise/mechanics/equilibrium.h"
#include "mortise/mechanics/forces/friction_cone.h"
#include "mortise/mechanics/support_polygon.h"
#include "robotsim/bind.h"

namespace mortise::robotsim {

namespace {

/// Rows of [x, y, z, nx, ny, nz, friction].
std::vector<ContactPoint> contactsFrom(const std::vector<Reals>& rows) {
  std::vector<ContactPoint> contacts;
  for (const Reals& row : rows) {
    if (row.v.size() != 7)
      throw py::value_error("a contact has 7 numbers: position, normal and friction, not " +
                            std::to_string(row.v.size()));
    ContactPoint contact;
    contact.p_WC = row.v.head<3>();
    const Vector3d n = row.v.segment<3>(3);
    if (!(n.norm() > 0)) throw py::value_error("the normal of a contact must not be zero");
    contact.n_W = unitNormal(n);
    contact.friction = row.v[6];
    contacts.push_back(contact);
  }
  return contacts;
}

py::list listsOf(const std::vector<Vector3d>& vectors) {
  py::list lists;
  for (const Vector3d& v : vectors) lists.append(listOf(v));
  return lists;
}

py::object equilibrium(const std::vector<Reals>& rows, const Vec3& force, const py::object& com, int edges) {
  const std::vector<ContactPoint> contacts = contactsFrom(rows);
  if (!(force.v.norm() > 0)) {
    // Nothing to bear: no forces do.
    if (com.is_none()) return py::bool_(true);
    return listsOf(std::vector<Vector3d>(contacts.size(), Vector3d::Zero()));
  }
  EquilibriumOptions options;
  options.gravity_W = force.v;
  options.coneEdges = edges;
  EquilibriumTester tester(contacts, options);
  if (com.is_none()) return py::bool_(tester.balancesSomewhere());
  std::vector<Vector3d> forces;
  if (!tester.balances(com.cast<Vec3>().v, 1, &forces)) return py::none();
  return listsOf(forces);
}

/// Rows (nx, ny, offset) of the lines that bound the polygon; None: nothing balances.
py::object supportPolygon(const std::vector<Reals>& rows, int edges) {
  SupportPolygonOptions options;
  options.coneEdges = edges;
  const SupportPolygon polygon(contactsFrom(rows), options);
  if (polygon.empty()) return py::none();
  const auto& corners = polygon.corners();
  py::list planes;
  if (!polygon.bounded()) {
    for (const SupportPolygon::HalfPlane& side : polygon.halfPlanes())
      planes.append(py::make_tuple(side.normal[0], side.normal[1], side.offset));
    return planes;
  }
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Eigen::Vector2d along = corners[(i + 1) % corners.size()] - corners[i];
    Eigen::Vector2d normal(along[1], -along[0]);
    if (!(normal.norm() > 1e-12)) normal = Eigen::Vector2d::UnitX();
    normal.normalize();
    planes.append(py::make_tuple(normal[0], normal[1], normal.dot(corners[i])));
    if (corners.size() > 2) continue;
    // A line or a point: ends, and the other side.
    planes.append(py::make_tuple(-normal[0], -normal[1], -normal.dot(corners[i])));
    const Eigen::Vector2d end = corners.size() == 1 ? Eigen::Vector2d::UnitY() : Eigen::Vector2d(-along.normalized());
    planes.append(py::make_tuple(end[0], end[1], end.dot(corners[i])));
    if (corners.size() == 1) planes.append(py::make_tuple(-end[0], -end[1], -end.dot(corners[i])));
  }
  return planes;
}

py::object equilibriumTorques(RobotModel& robot, const std::vector<Reals>& rows, const std::vector<int>& links,
                              const Vec3& force, const Reals& internal, int edges, int norm) {
  const std::vector<ContactPoint> points = contactsFrom(rows);
  if (links.size() != points.size())
    throw py::value_error("there are " + std::to_string(points.size()) + " contacts, but " +
                          std::to_string(links.size()) + " links");
  std::vector<LinkContact> contacts;
  for (std::size_t i = 0; i < points.size(); ++i) contacts.push_back({robot.requireLink(links[i]), points[i], -1});
  RobotDynamics& dynamics = robot.dynamics();
  VectorXd bias(robot.numLinks());
  dynamics.gravityForces(force.v, bias);
  if (internal.v.size() > 0) {
    requireSize(internal.v, robot.numLinks(), "the list of internal torques");
    bias += internal.v;
  }
  ContactTorqueOptions options;
  options.coneEdges = edges;
  options.objective = norm == 1 ? TorqueObjective::sumOfUtilizations : TorqueObjective::largestUtilization;
  const ContactTorques found = solveContactTorques(dynamics, contacts, bias, options);
  if (!found.balanced || !found.withinLimits) return py::none();
  return py::make_tuple(listOf(found.torques), listsOf(found.forces_W));
}

}  // namespace

void bindMechanics(py::module_& m) {
  define(m, "equilibrium", &equilibrium);
  define(m, "forceClosure",
         [](const std::vector<Reals>& rows, int edges) { return forceClosure(contactsFrom(rows), edges); });
  define(m, "supportPolygon", &supportPolygon);
  define(m, "equilibriumTorques", &equilibriumTorques);
}

}  // namespace mortise::robotsim
