#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/model/robot.h"

namespace mortise::io {

/// A pair of links by name or index (a name of digits is an index).
struct LinkPair {
  std::string first, second;
  SourcePosition position;
  bool fromGroups = false;  ///< One of all pairs of two groups; a link with itself is then passed over.
};

/// Index of a link given by name or index: -1 for "-1", the world; -2 when there is no such link.
int linkIndex(const RobotDescription& robot, const std::string& text);

bool hasGeometry(const Link& link);

/// Decides which links are checked against each other. Rules that name links of robots that are not mounted yet wait
/// until they are.
class SelfCollisions {
 public:
  SelfCollisions(RobotDescription& robot, Diagnostics& diagnostics) : robot_(robot), out_(diagnostics) {}

  /// Only the pairs `on`; without any, every pair that has geometry and is not parent and child. Then not `off`.
  void choose(const std::vector<LinkPair>& on, const std::vector<LinkPair>& off);
  /// The rules that waited; then sorts the pairs.
  void finish();

 private:
  void apply(const std::vector<LinkPair>& rules, std::vector<LinkPair>* later, bool on);

  RobotDescription& robot_;
  Diagnostics& out_;
  std::vector<LinkPair> laterOn_, laterOff_;
};

/// Every pair that has geometry and is not parent and child, in order.
std::vector<std::pair<int, int>> defaultSelfCollisions(const RobotDescription& robot);

}  // namespace mortise::io
