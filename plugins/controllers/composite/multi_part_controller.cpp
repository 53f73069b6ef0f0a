#include "composite/multi_part_controller.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/text/suggest.h"

namespace mortise::controllers {

void PartEntry::bind(SettingBinder& b) {
  b.add("drivers", drivers, "Drivers, by name or index.");
  b.add("links", links, "Or the links that they move.");
  b.add("rate", rate, "Updates a second; absent: with every one of the whole.", {.min = 0, .unit = "Hz"});
  ChildEntry::bind(b);
}

void PartsSettings::bind(SettingBinder& b) {
  b.add("parts", parts, "List of {name, drivers or links, controller, rate, settings of the controller...}.");
  b.choice("others", others, {{"hold", Others::hold}, {"off", Others::off}, {"refuse", Others::refuse}},
           "What drivers of no part do: hold their start position with their servo gains, nothing (off), or they are "
           "refused.");
  bindFile(b, file);
}

MultiPartController::MultiPartController(const ComponentContext& context) : ForwardingController("part") {
  const auto settings = structureFrom<PartsSettings>(context, {"parts"});
  others_ = settings.others;
  Diagnostics diagnostics;
  const auto children = readChildren<PartEntry>(settings.parts, {"part", "part"}, diagnostics);
  for (std::size_t i = 0; i < children.entries.size(); ++i) {
    const PartEntry& entry = children.entries[i];
    const ChildRequest& request = children.requests[i];
    Part part;
    part.drivers = entry.drivers;
    part.links = entry.links;
    if (part.drivers.isNull() == part.links.isNull())
      diagnostics.error("part '" + request.name + "' names " +
                            (part.drivers.isNull() ? "neither drivers nor links" : "both drivers and links"),
                        request.where, "write drivers: [NAME, ...] or links: [NAME, ...]");
    part.rate = entry.rate.value.value_or(0);
    part.ratePlace = entry.rate.where;
    if (entry.rate.value && !(part.rate > 0))
      diagnostics.error("part '" + request.name + "' has a rate of 0", entry.rate.where, "give it a rate above 0 Hz");
    parts_.push_back(std::move(part));
  }
  setChildren(createChildren(children.requests, context.host, diagnostics));
  throwIfErrors(diagnostics);
}

std::vector<int> MultiPartController::driversOf(const Robot& robot, int part) const {
  const Part& p = parts_[part];
  const std::string& name = children()[part].name();
  std::vector<int> indices;
  if (!p.drivers.isNull()) {
    indices = driversFromSetting(robot, p.drivers);
  } else {
    for (const int link : linksFromSetting(robot, p.links)) {
      const int driver = robot.driverOfLink(link);
      if (driver < 0)
        throw Error("part '" + name + "': no driver moves link '" + robot.link(link).name + "'", p.links.position(),
                    "name links that have drivers");
      // Several links of one driver name it once.
      if (std::find(indices.begin(), indices.end(), driver) == indices.end()) indices.push_back(driver);
    }
  }
  if (indices.empty())
    throw Error("part '" + name + "' has no driver", p.drivers.isNull() ? p.links.position() : p.drivers.position());
  return indices;
}

void MultiPartController::start(const ControllerSetup& setup) {
  robot_ = &setup.robot;
  period_ = setup.period;
  updates_ = 0;
  std::vector<int> owner(robot_->numDrivers(), -1);
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    Part& part = parts_[k];
    part.indices = driversOf(*robot_, static_cast<int>(k));
    const SourcePosition& where = part.drivers.isNull() ? part.links.position() : part.drivers.position();
    for (const int driver : part.indices) {
      if (owner[driver] == static_cast<int>(k))
        throw Error("part '" + children()[k].name() + "' names driver '" + robot_->driver(driver).name + "' twice",
                    where, "name it once");
      if (owner[driver] >= 0)
        throw Error("driver '" + robot_->driver(driver).name + "' belongs to two parts, '" +
                        children()[owner[driver]].name() + "' and '" + children()[k].name() + "'",
                    where, "leave it to one of them");
      owner[driver] = static_cast<int>(k);
    }
    if (part.rate * period_ > 1 + 1e-9)
      throw Error("part '" + children()[k].name() + "' is to run at " + formatReal(part.rate) +
                      " Hz, faster than the whole, which runs at " + formatReal(1 / period_) + " Hz",
                  part.ratePlace, "give the whole controller a higher 'rate'");
    part.commands.assign(robot_->numDrivers(), {});
    ControllerSetup own = setup;
    if (part.rate > 0) own.period = 1 / part.rate;
    child(static_cast<int>(k)).start(own);
  }
  unnamed_.clear();
  for (int i = 0; i < robot_->numDrivers(); ++i)
    if (owner[i] < 0) unnamed_.push_back(i);
  if (others_ == Others::refuse && !unnamed_.empty()) {
    std::vector<std::string> names;
    for (const int driver : unnamed_) names.push_back(robot_->driver(driver).name);
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
    throw Error("no part has driver " + text, {}, "add them to a part, or set others: hold");
  }
  held_.resize(static_cast<Eigen::Index>(unnamed_.size()));
  for (std::size_t k = 0; k < unnamed_.size(); ++k) held_[k] = driverValue(*robot_, unnamed_[k], setup.q);
}

void MultiPartController::update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) {
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    Part& part = parts_[k];
    if (updates_ == 0) std::copy(commands.begin(), commands.end(), part.commands.begin());
    constexpr double kSlack = 1e-9;  // As the loop does with rates.
    const double each = period_ * part.rate;
    const bool due = part.rate == 0 || updates_ == 0 ||
                     std::floor(static_cast<double>(updates_) * each + kSlack) !=
                         std::floor(static_cast<double>(updates_ - 1) * each + kSlack);
    if (due) child(static_cast<int>(k)).update(input, part.rate > 0 ? 1 / part.rate : period, part.commands);
  }
  for (const Part& part : parts_)
    for (const int driver : part.indices) commands[driver] = part.commands[driver];
  for (std::size_t k = 0; k < unnamed_.size(); ++k) {
    ActuatorCommand& command = commands[unnamed_[k]];
    command.velocity = command.torque = 0;
    command.mode = others_ == Others::off ? ActuatorCommand::Mode::off : ActuatorCommand::Mode::pid;
    if (others_ != Others::off) command.position = held_[k];
  }
  ++updates_;
}

bool MultiPartController::ownCommand(std::string_view name, const Value& arguments) {
  if (children().size() == 1) return child(0).tryCommand(name, arguments);
  std::vector<std::string> names;
  for (const ChildController& child : children())
    for (const auto& [known, help] : child.commands())
      if (known == name) names.push_back(child.name() + "." + known);
  if (names.empty()) return false;
  throw Error("'" + std::string(name) + "' does not say which part it is for", arguments.position(), listNames(names));
}

void MultiPartController::save(ByteWriter& out) const {
  out.put(updates_);
  out.put(std::span<const double>(held_.data(), held_.size()));
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    putCommands(out, parts_[k].commands);
    children()[k].save(out);
  }
}

void MultiPartController::restore(ByteReader& in) {
  const auto updates = in.get<std::int64_t>();
  if (updates < 0) throw Error("snapshot holds a negative number of updates");
  VectorXd held(held_.size());
  in.get(std::span<double>(held.data(), held.size()));
  if (!held.allFinite()) throw Error("snapshot holds a number that is not finite");
  updates_ = updates;
  held_ = held;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    getCommands(in, parts_[k].commands);
    child(static_cast<int>(k)).restore(in);
  }
}

}  // namespace mortise::controllers
