#pragma once

/// A motion that is being followed while more of it is put behind: pieces one after another, each linear, cubic or a
/// parabolic ramp in every coordinate. The operations are those of Klamp't's motion queue.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/math/transform.h"
#include "mortise/timing/parabolic_ramp.h"
#include "mortise/timing/ramp_path.h"

namespace mortise {

/// Result of a splice.
struct SpliceResult {
  enum class Verdict {
    accepted,
    late,      ///< Its time has passed.
    position,  ///< It begins somewhere else than the motion is at that time.
    velocity,  ///< It begins there at another velocity.
    moving     ///< It does not end at rest.
  };
  Verdict verdict = Verdict::accepted;
  int coordinate = -1;    ///< position, velocity, moving: the one that is worst.
  double difference = 0;  ///< Difference of that, in its units; late: by how many seconds.
  explicit operator bool() const { return verdict == Verdict::accepted; }
};
/// "accepted", "late", "position", "velocity", "moving".
std::string_view spliceVerdictName(SpliceResult::Verdict verdict);

/// Times are seconds on the owner's clock. Vectors have one entry a coordinate. What takes a goal moves there from the
/// end of what is queued; for angles that turn freely (`CoordinateLimits::circular`) the short way round. `append...`
/// and `cut` may allocate, `evaluate` never does.
class MotionQueue {
 public:
  /// Forgets everything: rests at `q` from time `start` on.
  void reset(const VectorXd& q, std::span<const CoordinateLimits> limits, double start = 0);
  /// For what is appended from now on.
  void setLimits(std::span<const CoordinateLimits> limits);
  const std::vector<CoordinateLimits>& limits() const { return limits_; }

  int size() const { return static_cast<int>(q_.size()); }
  /// When the last piece ends; the motion rests at its end from then on.
  double endTime() const { return end_; }
  const VectorXd& endConfiguration() const { return q_; }
  /// With which the last piece ends; 0 once the motion has come to rest there (`continueFrom`).
  const VectorXd& endVelocity() const { return dq_; }

  /// Position, velocity and acceleration at `t`; velocity and acceleration are 0 from the end on, and before the start.
  /// Sizes must match already.
  void evaluate(double t, VectorXd& q, VectorXd& dq, VectorXd& ddq) const;

  /// Drops what comes after `t`; the motion then ends with the position and velocity that it has there. Pieces that
  /// ended before are dropped as well.
  void cut(double t);
  /// Before appending at time `now`: drops pieces in the past, and when all are, what is appended starts now and from
  /// rest.
  void continueFrom(double now);
  /// An empty queue with these limits that goes on where this one is after `continueFrom(now)`. What was appended to it
  /// can then be taken over whole (`append`), or be dropped when something went wrong halfway.
  MotionQueue continuation(double now, std::span<const CoordinateLimits> limits) const;
  /// Takes over what was appended to a `continuation` of this queue at the same time, and its limits. Costs as much as
  /// that is long, however long this queue is (amortised). Should memory run out, this queue moves as before.
  void append(const MotionQueue& continuation, double now);
  /// In place of what is queued from time `at` on, which is not before `now`: what `path` does from its start on, and
  /// rest after its end. Refused, and nothing changes, where the time has passed, where position or velocity of a
  /// coordinate would jump by more than `tolerance`, and where the path does not end at rest.
  SpliceResult splice(const RampPath& path, double at, double now, double tolerance = 1e-9);
  /// Moves everything to a clock that shows `seconds` more.
  void shift(double seconds);

  /// At constant velocities to `q` within `duration`; 0: a jump.
  void appendLinear(const VectorXd& q, double duration);
  /// A cubic from position and velocity at the end to `q` and `dq`.
  void appendCubic(const VectorXd& q, const VectorXd& dq, double duration);
  /// Appends a motion as fast as the limits allow, all coordinates arriving together (`minimumTime`). A start beyond
  /// the limits may go on until it can be brought back. Throws `Error` that names the coordinate that cannot do it;
  /// `names` are theirs.
  void appendRamp(const VectorXd& q, const VectorXd& dq, std::span<const std::string> names = {});
  /// Appends a motion as fast as the limits allow on a straight line, starting and ending at rest; brakes first if it
  /// is not at rest.
  void appendLinearRamp(const VectorXd& q, std::span<const std::string> names = {});
  /// Every coordinate comes to rest as fast as it can.
  void appendBrake();
  void appendRest(double duration);

  std::size_t numPieces() const { return pieces_.size(); }
  /// Largest velocity of one coordinate at which `appendLinear` and `appendCubic` would go, as a fraction of its limit,
  /// and the coordinate; 0 when no limit is in the way. `dq` null: linear.
  double limitUsage(const VectorXd& q, const VectorXd* dq, double duration, int& coordinate) const;

  void save(ByteWriter& out) const;
  /// Into a queue of the same size. Throws `Error` for bytes that are no such queue; it is unchanged then.
  void restore(ByteReader& in);

 private:
  enum class Kind : std::uint32_t { linear, cubic, ramp };
  struct Piece {
    double start = 0, end = 0;
    double duration = 0;  ///< Before anything was cut off.
    Kind kind = Kind::linear;
    std::size_t offset = 0;  ///< Offset of its numbers in `data_`.
  };

  std::size_t numbersOf(Kind kind) const;
  void evaluatePiece(const Piece& piece, double t, VectorXd& q, VectorXd& dq, VectorXd& ddq) const;
  SpliceResult judgeSplice(const RampPath& path, double at, double now, double tolerance) const;
  Piece& addPiece(Kind kind, double duration);
  VectorXd goal(const VectorXd& q) const;
  void appendRamps(std::span<const ParabolicRamp> ramps, double duration);
  [[noreturn]] void cannotMove(int coordinate, std::span<const std::string> names) const;

  std::vector<CoordinateLimits> limits_;
  VectorXd q_, dq_;  ///< At the end.
  double start_ = 0, end_ = 0;
  std::vector<Piece> pieces_;
  std::vector<double> data_;  ///< linear: q0, q1; cubic: q0, dq0, q1, dq1; ramp: a `ParabolicRamp` a coordinate.
};

}  // namespace mortise
