#pragma once

#include <span>
#include <utility>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/component/physics.h"
#include "mortise/component/simulation_view.h"
#include "mortise/simulation/context/energy_gain.h"
#include "mortise/simulation/stepping/loose_joints.h"

namespace mortise {

/// Watches whether bodies gain energy that nothing gave them, and changes nothing.
///
/// Bodies that joints or contacts connect in a step are judged together, as an island: what one loses another may gain.
/// An island's kinetic energy may grow by the work of gravity, drives, applied wrenches and kinematic bodies, each
/// taken at the velocity before or after the step, whichever gives more, because engines differ in when forces act
/// within a step. A contact or joint stop may give back what it took since it began, and push out at up to
/// `SceneDescription::maxPushOutSpeed` (0.1 m/s or rad/s where that is infinite); joints between bodies may give back
/// what they took as they gave way (`LooseJoints`). On top come the errors of integration
/// that turning bodies have in any engine, by the angle that they turn in the step, 5e-4 J/kg of robots and
/// 1e-4 J/kg of other bodies that have it.
class EnergyWatch {
 public:
  /// `scene` outlives this.
  explicit EnergyWatch(const SceneDescription& scene);

  /// A body that no joint holds becomes kinematic or dynamic.
  void setKinematic(int body, bool kinematic) { kinematic_[body] = kinematic ? 1 : 0; }

  /// States at the beginning of a step or a part of one.
  void begin(std::span<const BodyState> bodies, std::span<const JointState> joints);
  struct Step {
    double seconds = 0;
    std::span<const BodyState> bodies;  ///< At its end.
    std::span<const JointState> joints;
    std::span<const ContactForce> contacts;
    std::span<const AppliedWrench> wrenches;
    std::span<const int> wrenchBodies;  ///< One a wrench.
    Vector3d gravity = Vector3d::Zero();
  };
  /// One entry an island that gained energy from nowhere; valid until the next call.
  std::span<const EnergyGain> check(const Step& step);

  void save(ByteWriter& out) const;
  /// Throws `Error` for bytes of another scene and numbers that are none.
  void restore(ByteReader& in);

 private:
  /// The motion of a body, before or after the step.
  struct Motion {
    Vector3d com, v, w;
    double energy = 0;
    Vector3d at(const Vector3d& point, const Vector3d& from) const { return v + w.cross(point - from); }
  };
  /// The energy that a contact between two bodies or a joint stop took since it began.
  struct Store {
    int a = -1, b = -1;
    double energy = 0;
    std::pair<int, int> pair() const { return {a, b}; }
  };
  struct Island {
    double before = 0, after = 0;  ///< Kinetic energy.
    double change = 0;             ///< Kinetic energy of the change of velocity.
    double quiet = 0, allowed = 0, turning = 0;
    double excess = 0;  ///< Excess of the contact or stop that gave most beyond what it may.
    int excessContact = -1, excessJoint = -1;
    double friction = 0;  ///< Work of the contact whose friction drove bodies most.
    int frictionContact = -1;
    bool judged = true, jointed = false;
  };

  Motion motionOf(int body, const BodyState& state) const;
  bool moves(int body) const {
    return body >= 0 && scene_.bodies[body].motion != BodyMotion::fixed && kinematic_[body] == 0;
  }
  int root(int body);
  void join(int a, int b);
  void connect(const Step& step);
  void addBodies(const Step& step);
  void addWrenches(const Step& step);
  void addJoints(const Step& step);
  void addContacts(const Step& step);
  void addLooseJoints(const Step& step);
  void renewStores(std::span<const ContactForce> contacts);
  Store& storeOf(int a, int b);
  double excessOf(double work, double speed, double& store) const;
  EnergyGain describe(const Island& island, int root, double energy, const Step& step) const;
  void nameCause(const Island& island, const Step& step, EnergyGain& gain) const;

  const SceneDescription& scene_;
  double pushOutSpeed_;
  std::vector<std::uint8_t> kinematic_;
  std::vector<Motion> before_, after_;
  std::vector<JointState> jointsBefore_;
  std::vector<int> parent_;                        ///< Parent of each body, towards the first body of its island.
  std::vector<Island> islands_;                    ///< By root.
  std::vector<double> received_;                   ///< By body: work of all forces that are known.
  std::vector<Store> contactStores_, nextStores_;  ///< Ascending pairs.
  std::vector<double> stopStores_;                 ///< By joint.
  LooseJoints looseJoints_;
  std::vector<EnergyGain> gains_;
};

}  // namespace mortise
