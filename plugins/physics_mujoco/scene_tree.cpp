#include "scene_tree.h"

#include <cmath>
#include <string>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"

namespace mortise::mujoco {

namespace {

class TreeMaker {
 public:
  TreeMaker(const SceneDescription& description, SceneTree& tree) : description_(description), tree_(tree) {
    const std::size_t n = description.bodies.size();
    tree.bodies.resize(n);
    attached_.assign(n, false);
    heldByJoint_.assign(n, false);
    used_.assign(description.constraints.size(), false);
    for (std::size_t c = 0; c < description.constraints.size(); ++c) checkConstraint(c);
    for (std::size_t j = 0; j < description.joints.size(); ++j) addJoint(j);
    addRoots();
    addConstraints();
    sortOutLoops();
    tree.children.resize(n + 1);
    for (std::size_t i = 0; i < n; ++i) {
      const int parent = tree.bodies[i].parent;
      tree.children[parent < 0 ? n : parent].push_back(static_cast<int>(i));
    }
  }

 private:
  const SceneBody& body(int i) const { return description_.bodies[i]; }
  std::string nameOf(int i) const { return i < 0 ? "the world" : "'" + body(i).name + "'"; }
  RigidTransform poseOf(int i) const { return i < 0 ? RigidTransform() : cleanPose(body(i).X_WB); }
  static RigidTransform cleanPose(const RigidTransform& X) { return {orthonormalized(X.R), X.p}; }

  void checkConstraint(std::size_t c) const {
    const SceneConstraint& from = description_.constraints[c];
    const int n = static_cast<int>(description_.bodies.size());
    if (from.a < -1 || from.a >= n || from.b < -1 || from.b >= n || from.a == from.b)
      throw Error("a constraint names bodies that do not exist, or one body twice");
    if (!from.point.allFinite() || !(from.axis.norm() > 0) || !std::isfinite(from.axis.norm()))
      throw Error("the joint between " + nameOf(from.a) + " and " + nameOf(from.b) +
                  " has a point or axis that is not finite");
  }

  void addJoint(std::size_t j) {
    const SceneJoint& from = description_.joints[j];
    const int n = static_cast<int>(description_.bodies.size());
    if (from.child < 0 || from.child >= n || from.parent < -1 || from.parent >= n || from.parent == from.child ||
        heldByJoint_[from.child])
      throw Error("joint '" + from.name + "' does not hold a body of its own in the scene");
    if (body(from.child).motion != BodyMotion::dynamic)
      throw Error("joint '" + from.name + "' holds the body " + nameOf(from.child) + ", which is not dynamic", {},
                  "only the root of a robot can be fixed or kinematic");
    if (!from.X_PC0.allFinite() || !(from.axis.norm() > 0) || !(from.lower <= from.upper))
      throw Error("joint '" + from.name + "' has a pose, an axis or stops that make no sense");
    Attachment& to = tree_.bodies[from.child];
    to.kind = from.type == SceneJoint::Type::revolute ? Attachment::Kind::hinge : Attachment::Kind::slide;
    to.parent = from.parent;
    to.joint = static_cast<int>(j);
    to.X_PB0 = cleanPose(from.X_PC0);
    to.axis = from.axis.normalized();
    to.lower = from.lower;
    to.upper = from.upper;
    heldByJoint_[from.child] = attached_[from.child] = true;
  }

  /// Bodies that stand or go for themselves, and those that carry robots.
  void addRoots() {
    std::vector<bool> constrained(description_.bodies.size(), false), carries(description_.bodies.size(), false);
    for (const SceneConstraint& c : description_.constraints)
      for (const int i : {c.a, c.b})
        if (i >= 0) constrained[i] = true;
    for (const SceneJoint& joint : description_.joints)
      if (joint.parent >= 0) carries[joint.parent] = true;
    for (std::size_t i = 0; i < description_.bodies.size(); ++i) {
      if (attached_[i]) continue;
      const bool given = description_.bodies[i].motion != BodyMotion::dynamic;
      if (given || carries[i] || !constrained[i]) addRoot(static_cast<int>(i));
    }
  }

  void addRoot(int i) {
    Attachment& to = tree_.bodies[i];
    to.kind = body(i).motion == BodyMotion::fixed ? Attachment::Kind::fixed : Attachment::Kind::free;
    to.X_PB0 = poseOf(i);
    attached_[i] = true;
  }

  bool isAttached(int i) const { return i < 0 || attached_[i]; }

  /// Grows the tree along constraints; what hangs together by them alone gets its first body for a free root.
  void addConstraints() {
    for (;;) {
      for (bool grown = true; grown;) {
        grown = false;
        for (std::size_t c = 0; c < used_.size(); ++c) {
          const SceneConstraint& from = description_.constraints[c];
          if (used_[c] || isAttached(from.a) == isAttached(from.b)) continue;
          attach(c, isAttached(from.a));
          grown = true;
        }
      }
      std::size_t i = 0;
      while (i < attached_.size() && attached_[i]) ++i;
      if (i == attached_.size()) return;
      addRoot(static_cast<int>(i));
    }
  }

  void attach(std::size_t c, bool bIsChild) {
    const SceneConstraint& from = description_.constraints[c];
    const int child = bIsChild ? from.b : from.a, parent = bIsChild ? from.a : from.b;
    const RigidTransform X_WC = poseOf(child);
    Attachment& to = tree_.bodies[child];
    using Type = SceneConstraint::Type;
    to.kind = from.type == Type::fixed   ? Attachment::Kind::welded
              : from.type == Type::hinge ? Attachment::Kind::hinge
                                         : Attachment::Kind::slide;
    to.parent = parent;
    to.constraint = static_cast<int>(c);
    to.X_PB0 = poseOf(parent).inverse() * X_WC;
    to.anchor = X_WC.inverse() * from.point;
    // Positions are the motion of `a` seen from `b`.
    to.axis = X_WC.R.transpose() * from.axis.normalized() * (bIsChild ? -1 : 1);
    to.lower = from.lower;
    to.upper = from.upper;
    to.friction = from.friction;
    used_[c] = attached_[child] = true;
  }

  bool neverMoves(int i) const {
    return i < 0 || body(i).motion != BodyMotion::dynamic ||
           (tree_.bodies[i].kind == Attachment::Kind::welded && neverMoves(tree_.bodies[i].parent));
  }

  void sortOutLoops() {
    for (std::size_t c = 0; c < used_.size(); ++c) {
      if (used_[c]) continue;
      const SceneConstraint& from = description_.constraints[c];
      if (neverMoves(from.a) && neverMoves(from.b)) {
        tree_.ineffective.push_back(static_cast<int>(c));
        continue;
      }
      const std::string who = "the joint between " + nameOf(from.a) + " and " + nameOf(from.b);
      if (from.type == SceneConstraint::Type::slider)
        throw Error("MuJoCo has no equality constraint for " + who + ", a slider that closes a loop of joints", {},
                    "use a hinge or a fixed joint there, or another backend");
      if (from.type == SceneConstraint::Type::hinge &&
          (std::isfinite(from.lower) || std::isfinite(from.upper) || from.friction > 0))
        throw Error(who + " closes a loop of joints; MuJoCo has neither stops nor friction for it", {},
                    "give them to another joint of the loop, or use another backend");
      tree_.loops.push_back(static_cast<int>(c));
    }
  }

  const SceneDescription& description_;
  SceneTree& tree_;
  std::vector<bool> attached_, heldByJoint_, used_;
};

}  // namespace

SceneTree::SceneTree(const SceneDescription& description) { TreeMaker(description, *this); }

std::vector<int> SceneTree::order() const {
  std::vector<int> order = children.back();
  for (std::size_t at = 0; at < order.size(); ++at)
    order.insert(order.end(), children[order[at]].begin(), children[order[at]].end());
  if (order.size() != bodies.size()) throw Error("joints go around in circles: their bodies hang on each other");
  return order;
}

}  // namespace mortise::mujoco
