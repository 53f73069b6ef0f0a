#pragma once

#include <span>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/component/physics.h"
#include "mortise/rigid_body/tree_matrix.h"

namespace mortise::rigid {

/// Solves the joint drives of one articulated body implicitly. With M the joint-space inertia, p the generalized
/// momentum at the end of the step without drives, and g the generalized impulse of contacts, it finds v with
///
///   M v = p + g + sum over joints of impulse_i(v_i),
///
/// where impulse_i is `JointDrive`'s law with the position at the end of the step, q + h v: a decreasing, piecewise
/// linear function, so that the solution exists, is unique, and is found by Newton's method on the pieces (semi-smooth
/// Newton; the linear piece alone is the stable PD control of Tan, Liu and Turk 2011). Dry friction sticks with a slope
/// of a million times the joint's inertia in each step.
class ImplicitJointDrives {
 public:
  ImplicitJointDrives() = default;
  /// `firstJoint` velocities of the base come before those of the joints.
  ImplicitJointDrives(const std::vector<int>& parents, int firstJoint);

  /// The inertia; the caller fills it before each step.
  TreeMatrix& inertia() { return inertia_; }
  const TreeMatrix& inertia() const { return inertia_; }

  /// A joint's stops, as the velocities with which it would reach them at the end of the step; infinite: none.
  struct Stops {
    double low = 0, high = 0;
  };
  /// The inertia must be there. Positions are those at the start of the step.
  void prepare(double h, std::span<const JointDrive> drives, std::span<const double> q, std::span<const Stops> stops);

  /// Finds v, and with it which piece each joint is on. `g` may be null.
  void solve(const double* p, const double* g, double* v);
  /// The velocity without contacts, on the pieces found last.
  void linearized(const double* p, double* v) const;
  /// The factor of M + E on the pieces found last.
  const TreeMatrix& factor() const { return factor_; }
  /// y = (M + E) x.
  void multiply(const double* x, double* y) const;
  /// Says whether v lies on the pieces found last.
  bool consistent(const double* v) const;
  // Newton's method on drives and contacts together (`ContactNewton`) follows the pieces from outside.

  /// Factors M + E but for rows that are `kept` (see `TreeMatrix`), unless that is what there is.
  const TreeMatrix& factorAllBut(const std::vector<char>& kept, bool anew);
  /// Adds what the pieces in force give at v = 0.
  void addConstants(double* impulse) const;
  /// By how much at most, in rad/s or m/s of a joint alone, the laws' impulses at v differ from those of the pieces in
  /// force.
  double misfit(const double* v) const;
  /// Takes the pieces that v lies on, of joints whose misfit is not below `least`; unless `atOnce`, from one extreme
  /// piece to the other by way of the middle one.
  void follow(const double* v, double minimum, bool atOnce);
  /// Sum of the laws' impulses at v + fraction d, times d.
  double slopeAlong(const double* v, const double* d, double fraction) const;

  /// Effort of the drive at v, friction left out.
  double effort(int joint, double v) const;
  /// Effort of the stops at v; positive at the lower one.
  double stopEffort(int joint, double v) const;

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  enum class Piece : signed char { low = -1, linear = 0, high = 1 };
  struct Joint {
    double offset = 0, slope = 0;  ///< Drive impulse = offset - slope v, within [low, high].
    double low = 0, high = 0;
    double viscous = 0;
    double dry = 0, stickSlope = 0;
    Stops stops;
    double stopSlope = 0;
    Piece drive = Piece::linear;
    Piece friction = Piece::linear;  ///< linear: sticks; high: slides with v > 0.
    Piece stop = Piece::linear;      ///< linear: at none.
  };

  static Piece drivePiece(const Joint& joint, double v);
  static Piece frictionPiece(const Joint& joint, double v);
  static Piece stopPiece(const Joint& joint, double v);
  static double law(const Joint& joint, double v);
  static void move(Piece& from, Piece to, bool& changed);
  double misfit(const Joint& joint, double v, double inertia) const;
  double slope(const Joint& joint) const;
  double constant(const Joint& joint) const;
  /// v = p + g + the constant parts of the laws in force; `g` may be null.
  void sum(const double* p, const double* g, double* v) const;
  void refactor();

  TreeMatrix inertia_, factor_;
  std::vector<Joint> joints_;
  int first_ = 0;
  bool factored_ = false;  ///< By `factorAllBut`, for the present pieces.
  double h_ = 0;
};

}  // namespace mortise::rigid
