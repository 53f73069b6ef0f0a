#pragma once

/// Contact impulses on bodies and on trees of jointed bodies. Groups (a free body, or a tree) answer impulses by a
/// dense matrix over those of their bodies that are touched, so joints and drives hold exactly while contacts are
/// solved.
///
/// A contact's impulse is a function of the speed at the end of the step, max(0, (speed - u) / mixing) along the normal
/// and -u / mixing, cut to the friction cone, across it. With the sizes of the cones held, the velocities at the end of
/// the step minimize a convex function, which Newton's method with a line search finds in few passes; the cones follow
/// between passes. Its matrix has a row for each way that groups can move, not for each contact, and is factored along
/// the graph of the groups. (The scheme is that of MuJoCo's Newton solver, with Coulomb's cones in place of its convex
/// ones.)
///
/// Newton's method pays for each pass with a factorization and may run around in circles in large heaps. Where it does
/// not come to rest within passes whose number falls with the size of an island, or ends on impulses that do not make
/// the velocities they were found from, projected sweeps over the contacts (Gauss and Seidel) take over. They never add
/// energy, converge slowly, and cost little.

#include <vector>

#include "direct/articulated_forest.h"

namespace mortise::ode {

/// One contact of a step. Direction 0 is the normal, from B to A, 1 and 2 span the plane.
struct ImpulseContact {
  int bodyA = -1, bodyB = -1;
  Vector3d point = Vector3d::Zero();
  Vector3d directions[3];
  double speed = 0;                     ///< Normal speed at the end of the step at least, m/s.
  double mixing = 0;                    ///< m/s for each N s, > 0.
  double friction = 0;                  ///< Coefficient.
  double frictionMixing = 0;            ///< m/s for each N s, > 0.
  Vector3d drift = Vector3d::Zero();    ///< Velocity of A against B that boundary bodies have, along the directions.
  Vector3d impulse = Vector3d::Zero();  ///< Along the directions, on A: the guess, then the result.
};

struct ImpulseSettings {
  int iterations = 50;
  double tolerance = 1e-6;  ///< m/s: friction that slips is done when a pass changes no speed by more.
  bool pyramid = false;     ///< Friction is limited along each direction by itself.
};

class ImpulseSolver {
 public:
  /// Responses of the trees that `contacts` touch, for the forest's present factors. Contacts must touch at least one
  /// mobile body each.
  void prepare(ArticulatedForest& forest, const std::vector<ImpulseContact>& contacts);
  /// Finds the impulses. Start: the velocities that the forest has with the contacts' guesses applied.
  void solve(const ArticulatedForest& forest, std::vector<ImpulseContact>& contacts, const ImpulseSettings& settings);

  /// Trees that contacts touch.
  const std::vector<int>& touchedTrees() const { return touched_; }
  /// Of the last `solve`: passes, summed over islands, and islands that did not come to rest and were swept.
  int passes() const { return passes_; }
  int unsettled() const { return unsettled_; }

 private:
  struct Group {
    int tree = -1, size = 0;  ///< `size`: of the response, six a body.
    int rank = 0;             ///< Ways to move.
    std::size_t basis = 0;    ///< size x rank, column-major, in bases_: response = basis basis^T.
    int offset = 0;           ///< In the unknowns.
    int island = -1;
    std::vector<int> bodies;
  };
  struct Side {
    int group = -1;
    std::size_t jacobian = 0;  ///< 3 x rank, row-major, in jacobians_.
  };
  struct Row {
    Side sides[2];
    double speed[3] = {}, change[3] = {};  ///< Present, and of the pass.
    double start[3] = {};                  ///< Speed with the guesses; for sweeps, without any contacts.
    double limit = 0;                      ///< Of friction, N s.
    double lastChange = 0;                 ///< Of the limit.
    double stiffness[4] = {};              ///< 1 / mixing: normal; tangents 11, 12, 22.
    int piece = 0;
  };
  struct Island {
    int firstGroup = 0, endGroup = 0;      ///< In groupOrder_.
    int firstContact = 0, endContact = 0;  ///< In contactOrder_.
    int firstUnknown = 0, numUnknowns = 0;
  };

  void findGroups(const ArticulatedForest& forest, const std::vector<ImpulseContact>& contacts);
  void factorResponse(Group& group);
  void findIslands();
  void prepareMatrix(const Island& island);
  void solveIsland(const Island& island, std::vector<ImpulseContact>& contacts, const ImpulseSettings& settings);
  bool readImpulses(const Island& island, std::vector<ImpulseContact>& contacts, bool pyramid);
  int mostPasses(const Island& island, int most) const;
  void sweepIsland(const Island& island, std::vector<ImpulseContact>& contacts, const ImpulseSettings& settings);
  double sweepContact(const Row& row, ImpulseContact& contact, bool pyramid);
  void speedsAt(const Row& row, const double* at, double* speed) const;
  double dualCost(const Island& island, const std::vector<ImpulseContact>& contacts);
  static int impulseAt(const ImpulseContact& contact, const Row& row, const double* speed, bool pyramid,
                       double* impulse, double* stiffness);
  static void impulseOn(const ImpulseContact& contact, const Row& row, double* impulse, double* stiffness);
  static int nextPiece(const ImpulseContact& contact, const Row& row);
  void addImpulse(const Row& row, const double* impulse, double sign, std::vector<double>& to) const;
  void findStep(const Island& island);
  double shareOfStep(const Island& island, const std::vector<ImpulseContact>& contacts, bool pyramid,
                     double start) const;
  bool followCones(const Island& island, const std::vector<ImpulseContact>& contacts, int round);
  void assemble(const Island& island);
  void factorMatrix(const Island& island);
  void solveMatrix(const Island& island, double* x) const;
  double slope(const Island& island, const std::vector<ImpulseContact>& contacts, bool pyramid, double fraction) const;

  std::vector<Group> groups_;
  int numGroups_ = 0;
  std::vector<int> groupOfTree_, slotOfBody_, touched_;
  std::vector<Row> rows_;
  std::vector<double> responses_, bases_, jacobians_, work_;
  std::vector<Island> islands_;
  std::vector<int> groupOrder_, contactOrder_, firstLinked_;
  std::vector<std::vector<int>> neighbors_;
  // Unknowns of all islands: the point, its start, the gradient, the step.
  std::vector<double> at_, gradient_, step_;
  std::vector<Vector3d> guesses_;  ///< Of all contacts, before `solve`.
  // The matrix's lower half, row by row from the first entry that is not zero.
  std::vector<int> rowFirst_;
  std::vector<std::size_t> rowStart_;
  std::vector<double> matrix_;
  int passes_ = 0, unsettled_ = 0;
};

}  // namespace mortise::ode
