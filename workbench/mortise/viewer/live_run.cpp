#include "mortise/viewer/live_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>

#include "mortise/base/error.h"
#include "mortise/json/json_reader.h"
#include "mortise/logs/log_sensors.h"
#include "mortise/mcap/packed_bytes.h"
#include "mortise/simulation/context/simulation_clock.h"
#include "mortise/simulation/saving/saved_state.h"
#include "mortise/viewer/live_controllers.h"
#include "mortise/viewer/protocol/write_message.h"

namespace mortise::viewer {

namespace {

/// The frequency of the spring that pulls a body, as if it were alone: rad/s. Critically damped.
constexpr double kPullFrequency = 10;
/// The most that it pulls with, in weights of the body on Earth.
constexpr double kMaxWeights = 50;
constexpr std::size_t kMaxMessages = 1000;

}  // namespace

LiveRun::LiveRun(const World& world, LogSink& log, LiveRunOptions options)
    : initial_(world),
      world_(&world),
      log_(log),
      options_(std::move(options)),
      feed_(std::in_place, world, options_.maxBytes),
      pacer_(std::in_place, options_.speed, nothing_),
      paused_(options_.paused) {}

void LiveRun::begin(Simulation& simulation) {
  interval_ = std::max(1, static_cast<int>(std::lround(1 / (options_.rate * simulation.timeStep()))));
  feed_->describe(simulation.view(), logs::sensorDescriptions(simulation));
  feed_->add(simulation.view());
  published_ = simulation.tick();
  shown_ = &simulation.world();
  own_.setStart(simulation.time());
  publishStatus(simulation);
  publishControllers(simulation);
}

StepStatus LiveRun::advance(Simulation& simulation, CommandSchedule& commands, double seconds,
                            const std::function<bool()>& keepGoing) {
  struct Given {
    LiveRun& run;
    CommandSchedule& commands;
    ~Given() {
      run.own_ = commands;
      run.commands_ = &run.own_;
    }
  } given{*this, commands};
  commands_ = &commands;
  return run(simulation, seconds, keepGoing);
}

StepStatus LiveRun::advance(Simulation& simulation, double seconds, const std::function<bool()>& keepGoing) {
  return run(simulation, seconds, [&] { return (!keepGoing || keepGoing()) && own_.run(simulation); });
}

StepStatus LiveRun::run(Simulation& simulation, double seconds, const std::function<bool()>& keepGoing) {
  const StepCount count = stepsIn(seconds, simulation.timeStep(), simulation.time());
  const std::int64_t first = simulation.tick(), last = first + count.total();
  StepStatus worst = StepStatus::normal;
  while (simulation.tick() < last) {
    applyMessages(simulation);
    const bool replays = simulation.tick() < replayUntil_;
    if (!replays && &simulation.world() != shown_) showWorld(simulation);
    if (paused_ && stepsLeft_ == 0 && !replays) {
      if (stops() && (!keepGoing || !keepGoing())) break;
      std::unique_lock lock(mutex_);
      news_.wait_for(lock, std::chrono::milliseconds(50), [&] { return !messages_.empty(); });
      continue;
    }
    if (!replays && stepsLeft_ == 0) {
      pacer_->keep(simulation.time(), [&] { return hasMessages() || stops(); });
      if (hasMessages()) continue;
    }
    if (keepGoing && !keepGoing()) break;
    if (!replays && &simulation.world() != shown_) showWorld(simulation);
    worst = std::max(worst, stepOnce(simulation, simulation.tick() < first + count.full ? 0 : count.last));
    if (worst == StepStatus::error) break;
    if (stepsLeft_ > 0 && !replays) --stepsLeft_;
  }
  if (simulation.tick() != published_) feed_->add(simulation.view());
  published_ = simulation.tick();
  publishStatus(simulation);
  return worst;
}

void LiveRun::takeWorld(const Simulation& simulation) {
  shown_ = &simulation.world();
  worlds_.push_back(std::make_unique<const World>(simulation.world()));
  world_ = worlds_.back().get();
}

void LiveRun::renew(Simulation& simulation) {
  takeWorld(simulation);
  feed_.emplace(*world_, options_.maxBytes);
  feed_->describe(simulation.view(), logs::sensorDescriptions(simulation));
  feed_->add(simulation.view());
  published_ = simulation.tick();
  from_ = -1;
  publishStatus(simulation);
  publishControllers(simulation);
}

/// Shows pages an edited world, anew where other bodies are in it.
void LiveRun::showWorld(Simulation& simulation) {
  const World &before = *world_, &now = simulation.world();
  bool same = before.numIds() == now.numIds();
  for (int id = 0; same && id < now.numIds(); ++id) same = before.nameOf(id) == now.nameOf(id);
  takeWorld(simulation);
  if (same) {
    publishControllers(simulation);
    return;
  }
  // Ids mean something else: nobody pulls what was pulled.
  setPull(simulation, std::nullopt);
  if (options_.worldChanged)
    options_.worldChanged(simulation);
  else
    renew(simulation);
}

void LiveRun::finish(const Simulation& simulation) {
  over_ = true;
  paused_ = true;
  publishStatus(simulation);
}

void LiveRun::serveAfterEnd(Simulation& simulation, const std::function<bool()>& keepGoing) {
  over_ = true;
  paused_ = true;
  publishStatus(simulation);
  constexpr double kForever = 1e9;  // s
  while (!stops()) {
    if (simulation.status() != StepStatus::error)
      advance(simulation, kForever, [&] { return !stops() && (!keepGoing || keepGoing()); });
    applyMessages(simulation);
    std::unique_lock lock(mutex_);
    if (!stops()) news_.wait_for(lock, std::chrono::milliseconds(50), [&] { return !messages_.empty(); });
  }
}

StepStatus LiveRun::stepOnce(Simulation& simulation, double size) {
  if (options_.canGoBack) keepSnapshot(simulation);
  applyPull(simulation);
  const StepStatus status = size > 0 ? simulation.stepOf(size) : simulation.step();
  const std::int64_t tick = simulation.tick();
  const bool replays = tick <= replayUntil_;
  if ((tick % interval_ == 0 || stepsLeft_ > 0) && !replays) {
    feed_->add(simulation.view());
    published_ = tick;
  }
  if (tick % interval_ == 0) publishStatus(simulation);
  return status;
}

void LiveRun::keepSnapshot(const Simulation& simulation) {
  const std::int64_t tick = simulation.tick();
  const auto apart = std::max<std::int64_t>(1, std::llround(snapshotPeriod_ / simulation.timeStep()));
  if (!snapshots_.empty() && tick < snapshots_.back().tick + apart) return;
  // Whoever goes to this instant means what was before the command.
  if (!snapshots_.empty() && tick == commandTick_) return;
  const std::vector<std::byte> state = simulation.save();
  snapshots_.push_back({tick, mcap::pack({reinterpret_cast<const char*>(state.data()), state.size()}), false});
  snapshotBytes_ += snapshots_.back().bytes();
  if (snapshotBytes_ <= options_.maxBytes || snapshots_.size() < 3) return;
  // Half as many, twice as far apart.
  std::vector<Snapshot> kept;
  snapshotBytes_ = 0;
  for (std::size_t i = 0; i < snapshots_.size(); i += 2) {
    snapshotBytes_ += snapshots_[i].bytes();
    kept.push_back(std::move(snapshots_[i]));
  }
  snapshots_ = std::move(kept);
  snapshotPeriod_ *= 2;
}

void LiveRun::goTo(Simulation& simulation, std::int64_t wanted) {
  if (wanted >= simulation.tick()) return;
  const auto after = std::upper_bound(snapshots_.begin(), snapshots_.end(), wanted,
                                      [](std::int64_t tick, const Snapshot& snapshot) { return tick < snapshot.tick; });
  if (after == snapshots_.begin()) throw Error("there is no saved state before that time any more");
  const Snapshot& start = *std::prev(after);
  const std::string state = mcap::unpack(start.packed);
  if (start.asInFiles)
    loadState(simulation, state, {});
  else
    simulation.restore(std::as_bytes(std::span(state)));
  for (auto it = after; it != snapshots_.end(); ++it) snapshotBytes_ -= it->bytes();
  snapshots_.erase(after, snapshots_.end());
  std::erase_if(pulls_, [&](const PullChange& change) { return change.tick >= wanted; });
  pulls_.push_back({wanted, std::nullopt});
  const double later = static_cast<double>(wanted - simulation.tick()) * simulation.timeStep();
  commands_->forgetAdded(simulation.time() + later, simulation);
  replayUntil_ = wanted;
  published_ = wanted;
  if (from_ >= 0) from_ = std::min(from_.load(), wanted);
  feed_->cutAfter(wanted);
}

void LiveRun::beginFrom(Simulation& simulation, std::vector<PastState> past, std::int64_t tick) {
  interval_ = std::max(1, static_cast<int>(std::lround(1 / (options_.rate * simulation.timeStep()))));
  for (const PastState& state : past) {
    snapshots_.push_back({state.tick, mcap::pack(state.state), true});
    snapshotBytes_ += snapshots_.back().bytes();
  }
  // The latest state before shows what fits, and the run begins after it.
  const auto after = std::upper_bound(snapshots_.begin(), snapshots_.end(), tick,
                                      [](std::int64_t t, const Snapshot& snapshot) { return t < snapshot.tick; });
  if (after == snapshots_.begin()) throw Error("the log holds no state from before that time");
  loadState(simulation, mcap::unpack(std::prev(after)->packed), {});
  snapshots_.erase(after, snapshots_.end());
  replayUntil_ = published_ = tick;
  from_ = tick;
  shown_ = &initial_;
  if (&simulation.world() != shown_) {
    takeWorld(simulation);
    feed_.emplace(*world_, options_.maxBytes);
    from_ = -1;
  }
  feed_->describe(simulation.view(), logs::sensorDescriptions(simulation));
  publishStatus(simulation);
  publishControllers(simulation);
}

/// Sets what is done to the simulation from the next step on; what was done later, before it went back, is forgotten.
void LiveRun::setPull(const Simulation& simulation, std::optional<message::Pull> pull) {
  const std::int64_t tick = std::max(simulation.tick(), replayUntil_);
  std::erase_if(pulls_, [&](const PullChange& change) { return change.tick >= tick; });
  pulls_.push_back({tick, pull});
}

/// kg; 0 for what does not move.
double LiveRun::pulledMass(int id) const {
  const World& world = *world_;
  const World::Entity entity = world.entity(id);
  if (entity.kind == World::Kind::object) return world.objects[static_cast<std::size_t>(entity.index)].inertia.mass;
  if (entity.kind != World::Kind::link) return 0;
  // With everything that hangs on the link.
  const Robot& robot = *world.robots[static_cast<std::size_t>(entity.index)].robot;
  double mass = 0;
  for (int l = entity.link; l < robot.numLinks(); ++l) {
    int at = l;
    while (at > entity.link) at = robot.link(at).parent;
    if (at == entity.link) mass += robot.link(l).inertia.mass;
  }
  return mass;
}

void LiveRun::applyPull(Simulation& simulation) const {
  const auto after = std::upper_bound(pulls_.begin(), pulls_.end(), simulation.tick(),
                                      [](std::int64_t tick, const PullChange& change) { return tick < change.tick; });
  if (after == pulls_.begin() || !std::prev(after)->pull) return;
  const message::Pull& pull = *std::prev(after)->pull;
  if (pull.id >= simulation.world().numIds()) return;
  const World::Entity entity = simulation.world().entity(pull.id);
  RigidTransform X_WB;
  Vector3d v, w;
  if (entity.kind == World::Kind::object) {
    const BodyState& body = simulation.objectState(entity.index);
    X_WB = body.X_WB;
    v = body.v_WB;
    w = body.w_WB;
  } else {
    const RobotView robot = simulation.view().robots[static_cast<std::size_t>(entity.index)];
    X_WB = robot.state->X_WL[static_cast<std::size_t>(entity.link)];
    v = robot.twists[static_cast<std::size_t>(entity.link)].v_WL;
    w = robot.twists[static_cast<std::size_t>(entity.link)].w_WL;
  }
  const double mass = pulledMass(pull.id);
  const Vector3d point = X_WB * pull.point, velocity = v + w.cross(point - X_WB.p);
  Vector3d force = mass * (kPullFrequency * kPullFrequency * (pull.target - point) - 2 * kPullFrequency * velocity);
  if (const double maximum = kMaxWeights * 9.81 * mass; force.norm() > maximum) force *= maximum / force.norm();
  if (force.allFinite()) simulation.applyWrench(pull.id, force, Vector3d::Zero(), point);
}

void LiveRun::publishStatus(const Simulation& simulation) {
  message::Status status;
  status.paused = paused_;
  status.over = over_;
  status.speed = options_.speed;
  status.canGoBack = options_.canGoBack;
  status.canStep = options_.canGoBack || !over_;
  status.fault = simulation.fault();
  feed_->setStatus(std::move(status));
}

bool LiveRun::hasMessages() const {
  const std::lock_guard lock(mutex_);
  return !messages_.empty();
}

void LiveRun::applyMessages(Simulation& simulation) {
  std::vector<message::LiveRequest> messages;
  {
    const std::lock_guard lock(mutex_);
    messages.swap(messages_);
  }
  bool commanded = false;
  for (const message::LiveRequest& request : messages) {
    // While it runs, settings that controllers change themselves are told when something else is told.
    commanded = commanded || std::holds_alternative<message::Command>(request) ||
                std::holds_alternative<message::Pause>(request);
    try {
      std::visit([&](const auto& one) { applyMessages(simulation, one); }, request);
    } catch (const Error& error) {
      log_.write(LogLevel::warning, "viewer", error.what());
      feed_->addProblem(error.what());
    }
  }
  if (messages.empty()) return;
  publishStatus(simulation);
  if (commanded) publishControllers(simulation);
}

/// Reads a command of a page. Ids and names are those of the world that it sees.
TimedCommand LiveRun::commandOf(const std::string& entry) const {
  Value value = JsonReader(entry).value();
  if (!value.isMap()) throw Error("'entry' of a message 'command': expected a map in JSON");
  value.set("at", 0.0);
  Value list = Value::list();
  list.push_back(std::move(value));
  Diagnostics diagnostics;
  std::vector<TimedCommand> commands = timedCommandsFrom(list, initial_, diagnostics);
  diagnostics.throwIfErrors();
  if (commands.size() != 1 || commands.front().action)
    throw Error("'entry' of a message 'command': expected a command, a setting, a sensor's switch or an edit", {},
                "pull bodies in place of acting on them");
  return std::move(commands.front());
}

void LiveRun::applyMessages(Simulation& simulation, const message::Command& command) {
  if (simulation.tick() < replayUntil_)
    throw Error("the run repeats its past, and takes no commands yet", {}, "command it again in a moment");
  commands_->add(commandOf(command.entry), simulation);
  commandTick_ = simulation.tick();
  // States of this instant do not know of it.
  while (!snapshots_.empty() && snapshots_.back().tick >= simulation.tick()) {
    snapshotBytes_ -= snapshots_.back().bytes();
    snapshots_.pop_back();
  }
  if (&simulation.world() != shown_) showWorld(simulation);
  feed_->cutAfter(simulation.tick() - 1);
  feed_->add(simulation.view());
  published_ = simulation.tick();
}

void LiveRun::publishControllers(Simulation& simulation) {
  feed_->setControllers(jsonOf(controllersOf(simulation, options_.registry)));
}

void LiveRun::setPaused(bool paused) {
  paused_ = paused;
  stepsLeft_ = 0;
  pacer_.emplace(options_.speed, nothing_);
}

void LiveRun::applyMessages(Simulation&, const message::Step& step) {
  paused_ = true;
  stepsLeft_ += step.count;
}

void LiveRun::applyMessages(Simulation&, const message::Speed& speed) {
  options_.speed = speed.speed;
  pacer_.emplace(options_.speed, nothing_);
}

void LiveRun::applyMessages(Simulation& simulation, const message::Go& go) {
  goTo(simulation, go.tick ? *go.tick : feed_->tickAt(*go.time));
  paused_ = go.pause;
  pacer_.emplace(options_.speed, nothing_);
}

std::string LiveRun::join(int page) {
  feed_->join(page);
  message::Hello hello{feed_->channels(), {feed_->sensors()}, {}, {}};
  if (const std::int64_t from = from_.load(); from >= 0) hello.from = from;
  return jsonOf(std::move(hello));
}

/// Throws `Error` for what this run cannot do, so that the page is told.
void LiveRun::requirePossible(const message::LiveRequest& request) const {
  if (const auto* pull = std::get_if<message::Pull>(&request)) {
    const World& world = *world_;
    if (pull->id >= world.numIds())
      throw Error("'id' of a message 'pull': expected an object or a link, found " + std::to_string(pull->id));
    if (pulledMass(pull->id) <= 0) throw Error(world.nameOf(pull->id) + " cannot be pulled: it does not move");
  }
  if (const auto* command = std::get_if<message::Command>(&request)) (void)commandOf(command->entry);
  if (std::holds_alternative<message::Go>(request) && !options_.canGoBack)
    throw Error("the run is written to a file, whose times cannot go back", {}, "simulate without logs to go back");
}

std::string LiveRun::answer(int page, const PageMessage& message) {
  const auto* request = std::get_if<message::LiveRequest>(&message);
  if (request == nullptr)
    throw Error("a simulation takes no '" + typeOf(message) + "'", {},
                "it takes play, pause, step, speed, pull, release, go and command");
  requirePossible(*request);
  const bool pulls = std::holds_alternative<message::Pull>(*request);
  const std::lock_guard lock(mutex_);
  if (pulls) pullingPage_ = page;
  // Of several places of the mouse the last one counts.
  if (pulls && !messages_.empty() && std::holds_alternative<message::Pull>(messages_.back())) messages_.pop_back();
  if (messages_.size() < kMaxMessages) messages_.push_back(*request);
  news_.notify_one();
  return "";
}

void LiveRun::leave(int page) {
  feed_->leave(page);
  const std::lock_guard lock(mutex_);
  if (pullingPage_ != page) return;
  // Nobody holds the spring any more.
  messages_.push_back(message::Release{});
  pullingPage_ = -1;
  news_.notify_one();
}

}  // namespace mortise::viewer
