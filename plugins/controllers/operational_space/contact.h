#pragma once

#include <string>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/base/diagnostics.h"
#include "mortise/base/schema.h"
#include "mortise/control/actuated_dynamics.h"
#include "mortise/optimization/task_hierarchy.h"
#include "operational_space/task.h"

namespace mortise::controllers {

/// A link that stands on something that does not move.
struct OperationalContact {
  std::string name;
  int link = 0;
  std::vector<Vector3d> points;         ///< In the link's frame.
  Vector3d normal = Vector3d::UnitZ();  ///< World frame, into the robot.
  double friction = 0.5;

  /// Says whether the points hold the link's orientation, too: three that are not in a line.
  bool holdsOrientation() const;
  Vector3d center() const;
  int numRows() const { return holdsOrientation() ? 6 : 3 * static_cast<int>(points.size()); }
};

/// Throws `Error` for what is wrong.
OperationalContact contactFromSetting(const Value& entry, const Robot& robot, const std::string& what);
std::vector<OperationalContact> contactsFromSetting(const Value& list, const Robot& robot, Diagnostics& diagnostics);
/// Throws `Error` when `more` makes too many points for one robot.
void refuseTooMany(const std::vector<OperationalContact>& contacts, const OperationalContact& more,
                   const SourcePosition& where);
Value contactToValue(const OperationalContact& contact, const Robot& robot);

/// Rows that ask for accelerations of -damping * velocity: the contact stays where it is.
void addRows(const OperationalContact& contact, ActuatedDynamics& dynamics, double damping, TaskRows& work,
             TaskLevel& level);

void saveContacts(const std::vector<OperationalContact>& contacts, ByteWriter& out);
std::vector<OperationalContact> restoreContacts(const Robot& robot, ByteReader& in);

}  // namespace mortise::controllers
