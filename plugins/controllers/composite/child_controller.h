#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mortise/component/controller.h"

namespace mortise::controllers {

/// The request for one child in a list of children in a setting.
struct ChildRequest {
  std::string name;
  std::string type;
  Value settings = Value::map();  ///< Settings of the child, not yet completed.
  SourcePosition where;
};

/// A controller inside another one. Whatever it throws comes out as an `Error` that names it.
class ChildController {
 public:
  /// Throws `Error` or `DiagnosticsError` for an unknown type and for wrong settings.
  ChildController(const ChildRequest& request, const Host& host);

  const std::string& name() const { return name_; }
  const std::string& type() const { return type_; }
  const SourcePosition& where() const { return where_; }

  void start(const ControllerSetup& setup);
  /// Refuses commands that are not finite.
  void update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands);
  /// Throws `Error` with the nearest name for a command that the child does not know.
  void command(std::string_view name, const Value& arguments);
  /// False for a command that the child does not know.
  bool tryCommand(std::string_view name, const Value& arguments);
  std::vector<std::pair<std::string, std::string>> commands() const { return controller_->commands(); }
  /// Throws `Error` with the nearest name when the child does not list this command.
  void requireCommand(std::string_view name, const SourcePosition& where) const;
  Value settings() const { return controller_->settings(); }
  bool hasSetting(std::string_view name) const { return controller_->hasSetting(name); }
  bool changeSetting(std::string_view name, const Value& value);

  void save(ByteWriter& out) const;
  /// Throws `Error` when the child does not read exactly what it wrote.
  void restore(ByteReader& in);

 private:
  template <typename Call>
  auto named(Call&& call) const;
  [[noreturn]] void refuseCommand(std::string_view name, const SourcePosition& where) const;

  std::string name_, type_;
  SourcePosition where_;
  ComponentPtr<Controller> controller_;
};

/// The child that a command names: NAME, [NAME] or {`key`: NAME}. Throws `Error` that says how to write it.
std::string childNameFrom(std::string_view command, const char* key, const Value& arguments);

// Commands of motors in snapshots.
void putCommands(ByteWriter& out, std::span<const ActuatorCommand> commands);
/// Throws `Error` for unknown modes and for numbers that are not finite.
void getCommands(ByteReader& in, std::span<ActuatorCommand> commands);

}  // namespace mortise::controllers
