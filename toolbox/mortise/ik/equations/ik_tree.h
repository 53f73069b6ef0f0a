#pragma once

/// The part of a robot that matters to one problem of inverse kinematics, with all that does not move merged into
/// constants: forward kinematics and Jacobian columns of a six-axis arm in about 0.2 microseconds.

#include <span>
#include <vector>

#include "mortise/dynamics/small_vectors.h"
#include "mortise/ik/equations/ik_variables.h"

namespace mortise::detail {

class IKTree {
 public:
  /// Place of a link: fixed to a node, the world being node 0.
  struct Place {
    int node = 0;
    M3 R;
    V3 p;
  };

  /// `variables`: those that may change. `links`: whose frames will be asked for. `masses`: all of the robot matters.
  IKTree(RobotPtr robot, std::span<const IKVariable> variables, std::span<const int> links, bool masses);

  /// Links that no variable moves stand as in q. False where they already did.
  bool setFixed(const VectorXd& q);
  int dimension() const { return dimension_; }

  /// Frames at x.
  void set(const double* x);

  const Place& place(int link) const { return places_[static_cast<std::size_t>(link + 1)]; }
  M3 rotation(const Place& place) const { return nodes_[at(place)].R * place.R; }
  V3 origin(const Place& place) const { return nodes_[at(place)].p + nodes_[at(place)].R * place.p; }
  V3 point(const Place& place, const V3& p) const {
    return nodes_[at(place)].p + nodes_[at(place)].R * (place.p + place.R * p);
  }
  V3 centerOfMass() const;
  double mass() const { return mass_; }

  /// Calls `column(variable, scale, axis, isTurn, origin)` for each joint above a place, the nearest first.
  template <class Column>
  void forJointsAbove(const Place& place, const Column& column) const {
    for (int k = place.node; k > 0; k = nodes_[static_cast<std::size_t>(k)].parent) {
      const Node& node = nodes_[static_cast<std::size_t>(k)];
      column(node.variable, node.scale, node.R.c2, node.turns, node.p);
    }
  }
  /// Marks the variables that move a place.
  void markAbove(const Place& place, std::vector<char>& marks) const;
  /// dc/dx of the center of mass, columns of `stride` numbers, into rows 0, 1, 2 multiplied by the rows of `axes`.
  void addCenterOfMassColumns(const M3& rows, int count, double weight, double* J, int stride);

 private:
  struct Node {
    int parent = 0, variable = 0;
    bool turns = true;
    double rate = 1;               ///< Length of the link's axis: motion for each unit of q.
    double scale = 1, offset = 0;  ///< rate * dq/dx, rate * q at x = 0.
    M3 C;                          ///< Rotation in the parent's frame at q = 0; z lies along the axis.
    V3 t;
    M3 R;
    V3 p;
    double mass = 0;  ///< Mass of all that is fixed to it, with its center in the node's frame.
    V3 moment;
  };
  static std::size_t at(const Place& place) { return static_cast<std::size_t>(place.node); }

  RobotPtr robot_;
  void place(const VectorXd& q);

  int dimension_ = 0;
  std::vector<int> fixed_;  ///< Links that no variable moves.
  VectorXd q_;              ///< Coordinates as they stand.
  bool masses_ = false;
  double mass_ = 0;
  std::vector<char> needed_;     ///< By link.
  std::vector<int> nodeOfLink_;  ///< Nodes of links that variables move; -1 else.
  std::vector<Place> places_;    ///< By link + 1.
  std::vector<Node> nodes_;      ///< [0]: the world.
  std::vector<double> massBelow_;
  std::vector<V3> momentBelow_;
};

}  // namespace mortise::detail
