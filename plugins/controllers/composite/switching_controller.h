#pragma once

#include "composite/forwarding_controller.h"
#include "composite/structure.h"

namespace mortise::controllers {

/// An entry of a list of children that are entered.
struct EnteredEntry : ChildEntry {
  Value onEnter;
  void bind(SettingBinder& b);
};

/// The common part of controllers that run one of several children at a time. A child that is entered starts anew: at
/// the configuration that the robot is asked to be in, with time counting from 0 and the motors' gains as they were at
/// the start, so that nothing jumps.
class SwitchingController : public ForwardingController {
 public:
  void start(const ControllerSetup& setup) final;
  void update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) final;
  void save(ByteWriter& out) const final;
  void restore(ByteReader& in) final;

 protected:
  /// `kind`: what messages call a child ("state").
  SwitchingController(Host& host, const char* kind) : ForwardingController(kind), host_(host) {}

  /// In the constructor. Everything wrong goes to `diagnostics`.
  template <typename Entry>
  void create(const Children<Entry>& children, Diagnostics& diagnostics) {
    setChildren(createChildren(children.requests, host_, diagnostics));
    for (const Entry& entry : children.entries) entry_.push_back(readEntryCommands(entry.onEnter, diagnostics));
  }
  /// Index of a child. Throws `Error` with the nearest name.
  int childCalled(const std::string& name, const SourcePosition& where) const;
  int active() const { return active_; }
  /// Seconds since the active child was entered.
  double elapsed(const ControllerInput& input) const { return input.time - enteredTime_; }
  /// Enters this child at the next update, whatever else would happen.
  void request(int child) { requested_ = child; }

  virtual int initial() const { return 0; }
  /// At the end of `start`.
  virtual void begin(const ControllerSetup&) {}
  /// Before each update: the child to enter now, or -1 to stay.
  virtual int decide(const ControllerInput& input, double period) = 0;
  /// After a child was entered, `time` seconds after the start; by `decide` or by a command.
  virtual void entered(const ControllerInput&, bool /*decided*/) {}
  /// A command of the controller itself; others without a dot are for the active child.
  virtual bool switchCommand(std::string_view name, const Value& arguments) = 0;
  virtual void saveState(ByteWriter&) const {}
  virtual void restoreState(ByteReader&) {}

 private:
  bool ownCommand(std::string_view name, const Value& arguments) final;
  void addOwnSettings(Value& settings) const final;
  void requireListening(int child, const SourcePosition& where) const final;
  void enter(int child, const ControllerInput& input, std::span<ActuatorCommand> commands);
  void giveEntryCommands(int child);
  void startChild(int child);

  Host& host_;
  std::vector<std::vector<EntryCommand>> entry_;

  const Robot* robot_ = nullptr;
  double period_ = 0;
  Vector3d gravity_ = Vector3d::Zero();
  std::span<const SensorReading> sensors_;
  const World* world_ = nullptr;
  int robotIndex_ = -1;

  int active_ = 0;
  int requested_ = -1;
  bool running_ = false;  ///< After the first update.
  double enteredTime_ = 0;
  std::int64_t enteredTick_ = 0;
  VectorXd q_;                            ///< Configuration in which the active child started.
  std::vector<ActuatorCommand> presets_;  ///< Commands of the motors before the first update.
};

}  // namespace mortise::controllers
