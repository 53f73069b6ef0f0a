#pragma once

/// Parts of robots: a set of links seen as a robot of its own, and robots of which some links no longer move.

#include <string>
#include <vector>

#include "mortise/model/robot.h"

namespace mortise {

/// A set of links of a robot with their numbers in both directions. Drivers belong to it when all their links do. A
/// view: it holds indices alone.
class SubRobot {
 public:
  /// The links in the order given; throws `Error` for one that does not exist or comes twice.
  SubRobot(const Robot& robot, std::vector<int> links);
  /// The links from just below `ancestor` (-1: the world) to `link`, as an arm is named by its two ends. Throws `Error`
  /// when `ancestor` is not above `link`.
  static SubRobot chain(const Robot& robot, int ancestor, int link);

  int numLinks() const { return static_cast<int>(links_.size()); }
  int numDrivers() const { return static_cast<int>(drivers_.size()); }
  /// Indices in the whole robot.
  const std::vector<int>& links() const { return links_; }
  const std::vector<int>& drivers() const { return drivers_; }
  /// Index in the part of a link, or driver, of the whole; -1 when it is no part of it.
  int linkOf(int fullLink) const { return linkOf_[static_cast<std::size_t>(fullLink)]; }
  int driverOf(int fullDriver) const { return driverOf_[static_cast<std::size_t>(fullDriver)]; }

  /// The part's entries of a vector with one entry a link (q, dq, tau); and setting them in a vector of the whole.
  VectorXd select(const VectorXd& full) const;
  void assign(const VectorXd& part, VectorXd& full) const;
  /// The part's columns of a Jacobian (or rows and columns of a mass matrix) of the whole.
  Eigen::MatrixXd selectColumns(const Eigen::MatrixXd& J) const;
  Eigen::MatrixXd selectRowsAndColumns(const Eigen::MatrixXd& B) const;

 private:
  std::vector<int> links_, drivers_, linkOf_, driverOf_;
};

/// A robot with some links held fast, and how it lies in the whole.
struct ReducedRobot {
  RobotDescription robot;

  std::vector<int> links;            ///< Reduced link -> whole link.
  std::vector<int> drivers;          ///< Reduced driver -> whole driver.
  std::vector<int> linkOf;           ///< Whole link -> reduced link; -1: frozen.
  std::vector<int> driverOf;         ///< Whole driver -> reduced driver; -1: gone.
  std::vector<int> carrier;          ///< Whole link -> reduced link it is part of; -1: fixed to the world.
  std::vector<RigidTransform> X_CL;  ///< Whole link -> its pose in its carrier's frame (or in the world).
  VectorXd frozen;                   ///< Whole configuration; entries of frozen links hold their values.

  /// Shape of what is fixed to the world, in its frame: no link of the reduced robot carries it. A caller that needs to
  /// avoid it makes it a terrain.
  GeometryPtr worldGeometry;
  BodyInertia worldInertia;
  /// Names of the sensors that were on frozen links or drivers and are left out.
  std::vector<std::string> droppedSensors;

  VectorXd reduce(const VectorXd& full) const;
  VectorXd expand(const VectorXd& reduced) const;
};

/// Freezes `frozen` links at their values in `q` (numLinks of the whole). The matter and the shapes of a frozen link go
/// to the nearest link above it that moves. Affine drivers keep the links that still move; a joint of several links of
/// which some are frozen becomes normal joints of the others. Two links of the result are checked against each other
/// when every two shapes they are made of were; so nothing that touches by design is reported. At least one link must
/// stay. Throws `Error` for indices and sizes that do not fit.
ReducedRobot reduceRobot(const RobotDescription& full, const std::vector<int>& frozen, const VectorXd& q);

/// The links that cannot move: welded, or without range (qMin = qMax).
std::vector<int> fixedLinks(const RobotDescription& robot);

}  // namespace mortise
