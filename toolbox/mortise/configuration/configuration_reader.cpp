#include "mortise/configuration/configuration_reader.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/base/units.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/value_position.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

constexpr const char* kForms = "write [0, 1.5, 90 deg], {elbow: 90 deg}, or the name of a .config file";

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// All of a few names; the first and the last of many.
std::string namesOf(const ConfigurationReader::Form& form) {
  constexpr std::size_t kShown = 12;
  std::string text;
  const std::size_t count = form.entries.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (count > kShown && i == kShown - 2) {
      text += ", ..., " + form.entries.back().name;
      break;
    }
    text += (i == 0 ? "" : ", ") + form.entries[i].name;
  }
  return text;
}

const char* unitOf(const Robot& robot, int link, ConfigurationReader::Quantity quantity) {
  const bool turns = robot.link(link).motion == LinkMotion::revolute;
  if (quantity == ConfigurationReader::Quantity::velocity) return turns ? "rad/s" : "m/s";
  if (quantity == ConfigurationReader::Quantity::acceleration) return turns ? "rad/s^2" : "m/s^2";
  return turns ? "rad" : "m";
}

ConfigurationReader::Form linksForm(const Robot& robot, ConfigurationReader::Quantity quantity) {
  ConfigurationReader::Form form{"one a link of robot '" + robot.name() + "'", {}};
  for (int i = 0; i < robot.numLinks(); ++i)
    form.entries.push_back({robot.link(i).name, unitOf(robot, i, quantity), {{i}}});
  return form;
}

/// Drivers that push a floating body have no number in a configuration: then there is no such form.
ConfigurationReader::Form driversForm(const Robot& robot, ConfigurationReader::Quantity quantity) {
  ConfigurationReader::Form form{"one a driver", {}};
  for (const Driver& driver : robot.drivers()) {
    if (driver.links.empty() || (driver.type != DriverType::normal && driver.type != DriverType::affine)) return {};
    ConfigurationReader::Entry entry{driver.name, unitOf(robot, driver.links.front(), quantity), {}};
    for (std::size_t k = 0; k < driver.links.size(); ++k) {
      const bool affine = driver.type == DriverType::affine;
      entry.moves.push_back({driver.links[k], affine ? driver.scale[k] : 1, affine ? driver.offset[k] : 0});
    }
    form.entries.push_back(std::move(entry));
  }
  return form;
}

bool isQuantityText(const std::string& text) {
  std::string problem;
  for (const char* unit : {"rad", "m", "rad/s", "m/s"})
    if (parseQuantity(text, unit, problem)) return true;
  return false;
}

}  // namespace

double quantityOf(const Value& value, const char* unit) {
  double number = 0;
  if (value.isString()) {
    std::string problem;
    const std::optional<double> quantity = parseQuantity(value.asString(), unit, problem);
    if (!quantity) throw Error(problem, value.position());
    number = *quantity;
  } else if (value.isNumber()) {
    number = value.asReal();
  } else {
    throw Error("expected a number (" + std::string(unit) + "), found " + std::string(Value::typeName(value.type())),
                value.position());
  }
  if (std::isnan(number)) throw Error("expected a number, found nan", value.position());
  return number;
}

ConfigurationFile readConfigurationFile(ResourceLoader& loader, const std::string& name,
                                        const std::string& referringFile, Diagnostics& diagnostics) {
  const auto kind = loader.contentOf(loader.find(name, referringFile));
  ConfigurationFile file;
  if (kind == FileContent::configurations) {
    file.configurations = loader.load<ConfigurationList>(name, referringFile, diagnostics).configurations;
  } else if (kind == FileContent::trajectory || kind == FileContent::hermiteTrajectory ||
             kind == FileContent::multipath) {
    file.configurations = loader.load<Trajectory>(name, referringFile, diagnostics).configurations;
    file.motion = true;
  } else {
    file.configurations.push_back(loader.load<VectorXd>(name, referringFile, diagnostics));
  }
  return file;
}

ConfigurationReader::ConfigurationReader(const Robot& robot, Quantity quantity) {
  forms_.push_back(linksForm(robot, quantity));
  if (Form drivers = driversForm(robot, quantity); !drivers.entries.empty()) forms_.push_back(std::move(drivers));
  robots_ = {{robot.name()}};
  if (quantity == Quantity::velocity) list_ = "the list of velocities";
  if (quantity == Quantity::acceleration) list_ = "the list of accelerations";
  if (quantity != Quantity::position)
    for (Form& form : forms_)
      for (Entry& entry : form.entries)
        for (DrivenCoordinate& coordinate : entry.moves) coordinate.offset = 0;
  lookup_ = [&robot, quantity](std::string_view name, const SourcePosition& where) {
    std::vector<DrivenCoordinate> found = findCoordinates(robot, name, where);
    if (found.empty()) {
      const std::vector<std::string> names = coordinateNames(robot);
      throw Error("robot '" + robot.name() + "' has no link, joint or driver '" + std::string(name) + "'", where,
                  suggestFrom(name, names));
    }
    if (quantity != Quantity::position)
      for (DrivenCoordinate& coordinate : found) coordinate.offset = 0;
    return found;
  };
}

ConfigurationReader::ConfigurationReader(std::vector<Form> forms, Lookup lookup)
    : forms_(std::move(forms)), lookup_(std::move(lookup)) {}

std::vector<DrivenCoordinate> ConfigurationReader::find(std::string_view name, const SourcePosition& where) const {
  const Value index = Value::fromText(std::string(name));
  if (!index.isInteger()) return lookup_(name, where);
  // Links may be called by numbers.
  if (std::any_of(forms_.front().entries.begin(), forms_.front().entries.end(),
                  [&](const Entry& entry) { return entry.name == name; }))
    return lookup_(name, where);
  if (index.asInteger() >= 0 && index.asInteger() < size()) return {{static_cast<int>(index.asInteger())}};
  throw Error("there is no number " + std::string(name) + " in a configuration", where,
              "they run from 0 to " + std::to_string(size() - 1));
}

std::string ConfigurationReader::describeSizes() const {
  std::string text;
  for (std::size_t i = 0; i < forms_.size(); ++i) {
    const Form& form = forms_[i];
    const bool again = std::any_of(forms_.begin(), forms_.begin() + static_cast<std::ptrdiff_t>(i),
                                   [&](const Form& other) { return other.entries.size() == form.entries.size(); });
    if (again) continue;
    text += (text.empty() ? "" : ", or ") + std::to_string(form.entries.size()) + ", " + form.what + " (" +
            namesOf(form) + ")";
  }
  return text;
}

const ConfigurationReader::Form& ConfigurationReader::formOf(std::size_t count, const std::string& what,
                                                             const SourcePosition& where) const {
  for (const Form& form : forms_)
    if (form.entries.size() == count) return form;
  throw Error(what + " has " + counted(count, "number"), where, "give " + describeSizes());
}

VectorXd ConfigurationReader::fromNumbers(const VectorXd& numbers, const VectorXd& base, const std::string& what,
                                          const SourcePosition& where) const {
  const Form& form = formOf(static_cast<std::size_t>(numbers.size()), what, where);
  if (!numbers.allFinite()) throw Error(what + " holds numbers that are not finite", where);
  VectorXd q = base;
  for (std::size_t i = 0; i < form.entries.size(); ++i)
    for (const DrivenCoordinate& coordinate : form.entries[i].moves)
      q[coordinate.link] = coordinate.offset + coordinate.scale * numbers[static_cast<Eigen::Index>(i)];
  return q;
}

VectorXd ConfigurationReader::fromList(const Value& list, const VectorXd& base) const {
  const Form& form = formOf(list.size(), list_, list.position());
  VectorXd numbers(static_cast<Eigen::Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) try {
      numbers[static_cast<Eigen::Index>(i)] = quantityOf(list[i], form.entries[i].unit);
    } catch (const Error& error) {
      throw Error("number " + std::to_string(i) + ", '" + form.entries[i].name + "': " + error.message(), error.where(),
                  error.hint());
    }
  return fromNumbers(numbers, base, list_, list.position());
}

bool ConfigurationReader::isRobot(std::string_view name) const {
  return std::any_of(robots_.begin(), robots_.end(), [&](const RobotPart& part) { return part.name == name; });
}

const ConfigurationReader::RobotPart& ConfigurationReader::robot(std::string_view name,
                                                                 const SourcePosition& where) const {
  std::vector<std::string> names;
  for (const RobotPart& part : robots_) {
    if (part.name == name) return part;
    names.push_back(part.name);
  }
  throw Error("there is no robot '" + std::string(name) + "'", where, suggestAndList(name, names));
}

VectorXd ConfigurationReader::fromMapByRobot(const Value& map, const VectorXd& base,
                                             const ConfigurationFiles& files) const {
  VectorXd q = base;
  for (const Value::Entry& entry : map.entries()) {
    const RobotPart& part = robot(entry.key, entry.keyPosition);
    if (entry.value.isNull())
      throw Error("robot '" + entry.key + "' is named, but given no configuration", entry.keyPosition,
                  "write {" + entry.key + ": [0, 90 deg]}, or leave it out");
    const ConfigurationReader& reader = part.reader ? *part.reader : *this;
    q.segment(part.first, reader.size()) = reader.read(entry.value, q.segment(part.first, reader.size()), files);
  }
  return q;
}

VectorXd ConfigurationReader::fromMap(const Value& map, const VectorXd& base, const ConfigurationFiles& files) const {
  std::vector<std::string> robots;
  for (const RobotPart& part : robots_) robots.push_back(part.name);
  if (!robots.empty() && isByRobot(map, robots)) return fromMapByRobot(map, base, files);
  VectorXd q = base;
  std::map<int, const Value::Entry*> setBy;
  for (const Value::Entry& entry : map.entries())
    for (const DrivenCoordinate& coordinate : find(entry.key, entry.keyPosition)) {
      const double number = quantityOf(entry.value, unit(coordinate.link));
      if (!std::isfinite(number)) throw Error("'" + entry.key + "' is not finite", entry.value.position());
      const double value = coordinate.offset + coordinate.scale * number;
      const auto [earlier, isNew] = setBy.emplace(coordinate.link, &entry);
      if (!isNew && q[coordinate.link] != value)
        throw Error("'" + earlier->second->key + "' and '" + entry.key + "' move the same link to " +
                        formatReal(q[coordinate.link]) + " and to " + formatReal(value),
                    entry.keyPosition, "keep one of the two");
      q[coordinate.link] = value;
    }
  return q;
}

std::vector<VectorXd> ConfigurationReader::readFile(const Value& value, const VectorXd& base,
                                                    const ConfigurationFiles& files) const {
  const std::string& text = value.asString();
  if (!files)
    throw Error("expected a configuration, found '" + text + "'", value.position(),
                "write numbers, one a link, or {elbow: 90 deg}");
  const auto [name, index] = splitIndex(text);
  ConfigurationFile file;
  try {
    file = files(name);
  } catch (const Error& error) {
    if (error.where().known()) throw;
    throw Error(error.message(), value.position(), error.hint());
  }
  const std::size_t count = file.configurations.size();
  if (count == 0) throw Error("'" + name + "' holds no configuration", value.position());
  if (index >= static_cast<int>(count))
    throw Error(
        "'" + name + "' holds " + counted(count, "configuration") + ", and none of index " + std::to_string(index),
        value.position(), "indices run from 0 to " + std::to_string(count - 1));
  std::vector<VectorXd> result;
  const auto add = [&](const VectorXd& q, const std::string& what) {
    result.push_back(fromNumbers(q, base, what, value.position()));
  };
  if (index >= 0)
    add(file.configurations[static_cast<std::size_t>(index)],
        "configuration " + std::to_string(index) + " of '" + name + "'");
  else if (file.motion)
    add(file.configurations.back(), "the end of '" + name + "'");
  else
    for (const VectorXd& q : file.configurations) add(q, "the configuration in '" + name + "'");
  return result;
}

VectorXd ConfigurationReader::read(const Value& value, const VectorXd& base, const ConfigurationFiles& files) const {
  if (isQuantity(value)) {  // Of a robot with one link or driver.
    Value list = Value::list();
    list.push_back(value);
    return fromList(list.setPosition(value.position()), base);
  }
  if (value.isString()) {
    std::vector<VectorXd> found = readFile(value, base, files);
    if (found.size() == 1) return found.front();
    throw Error("'" + value.asString() + "' holds " + counted(found.size(), "configuration") + ", and one is needed",
                value.position(), "choose one by its index: " + value.asString() + "[0]");
  }
  if (value.isMap() && value.contains("file")) return read(fileFromMap(value), base, files);
  if (value.isMap() && value.size() > 0) return fromMap(value, base, files);
  if (value.isList()) {
    // [[0, 1, 2]]: one in a list of configurations.
    if (value.size() == 1 && !value[0].isScalar()) return read(value[0], base, files);
    return fromList(value, base);
  }
  throw Error("expected a configuration, found " + std::string(Value::typeName(value.type())), value.position(),
              kForms);
}

bool isByRobot(const Value& value, const std::vector<std::string>& robots) {
  if (!value.isMap() || value.size() == 0 || value.contains("file")) return false;
  const auto named = [&](const Value::Entry& entry) {
    return std::find(robots.begin(), robots.end(), entry.key) != robots.end();
  };
  const std::vector<Value::Entry>& entries = value.entries();
  return std::any_of(entries.begin(), entries.end(),
                     [&](const Value::Entry& entry) {
                       return !entry.value.isScalar() || (named(entry) && !isQuantity(entry.value));
                     }) ||
         (robots.size() > 1 && std::all_of(entries.begin(), entries.end(), named));
}

bool isQuantity(const Value& value) {
  return value.isNumber() || (value.isString() && isQuantityText(value.asString()));
}

bool isNumberList(const Value& value) { return value.isList() && value.size() > 0 && isQuantity(value[0]); }

std::pair<std::string, int> splitIndex(const std::string& name) {
  const std::size_t open = name.rfind('[');
  if (open == std::string::npos || open == 0 || name.back() != ']') return {name, -1};
  const Value index = Value::fromText(name.substr(open + 1, name.size() - open - 2));
  if (!index.isInteger() || index.asInteger() < 0 || index.asInteger() > 1000000000) return {name, -1};
  return {name.substr(0, open), static_cast<int>(index.asInteger())};
}

Value fileFromMap(const Value& map) {
  for (const Value::Entry& entry : map.entries())
    if (entry.key != "file" && entry.key != "index")
      throw Error("unknown key '" + entry.key + "'", entry.keyPosition, "available: file, index");
  std::string name = map.at("file").asString();
  if (const Value* index = map.find("index"); index != nullptr && !index->isNull())
    name += "[" + std::to_string(index->asInteger()) + "]";
  return Value(name).setPosition(map.at("file").position());
}

std::vector<Value> quantitiesFromWords(const std::vector<std::string>& words, const SourcePosition& where) {
  std::vector<Value> values;
  for (const std::string& word : words) {
    const bool follows = !values.empty() && values.back().isNumber() && !Value::fromText(word).isNumber() &&
                         isQuantityText(values.back().text() + " " + word);
    if (follows)
      values.back() = Value(values.back().text() + " " + word);
    else
      values.push_back(Value::fromText(word));
    values.back().setPosition(where);
  }
  return values;
}

Value configurationFromText(const std::string& text, const std::string& origin) {
  const SourcePosition where = inFile(origin);
  if (text.find_first_of("[{") == 0) {
    Value value = parseYaml(text, origin);
    setPositions(value, where);
    return value;
  }
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + ",") {
    if (c != ',' && c != ' ' && c != '\t') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(word);
      word.clear();
    }
  }
  Value list = Value::list();
  for (Value& value : quantitiesFromWords(words, where)) list.push_back(std::move(value));
  if (list.size() == 0 || !std::all_of(list.items().begin(), list.items().end(), isQuantity))
    return Value(text).setPosition(where);
  return list.setPosition(where);
}

}  // namespace mortise
