#pragma once

#include "composite/child_controller.h"

namespace mortise::controllers {

/// A child that a command or a setting is for, and what the child calls it. Index -1: the name has no dot.
struct ChildAddress {
  int child = -1;
  std::string_view rest;
};

/// A controller of several children that hands on what is asked of them: commands and settings of all children are its
/// own, as "child.name".
class ForwardingController : public Controller {
 public:
  bool command(std::string_view name, const Value& arguments) final;
  std::vector<std::pair<std::string, std::string>> commands() const final;
  Value settings() const final;
  bool hasSetting(std::string_view name) const final;
  bool changeSetting(std::string_view name, const Value& value) final;

 protected:
  /// `kind`: what messages call a child ("part").
  explicit ForwardingController(const char* kind) : kind_(kind) {}

  const char* kind() const { return kind_; }
  const std::vector<ChildController>& children() const { return children_; }
  ChildController& child(int i) { return children_[static_cast<std::size_t>(i)]; }
  void setChildren(std::vector<ChildController> children) { children_ = std::move(children); }

  /// Takes a command whose name has no dot. False for one that neither this controller nor the child that it means
  /// knows.
  virtual bool ownCommand(std::string_view name, const Value& arguments) = 0;
  virtual std::vector<std::pair<std::string, std::string>> ownCommands() const { return {}; }
  virtual void addOwnSettings(Value& /*settings*/) const {}
  /// Throws `Error` where a child takes no commands now.
  virtual void requireListening(int /*child*/, const SourcePosition& /*where*/) const {}

 private:
  /// Throws `Error` with the nearest name for a child that there is not.
  ChildAddress find(std::string_view name, const SourcePosition& where) const;

  const char* kind_;
  std::vector<ChildController> children_;
};

}  // namespace mortise::controllers
