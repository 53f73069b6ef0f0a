#include "simulation/recording.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "mortise/base/error.h"
#include "mortise/plugin/plugin.h"
#include "mortise/simulation/summary.h"
#include "tests/support/forwarding_scene.h"

namespace {

/// The place where the probe finds the backend to stand in for, and puts what it sees: states, or times. One at a time.
struct {
  mortise::Registry* registry = nullptr;
  std::string backend;
  mortise::bench::Recording* recording = nullptr;
  mortise::bench::RunTime* time = nullptr;
} target;

using namespace mortise;

class ProbeScene final : public test::ForwardingScene {
 public:
  ProbeScene(std::unique_ptr<Scene> engine, const SceneDescription& description) : ForwardingScene(std::move(engine)) {
    next_.bodies.resize(description.bodies.size());
    next_.joints.resize(description.joints.size());
    next_.drives.resize(description.joints.size());
  }
  void setJointDrives(std::span<const JointDrive> drives) override {
    next_.drives.assign(drives.begin(), drives.end());
    inner().setJointDrives(drives);
  }
  void setContacts(std::span<const SceneContact> contacts) override {
    next_.contacts.assign(contacts.begin(), contacts.end());
    inner().setContacts(contacts);
  }
  void step(double dt) override {
    inner().readBodies(next_.bodies);
    inner().readJoints(next_.joints);
    next_.h = dt;
    next_.tick = static_cast<std::int64_t>(target.recording->steps.size());
    target.recording->steps.push_back(next_);
    inner().step(dt);
    for (const ContactForce& contact : inner().contacts())
      target.recording->steps.back().load += std::abs(contact.force.z());
  }
  void restore(ByteReader& in) override {
    inner().restore(in);
    if (target.recording->steps.empty()) return;
    target.recording->steps.pop_back();  // The runtime takes back one step at a time.
    ++target.recording->stepsTakenBack;
  }

 private:
  mortise::bench::RecordedStep next_;
};

/// Notes when the runtime has read the bodies after a step and when it comes back.
class StopwatchScene final : public test::ForwardingScene {
 public:
  using ForwardingScene::ForwardingScene;
  void step(double dt) override {
    inner().step(dt);
    stepped_ = true;
  }
  void readBodies(std::span<BodyState> out) const override {
    inner().readBodies(out);
    if (stepped_) away_.emplace();
    stepped_ = false;
  }

 protected:
  Scene& inner() const override {
    if (away_) target.time->finding += away_->seconds();
    away_.reset();
    return ForwardingScene::inner();
  }

 private:
  mutable bool stepped_ = false;
  mutable std::optional<CpuTimer> away_;
};

class Probe final : public Physics {
 public:
  explicit Probe(const ComponentContext& context)
      : inner_(test::engineBehind(*target.registry, target.backend, context)) {}
  PhysicsCapabilities capabilities() const override { return inner_->capabilities(); }
  std::unique_ptr<Scene> build(const SceneDescription& description) override {
    if (target.time != nullptr) return std::make_unique<StopwatchScene>(inner_->build(description));
    target.recording->scene = description;
    return std::make_unique<ProbeScene>(inner_->build(description), description);
  }

 private:
  ComponentPtr<Physics> inner_;
};

}  // namespace

MORTISE_PLUGIN_AS(bench_probe, __attribute__((visibility("hidden"))), "bench", "1") {
  plugin.physics<Probe>("bench.Probe").summary("Notes what the runtime hands another backend.");
}

namespace mortise::bench {

Recording record(const Options& options, const std::string& file, const std::string& backend, double seconds) {
  Loaded loaded(options, file);
  loaded.registry.addBuiltIn(bench_probe);
  loaded.registry.discover();
  Recording recording;
  target = {&loaded.registry, backend, &recording, nullptr};
  const std::unique_ptr<Simulation> simulation = loaded.simulate("bench.Probe");
  simulation->advance(seconds);
  return recording;
}

RunTime timeRun(const Options& options, const std::string& file, const std::string& backend, std::int64_t ticks) {
  Loaded loaded(options, file);
  loaded.registry.addBuiltIn(bench_probe);
  loaded.registry.discover();
  RunTime time;
  target = {&loaded.registry, backend, nullptr, &time};
  const std::unique_ptr<Simulation> simulation = loaded.simulate("bench.Probe");
  time = {};
  CpuTimer timer;
  for (std::int64_t i = 0; i < ticks; ++i) simulation->step();
  time.full = timer.seconds();
  return time;
}

double timeScene(const Options& options, const std::string& file, const std::string& backend,
                 const Recording& recording) {
  Loaded loaded(options, file);
  const ComponentInfo& info = loaded.registry.require(Kind::physics, backend);
  Diagnostics diagnostics;
  const Value settings = loaded.registry.completeSettings(info, Value::map(), diagnostics);
  diagnostics.throwIfErrors();
  ChannelTable channels;
  ComponentHost host(info.name, 0, loaded.log, &loaded.loader, channels, {}, {});
  const ComponentPtr<Physics> physics = loaded.registry.create<Physics>(info, settings, host);
  const std::unique_ptr<Scene> scene = physics->build(recording.scene);
  std::vector<BodyState> bodies(recording.scene.bodies.size());
  std::vector<JointState> joints(recording.scene.joints.size());
  scene->readBodies(bodies);
  double force = 0;
  CpuTimer timer;
  for (std::size_t i = 0; i < recording.steps.size(); ++i) {
    const RecordedStep& step = recording.steps[i];
    if (i + 1 == recording.steps.size())
      for (std::size_t b = 0; b < bodies.size(); ++b)
        if (bodies[b].X_WB.p != step.bodies[b].X_WB.p || bodies[b].v_WB != step.bodies[b].v_WB)
          throw Error("body '" + recording.scene.bodies[b].name + "' is not where it was in the recording");
    if (!joints.empty()) scene->setJointDrives(step.drives);
    scene->setContacts(step.contacts);
    scene->step(step.h);
    scene->readBodies(bodies);
    scene->readJoints(joints);
    for (const ContactForce& contact : scene->contacts()) force += std::abs(contact.force.z());
  }
  const double seconds = timer.seconds();
  if (!std::isfinite(force)) throw Error("forces are no longer finite");
  return seconds;
}

double explicitEffort(const JointDrive& drive, const JointState& joint) {
  const double effort = drive.stiffness * (drive.target - joint.position) +
                        drive.damping * (drive.targetVelocity - joint.velocity) + drive.feedforward;
  return std::clamp(effort, drive.minEffort, drive.maxEffort) - drive.viscousFriction * joint.velocity;
}

}  // namespace mortise::bench
