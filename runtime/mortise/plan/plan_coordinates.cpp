#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/suggest.h"
#include "mortise/base/units.h"
#include "mortise/plan/plan_space.h"
#include "mortise/plan/plan_values.h"

namespace mortise {

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

PlanCoordinates::PlanCoordinates(const World& world, const PlanSpaceRequest& request) : world_(world) {
  const std::vector<Mover> movers = planMovers(world, request);
  for (const Mover& mover : movers) {
    Part part{mover, std::nullopt, {}};
    if (mover.kind == Mover::Kind::object) {
      for (const char* name : {"x", "y", "z", "rx", "ry", "rz"}) names_.emplace_back(name);
      units_ = {"m", "m", "m", "rad", "rad", "rad"};
      part.own = request.planar ? std::vector<int>{0, 1, 5} : std::vector<int>{0, 1, 2, 3, 4, 5};
      planned_ += static_cast<int>(part.own.size());
    } else {
      const WorldRobot& robot = world.robots[static_cast<std::size_t>(mover.index)];
      for (const Link& link : robot.robot->links()) {
        names_.push_back(movers.size() > 1 ? robot.name + "/" + link.name : link.name);
        units_.push_back(link.motion == LinkMotion::prismatic ? "m" : "rad");
      }
      std::vector<int> links;
      const int first = world.linkId(mover.index, 0);
      for (const int id : request.links)
        if (id >= first && id < first + mover.size) links.push_back(id - first);
      if (!request.links.empty() && links.empty())
        throw Error("no link of robot '" + robot.name + "' is planned for", {},
                    "name one of its links, or leave the robot out");
      part.coordinates.emplace(robot.robot, robot.q, links, ConfigurationDistanceOptions{}, SampleOptions{});
      planned_ += part.coordinates->dimension();
    }
    parts_.push_back(std::move(part));
  }
}

std::vector<PlanCoordinates::Number> PlanCoordinates::numbersOf(std::string_view name,
                                                                const SourcePosition& where) const {
  std::vector<Number> found;
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (names_[i] == name) found.push_back({static_cast<int>(i)});
  if (found.size() > 1)
    throw Error("'" + std::string(name) + "' is the name of numbers " + std::to_string(found[0].index) + " and " +
                    std::to_string(found[1].index),
                where, "give the index");
  if (!found.empty()) return found;
  for (const Part& part : parts_) {
    if (!part.coordinates) continue;
    for (const Driver& driver : part.coordinates->robot().drivers()) {
      const std::string own = parts_.size() > 1
                                  ? world_.robots[static_cast<std::size_t>(part.mover.index)].name + "/" + driver.name
                                  : driver.name;
      if (own != name) continue;
      if (driver.type == DriverType::normal) return {{part.mover.first + driver.links.front()}};
      if (driver.type != DriverType::affine) continue;
      for (std::size_t k = 0; k < driver.links.size(); ++k)
        found.push_back({part.mover.first + driver.links[k], driver.scale[k], driver.offset[k]});
      return found;
    }
  }
  const Value index = Value::fromText(std::string(name));
  if (index.isInteger()) {
    if (index.asInteger() >= 0 && index.asInteger() < wholeSize()) return {{static_cast<int>(index.asInteger())}};
    throw Error("there is no number " + std::string(name) + " in a configuration", where,
                "they run from 0 to " + std::to_string(wholeSize() - 1));
  }
  const std::string near = didYouMean(name, names_);
  throw Error("nothing that moves is called '" + std::string(name) + "'", where,
              near.empty() ? listNames(names_) : near);
}

std::string PlanCoordinates::describeSizes() const {
  std::string whole;
  for (const Part& part : parts_) {
    if (!whole.empty()) whole += " + ";
    if (part.coordinates)
      whole += std::to_string(part.mover.size) + " (links of robot '" +
               world_.robots[static_cast<std::size_t>(part.mover.index)].name + "')";
    else
      whole += "6 (position and rotation vector of object '" +
               world_.objects[static_cast<std::size_t>(part.mover.index)].name + "')";
  }
  if (planned_ == wholeSize()) return whole;
  return whole + ", or " + std::to_string(planned_) + " (what is planned for)";
}

VectorXd PlanCoordinates::configuration(const VectorXd& numbers, const VectorXd& base, const std::string& what,
                                        const SourcePosition& where) const {
  const int count = static_cast<int>(numbers.size());
  if (count != wholeSize() && count != planned_)
    throw Error(what + " has " + std::to_string(count) + (count == 1 ? " number" : " numbers"), where,
                "give " + describeSizes());
  if (!numbers.allFinite()) throw Error(what + " holds numbers that are not finite", where);
  if (count == wholeSize()) return numbers;
  VectorXd whole = base;
  int next = 0;
  for (const Part& part : parts_) {
    for (const int own : part.own) whole[part.mover.first + own] = numbers[next++];
    for (int c = 0; part.coordinates && c < part.coordinates->dimension(); ++c) {
      const RobotCoordinate& coordinate = part.coordinates->coordinate(c);
      for (std::size_t k = 0; k < coordinate.links.size(); ++k)
        whole[part.mover.first + coordinate.links[k]] = coordinate.offset[k] + coordinate.scale[k] * numbers[next];
      ++next;
    }
  }
  return whole;
}

VectorXd PlanCoordinates::configuration(const Value& value, const VectorXd& base) const {
  const int count = static_cast<int>(value.size());
  // Which unit a number has depends on what it is.
  std::vector<const char*> units = units_;
  if (count != wholeSize()) {
    units.clear();
    for (const Part& part : parts_) {
      for (const int own : part.own) units.push_back(units_[static_cast<std::size_t>(part.mover.first + own)]);
      for (int c = 0; part.coordinates && c < part.coordinates->dimension(); ++c)
        units.push_back(
            units_[static_cast<std::size_t>(part.mover.first + part.coordinates->coordinate(c).links.front())]);
    }
  }
  VectorXd numbers(count);
  for (int i = 0; i < count; ++i)
    numbers[i] = quantityOf(value[static_cast<std::size_t>(i)],
                            static_cast<std::size_t>(i) < units.size() ? units[static_cast<std::size_t>(i)] : "rad");
  return configuration(numbers, base, "the configuration", value.position());
}

}  // namespace mortise
