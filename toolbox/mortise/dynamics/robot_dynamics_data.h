#pragma once

/// The inside of `RobotDynamics`, shared by its source files only.
///
/// What can be said of each link by itself is computed for four links at once: a `LinkBlock` holds four neighbors in
/// link order, each quantity as four numbers side by side. What runs along the tree (frames, sums over the links above
/// or below) is computed link by link. Spatial vectors are (angular, linear), in world axes, about one common point
/// that moves with the robot, so that sums along the tree are nothing but additions.

#include <cstdint>
#include <span>
#include <vector>

#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/dynamics/small_vectors.h"

namespace mortise {

namespace detail {

constexpr int kLanes = 4;

/// One number of each of four links; or one column, x, y, z and a fourth that means nothing, of one link.
struct alignas(32) Lanes {
  double v[kLanes] = {0, 0, 0, 0};
};

inline V3 v3(const Lanes& a) { return {a.v[0], a.v[1], a.v[2]}; }
/// Returns the vector of one link.
inline V3 v3(const Lanes* a, int lane) { return {a[0].v[lane], a[1].v[lane], a[2].v[lane]}; }

/// The link frames used inside turn about or slide along their own z axis: a link's frame in the file is turned by a
/// constant. A revolute link has slide = 0, a prismatic one turn = 0.
struct LinkBlockConstants {
  Lanes turn, slide;   ///< Angle and length of the motion for each unit of q.
  Lanes C[9];          ///< Rotation at q = 0 in the parent's frame, by columns.
  Lanes p0[3];         ///< Origin at q = 0 in the parent's frame.
  Lanes mass, com[3];  ///< Center of mass in the frame used inside.
  Lanes I[6];          ///< About the center of mass: xx, yy, zz, xy, xz, yz.
  bool hasMass = false;
};

struct LinkBlock {
  Lanes Rl[9], pl[3];  ///< Pose in the parent's frame.
  Lanes S[6];          ///< Motion of the joint for each unit of dq, about the reference.
  Lanes V[6];          ///< Velocity.
  Lanes com[3];        ///< Center of mass from the reference, world axes.
  Lanes I[6];          ///< Inertia about the center of mass, world axes.
  Lanes A[6];          ///< Acceleration.
  Lanes F[6];          ///< Force, at first of the link alone, then of everything below it too.
  Lanes X[10];         ///< Rigid body about the reference: I as above, first moment, mass; then the composite one.
};

/// Frame of a link in the world: columns of R, then p.
struct LinkFrame {
  Lanes c[3], p;
};

/// Articulated body about the reference: torque = A w + H v, force = H^T w + M v, by diagonals. 0: xx, yy, zz; 1: xy,
/// yz, zx; 2: xz, yx, zy. A and M are symmetric. Fourth numbers are zero.
struct ArticulatedBody {
  Lanes A0, A1, H0, H1, H2, M0, M1;
};

/// Sizes of the inertias that an articulated body is a difference of: traces of its two diagonal blocks.
struct RigidTerms {
  double angular = 0, linear = 0;
};

/// Terms of one joint in the solution of B x = y.
struct JointTerms {
  Lanes Sw, Sv;         ///< Motion for each unit of dq.
  Lanes kUn, kUf;       ///< inverseD times the force of the articulated body for a unit acceleration of the joint.
  Lanes pn, pf;         ///< Force to be balanced.
  Lanes aw, av;         ///< Acceleration.
  double inverseD = 0;  ///< Inverse D of the joint's fraction of inertia; 0 where there is none.
  double u = 0;
};

/// A block of four rows by four columns of the mass matrix, rows at or below the columns in link order.
struct MassTile {
  std::int16_t row = 0, column = 0;  ///< Numbers of link blocks, column <= row.
  std::uint16_t related = 0;  ///< Bit 4 * i + j: link j of the column's block is link i of the row's or lies above it.
};

}  // namespace detail

struct RobotDynamics::Data {
  /// Constants of links, in the robot's own order.
  struct LinkConstants {
    bool revolute = true;
    bool hasMass = false;
    double rate = 1;      ///< Length of the axis: motion for each unit of dq.
    bool turned = false;  ///< The frame of the file is not the frame used inside.
    detail::M3 file;      ///< Axes of the file's frame in the frame used inside.
    double mass = 0;
    detail::V3 com;  ///< Frame used inside, like the inertia, which is about the center of mass.
    detail::S3 inertia;
  };

  explicit Data(RobotPtr robotPtr);

  RobotPtr robot;
  int n = 0;
  int blocks = 0;
  double totalMass = 0;
  int referenceLink = 0;  ///< Its origin is the reference: digits are kept wherever the robot stands.
  std::vector<LinkConstants> link;
  std::vector<int> parent;
  std::vector<int> leavesFirst;  ///< Links by falling depth: neighbors in this order do not wait for each other.
  std::vector<detail::LinkBlockConstants> constants;
  std::vector<detail::MassTile> tiles;

  // The state. q and dq are padded to whole blocks, as are `in` and `out`, which hold arguments and results.
  std::vector<detail::Lanes> q, dq, in, out;
  bool moving = false;  ///< dq is not all zero.
  bool haveMotions = false, haveInertias = false, haveFactor = false, factorIsGood = false;
  std::vector<detail::LinkFrame> frames;  ///< [0]: the world; [i + 1]: link i, the frame used inside.
  std::vector<detail::LinkBlock> block;
  std::vector<detail::ArticulatedBody> body;
  std::vector<detail::JointTerms> jointTerms;
  std::vector<detail::RigidTerms> size;
  /// Articulated body about the link's own origin, for robots whose joints lose their digits about a common one.
  struct Careful {
    detail::S3 A, M;   ///< Matrices as in `ArticulatedBody`.
    double H[9] = {};  ///< Row-major.
    detail::V3 pn, pf, Un, Uf, aw, av;
    detail::RigidTerms size;
    double inverseD = 0, u = 0;
  };
  std::vector<Careful> careful;
  std::vector<double> massBelow;        ///< Mass of each link and all that it carries.
  std::vector<detail::V3> momentBelow;  ///< First moment of the same.

  void setPosition(const VectorXd& position);
  void needMotions();
  void needInertias();
  /// Newton-Euler; `ddq` null: none. The result is in `out`.
  void newtonEuler(const VectorXd* ddq, bool velocities, const Vector3d& gravity, std::span<const LinkWrench> wrenches);
  /// `result` = B^-1 `in`.
  void solve(VectorXd& result);
  void solveCarefully(VectorXd& result);

  double dqOf(int i) const { return dq[i / detail::kLanes].v[i % detail::kLanes]; }
  detail::V3 reference() const { return origin(referenceLink); }
  detail::V3 origin(int i) const { return detail::v3(frames[i + 1].p); }
  /// Rotation of the frame used inside.
  detail::M3 turn(int i) const {
    const detail::LinkFrame& f = frames[i + 1];
    return {detail::v3(f.c[0]), detail::v3(f.c[1]), detail::v3(f.c[2])};
  }
  detail::M3 rotation(int i) const { return link[i].turned ? turn(i) * link[i].file : turn(i); }
  /// Axis times its length, world: motion for each unit of dq.
  detail::V3 axis(int i) const { return link[i].rate * detail::v3(frames[i + 1].c[2]); }
  detail::V3 center(int i) const { return origin(i) + turn(i) * link[i].com; }
  /// World position of a point given in the frame of the file.
  detail::V3 pointAt(int i, const Vector3d& p_LP) const { return origin(i) + rotation(i) * detail::v3(p_LP); }
  detail::V3 angularVelocity(int i) const { return detail::v3(block[i / detail::kLanes].V, i % detail::kLanes); }
  /// Returns the velocity of the point of link i that is at `p`, world frame.
  detail::V3 velocityAt(int i, const detail::V3& p) const {
    return detail::v3(block[i / detail::kLanes].V + 3, i % detail::kLanes) + cross(angularVelocity(i), p - reference());
  }
};

}  // namespace mortise
