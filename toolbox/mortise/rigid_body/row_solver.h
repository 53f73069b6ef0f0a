#pragma once

#include <span>
#include <vector>

#include "mortise/rigid_body/contact_newton.h"
#include "mortise/rigid_body/solver_body.h"

namespace mortise::rigid {

/// A row acts with a force at a common point of two bodies, and a moment: equal and opposite, so momentum is kept.
struct Row {
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
};

/// Contacts and joints of bodies in touch, made for robots on many contacts: by Newton's method where an island is
/// small and has contacts alone (`ContactNewton`), else, and where that does not come to an end, by projected
/// Gauss-Seidel.
///
/// With the inertia of each body factored as L^T L (of an articulated one together with the slopes of its drives, see
/// `ImplicitJointDrives`), the unknowns are w = L (v - v_free). A row J becomes Y = J L^-1, and its response is its own
/// transpose: one array serves both directions. For a link, Y has entries only for the joints between it and the base,
/// because L^-T keeps the sparsity of the tree; so a contact costs the depth of its links, not the number of joints.
///
/// Contacts are solved one at a time, their friction on the true cone; joints as blocks, exactly, those that form trees
/// all at once (`joint_forest.cpp`). Bodies that do not
/// touch each other, however far around, are solved apart from each other ("islands"), each until nothing changes any
/// more. Nothing is allocated once buffers have grown.
class RowSolver {
 public:
  /// For how long Newton's method is left alone on an island. Bodies in a heap move little from step to step, and what
  /// failed on them several times fails again; each further failure doubles the pause.
  struct NewtonPause {
    unsigned char failures = 0;  ///< In a row.
    unsigned char steps = 0;     ///< Still to go.
  };
  struct Settings {
    int iterations = 200;
    double tolerance = 1e-6;  ///< m/s: an island is done when no contact changes its velocity by more.
  };

  /// Bodies that impulses move; at first, in this order.
  int addMover(FreeBody& body);
  int addMover(ArticulatedBody& body);

  /// A contact: along `normal` (from B to A) the relative velocity u of A against B and the impulse p >= 0 satisfy
  /// u + cfm p >= target, one of them with equality; friction is Coulomb's.
  struct Contact {
    Vector3d point, normal;
    double target = 0, cfm = 0, friction = 0;
    bool bounces = false;               ///< `target` is the speed of a rebound.
    Vector3d start = Vector3d::Zero();  ///< Impulse on A to start from.
    NewtonPause pause;  ///< Pause as `newtonPause` said in the last step; the longest of an island counts.
  };
  /// A joint: all rows together satisfy u = target.
  struct Joint {
    Vector3d point;
    int numRows = 0;
    Row rows[6];
    double target[6] = {}, start[6] = {};
  };
  /// The free direction of a joint. Its impulse is a decreasing function of its velocity u: a drive, offset - slope u
  /// within [minimum, maximum]; viscous friction; dry friction, which sticks at u = 0; and stops that keep u within
  /// [low, high].
  struct Axis {
    Vector3d point;
    Row row;
    double offset = 0, slope = 0, minimum = 0, maximum = 0;
    double viscous = 0, dry = 0;
    double low = 0, high = 0;
    double start = 0;  ///< Impulse to start from, of all together.
  };
  struct AxisImpulse {
    double all = 0, drive = 0, dry = 0, stop = 0;
  };

  /// Forgets all rows. Free velocities of rigid bodies are those handed over here; articulated ones have begun theirs.
  void begin();
  void setFree(int mover, const Vector3d& v, const Vector3d& w);
  /// Velocities without contacts of a body's point, and before the step.
  Vector3d freeVelocity(const SolverBody& end, const Vector3d& point) const;
  static Vector3d velocity(const SolverBody& end, const Vector3d& point);
  static Vector3d spin(const SolverBody& end);

  void addContact(const SolverBody& a, const SolverBody& b, const Contact& contact);
  int addJoint(const SolverBody& a, const SolverBody& b, const Joint& joint);
  int addAxis(const SolverBody& a, const SolverBody& b, const Axis& axis);

  /// Solves, and hands the velocities to the bodies.
  void solve(const Settings& settings);

  /// Impulses on A after `solve`; joints and axes by the numbers they got.
  Vector3d contactImpulse(int contact) const;
  std::span<const double> jointImpulse(int joint) const { return joints_[joint].impulse; }
  const AxisImpulse& axisImpulse(int axis) const { return axes_[axis].result; }
  /// Says whether the island of a contact was done before its sweeps ran out.
  bool settled(int contact) const { return contacts_[contact].settled; }
  /// Returns the pause of a contact's island, for the next step.
  NewtonPause newtonPause(int contact) const { return contacts_[contact].pause; }

  // Of the last `solve`.
  bool ranOutOfSweeps() const { return ranOut_; }      ///< On some island.
  bool gaveUpNewton() const { return gaveUpNewton_; }  ///< Some island was swept where Newton's method had failed.

  /// Since the scene was built.
  struct Statistics {
    long steps = 0;
    long sweeps = 0;           ///< Sweeps of the island that took most, summed over steps.
    long unsettled = 0;        ///< Islands that ran out of sweeps.
    long relinearized = 0;     ///< Times that drives changed to another piece of their law because of contacts.
    long newtonPasses = 0;     ///< Newton passes of Newton's method, all islands.
    long newtonFailed = 0;     ///< Times that Newton's method left an island to the sweeps.
    long newtonPaused = 0;     ///< Islands that were swept because it had failed on them a short while ago.
    long lessenedBounces = 0;  ///< Islands in which friction would have given energy to what bounces.
  };
  const Statistics& statistics() const { return statistics_; }

 private:
  struct Mover {
    FreeBody* rigid = nullptr;
    ArticulatedBody* articulation = nullptr;
    int offset = 0, size = 0;  ///< In w.
    Vector3d v, w;             ///< Free velocity of a rigid body.
    double inverseRootMass = 0;
    Matrix3d inverseRootInertia;  ///< S R^T: from moments to w.
    bool free = false;            ///< State of a rigid body: moved by impulses in this step.
    bool touched = false;         ///< By any row.
    bool ended = false;           ///< Has its velocities.
  };
  /// One end of a block: Y, row by row.
  struct Side {
    int offset = -1;             ///< In w; -1: does not move.
    int length = 0;              ///< Length of a row, even.
    const int* index = nullptr;  ///< Entries of w, relative to `offset`; null: all six in a row.
    int values = 0;              ///< Beginning of Y.
  };
  struct Block {
    const SolverBody* ends[2];
    Vector3d point;
    Side sides[2];
  };
  struct ContactBlock : Block {
    Vector3d directions[3];
    double free[3];  ///< Velocities without impulses.
    double target, cfm, friction;
    double bounce;  ///< Speed of the rebound, 0 without one; `target` may become less.
    double inverseNormal;
    double coupling[2];  ///< Between the normal and both tangents.
    double normal;       ///< Diagonal.
    double inverse[3];   ///< Inverse of the tangents' block: 11, 12, 22.
    double slipStep;     ///< Inverse of its larger eigenvalue.
    double impulse[3];
    bool settled;
    NewtonPause pause;
  };
  struct JointBlock : Block {
    int numRows;
    Row rows[6];
    double free[6], target[6];
    double factor[36];
    double impulse[6];
  };
  struct AxisBlock : Block {
    Axis law;
    double free, inverse;
    double impulse[1];
    double velocity = 0;  ///< That goes with the impulse.
    AxisImpulse result;
  };
  enum class Kind : unsigned char { joint, axis, contact };
  struct Entry {
    Kind kind;
    int index;
  };

  void makeSides(Block& block, const Row* rows, int numRows, double* free);
  void response(const Block& block, int numRows, double* matrix) const;
  void make(ContactBlock& block);
  void make(JointBlock& block);
  void make(AxisBlock& block);
  void velocityOf(const Block& block, int numRows, double* u) const;
  void push(const Block& block, const double* impulse, int numRows);
  double sweep(ContactBlock& block);
  double sweep(JointBlock& block);
  double sweep(AxisBlock& block);
  double sweep(const Entry& entry);
  Block& block(const Entry& entry);
  void pushStart(const Entry& entry, int onlyMover);
  void findIslands();
  int root(int mover);
  void sortMovers();
  void solveIsland(std::size_t island, const Settings& settings);
  Vector3d looseVelocity(const SolverBody& end, const Vector3d& point) const;
  bool frictionGives(std::span<const Entry> entries) const;
  void lessenBounces(std::size_t island, const Settings& settings);
  static void factorBlock(double* A, int n);
  static void solveLower(const double* L, int n, double* x);
  static void solveUpper(const double* L, int n, double* x);
  void findForest(std::span<const Entry> entries);
  void couple(const JointBlock& a, const JointBlock& b, double* matrix);
  void factorForest();
  double sweepForest();
  struct LinkResponse {
    int mover, link;
    double matrix[36];
  };
  const LinkResponse& responseOf(const SolverBody& end);
  void makeFreeRows(const ContactBlock& block, int end, double* rows, int stride, ContactNewton::Contact& contact,
                    double* answer);
  void makeTreeRows(const ContactBlock& block, int end, double* rows, int stride, ContactNewton::Contact& contact);
  void addAnswer(const ContactBlock& block, const SolverBody& end, double* answer);
  double workOfFreeBodies(std::span<const Entry> entries);
  bool makeDirect(const ContactBlock& block);
  void takeDirect(std::span<const Entry> entries);
  void placeTrees(std::span<const Entry> entries);
  void placeFreeBodies(std::span<const Entry> entries);
  bool slips(std::span<const Entry> entries) const;
  bool solveDirectly(std::span<const Entry> entries, const Settings& settings);
  bool layOutNewton(std::span<const Entry> entries);
  void fillNewton(std::span<const Entry> entries);
  bool tryNewton(std::span<const Entry> entries, const Settings& settings);
  void startPause(std::span<const Entry> entries);
  void leavePause(std::span<const Entry> entries);
  bool sweepUntilSettled(std::span<const Entry> entries, const Settings& settings, int& sweeps);
  double sweepForth();
  void sweepBack();
  std::span<double> impulses(const Entry& entry);
  void store(std::span<const Entry> entries, std::vector<double>& impulses, std::vector<double>& w);
  void recall(std::span<const Entry> entries, const std::vector<double>& impulses, const std::vector<double>& w);
  static double costOf(const AxisBlock& axis);
  double cost(std::span<const Entry> entries);
  bool relinearize(std::span<const Entry> entries);
  void finish();

  std::vector<Mover> movers_;
  std::vector<double> w_, values_;
  std::vector<ContactBlock> contacts_;
  std::vector<JointBlock> joints_;
  std::vector<AxisBlock> axes_;
  std::vector<Entry> entries_, ordered_;
  std::vector<int> parent_, island_, islandStart_;
  std::vector<int> moverStart_, moversByIsland_;
  std::span<const int> movable_;  ///< Movers of the island being solved, ascending.
  std::vector<int> place_;        ///< Place of each of these, by mover, among them.
  std::vector<double> before_, direction_, wBefore_, wDirection_;
  std::vector<double> best_, wBest_;  ///< Before the last step along a direction.
  // Of the island being solved: joints that form trees, leaves first, and what else there is.
  std::vector<int> forest_, forestPlace_, forestParent_, coupledStart_, coupled_;
  std::vector<Entry> rest_;
  std::vector<double> forestDiagonal_, forestCoupling_, forestChange_;
  std::vector<int> adjacentStart_, adjacent_, filled_, branches_, queue_;
  std::vector<char> reached_;
  // Newton's method on the island being solved: which of w are its unknowns, and the free bodies in their order.
  ContactNewton newton_;
  bool newtonFits_ = false, newtonRan_ = false, newtonFailed_ = false;  ///< The last two: on this island, in this step.
  NewtonPause pause_;                                                   ///< Pause of the island being solved.
  int numUnknowns_ = 0;
  std::vector<int> unknown_, unknownsOfPath_[2];
  std::vector<LinkResponse> responses_;
  mutable std::vector<double> gather_;
  std::vector<double> dense_;
  int numW_ = 0;
  Statistics statistics_;
  bool ranOut_ = false, gaveUpNewton_ = false;
  int longest_ = 0;  ///< Sweeps of the step's slowest island.
};

}  // namespace mortise::rigid
