#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "contact_terms.h"
#include "mortise/component/physics.h"
#include "mortise/contacts/push_out.h"
#include "scene_model.h"

namespace mortise::mujoco {

/// A scene in MuJoCo. A step is that of `mj_step`, called stage by stage, with contacts from outside in place of
/// `mj_collision` if there are such; accelerations, velocities and positions are the engine's own.
class MujocoScene final : public Scene, private GeomFilter {
 public:
  MujocoScene(const SceneDescription& description, const MujocoSettings& settings);
  ~MujocoScene() override;

  void setGravity(const Vector3d& gravity) override;
  void setJointDrives(std::span<const JointDrive> drives) override;
  void applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point) override;
  void setBodyState(int body, const BodyState& state) override;
  void setJointState(int joint, double position, double velocity) override;
  void setBodyMotion(int body, BodyMotion motion) override;
  void setCollision(int idA, int idB, bool on) override;
  void setContacts(std::span<const SceneContact> contacts) override;
  void step(double dt) override;
  void readBodies(std::span<BodyState> out) const override;
  void readJoints(std::span<JointState> out) const override;
  void readConstraints(std::span<JointState> out) const override;
  std::span<const ContactForce> contacts() const override { return forces_; }
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;
  Value effectiveSettings() const override;
  StepBounds boundsHit() const override { return bounds_; }

 private:
  struct Wrench {
    int body;
    Vector3d force, torque, point;
  };
  /// Efforts of a joint in the last step.
  struct Efforts {
    double drive = 0, friction = 0, stop = 0;
  };
  struct Counts {
    std::uint64_t steps = 0, solverIterations = 0, maxIterations = 0, grown = 0;
    std::uint64_t saturatedDrives = 0, passes = 0, unsettled = 0;
    std::uint64_t slidingPasses = 0, unsettledSliding = 0;
  };

  // What stands where (scene_state.cpp)
  int checkedBody(int body) const;
  bool external() const { return description_.contactSource == ContactSource::external; }
  const SceneTree& tree() const { return model_.tree(); }
  bool moves(int body) const;
  bool mayTouch(int geom1, int geom2) const override;
  void placeAll();
  void placeFree(int body, const BodyState& state);
  void placeFixed(int body, const RigidTransform& X_WB);
  void placeHeld(int body, const BodyState& state, bool checkPose);
  void projectVelocities();
  void placed();
  void refresh();
  BodyState stateOf(int body) const;
  JointState loopState(const SceneConstraint& constraint) const;

  // Drives (scene_drives.cpp)
  /// On which piece of its law a drive is at the end of the step: at a limit of its effort, or between them.
  enum class Piece : signed char { low = -1, linear = 0, high = 1 };
  static double law(const JointDrive& drive, double position, double velocity, double dt);
  void setInertias(double dt);
  void setDrives();
  bool followDrives(double dt, bool taken, bool release);
  void dropStalePieces();
  void solveStep(double dt);
  void collectDriveEfforts(double dt);

  // Contacts that slide (scene_sliding.cpp)
  double slidingOf(const mjContact& contact, const std::vector<mjtNum>& y) const;
  double rollingGuess(const mjContact& contact, const mjtNum* y) const;
  double findResiduals(const mjtNum* accelerations, bool solved);
  void lowerReference(const mjContact& contact, double by);
  void solveConstraints(bool first);

  // A step (scene_step.cpp)
  void advance(double dt);
  void integrate();
  void rewind();
  void findPositions(double dt);
  void addContacts(double dt);
  void giveMaterials(double dt);
  bool isExact(const ContactMaterial& material) const;
  std::int64_t rowsNeeded() const;
  void grow(std::int64_t rows, std::int64_t contacts);
  void applyWrenches();
  void collectEfforts();
  void collectContacts();
  void moveKinematicBodies(double dt);
  std::uint64_t makeSignature() const;
  void restoreContacts(ByteReader& in);

  SceneDescription description_;
  MujocoSettings settings_;
  mutable Messages messages_;
  SceneModel model_;
  DataPtr data_;
  std::uint64_t signature_ = 0;
  double dt_ = 0;  ///< For which the model's parameters were set.
  ConstraintParameters parameters_;

  std::vector<mjtNum> qpos_;  ///< Positions as last integrated or set, before MuJoCo normalized quaternions.
  std::vector<BodyMotion> motions_;
  std::vector<BodyState> given_;  ///< States of bodies that are not dynamic.
  std::vector<JointDrive> drives_;
  std::vector<Wrench> wrenches_;  ///< For the next step.
  std::vector<SceneContact> touches_;
  OwnContactsPushOut pushOut_;
  std::vector<SceneContact> found_;  ///< Contacts of the step, as far as `pushOut_` needs them: work space.
  std::vector<std::pair<int, int>> switchedOff_;

  std::vector<ContactForce> forces_;
  std::vector<Efforts> efforts_, constraintEfforts_;
  std::vector<int> handed_;        ///< Which of `touches_` each of MuJoCo's contacts is.
  std::vector<char> exact_;        ///< By MuJoCo's contacts: whether it keeps to its normal law where it slides.
  std::vector<mjtNum> residuals_;  ///< By rows of constraints.
  std::vector<double> lowered_;    ///< By MuJoCo's contacts: what was taken off the reference of its normal row.
  double scale_ = 0;               ///< The largest residual without constraints; 0: no contact can slide.
  std::vector<mjtNum> qposBefore_, qvelBefore_, warmBefore_;
  double timeBefore_ = 0;
  std::vector<Piece> pieces_, piecesBefore_;  ///< By joint; those of the last step are where the next one starts.
  Counts counts_;
  StepBounds bounds_;  ///< Bounds of the last step.
};

}  // namespace mortise::mujoco
