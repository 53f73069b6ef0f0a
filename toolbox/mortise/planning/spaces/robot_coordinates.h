#pragma once

/// The numbers by which planning moves a robot: a subset of its links, those of an affine driver as one.

#include <string>
#include <vector>

#include "mortise/configuration/configuration_space.h"

namespace mortise {

using ConstVectorRef = Eigen::Ref<const VectorXd>;
using VectorRef = Eigen::Ref<VectorXd>;

/// One number of a planning configuration: a link, or all links of an affine driver.
struct RobotCoordinate {
  std::string name;
  int driver = -1;                    ///< Affine only.
  std::vector<int> links;             ///< whole[links[k]] = offset[k] + scale[k] * value
  std::vector<double> scale, offset;  ///< One a link.
  double low = -kInfinity, high = kInfinity;
  bool straight = true;  ///< Neither round the circle nor part of a rotation.
};

/// Immutable; any number of threads may share one, each with its own `Scratch`. `whole` is a configuration of the whole
/// robot (numLinks), `q` one of the coordinates alone.
class RobotCoordinates {
 public:
  struct Scratch {
    VectorXd a, b, full;
  };

  /// `base`: where the links stay that are not planned for. `links`: to plan for, in any order; empty: all that are
  /// not welded. `metric.weights`: one a link, or none. Throws `Error` for links and sizes that do not exist, and where
  /// no link is left to plan for.
  RobotCoordinates(RobotPtr robot, VectorXd base, const std::vector<int>& links, ConfigurationDistanceOptions metric,
                   SampleOptions sampling);

  const Robot& robot() const { return space_.robot(); }
  const ConfigurationSpace& space() const { return space_; }
  const VectorXd& base() const { return base_; }
  int dimension() const { return static_cast<int>(coordinates_.size()); }
  const RobotCoordinate& coordinate(int i) const { return coordinates_.at(static_cast<std::size_t>(i)); }
  /// -1 for links that are not planned for.
  int coordinateOfLink(int link) const { return coordinateOfLink_.at(static_cast<std::size_t>(link)); }
  /// Says whether a link is planned for or carried by one that is.
  bool moves(int link) const { return moves_.at(static_cast<std::size_t>(link)) != 0; }
  /// Edges are lines in coordinates, distances weighted Euclidean ones.
  bool straight() const { return straight_; }
  double extent() const { return extent_; }
  double measure() const;

  void lift(const ConstVectorRef& q, VectorXd& full) const;
  /// The value of an affine driver is the one that comes nearest.
  void reduce(const VectorXd& full, VectorRef q) const;
  double distance(const ConstVectorRef& a, const ConstVectorRef& b, Scratch& scratch) const;
  void interpolate(const ConstVectorRef& a, const ConstVectorRef& b, double u, VectorRef q, Scratch& scratch) const;
  void sample(RandomStream& random, VectorRef q, Scratch& scratch) const;
  /// `center` moved by `step`, one number a coordinate in the units of the metric; lines end at the limits.
  void displace(const ConstVectorRef& center, const ConstVectorRef& step, VectorRef q) const;
  /// Index of the first link among those planned for that is outside its limits; -1: none is.
  int linkOutside(const VectorXd& full) const;
  /// For people: "link 'arm' is at 3.5, outside its limits -3 to 3".
  std::string explainOutside(int link, const VectorXd& full) const;

 private:
  void add(int link);

  ConfigurationSpace space_;
  VectorXd base_;
  ConfigurationDistanceOptions metric_;
  SampleOptions sampling_;
  std::vector<RobotCoordinate> coordinates_;
  std::vector<int> coordinateOfLink_;
  std::vector<char> moves_;
  bool straight_ = true;
  VectorXd weights_;  ///< Weights where all is straight: distance^2 = sum (weight * difference)^2.
  double extent_ = 0;
};

}  // namespace mortise
