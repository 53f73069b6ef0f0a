#pragma once

/// Contact impulses on bodies and on trees of jointed bodies: block Gauss-Seidel over contacts, each with its friction
/// cone. Groups (a free body, or a tree) answer impulses by a dense matrix over those of their bodies that are touched,
/// so joints and drives hold exactly while contacts are solved.

#include <vector>

#include "articulated_forest.h"

namespace mortise::ode {

/// One contact of a step. Direction 0 is the normal, from B to A, 1 and 2 span the plane.
struct ImpulseContact {
  int bodyA = -1, bodyB = -1;
  Vector3d point = Vector3d::Zero();
  Vector3d directions[3];
  double speed = 0;                     ///< Normal speed at the end of the step at least, m/s.
  double mixing = 0;                    ///< m/s for each N s.
  double friction = 0;                  ///< Coefficient.
  double frictionMixing = 0;            ///< m/s for each N s.
  Vector3d drift = Vector3d::Zero();    ///< Velocity of A against B that boundary bodies have, along the directions.
  Vector3d impulse = Vector3d::Zero();  ///< Along the directions, on A: the guess, then the result.
};

struct ImpulseSettings {
  int iterations = 50;
  double tolerance = 1e-8;  ///< m/s: done when a sweep changes no contact's speed by more.
  bool pyramid = false;     ///< Friction is limited along each direction by itself.
};

class ImpulseSolver {
 public:
  /// Responses of the trees that `contacts` touch, for the forest's present factors. Contacts must touch at least one
  /// mobile body each.
  void prepare(ArticulatedForest& forest, std::vector<ImpulseContact>& contacts);
  /// Finds the impulses. Start: the velocities that the forest has with the contacts' guesses applied.
  void solve(const ArticulatedForest& forest, std::vector<ImpulseContact>& contacts, const ImpulseSettings& settings);

  /// Tree that contacts touch.
  const std::vector<int>& touchedTrees() const { return touched_; }
  /// Of the last `solve`, summed over groups of connected contacts.
  int sweeps() const { return sweeps_; }

 private:
  struct Group {
    int tree = -1, numBodies = 0;
    int firstVelocity = 0;  ///< In velocities_; six a body.
    std::size_t response = 0;
    std::vector<int> bodies;
  };
  struct Side {
    int velocity = -1;  ///< Of the body, in velocities_; -1: boundary.
    int first = 0, size = 0;
    std::size_t response = 0;  ///< Three columns of `size`, in columns_.
  };
  struct Row {
    double jacobian[2][3][6];
    Side sides[2];
    double weight[3] = {};   ///< Speed in a direction for a unit impulse along it, with mixing.
    double coupling = 0;     ///< Between the two tangents.
    double step = 0;         ///< Of a projected step along the tangents.
    double inverse[3] = {};  ///< Of the tangents' 2 x 2 block: 11, 12, 22.
    double normalInverse = 0;
  };

  void findIslands(const std::vector<ImpulseContact>& contacts);
  double relax(ImpulseContact& contact, const Row& row, bool pyramid);
  double speedAlong(const Row& row, int direction) const;
  void apply(const Row& row, int direction, double impulse);

  std::vector<Group> groups_;
  int numGroups_ = 0;
  std::vector<int> groupOfTree_, slotOfBody_, touched_;
  std::vector<Row> rows_;
  std::vector<double> responses_, columns_, velocities_;
  std::vector<int> root_, order_, islandOf_;
  int sweeps_ = 0;
};

}  // namespace mortise::ode
