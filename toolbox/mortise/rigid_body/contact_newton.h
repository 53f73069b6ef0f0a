#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mortise/rigid_body/articulated_body.h"

namespace mortise::rigid {

/// Newton's method for the contacts of a small island, together with the drives of its robots.
///
/// With u = free + Y w the velocities of the contacts and w = Y^T p, impulses p satisfy
///
///   p_n = max(0, z_n),  p_t = z_t cut to the disk of radius friction p_n,  z = s - (u - target) / e,
///
/// with s = p, for any e > 0 (the augmented Lagrangian of Alart and Curnier, "A mixed formulation for frictional
/// contact problems prone to Newton like solution methods", 1991). Newton's method goes along the pieces of these
/// projections: contacts that are apart, stick or slip. The unknowns are w, not the impulses, which are not unique
/// where a foot has more than three contacts; its matrix I - Y^T (dp/du) Y is symmetric and positive definite, because
/// the disks' radii follow between passes, and is factored within its envelope (George and Liu, "Computer Solution of
/// Large Sparse Positive Definite Systems", 1981). s are the impulses to start
/// from, and e a millionth of what a contact answers; where velocities give way by more than the tolerance, s follows.
///
/// Articulated bodies take part with their velocities themselves and with the laws of their drives, friction and stops,
/// which are pieces like those of contacts: one convex problem. What no contact's row reaches is eliminated along the
/// tree.
///
/// Nothing is allocated once buffers have grown.
class ContactNewton {
 public:
  struct Contact {
    double free[3];  ///< Velocities without impulses: normal, two tangents.
    double target, cfm, friction;
    double normal, tangent;  ///< Largest answer to a unit impulse, along the normal and across it; > 0.
    double impulse[3];       ///< To start from.
  };
  /// Some of the unknowns, which ascend: what a contact's rows of Y have entries for.
  struct Part {
    int length;
    const int* columns;  ///< Null: `first` and those after it.
    int first;
  };

  /// An island of so many unknowns; then its trees, and its contacts: of each first the rows, in one or two parts, the
  /// second behind the first. `openContact` returns where they are to be written, `stride` of their length apart.
  void begin(int numUnknowns);
  /// `unknowns` says for each velocity of the tree which unknown it is, -1 where no contact's row has an entry.
  void addTree(ArticulatedBody& body, const int* unknowns);
  double* openContact(std::span<const Part> parts);
  void closeContact(const Contact& contact);
  /// Multiplications of a pass, roughly; known once all contacts are there.
  double work();

  /// Finds impulses; returns whether there are some whose velocities contradict none of them by more than `tolerance`
  /// (m/s). If not, they are anything.
  bool solve(double tolerance, int maxPasses);
  const double* impulse(int contact) const { return terms_[contact].impulse; }
  /// Returns the unknowns: w of free bodies as impulses make it.
  const double* result();
  /// Returns velocities of a tree, by its number, after `result`, and what contacts give.
  const double* velocity(int tree) const { return trees_[tree].v.data(); }
  const double* given(int tree) const { return trees_[tree].rest.data(); }
  int passes() const { return passes_; }  ///< Returns the passes of the last `solve`.

 private:
  enum class Piece : unsigned char { apart, sticks, slips };
  struct Term {
    Contact given;
    std::size_t rows;                ///< Beginning of the rows.
    double normalGive, tangentGive;  ///< e, with the constraint force mixing.
    Piece piece;
    bool fresh;     ///< Slips slowly, and no pass has told along which direction yet.
    double radius;  ///< Radius of the disk that friction is cut to.
    double u[3], change[3];
    double impulse[3];
    double stiffness[4];  ///< -dp/du: normal; tangents 11, 12, 22.
    double predicted[3];  ///< Impulse after the pass, as the matrix has it.
  };

  /// Contacts one after the other whose rows have entries for the same unknowns, as those of a pair of bodies.
  struct Group {
    std::size_t columns;
    int length;
    int first, last;  ///< Terms.
  };
  struct Tree {
    ArticulatedBody* body = nullptr;
    const int* unknowns = nullptr;
    std::vector<char> kept;  ///< Velocities that are unknowns; the others are eliminated.
    std::vector<double> v, step, rest;
    std::vector<double> reduced;  ///< Right-hand side after the elimination.
  };
  static double normalOf(const Term& term);
  static void startPiece(Term& term);
  static void linearize(Term& term);
  static void linearizeCreep(Term& term);
  static Piece project(const Term& term, const double* u, double* impulse);
  static double follow(Term& term, bool carefully);
  void start();
  void measure();
  void layOut();
  void assembleBase(bool anew);
  void assemble();
  bool addTerm(const Term& term, int length);
  const double* gather(const Group& group, const std::vector<double>& x);
  void complete(const Tree& tree, const std::vector<double>& x, std::vector<double>& v) const;
  bool factor();
  void findChanges();
  double slope(double fraction, bool together) const;
  void findQuadratic(bool together);
  void findTreeStep(Tree& tree);
  bool tookLongStep() const;
  bool recenter(double tolerance);
  double followDrives(double driveFraction, bool atOnce);
  double stepFraction(bool together);
  void take(double fraction);

  std::vector<Term> terms_;
  std::vector<Group> groups_;
  std::vector<double> block_, sum_;  ///< Work space of a group: its part of the matrix, and of a vector.
  std::vector<Tree> trees_;          ///< More than there are, so that their buffers stay.
  int numTrees_ = 0;
  std::vector<int> columns_, first_;
  std::vector<double> rows_, matrix_, inverse_, base_, load_, target_;
  std::vector<std::size_t> start_;  ///< Start of column 0 of each row, were it there.
  std::vector<double> w_, step_;    ///< Velocities of trees.
  std::vector<char> ofTree_;
  double start0_ = 0, rise_ = 0;  ///< Work space of the slope along a step.
  int passes_ = 0;
};

}  // namespace mortise::rigid
