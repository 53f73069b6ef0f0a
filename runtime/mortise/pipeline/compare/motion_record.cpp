#include "mortise/pipeline/compare/motion_record.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "mortise/base/random.h"
#include "mortise/math/rotation.h"

namespace mortise {

namespace {

constexpr double kMaxSamples = 4000;
/// The fraction of an interval by which a time may differ from a sample's.
constexpr double kSameTime = 1e-3;

/// Counts of one entity over the samples so far.
class Tally {
 public:
  explicit Tally(double bound) : bound_(bound) {}
  void add(double time, double distance, double angle, int link) {
    EntityDifference& d = difference_;
    d.end = distance;
    d.endOrientation = angle;
    d.endLink = link;
    if (distance > d.max || d.maxLink < 0) d.maxLink = link;
    d.max = std::max(d.max, distance);
    d.maxOrientation = std::max(d.maxOrientation, angle);
    if (distance > bound_ && !d.beyond) d.beyond = time;
    squares_ += distance * distance;
    d.distances.push_back(static_cast<float>(distance));
    ++samples_;
  }
  EntityDifference result() {
    if (samples_ > 0) difference_.rms = std::sqrt(squares_ / samples_);
    return difference_;
  }

 private:
  double bound_;
  double squares_ = 0;
  int samples_ = 0;
  EntityDifference difference_;
};

EntityDifference objectDifference(const RigidObject& body, const MotionRecord& a, const MotionRecord& b,
                                  std::size_t samples, std::size_t object, double bound) {
  Tally tally(bound), turned(bound);
  const double reach = reachOf(body);
  std::vector<float> angles;
  for (std::size_t k = 0; k < samples; ++k) {
    const RigidTransform &X_WA = a.object(object, k), &X_WB = b.object(object, k);
    const bool finite = X_WA.allFinite() && X_WB.allFinite();
    const double distance = finite ? (X_WB.p - X_WA.p).norm() : HUGE_VAL;
    const double angle = finite ? momentFromRotation(X_WA.R.transpose() * X_WB.R).norm() : HUGE_VAL;
    tally.add(a.time(k), distance, angle * 180 / std::numbers::pi, -1);
    turned.add(a.time(k), angle * reach, 0, -1);
    angles.push_back(static_cast<float>(angle));
  }
  EntityDifference difference = tally.result();
  const EntityDifference turns = turned.result();
  difference.reach = reach;
  difference.turnedEnd = turns.end;
  difference.turnedMax = turns.max;
  difference.turnedRms = turns.rms;
  difference.turnedBeyond = turns.beyond;
  difference.angles = std::move(angles);
  return difference;
}

EntityDifference robotDifference(const Robot& robot, const MotionRecord& a, const MotionRecord& b, std::size_t samples,
                                 std::size_t index, double bound) {
  Tally tally(bound);
  for (std::size_t k = 0; k < samples; ++k) {
    const VectorXd &qA = a.robot(index, k), &qB = b.robot(index, k);
    double largest = 0;
    int worst = robot.numLinks() > 0 ? 0 : -1;
    for (int i = 0; i < robot.numLinks(); ++i) {
      double apart = qB[i] - qA[i];
      // Angles that count on over whole turns, and those of floating bases, which do not.
      if (robot.link(i).motion == LinkMotion::revolute) apart = std::remainder(apart, 2 * std::numbers::pi);
      apart = std::isfinite(apart) ? std::abs(apart) : HUGE_VAL;
      if (apart <= largest) continue;
      largest = apart;
      worst = i;
    }
    tally.add(a.time(k), largest, 0, worst);
  }
  return tally.result();
}

Vector3d unitVector(RandomStream& random) {
  Vector3d v;
  do v = Vector3d(random.gaussian(), random.gaussian(), random.gaussian());
  while (!(v.norm() > 1e-3));
  return v.normalized();
}

}  // namespace

double reachOf(const RigidObject& object) {
  constexpr double kMinimum = 1e-3;
  if (object.geometry == nullptr || object.geometry->empty()) return kMinimum;
  const AxisAlignedBounds box = object.geometry->bounds();
  return std::max(kMinimum, box.min.cwiseAbs().cwiseMax(box.max.cwiseAbs()).norm());
}

double MotionRecord::intervalFor(double seconds, double step) {
  return step * std::max(1.0, std::ceil(seconds / step / kMaxSamples));
}

void MotionRecord::add(const Simulation& simulation, double time) {
  const World& world = simulation.initialWorld();
  Sample sample;
  for (std::size_t i = 0; i < world.objects.size(); ++i) {
    const int id = simulation.currentId(world.objectId(static_cast<int>(i)));
    // What was removed stays where it was.
    if (id >= 0)
      sample.objects.push_back(simulation.objectState(simulation.world().entity(id).index).X_WB);
    else
      sample.objects.push_back(samples_.empty() ? world.objects[i].X_WO : samples_.back().objects[i]);
  }
  for (std::size_t i = 0; i < world.robots.size(); ++i)
    sample.robots.push_back(simulation.configuration(static_cast<int>(i)));
  times_.push_back(time);
  samples_.push_back(std::move(sample));
}

void MotionRecord::observe(const Simulation& simulation, double time) {
  if (time > (static_cast<double>(times_.size()) - kSameTime) * interval_) add(simulation, time);
}

void MotionRecord::finish(const Simulation& simulation, double time) {
  if (times_.empty() || time > times_.back() + kSameTime * interval_) add(simulation, time);
}

MotionDifference differenceOf(const World& world, const MotionRecord& a, const MotionRecord& b, double bound) {
  const std::size_t maximum = std::min(a.size(), b.size());
  std::size_t samples = 0;
  while (samples < maximum && std::abs(a.time(samples) - b.time(samples)) < 1e-6) ++samples;
  MotionDifference difference;
  for (std::size_t k = 0; k < samples; ++k) difference.times.push_back(a.time(k));
  for (std::size_t i = 0; i < world.objects.size(); ++i)
    difference.objects.push_back(objectDifference(world.objects[i], a, b, samples, i, bound));
  for (std::size_t i = 0; i < world.robots.size(); ++i)
    difference.robots.push_back(robotDifference(*world.robots[i].robot, a, b, samples, i, bound));
  return difference;
}

Value differenceValue(const World& world, const MotionDifference& difference, const std::string& from,
                      const std::string& to) {
  Value value = Value::map();
  value.set("from", from);
  value.set("to", to);
  double maxPosition = 0, maxOrientation = 0;
  const auto overTime = [](Value& entry, const EntityDifference& each) {
    entry.set("max", each.max);
    entry.set("rms", each.rms);
    if (each.beyond) entry.set("beyond", *each.beyond);
  };
  Value objects = Value::list();
  for (std::size_t i = 0; i < difference.objects.size(); ++i) {
    const EntityDifference& each = difference.objects[i];
    Value entry = Value::map();
    entry.set("id", world.objectId(static_cast<int>(i)));
    entry.set("name", world.objects[i].name);
    entry.set("position", each.end);
    entry.set("orientation", each.endOrientation);
    overTime(entry, each);
    entry.set("max_orientation", each.maxOrientation);
    entry.set("reach", each.reach);
    Value turned = Value::map();
    turned.set("end", each.turnedEnd);
    turned.set("max", each.turnedMax);
    turned.set("rms", each.turnedRms);
    if (each.turnedBeyond) turned.set("beyond", *each.turnedBeyond);
    entry.set("turned", std::move(turned));
    maxPosition = std::max(maxPosition, each.end);
    maxOrientation = std::max(maxOrientation, each.endOrientation);
    objects.push_back(std::move(entry));
  }
  value.set("objects", std::move(objects));
  Value robots = Value::list();
  for (std::size_t i = 0; i < difference.robots.size(); ++i) {
    const EntityDifference& each = difference.robots[i];
    const Robot& robot = *world.robots[i].robot;
    Value entry = Value::map();
    entry.set("id", world.robotId(static_cast<int>(i)));
    entry.set("name", world.robots[i].name);
    entry.set("joint", each.end);
    if (each.endLink >= 0) entry.set("link", robot.link(each.endLink).name);
    overTime(entry, each);
    if (each.maxLink >= 0) entry.set("max_link", robot.link(each.maxLink).name);
    robots.push_back(std::move(entry));
  }
  value.set("robots", std::move(robots));
  value.set("max_position", maxPosition);
  value.set("max_orientation", maxOrientation);
  return value;
}

void disturb(Simulation& simulation, double size, std::uint64_t seed) {
  RandomStream random(seed, "disturbance");
  const World& world = simulation.world();
  for (int i = 0; i < static_cast<int>(world.objects.size()); ++i) {
    BodyState state = simulation.objectState(i);
    state.X_WB.p += size * unitVector(random);
    state.X_WB.R = rotationFromMoment(size * unitVector(random)) * state.X_WB.R;
    simulation.setObjectState(i, state);
  }
  for (int r = 0; r < static_cast<int>(world.robots.size()); ++r) {
    const Robot& robot = *world.robots[static_cast<std::size_t>(r)].robot;
    VectorXd q = simulation.configuration(r);
    for (int i = 0; i < robot.numLinks(); ++i) {
      const double offset = random.bits() & 1 ? size : -size;
      const int joint = robot.jointOfLink(i);
      if (joint >= 0 && robot.joints()[static_cast<std::size_t>(joint)].type != JointType::weld) q[i] += offset;
    }
    simulation.setRobotState(r, q, simulation.velocity(r));
  }
}

}  // namespace mortise
