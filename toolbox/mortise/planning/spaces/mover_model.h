#pragma once

/// One thing that moves in a `CompositeMotionSpace`: a robot or a rigid object. Not needed to use the spaces.

#include <memory>
#include <string>

#include "mortise/collision/edge_check.h"
#include "mortise/planning/spaces/motion_space.h"
#include "mortise/planning/spaces/robot_coordinates.h"

namespace mortise {

/// Buffers of a mover between calls; one a thread.
struct MoverWorkspace {
  RobotCoordinates::Scratch scratch;
  VectorXd from, to, full;  ///< Ends of the edge that was begun, and where it is now.
  EdgeChecker::Workspace edge;
  // A rigid object on the whole edge: meters, rad, how far it reaches from the axis, and the rotation vector.
  double shift = 0, turn = 0, reach = 0;
  Vector3d axis = Vector3d::Zero();
};

/// Immutable; any number of threads may share one. `q` holds the mover's planning coordinates, `whole` its own numbers
/// (see `Mover`).
class MoverModel {
 public:
  virtual ~MoverModel();
  virtual Mover::Kind kind() const = 0;
  virtual int index() const = 0;
  virtual int fullSize() const = 0;
  virtual int dimension() const = 0;
  /// Edges are lines in coordinates.
  virtual bool straight() const = 0;
  virtual void bounds(VectorRef low, VectorRef high) const = 0;
  virtual double extent() const = 0;
  virtual double measure() const = 0;
  virtual std::string coordinateName(int i) const = 0;

  virtual void lift(const ConstVectorRef& q, VectorXd& full) const = 0;
  virtual void reduce(const VectorXd& full, VectorRef q) const = 0;
  virtual double distance(const ConstVectorRef& a, const ConstVectorRef& b, MoverWorkspace& workspace) const = 0;
  virtual void interpolate(const ConstVectorRef& a, const ConstVectorRef& b, double u, VectorRef q,
                           MoverWorkspace& workspace) const = 0;
  virtual void sample(RandomStream& random, VectorRef q, MoverWorkspace& workspace) const = 0;
  /// `center` moved by `step`, one number a coordinate in the units of the metric.
  virtual void displace(const ConstVectorRef& center, const ConstVectorRef& step, VectorRef q) const = 0;
  virtual bool withinLimits(const VectorXd& full) const = 0;
  /// Why not, for messages.
  virtual std::string explainLimits(const VectorXd& full) const = 0;

  virtual void place(const VectorXd& full, WorldCollisionState& state) const = 0;
  /// Begins an edge between two whole configurations; returns the largest motion of a body on it, in meters.
  virtual double begin(const VectorXd& from, const VectorXd& to, MoverWorkspace& workspace) const = 0;
  /// Goes to fraction u of the edge that was begun: `workspace.whole`.
  virtual void along(double u, MoverWorkspace& workspace) const = 0;
  /// Bounds the motion as `EdgeChecker::motionWithin`; `id` and `ancestor` (or -1) are world ids.
  virtual double motionWithin(int id, int ancestor, double half, int part, const WorldCollisionState& state,
                              MoverWorkspace& workspace) const = 0;
  /// World id of the body that carries both, when the two are of this mover and have one; else -1.
  virtual int commonAncestor(int idA, int idB) const = 0;
};

}  // namespace mortise
