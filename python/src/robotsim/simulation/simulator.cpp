#include "robotsim/simulation/simulator.h"

#include <algorithm>
#include <cmath>
#include <pybind11/pybind11.h>
#include <stdexcept>
#include <utility>

#include "mortise/base/bytes.h"
#include "mortise/base/diagnostics.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/component/role.h"
#include "robotsim/model/sensor.h"

namespace mortise::robotsim {

namespace py = pybind11;

namespace {

/// The controller of a robot; null where there is none. `SimulatorModel::build` gives every robot a ProgramController.
ProgramController* programOf(Simulation& simulation, int robot) {
  return static_cast<ProgramController*>(simulation.controller(robot));
}

}  // namespace

/// While it lives, other threads wait that ask for the simulation; the owner lets go of the GIL meanwhile.
struct SimulatorModel::Busy {
  explicit Busy(SimulatorModel& owner) : simulator(owner) {
    simulator.waitForOthers();
    simulator.busy_ = true;
  }
  ~Busy() {
    const std::lock_guard lock(simulator.mutex_);
    simulator.busy_ = false;
    simulator.idle_.notify_all();
  }
  SimulatorModel& simulator;
};

void SimulatorModel::waitForOthers() {
  while (busy_) {
    py::gil_scoped_release release;
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return !busy_; });
  }
}

Simulation& SimulatorModel::simulation() {
  waitForOthers();
  if (pending_) apply(false);
  return *simulation_;
}

SimulatorModel::SimulatorModel(WorldModelPtr world)
    : environment_(python::environment()),
      model_(std::move(world)),
      scene_(std::make_shared<World>(model_->assembled())) {
  // The controllers of files are not run: a program is the controller, with their settings.
  settings_.assign(model_->robots.size(), Value::map());
  for (std::size_t i = 0; i < settings_.size(); ++i) {
    const Value& own = scene_->robots[i].robot->description().controller;
    settings_[i] = ProgramController::settingsOf(own.isList() && own.size() > 0 ? own[0] : own);
  }
  for (const auto& [robot, request] : scene_->simulation.controllers)
    if (robot >= 0 && robot < static_cast<int>(settings_.size()))
      settings_[static_cast<std::size_t>(robot)] = ProgramController::settingsOf(request.settings);
  scene_->simulation.controllers.clear();
  timeStep_ = scene_->simulation.timeStep;
  ProgramController::addTo(environment_->registry);
  constexpr double kPeriod = 0.01;  // Klamp't's.
  periods_.assign(model_->robots.size(), kPeriod);
  for (std::size_t i = 0; i < model_->robots.size(); ++i) {
    auto& own = sensors_.emplace_back();
    for (const SensorModelPtr& sensor : model_->robots[i]->sensors) {
      auto copy = std::make_shared<SensorModel>(*sensor);
      copy->restart = nullptr;
      copy->running.reset();
      copy->values.clear();
      copy->time = copy->elapsed = 0;
      own.push_back(std::move(copy));
    }
    if (!own.empty()) continue;
    own.push_back(makeSensor("q", sensorTypeInRole(role::kDefaultPositions)));
    own.push_back(makeSensor("dq", sensorTypeInRole(role::kDefaultVelocities)));
  }
  start_ = scene_;
  build();
  readCommands();
}

/// Takes the world's commands. What they tell the controller that the world names for a robot is left out, with a
/// warning: a program is the controller here. Throws for those that are wrong.
void SimulatorModel::readCommands() {
  Diagnostics wrong;
  for (TimedCommand& command : worldCommands(*scene_, wrong)) {
    const bool toController = !command.action && command.sensor.empty() && command.name.find('.') == std::string::npos;
    const ProgramController* program = toController ? programOf(*simulation_, command.robot) : nullptr;
    if (program != nullptr && (command.what == TimedCommand::What::command || !program->hasSetting(command.name))) {
      const SourcePosition& at = command.position;
      environment_->log.write(
          LogLevel::warning, "simulation",
          Error("the command '" + command.text() + "' is left out: here the program is the robot's controller", at,
                "call the methods of SimRobotController, or take mortise.Simulation")
              .what());
      continue;
    }
    commandList_.push_back(std::move(command));
  }
  checkCommands(*simulation_, commandList_, wrong);
  wrong.throwIfErrors();
  commands_ = CommandSchedule(commandList_);
}

SimulatorModel::~SimulatorModel() {
  for (const auto& own : sensors_)
    for (const SensorModelPtr& sensor : own) sensor->restart = nullptr;
}

void SimulatorModel::build() {
  SimulationOptions options;
  options.timeStep = timeStep_;
  options.onUnstable = OnUnstable::scale;  // Klamp't's rule.
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    ComponentOptions controller;
    controller.kind = Kind::controller;
    controller.robot = static_cast<int>(i);
    controller.type = ProgramController::kName;
    controller.name = "controller" + std::to_string(i);
    controller.rate = 1 / periods_[i];
    controller.settings = settings_[i];
    options.components.push_back(controller);
    for (const SensorModelPtr& sensor : sensors_[i]) {
      ComponentOptions component;
      component.kind = Kind::sensor;
      component.robot = static_cast<int>(i);
      component.type = sensor->type;
      component.name = sensor->name;
      component.enabled = sensor->enabled;
      component.optional = true;
      component.settings = sensor->settings;
      if (const Value* rate = sensor->settings.find("rate")) component.rate = rate->asReal();
      component.settings.erase("rate");
      options.components.push_back(std::move(component));
    }
  }
  std::shared_ptr<Simulation> made;
  {
    const Busy busy(*this);
    py::gil_scoped_release release;
    made =
        std::make_shared<Simulation>(*scene_, environment_->registry, nullptr, environment_->log, std::move(options));
  }
  simulation_ = std::move(made);
  built_ = scene_;
  commands_ = CommandSchedule(commandList_);  // One that nothing of the former simulation calls.
  for (std::size_t i = 0; i < sensors_.size(); ++i)
    for (const SensorModelPtr& sensor : sensors_[i]) {
      sensor->simulation = simulation_;
      sensor->robot = static_cast<int>(i);
      sensor->restarting = false;
      sensor->restart = [this] { change([](World&) {}); };
    }
}

void SimulatorModel::setControllerPeriod(int robot, double seconds) {
  double& period = periods_.at(static_cast<std::size_t>(robot));
  if (!(seconds > 0) || !std::isfinite(seconds))
    throw py::value_error("dt: expected seconds above 0 between updates of the controller, found " +
                          formatReal(seconds));
  if (seconds == period) return;
  const double before = std::exchange(period, seconds);
  try {
    changeNow([](World&) {});
  } catch (...) {
    period = before;
    throw;
  }
}

ProgramController& SimulatorModel::controller(int robot) {
  ProgramController* controller = programOf(simulation(), robot);
  if (controller == nullptr)
    throw std::runtime_error("the simulation has no controller for robot " + std::to_string(robot));
  return *controller;
}

SensorModelPtr SimulatorModel::addSensor(int robot, const std::string& name, const std::string& type) {
  auto sensor = makeSensor(name, type);
  auto& own = sensors_.at(static_cast<std::size_t>(robot));
  own.push_back(sensor);
  try {
    changeNow([](World&) {});
  } catch (...) {
    own.pop_back();
    throw;
  }
  return sensor;
}

int SimulatorModel::advance(double seconds) {
  if (!(seconds >= 0)) throw std::runtime_error("a simulation advances by a time of at least 0");
  Simulation& simulation = this->simulation();
  python::SignalCheck signals;
  bool interrupted = false, refused = false;
  // The clock goes on where the simulation was built anew.
  commands_.setStart(-fakeTime_);
  commands_.setEnd(simulation.time() + seconds);
  commands_.resumeAt(simulation);
  {
    const Busy busy(*this);
    py::gil_scoped_release release;
    status_ = static_cast<int>(simulation.advance(seconds, [&] {
      interrupted = interrupted || signals.interrupted();
      if (interrupted || refused) return false;
      return !(refused = !commands_.run(simulation));
    }));
  }
  commands_.warnOfReplaced(*built_, environment_->log);
  updateWorld();
  if (interrupted) throw py::error_already_set();
  if (refused) throw std::runtime_error(commands_.fault());
  return status_;
}

void SimulatorModel::updateWorld() {
  simulation();
  const std::size_t robots = std::min(model_->robots.size(), scene_->robots.size());
  for (std::size_t i = 0; i < robots; ++i) {
    const VectorXd& q = simulation_->configuration(static_cast<int>(i));
    if (model_->robots[i]->numLinks() != q.size()) continue;
    model_->robots[i]->setConfiguration(q);
    model_->robots[i]->setVelocity(simulation_->velocity(static_cast<int>(i)));
  }
  const std::size_t objects = std::min(model_->objects.size(), scene_->objects.size());
  for (std::size_t i = 0; i < objects; ++i) {
    const BodyState& state = simulation_->objectState(static_cast<int>(i));
    model_->objects[i]->shape->X = state.X_WB;
    model_->objects[i]->object.v_WO = state.v_WB;
    model_->objects[i]->object.w_WO = state.w_WB;
  }
}

void SimulatorModel::fake(double seconds) {
  fakeTime_ += seconds;
  for (std::size_t i = 0; i < model_->robots.size(); ++i)
    model_->robots[i]->setConfiguration(controller(static_cast<int>(i)).commandedPosition());
}

void SimulatorModel::reset() {
  simulation();
  switches_.clear();
  if (built_ == start_)
    simulation_->reset();
  else
    apply(true);
  fakeTime_ = 0;
  status_ = 0;
  updateWorld();
}

void SimulatorModel::setSimStep(double seconds) {
  simulation().setTimeStep(seconds);  // Throws.
  timeStep_ = seconds;
}

void SimulatorModel::setGravity(const Vector3d& gravity) {
  simulation().setGravity(gravity);
  scene_->simulation.gravity = gravity;  // In place: the simulation refers to this world.
}

void SimulatorModel::change(const std::function<void(World&)>& change) {
  waitForOthers();
  auto scene = std::make_shared<World>(*scene_);
  change(*scene);
  scene_ = std::move(scene);
  pending_ = true;
}

void SimulatorModel::changeNow(const std::function<void(World&)>& change) {
  simulation();
  this->change(change);
  apply(false);
}

/// Builds the simulation of the scene at the state that it has, or had when the simulator was made.
void SimulatorModel::apply(bool fromStart) {
  pending_ = false;
  auto scene = std::make_shared<World>(*scene_);
  for (std::size_t i = 0; i < scene->robots.size(); ++i) {
    scene->robots[i].q = fromStart ? start_->robots[i].q : simulation_->configuration(static_cast<int>(i));
    scene->robots[i].dq = fromStart ? start_->robots[i].dq : simulation_->velocity(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < scene->objects.size(); ++i) {
    const auto& first = start_->objects[i];
    const BodyState state =
        fromStart ? BodyState{first.X_WO, first.v_WO, first.w_WO} : simulation_->objectState(static_cast<int>(i));
    scene->objects[i].X_WO = state.X_WB;
    scene->objects[i].v_WO = state.v_WB;
    scene->objects[i].w_WO = state.w_WB;
  }
  const std::shared_ptr<Simulation> before = simulation_;
  scene_ = std::move(scene);
  try {
    build();
  } catch (...) {
    scene_ = built_;
    throw;
  }
  if (fromStart) return;
  fakeTime_ += before->time();  // The clock goes on.
  takeOver(*before);
}

/// Controllers go on with what they were told, and what was switched off stays so.
void SimulatorModel::takeOver(Simulation& before) {
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    const ProgramController* from = programOf(before, static_cast<int>(i));
    ProgramController* to = programOf(*simulation_, static_cast<int>(i));
    if (from != nullptr && to != nullptr) to->takeOver(*from);
  }
  for (const Switch& s : switches_)
    s.dynamics ? simulation_->setDynamics(s.a, s.on) : simulation_->setCollision(s.a, s.b, s.on);
}

void SimulatorModel::setDynamics(int object, bool on) {
  simulation().setDynamics(object, on);
  switches_.push_back({true, object, -1, on});
}

void SimulatorModel::setCollision(int idA, int idB, bool on) {
  simulation().setCollision(idA, idB, on);
  switches_.push_back({false, idA, idB, on});
}

Vector3d SimulatorModel::center(int id) const {
  const World::Entity entity = scene_->entity(id);
  const auto index = static_cast<std::size_t>(entity.index);
  if (entity.kind == World::Kind::object) return scene_->objects[index].inertia.com;
  if (entity.kind == World::Kind::link) return scene_->robots[index].robot->link(entity.link).inertia.com;
  return Vector3d::Zero();
}

RigidTransform SimulatorModel::pose(int id) {
  const World::Entity entity = scene_->entity(id);
  if (entity.kind == World::Kind::object) return simulation().objectState(entity.index).X_WB;
  if (entity.kind != World::Kind::link) return {};
  const SimulationView view = simulation().view();
  return view.robots[static_cast<std::size_t>(entity.index)].state->X_WL[static_cast<std::size_t>(entity.link)];
}

std::pair<Vector3d, Vector3d> SimulatorModel::velocity(int id) {
  const World::Entity entity = scene_->entity(id);
  if (entity.kind == World::Kind::object) {
    const BodyState& state = simulation().objectState(entity.index);
    return {state.w_WB, state.v_WB};
  }
  if (entity.kind != World::Kind::link) return {Vector3d::Zero(), Vector3d::Zero()};
  const LinkTwist& twist =
      simulation().view().robots[static_cast<std::size_t>(entity.index)].twists[static_cast<std::size_t>(entity.link)];
  return {twist.w_WL, twist.v_WL};
}

void SimulatorModel::setPose(int id, const RigidTransform& X) {
  const World::Entity entity = scene_->entity(id);
  if (entity.kind == World::Kind::object) {
    BodyState state = simulation().objectState(entity.index);
    state.X_WB = X;
    simulation().setObjectState(entity.index, state);
    return;
  }
  if (entity.kind == World::Kind::link) {
    const Robot& robot = *scene_->robots[static_cast<std::size_t>(entity.index)].robot;
    if (robot.floatingBaseLink() == entity.link) {
      VectorXd q = simulation().configuration(entity.index);
      setFloatingBasePose(robot, X, q);
      simulation().setRobotState(entity.index, q, simulation().velocity(entity.index));
      return;
    }
  }
  throw std::runtime_error(
      "only rigid objects and floating bases can be placed in a simulation: for other links set the "
      "robot's configuration before the simulator is made");
}

void SimulatorModel::setVelocity(int id, const Vector3d& w, const Vector3d& v) {
  const World::Entity entity = scene_->entity(id);
  if (entity.kind == World::Kind::object) {
    BodyState state = simulation().objectState(entity.index);
    state.w_WB = w;
    state.v_WB = v;
    simulation().setObjectState(entity.index, state);
    return;
  }
  if (entity.kind == World::Kind::link) {
    const Robot& robot = *scene_->robots[static_cast<std::size_t>(entity.index)].robot;
    if (robot.floatingBaseLink() == entity.link) {
      VectorXd dq = simulation().velocity(entity.index);
      setFloatingBaseVelocity(robot, v, w, simulation().configuration(entity.index), dq);
      simulation().setRobotState(entity.index, simulation().configuration(entity.index), dq);
      return;
    }
  }
  throw std::runtime_error("only rigid objects and floating bases can be given a velocity in a simulation");
}

}  // namespace mortise::robotsim
