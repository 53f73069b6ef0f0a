#pragma once

#include "mortise/motion/trajectory.h"
#include "mortise/timing/motion_queue.h"
#include "tracking/tracking_controller.h"

namespace mortise::controllers {

struct PathSettings {
  enum class TimedLimits { warn, refuse };

  std::string path;
  bool ramp = true;
  Value milestones;
  TimedLimits timedLimits = TimedLimits::warn;
  void bind(SettingBinder& b);
  void check() const;
};

/// Follows a queue of motions: timed paths, and motions as fast as the robot's limits allow.
class PolynomialPathController final : public TrackingController {
 public:
  explicit PolynomialPathController(const ComponentContext& context);

  /// The commands that it accepts besides those of all tracking controllers.
  static std::vector<std::string> commandNames();
  /// Those of them that say no times.
  static std::vector<std::string> timelessNames();

  bool command(std::string_view name, const Value& arguments) override;
  std::vector<std::pair<std::string, std::string>> commands() const override;
  Value settings() const override;
  bool hasSetting(std::string_view name) const override;
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;

 protected:
  void begin(const ControllerSetup& setup) override;
  void reference(const ControllerInput& input, VectorXd& q, VectorXd& dq, VectorXd& ddq) override;

 private:
  struct Motion {
    std::string_view name, shape;
    bool set = false;
    std::string_view help;
  };
  static std::span<const Motion> motions();

  bool refusesFast() const { return settings_->timedLimits == PathSettings::TimedLimits::refuse; }
  void move(const Motion& motion, const Value& arguments);
  void setPath(const Value& arguments);
  void followFile();
  void judgeStart(const VectorXd& from);
  /// The configurations of a path from index `from` on, its times counted from `start`.
  void appendPath(MotionQueue& queue, const Trajectory& path, double start, std::size_t from = 0);
  void sendMilestones();
  /// Clamps velocities of milestones from files, as Klamp't does; the log tells about each link once.
  void clampVelocities(VectorXd& v);
  /// Says, or refuses, what of a timed motion is faster than the limits.
  void checkPace(const MotionQueue& queue, std::string_view command, const VectorXd& q, const VectorXd* v,
                 double duration);
  void jump(const MotionQueue& queue, std::string_view command, const VectorXd& q);

  Settings<PathSettings> settings_;
  const Trajectory initial_;  ///< From the setting `path`.
  MotionQueue queue_;
  double clock_ = 0;      ///< Time of the last update.
  bool running_ = false;  ///< True if there was one.
  /// Says whether the first update has yet to say how far from the start of the file's motion the robot is.
  bool startUnjudged_ = false;
  bool approaching_ = false;  ///< Until the first update: the queue moves to the start of the file's motion in time.
};

}  // namespace mortise::controllers
