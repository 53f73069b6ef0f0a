#include "operational_space/contact.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/settings/settings.h"

namespace mortise::controllers {

namespace {

constexpr std::size_t kMaximumPoints = 32;
constexpr std::size_t kMaximumPointsOfAll = 128;

struct ContactSettings {
  Value link, points;
  std::string name;
  Vector3d normal = Vector3d(0, 0, 1);
  double friction = 0.5;
  void bind(SettingBinder& b) {
    b.add("link", link, "Name or index of the link that stands on something.", {.required = true});
    b.add("name", name, "What commands call the contact; empty: the name of the link.");
    b.add("points", points, "Points of the link that touch, [[x, y, z], ...], link frame, m: one per corner is enough.",
          {.required = true});
    b.add("normal", normal, "From the ground into the robot, world frame.");
    b.add("friction", friction, "Coefficient of friction.", {.min = 0});
  }
  void check() const {
    if (!(normal.norm() > 1e-9)) throw Error("the normal has no direction", settingPosition("normal"));
  }
};

}  // namespace

Vector3d OperationalContact::center() const {
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& p : points) sum += p;
  return sum / static_cast<double>(points.size());
}

bool OperationalContact::holdsOrientation() const {
  for (std::size_t i = 1; i < points.size(); ++i)
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const Vector3d a = points[i] - points[0], b = points[j] - points[0];
      if (a.cross(b).norm() > 0.05 * a.norm() * b.norm()) return true;
    }
  return false;
}

OperationalContact contactFromSetting(const Value& entry, const Robot& robot, const std::string& what) {
  const auto settings = readSettings<ContactSettings>(entry, what);
  OperationalContact contact;
  contact.link = linkFromSetting(robot, settings.link);
  contact.name = settings.name.empty() ? robot.link(contact.link).name : settings.name;
  const auto finite = [](const Vector3d& v, const Value& at) {
    if (!v.allFinite()) throw Error("a number of a contact is not finite", at.position());
    return v;
  };
  const auto point = [&](const Value& value) {
    const std::vector<double> p = value.asReals();
    if (p.size() != 3)
      throw Error("a point has three numbers, not " + std::to_string(p.size()), value.position(),
                  "write points: [[x, y, z], ...]");
    contact.points.push_back(finite(Vector3d(p[0], p[1], p[2]), value));
  };
  const Value& points = settings.points;
  if (!points.isList() || points.size() == 0 || points.size() > kMaximumPoints)
    throw Error("'points' is a list of 1 to " + std::to_string(kMaximumPoints) + " points", points.position(),
                "write points: [[x, y, z], ...]");
  if (points[0].isNumber())
    point(points);
  else
    for (const Value& value : points.items()) point(value);
  contact.normal = settings.normal.normalized();
  contact.friction = settings.friction;
  return contact;
}

std::vector<OperationalContact> contactsFromSetting(const Value& list, const Robot& robot, Diagnostics& diagnostics) {
  std::vector<OperationalContact> contacts;
  if (list.isNull()) return contacts;
  if (!list.isList()) {
    diagnostics.error("the contacts are a list, found " + std::string(Value::typeName(list.type())), list.position(),
                      "write one map {link: ..., points: [[x, y, z], ...]} for each contact");
    return contacts;
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string what = "contact " + std::to_string(i + 1);
    try {
      OperationalContact contact = contactFromSetting(list[i], robot, what);
      for (const OperationalContact& other : contacts)
        if (other.name == contact.name)
          throw Error("there is a contact '" + contact.name + "' already", list[i].position(), "give it a name");
      refuseTooMany(contacts, contact, list[i].position());
      contacts.push_back(std::move(contact));
    } catch (const DiagnosticsError& error) {
      for (const Diagnostic& problem : error.list()) diagnostics.add(problem);
    } catch (const Error& error) {
      const SourcePosition where = error.where().known() ? error.where() : list[i].position();
      diagnostics.error(what + ": " + error.message(), where, error.hint());
    }
  }
  return contacts;
}

void refuseTooMany(const std::vector<OperationalContact>& contacts, const OperationalContact& more,
                   const SourcePosition& where) {
  std::size_t points = more.points.size();
  for (const OperationalContact& contact : contacts) points += contact.points.size();
  if (points > kMaximumPointsOfAll)
    throw Error("the contacts have more than " + std::to_string(kMaximumPointsOfAll) + " points", where,
                "name the corners of each contact only");
}

Value contactToValue(const OperationalContact& contact, const Robot& robot) {
  Value map = Value::map();
  map.set("link", robot.link(contact.link).name);
  map.set("name", contact.name);
  Value points = Value::list();
  for (const Vector3d& p : contact.points) points.push_back(Value(std::vector<double>{p.x(), p.y(), p.z()}));
  map.set("points", points);
  const Vector3d& n = contact.normal;
  map.set("normal", Value(std::vector<double>{n.x(), n.y(), n.z()}));
  map.set("friction", contact.friction);
  return map;
}

void addRows(const OperationalContact& contact, ActuatedDynamics& dynamics, double damping, TaskRows& work,
             TaskLevel& level) {
  RobotDynamics& robot = dynamics.robot();
  const auto add = [&](const Vector3d& point, bool turning) {
    robot.jacobian(contact.link, point, work.J6);
    work.wanted = -robot.pointAcceleration(contact.link, point, work.zero);
    work.wanted.head<3>() -= damping * robot.angularVelocity(contact.link);
    work.wanted.tail<3>() -= damping * robot.pointVelocity(contact.link, point);
    const int skip = turning ? 0 : 3, rows = 6 - skip;
    dynamics.rows(work.J6.bottomRows(rows), work.wanted.tail(rows), level.A.middleRows(level.rows, rows),
                  level.b.segment(level.rows, rows));
    level.weight.segment(level.rows, rows).setOnes();
    level.length.segment(level.rows, rows).setZero();
    level.rows += rows;
  };
  if (contact.holdsOrientation()) {
    add(contact.center(), true);
  } else {
    for (const Vector3d& point : contact.points) add(point, false);
  }
}

void saveContacts(const std::vector<OperationalContact>& contacts, ByteWriter& out) {
  out.put(static_cast<std::uint64_t>(contacts.size()));
  for (const OperationalContact& contact : contacts) {
    out.put(std::string_view(contact.name));
    out.put(static_cast<std::int32_t>(contact.link));
    out.put(static_cast<std::uint64_t>(contact.points.size()));
    for (const Vector3d& p : contact.points)
      for (int k = 0; k < 3; ++k) out.put(p[k]);
    for (int k = 0; k < 3; ++k) out.put(contact.normal[k]);
    out.put(contact.friction);
  }
}

std::vector<OperationalContact> restoreContacts(const Robot& robot, ByteReader& in) {
  const auto damaged = [] { return Error("the snapshot of the controller's contacts is damaged"); };
  std::vector<OperationalContact> contacts;
  const auto count = in.get<std::uint64_t>();
  if (count > kMaximumPointsOfAll) throw damaged();
  for (std::uint64_t i = 0; i < count; ++i) {
    OperationalContact contact;
    contact.name = in.getString();
    contact.link = in.get<std::int32_t>();
    const auto points = in.get<std::uint64_t>();
    if (contact.link < 0 || contact.link >= robot.numLinks() || points == 0 || points > kMaximumPoints) throw damaged();
    for (std::uint64_t k = 0; k < points; ++k) {
      const double x = finiteReal(in), y = finiteReal(in), z = finiteReal(in);
      contact.points.emplace_back(x, y, z);
    }
    for (int k = 0; k < 3; ++k) contact.normal[k] = finiteReal(in);
    contact.friction = finiteReal(in);
    if (std::abs(contact.normal.norm() - 1) > 1e-9 || !(contact.friction >= 0)) throw damaged();
    refuseTooMany(contacts, contact, {});
    contacts.push_back(std::move(contact));
  }
  return contacts;
}

}  // namespace mortise::controllers
