#include "composite/child_controller.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/diagnostics.h"
#include "mortise/base/error.h"
#include "mortise/text/suggest.h"

namespace mortise::controllers {

namespace {

std::vector<std::string> namesOf(const std::vector<std::pair<std::string, std::string>>& commands) {
  std::vector<std::string> names;
  for (const auto& [name, help] : commands) names.push_back(name);
  return names;
}

bool isFinite(const ActuatorCommand& c) {
  return std::isfinite(c.kP) && std::isfinite(c.kI) && std::isfinite(c.kD) && std::isfinite(c.position) &&
         std::isfinite(c.velocity) && std::isfinite(c.torque);
}

}  // namespace

template <typename Call>
auto ChildController::named(Call&& call) const {
  const auto prefix = [this] { return "'" + name_ + "' (" + type_ + "): "; };
  try {
    return call();
  } catch (const DiagnosticsError& e) {
    std::vector<Diagnostic> list = e.list();
    for (Diagnostic& problem : list) problem.message = prefix() + problem.message;
    throw DiagnosticsError({}, std::move(list));
  } catch (const Error& e) {
    throw Error(prefix() + e.message(), e.where(), e.hint());
  } catch (const std::exception& e) {
    throw Error(prefix() + e.what());
  } catch (...) {
    throw Error(prefix() + "something that is not a std::exception was thrown");
  }
}

ChildController::ChildController(const ChildRequest& request, const Host& host)
    : name_(request.name),
      type_(request.type),
      where_(request.where),
      controller_(host.createController(request.type, request.settings, request.name, request.where)) {}

void ChildController::start(const ControllerSetup& setup) {
  named([&] { controller_->start(setup); });
}

void ChildController::update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) {
  named([&] {
    controller_->update(input, period, commands);
    for (std::size_t i = 0; i < commands.size(); ++i)
      if (!isFinite(commands[i])) throw Error("asks driver " + std::to_string(i) + " for a number that is not finite");
  });
}

void ChildController::refuseCommand(std::string_view name, const SourcePosition& where) const {
  throw Error("'" + name_ + "' (" + type_ + ") knows no command '" + std::string(name) + "'", where,
              suggestAndList(name, namesOf(commands())));
}

bool ChildController::tryCommand(std::string_view name, const Value& arguments) {
  return named([&] { return controller_->command(name, arguments); });
}

void ChildController::command(std::string_view name, const Value& arguments) {
  if (!tryCommand(name, arguments)) refuseCommand(name, arguments.position());
}

void ChildController::requireCommand(std::string_view name, const SourcePosition& where) const {
  for (const auto& [known, help] : commands())
    if (known == name) return;
  // A child that holds others finds "child.command" itself, when the command comes.
  if (name.find('.') == std::string_view::npos) refuseCommand(name, where);
}

bool ChildController::changeSetting(std::string_view name, const Value& value) {
  return named([&] { return controller_->changeSetting(name, value); });
}

void ChildController::save(ByteWriter& out) const {
  ByteWriter own;
  controller_->save(own);
  out.put(std::string_view(reinterpret_cast<const char*>(own.bytes().data()), own.bytes().size()));
}

void ChildController::restore(ByteReader& in) {
  const std::string bytes = in.getString();
  named([&] {
    ByteReader own(std::as_bytes(std::span<const char>(bytes)));
    controller_->restore(own);
    if (!own.atEnd()) throw Error("the snapshot holds more than this controller wrote");
  });
}

std::string childNameFrom(std::string_view command, const char* key, const Value& arguments) {
  const Value* name = arguments.isMap() ? arguments.find(key) : &arguments;
  // The command line gives words as a list.
  if (name != nullptr && name->isList() && name->size() == 1) name = &(*name)[0];
  if (name == nullptr || !name->isScalar() || name->isNull() || (arguments.isMap() && arguments.size() > 1))
    throw Error("'" + std::string(command) + "' takes the name of a " + key, arguments.position(),
                "write " + std::string(command) + ": {" + key + ": NAME}");
  return name->text();
}

void putCommands(ByteWriter& out, std::span<const ActuatorCommand> commands) {
  out.put(static_cast<std::uint64_t>(commands.size()));
  for (const ActuatorCommand& c : commands) {
    out.put(static_cast<std::uint8_t>(c.mode));
    for (const double number : {c.kP, c.kI, c.kD, c.position, c.velocity, c.torque}) out.put(number);
  }
}

void getCommands(ByteReader& in, std::span<ActuatorCommand> commands) {
  if (in.get<std::uint64_t>() != commands.size()) throw Error("snapshot holds commands for another number of drivers");
  for (ActuatorCommand& command : commands) {
    ActuatorCommand c;
    const auto mode = in.get<std::uint8_t>();
    if (mode > static_cast<std::uint8_t>(ActuatorCommand::Mode::velocity))
      throw Error("snapshot holds an unknown mode of a motor");
    c.mode = static_cast<ActuatorCommand::Mode>(mode);
    for (double* number : {&c.kP, &c.kI, &c.kD, &c.position, &c.velocity, &c.torque}) in.get(*number);
    if (!isFinite(c)) throw Error("snapshot holds a command that is not finite");
    command = c;
  }
}

}  // namespace mortise::controllers
