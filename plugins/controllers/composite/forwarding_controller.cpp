#include "composite/forwarding_controller.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/text/suggest.h"

namespace mortise::controllers {

ChildAddress ForwardingController::find(std::string_view name, const SourcePosition& where) const {
  const auto dot = name.find('.');
  if (dot == std::string_view::npos) return {-1, name};
  const std::string_view wanted = name.substr(0, dot);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < children_.size(); ++i) {
    if (children_[i].name() == wanted) return {static_cast<int>(i), name.substr(dot + 1)};
    names.push_back(children_[i].name());
  }
  throw Error("there is no " + std::string(kind_) + " '" + std::string(wanted) + "' for '" + std::string(name) + "'",
              where, suggestAndList(wanted, names));
}

bool ForwardingController::command(std::string_view name, const Value& arguments) {
  const ChildAddress address = find(name, arguments.position());
  if (address.child < 0) return ownCommand(name, arguments);
  requireListening(address.child, arguments.position());
  child(address.child).command(address.rest, arguments);
  return true;
}

std::vector<std::pair<std::string, std::string>> ForwardingController::commands() const {
  auto list = ownCommands();
  for (const ChildController& child : children_)
    for (const auto& [name, help] : child.commands()) list.emplace_back(child.name() + "." + name, help);
  return list;
}

Value ForwardingController::settings() const {
  Value settings = Value::map();
  addOwnSettings(settings);
  for (const ChildController& child : children_) {
    const Value own = child.settings();
    if (!own.isMap()) continue;
    for (const Value::Entry& entry : own.entries()) settings.set(child.name() + "." + entry.key, entry.value);
  }
  return settings;
}

bool ForwardingController::hasSetting(std::string_view name) const {
  return Controller::hasSetting(name) || std::any_of(children_.begin(), children_.end(), [&](const auto& child) {
           const std::size_t length = child.name().size();
           return name.size() > length && name[length] == '.' && name.starts_with(child.name()) &&
                  child.hasSetting(name.substr(length + 1));
         });
}

bool ForwardingController::changeSetting(std::string_view name, const Value& value) {
  const ChildAddress address = find(name, value.position());
  return address.child >= 0 && child(address.child).changeSetting(address.rest, value);
}

}  // namespace mortise::controllers
