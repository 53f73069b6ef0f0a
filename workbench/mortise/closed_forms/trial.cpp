#include "mortise/closed_forms/trial.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/closed_forms/shapes.h"
#include "mortise/simulation/summary.h"

namespace mortise::truth {

namespace {

constexpr std::int64_t kTimedEvery = 7;    ///< No multiple of anything that scenes repeat.
constexpr std::int64_t kAskedEvery = 256;  ///< Steps.

/// Returns the time that asking the clock itself takes.
double clockSeconds() {
  static const double seconds = [] {
    double minimum = 1;
    for (int i = 0; i < 200; ++i) {
      const CpuTimer timer;
      minimum = std::min(minimum, timer.seconds());
    }
    return minimum;
  }();
  return seconds;
}

constexpr double kLongStep = 20e-6;  ///< s; asking the clock takes some percent of that.
constexpr std::int64_t kBlock = 64;  ///< Steps.

}  // namespace

struct Trial::Run {
  SceneBuilder builder;
  std::optional<HandContacts> contacts;
  std::vector<JointDrive> drives;
  std::int64_t ticks = 0;
};

Trial::~Trial() = default;

Trial::Trial(Physics& physics, double step, std::function<bool()> stopRequested)
    : physics_(physics), capabilities_(physics.capabilities()), step_(step), stopRequested_(std::move(stopRequested)) {}

int Trial::stepsIn(double seconds) const { return static_cast<int>(std::lround(seconds / step_)); }

void Trial::advance(Scene& scene, std::optional<std::span<const SceneContact>> contacts) {
  if (steps_ % kAskedEvery == 0 && stopRequested_ && stopRequested_()) throw Interrupted();
  const bool timed = steps_++ % kTimedEvery == kTimedEvery - 1;
  std::optional<CpuTimer> timer;
  if (timed) timer.emplace();
  if (contacts) scene.setContacts(*contacts);
  scene.step(step_);
  if (!timed) return;
  seconds_ += std::max(0.0, timer->seconds() - clockSeconds());
  ++timed_;
}

double Trial::cost() {
  if (timed_ == 0) return 0;
  const double sampled = seconds_ / static_cast<double>(timed_);
  std::int64_t steps = 0;
  for (const auto& run : runs_) steps += run->ticks;
  if (sampled > kLongStep || steps == 0) return sampled;
  double seconds = 0;
  for (const auto& run : runs_) seconds += secondsInBlocks(*run);
  return seconds / static_cast<double>(steps);
}

double Trial::secondsInBlocks(Run& run) {
  const std::unique_ptr<Scene> scene = physics_.build(run.builder.scene);
  if (!run.drives.empty()) scene->setJointDrives(run.drives);
  double seconds = 0;
  for (std::int64_t done = 0; done < run.ticks; done += kBlock) {
    if (done % kAskedEvery == 0 && stopRequested_ && stopRequested_()) throw Interrupted();
    const std::int64_t block = std::min(kBlock, run.ticks - done);
    const CpuTimer full;
    for (std::int64_t i = 0; i < block; ++i) {
      if (run.contacts) scene->setContacts(run.contacts->find(*scene));
      scene->step(step_);
    }
    seconds += full.seconds();
    if (!run.contacts) continue;
    const CpuTimer finding;
    for (std::int64_t i = 0; i < block; ++i) run.contacts->find(*scene);
    seconds -= finding.seconds();
  }
  return std::max(0.0, seconds);
}

Rig::Rig(Trial& trial) : run_(std::make_unique<Trial::Run>()), builder(run_->builder), trial_(trial) {
  builder.scene.timeStep = trial.step();
}

Rig::~Rig() {
  if (run_->ticks > 0) trial_.runs_.push_back(std::move(run_));
}

std::int64_t Rig::ticks() const { return run_->ticks; }

void Rig::setDrives(std::span<const JointDrive> drives) {
  run_->drives.assign(drives.begin(), drives.end());
  scene_->setJointDrives(drives);
}

void Rig::addGround(const Matrix3d& R_WG) {
  builder.addFixed(geometryOf(AxisAlignedBoxShape{Vector3d(-10, -10, -1), Vector3d(10, 10, 0)}),
                   RigidTransform::rotation(R_WG));
}

HandContacts& Rig::contacts() {
  if (!run_->contacts) run_->contacts.emplace(builder.scene);
  return *run_->contacts;
}

void Rig::touchBox(int box, const Vector3d& size, int support, const Vector3d& normal, const Vector3d& at) {
  contacts().addBox(box, size, support, normal, at);
}

void Rig::touchBall(int ball, double radius, int support) { contacts().addBall(ball, radius, support); }

void Rig::touchBalls(int a, double radiusA, int b, double radiusB) { contacts().addBalls(a, radiusA, b, radiusB); }

void Rig::start() {
  builder.finish();
  const PhysicsCapabilities& can = trial_.capabilities();
  if (!can.externalContacts) run_->contacts.reset();
  builder.scene.contactSource = can.externalContacts ? ContactSource::external : ContactSource::engine;
  bodies_.resize(builder.scene.bodies.size());
  joints_.resize(builder.scene.joints.size());
  scene_ = trial_.physics().build(builder.scene);
}

void Rig::step() {
  ++run_->ticks;
  if (run_->contacts)
    trial_.advance(*scene_, run_->contacts->find(*scene_));
  else
    trial_.advance(*scene_, std::nullopt);
}

void Rig::advance(double seconds) {
  for (int i = trial_.stepsIn(seconds); i > 0; --i) step();
}

std::span<const BodyState> Rig::bodies() {
  scene_->readBodies(bodies_);
  for (const BodyState& body : bodies_)
    if (!body.X_WB.allFinite() || !body.v_WB.allFinite() || !body.w_WB.allFinite())
      throw Error("a body's state is not finite at " + formatReal(time(), 6) + " s");
  return bodies_;
}

JointState Rig::joint(int index) {
  scene_->readJoints(joints_);
  const JointState state = joints_[static_cast<std::size_t>(index)];
  if (!std::isfinite(state.position) || !std::isfinite(state.velocity))
    throw Error("a joint's state is not finite at " + formatReal(time(), 6) + " s");
  return state;
}

}  // namespace mortise::truth
