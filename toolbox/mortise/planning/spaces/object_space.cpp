#include "mortise/planning/spaces/object_space.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/base/value_text.h"
#include "mortise/math/constants.h"
#include "mortise/math/rotation.h"

namespace mortise {

namespace {

Eigen::Quaterniond quaternionOf(const Vector3d& moment) {
  const double angle = moment.norm();
  // sin(x / 2) / x
  const double factor = angle > 1e-8 ? std::sin(0.5 * angle) / angle : 0.5;
  return {std::cos(0.5 * angle), factor * moment.x(), factor * moment.y(), factor * moment.z()};
}

/// In the shorter direction: its angle is at most pi.
Vector3d momentOf(Eigen::Quaterniond turn) {
  if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
  const double sine = turn.vec().norm();
  const double factor = sine > 1e-12 ? 2 * std::atan2(sine, turn.w()) / sine : 2;
  return factor * turn.vec();
}

Vector3d between(const Vector3d& from, const Vector3d& to) {
  return momentOf(quaternionOf(from).conjugate() * quaternionOf(to));
}

Vector3d alongTurn(const Vector3d& from, const Vector3d& turn, double u) {
  return momentOf(quaternionOf(from) * quaternionOf(u * turn));
}

class ObjectMover : public MoverModel {
 public:
  /// `shape`: null for objects without one.
  ObjectMover(const World& world, int object, const CollisionShape* shape, double length, Vector3d low, Vector3d high)
      : world_(world),
        index_(object),
        center_(shape != nullptr ? shape->center() : Vector3d(Vector3d::Zero())),
        radius_(shape != nullptr ? shape->radius() : 0),
        length_(length),
        low_(std::move(low)),
        high_(std::move(high)) {}

  Mover::Kind kind() const override { return Mover::Kind::object; }
  int index() const override { return index_; }
  int fullSize() const override { return 6; }
  bool straight() const override { return false; }
  bool withinLimits(const VectorXd& full) const override {
    constexpr double kSlack = 1e-9;
    for (int k = 0; k < numPositions(); ++k)
      if (!(full[k] >= low_[k] - kSlack && full[k] <= high_[k] + kSlack)) return false;
    return true;
  }
  std::string explainLimits(const VectorXd& full) const override {
    for (int k = 0; k < numPositions(); ++k)
      if (full[k] < low_[k] || full[k] > high_[k])
        return "object '" + world_.objects[static_cast<std::size_t>(index_)].name + "' is at " + "xyz"[k] + " = " +
               formatReal(full[k]) + ", outside " + formatReal(low_[k]) + " to " + formatReal(high_[k]);
    return {};
  }
  void place(const VectorXd& full, WorldCollisionState& state) const override {
    state.setPose(world_.objectId(index_), {quaternionOf(full.tail<3>()).toRotationMatrix(), full.head<3>()});
  }
  double begin(const VectorXd& from, const VectorXd& to, MoverWorkspace& workspace) const override {
    workspace.from = from;
    workspace.to = to;
    workspace.full.resize(6);
    const Vector3d axis = beginTurn(workspace);
    workspace.shift = (to.head<3>() - from.head<3>()).norm();
    workspace.reach = radius_ + (workspace.turn > 0 ? center_.cross(axis).norm() : 0);
    return workspace.shift + workspace.turn * workspace.reach;
  }
  void along(double u, MoverWorkspace& workspace) const override {
    workspace.full.head<3>() = (1 - u) * workspace.from.head<3>() + u * workspace.to.head<3>();
    turnAlong(u, workspace);
  }
  double motionWithin(int, int, double half, int, const WorldCollisionState&,
                      MoverWorkspace& workspace) const override {
    // The origin goes straight, and every point turns by the same angle about an axis through it that stays.
    return half * (workspace.shift + workspace.turn * workspace.reach) * (1 + 1e-12) + 1e-12;
  }
  int commonAncestor(int, int) const override { return -1; }

 protected:
  virtual int numPositions() const = 0;
  /// The edge's `turn` and `axis`. Returns the axis in the object's frame, of length 1.
  virtual Vector3d beginTurn(MoverWorkspace& workspace) const = 0;
  virtual void turnAlong(double u, MoverWorkspace& workspace) const = 0;

  const World& world_;  ///< The collider, which the space keeps, has it.
  int index_;
  Vector3d center_;  ///< Center of the shape, in the object's frame; and how far it reaches from there.
  double radius_;
  double length_;  ///< Meters that count as much as one radian.
  Vector3d low_, high_;
};

/// x, y, z, rx, ry, rz
class FreeObject final : public ObjectMover {
 public:
  using ObjectMover::ObjectMover;
  int dimension() const override { return 6; }
  void bounds(VectorRef low, VectorRef high) const override {
    low << low_, Vector3d::Constant(-kPi);
    high << high_, Vector3d::Constant(kPi);
  }
  double extent() const override { return std::hypot((high_ - low_).norm(), length_ * kPi); }
  double measure() const override {
    // Rotations in the metric of their angle: 8 pi^2.
    return (high_ - low_).prod() * std::pow(length_, 3) * 8 * kPi * kPi;
  }
  std::string coordinateName(int i) const override {
    constexpr const char* kNames[] = {"x", "y", "z", "rx", "ry", "rz"};
    return kNames[i];
  }
  void lift(const ConstVectorRef& q, VectorXd& full) const override { full = q; }
  void reduce(const VectorXd& full, VectorRef q) const override { q = full; }
  double distance(const ConstVectorRef& a, const ConstVectorRef& b, MoverWorkspace&) const override {
    return std::hypot((a.head<3>() - b.head<3>()).norm(), length_ * between(a.tail<3>(), b.tail<3>()).norm());
  }
  void interpolate(const ConstVectorRef& a, const ConstVectorRef& b, double u, VectorRef q,
                   MoverWorkspace&) const override {
    const Vector3d from = a.tail<3>(), turn = between(from, b.tail<3>());
    const Vector3d position = (1 - u) * a.head<3>() + u * b.head<3>();
    q << position, alongTurn(from, turn, u);
  }
  void sample(RandomStream& random, VectorRef q, MoverWorkspace&) const override {
    for (int k = 0; k < 3; ++k) q[k] = low_[k] < high_[k] ? random.uniform(low_[k], high_[k]) : low_[k];
    // Uniform over SO(3) (Shoemake, 1992).
    const double r = random.uniform(), s = random.uniform(0, 2 * kPi), t = random.uniform(0, 2 * kPi);
    const double x = std::sqrt(1 - r), y = std::sqrt(r);
    q.tail<3>() = momentOf({y * std::cos(t), x * std::sin(s), x * std::cos(s), y * std::sin(t)});
  }
  void displace(const ConstVectorRef& center, const ConstVectorRef& step, VectorRef q) const override {
    const Vector3d p = (center.head<3>() + step.head<3>()).cwiseMax(low_).cwiseMin(high_);
    q << p, alongTurn(center.tail<3>(), step.tail<3>() / length_, 1);
  }

 protected:
  int numPositions() const override { return 3; }
  Vector3d beginTurn(MoverWorkspace& workspace) const override {
    const Vector3d turn = between(workspace.from.tail<3>(), workspace.to.tail<3>());
    workspace.turn = turn.norm();
    workspace.axis = turn;
    return turn / std::max(workspace.turn, 1e-300);
  }
  void turnAlong(double u, MoverWorkspace& workspace) const override {
    workspace.full.tail<3>() = alongTurn(workspace.from.tail<3>(), workspace.axis, u);
  }
};

/// x, y, turn about z
class PlanarObject final : public ObjectMover {
 public:
  PlanarObject(const World& world, int object, const CollisionShape* shape, double length, const Vector3d& low,
               const Vector3d& high, const RigidTransform& X_WO)
      : ObjectMover(world, object, shape, length, low, high), X_WO_(X_WO), start_(X_WO.R) {
    start_.normalize();
  }
  int dimension() const override { return 3; }
  void bounds(VectorRef low, VectorRef high) const override {
    low << low_.head<2>(), -kPi;
    high << high_.head<2>(), kPi;
  }
  double extent() const override { return std::hypot((high_ - low_).head<2>().norm(), length_ * kPi); }
  double measure() const override { return (high_ - low_).head<2>().prod() * length_ * 2 * kPi; }
  std::string coordinateName(int i) const override {
    constexpr const char* kNames[] = {"x", "y", "turn"};
    return kNames[i];
  }
  void lift(const ConstVectorRef& q, VectorXd& full) const override {
    full.resize(6);
    full << q.head<2>(), X_WO_.p.z(), momentOf(aboutZ(q[2]) * start_);
  }
  void reduce(const VectorXd& full, VectorRef q) const override {
    q.head<2>() = full.head<2>();
    q[2] = angleOf(full);
  }
  double distance(const ConstVectorRef& a, const ConstVectorRef& b, MoverWorkspace&) const override {
    return std::hypot((a.head<2>() - b.head<2>()).norm(), length_ * std::remainder(b[2] - a[2], 2 * kPi));
  }
  void interpolate(const ConstVectorRef& a, const ConstVectorRef& b, double u, VectorRef q,
                   MoverWorkspace&) const override {
    const double turn = a[2] + u * std::remainder(b[2] - a[2], 2 * kPi);
    q.head<2>() = ((1 - u) * a.head<2>() + u * b.head<2>()).eval();
    q[2] = std::remainder(turn, 2 * kPi);
  }
  void sample(RandomStream& random, VectorRef q, MoverWorkspace&) const override {
    for (int k = 0; k < 2; ++k) q[k] = low_[k] < high_[k] ? random.uniform(low_[k], high_[k]) : low_[k];
    q[2] = random.uniform(-kPi, kPi);
  }
  void displace(const ConstVectorRef& center, const ConstVectorRef& step, VectorRef q) const override {
    for (int k = 0; k < 2; ++k) q[k] = std::min(std::max(center[k] + step[k], low_[k]), high_[k]);
    q[2] = std::remainder(center[2] + step[2] / length_, 2 * kPi);
  }

 protected:
  int numPositions() const override { return 2; }
  Vector3d beginTurn(MoverWorkspace& workspace) const override {
    workspace.axis = Vector3d(0, 0, std::remainder(angleOf(workspace.to) - angleOf(workspace.from), 2 * kPi));
    workspace.turn = std::abs(workspace.axis.z());
    return quaternionOf(workspace.from.tail<3>()).conjugate() * Vector3d::UnitZ();
  }
  void turnAlong(double u, MoverWorkspace& workspace) const override {
    workspace.full.tail<3>() = momentOf(aboutZ(u * workspace.axis.z()) * quaternionOf(workspace.from.tail<3>()));
  }

 private:
  static Eigen::Quaterniond aboutZ(double angle) { return {std::cos(0.5 * angle), 0, 0, std::sin(0.5 * angle)}; }
  /// About z, from where the object is without any turn.
  double angleOf(const VectorXd& full) const {
    const Eigen::Quaterniond turn = quaternionOf(full.tail<3>()) * start_.conjugate();
    return std::remainder(2 * std::atan2(turn.z(), turn.w()), 2 * kPi);
  }

  RigidTransform X_WO_;
  Eigen::Quaterniond start_;
};

/// The box around everything that has a shape, where the world has it.
void boundsOfWorld(const WorldCollider& collider, Vector3d& low, Vector3d& high) {
  const WorldCollisionState state(std::make_shared<const WorldCollider>(collider));
  low.setConstant(kInfinity);
  high.setConstant(-kInfinity);
  for (int id = 0; id < collider.numIds(); ++id) {
    if (!collider.shape(id) || collider.shape(id)->empty()) continue;
    const AxisAlignedBounds& box = collider.shape(id)->bounds();
    const Vector3d center = state.pose(id) * Vector3d(0.5 * (box.min + box.max));
    const Vector3d half = state.pose(id).R.cwiseAbs() * (0.5 * (box.max - box.min));
    low = low.cwiseMin(center - half);
    high = high.cwiseMax(center + half);
  }
}

}  // namespace

ObjectSpace::ObjectSpace(std::shared_ptr<const WorldCollider> collider, int object, const ObjectSpaceOptions& options)
    : CompositeMotionSpace([&] {
        const World& world = collider->world();
        const int numObjects = static_cast<int>(world.objects.size());
        if (object < 0 || object >= numObjects)
          throw Error("there is no rigid object " + std::to_string(object) + " in the world; it has " +
                      std::to_string(numObjects));
        const std::string& name = world.objects[static_cast<std::size_t>(object)].name;
        const int id = world.objectId(object);
        const CollisionShape* shape = collider->shape(id).get();
        if (shape != nullptr && shape->empty()) shape = nullptr;
        const double reach = shape != nullptr ? shape->center().norm() + shape->radius() : 0;
        const double length = options.characteristicLength.value_or(reach > 0 ? reach : 1);
        if (!(length > 0) || !std::isfinite(length))
          throw Error("the length that counts as much as a radian must be above 0, not " + formatReal(length));
        Vector3d low, high;
        if (!options.low || !options.high) {
          boundsOfWorld(*collider, low, high);
          const double around = options.around.value_or(2 * reach);
          if (!(around >= 0) || !std::isfinite(around))
            throw Error("the bounds of an object's position must be at least 0 m around the world's, not " +
                        formatReal(around));
          low.array() -= around;
          high.array() += around;
        }
        low = options.low.value_or(low);
        high = options.high.value_or(high);
        for (int k = 0; k < (options.planar ? 2 : 3); ++k)
          if (!std::isfinite(low[k]) || !std::isfinite(high[k]) || !(low[k] <= high[k]))
            throw Error("object '" + name + "' cannot move from " + std::string(1, "xyz"[k]) + " = " +
                            formatReal(low[k]) + " to " + formatReal(high[k]),
                        {}, "give finite bounds of its position, the lower one first");
        const RigidTransform X_WO = options.X_WO.value_or(world.objects[static_cast<std::size_t>(object)].X_WO);
        if (!X_WO.allFinite()) throw Error("the pose of object '" + name + "' is not finite");
        std::vector<char> moving(static_cast<std::size_t>(collider->numIds()), 0);
        moving[static_cast<std::size_t>(id)] = 1;
        Setup setup;
        setup.collider = reduced(*collider, moving);
        setup.options = options;
        std::unique_ptr<MoverModel> mover;
        if (options.planar)
          mover = std::make_unique<PlanarObject>(world, object, shape, length, low, high, X_WO);
        else
          mover = std::make_unique<FreeObject>(world, object, shape, length, low, high);
        setup.movers.push_back({std::move(mover), 1});
        return setup;
      }()) {}

std::unique_ptr<MotionSpace> ObjectSpace::copyMotion() const { return std::make_unique<ObjectSpace>(*this); }

RigidTransform ObjectSpace::pose(const VectorXd& q) const {
  MORTISE_REQUIRE_SIZE(q, dimension(), "one for each coordinate");
  VectorXd full;
  lift(q, full);
  return {quaternionOf(full.tail<3>()).toRotationMatrix(), full.head<3>()};
}

VectorXd ObjectSpace::configuration(const RigidTransform& X_WO) const {
  VectorXd full(6), q;
  full << X_WO.p, momentFromRotation(X_WO.R);
  reduce(full, q);
  return q;
}

}  // namespace mortise
