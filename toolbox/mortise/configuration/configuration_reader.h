#pragma once

/// Configurations as people write them, the same in files and on the command line: a list with one number a link or one
/// a driver, a map by names, with or without units, or a file.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/component/file_format.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/model/robot.h"

namespace mortise {

/// A number, or text with a unit of the dimension of `unit`, in SI. Throws `Error` with the value's position.
double quantityOf(const Value& value, const char* unit);

/// Contents of a file.
struct ConfigurationFile {
  std::vector<VectorXd> configurations;
  bool motion = false;  ///< A motion's milestones: without an index, its last one is meant.
};
/// Reads .config and .configs files and motions. Throws `Error`.
ConfigurationFile readConfigurationFile(ResourceLoader& loader, const std::string& name,
                                        const std::string& referringFile, Diagnostics& diagnostics);
/// Access of a reader to files; empty where there are none.
using ConfigurationFiles = std::function<ConfigurationFile(const std::string& name)>;

class ConfigurationReader {
 public:
  /// Quantity of the numbers: positions (rad, m), or velocities (rad/s, m/s) and accelerations (rad/s^2, m/s^2), which
  /// have no offset.
  enum class Quantity { position, velocity, acceleration };

  /// Entry of a list. `moves` has the coordinates that follow from it.
  struct Entry {
    std::string name;
    const char* unit = "rad";
    std::vector<DrivenCoordinate> moves;
  };
  /// A list of as many numbers as there are entries is read so.
  struct Form {
    std::string what;  ///< "one a link of robot 'arm'"
    std::vector<Entry> entries;
  };
  /// A robot whose configuration is part of what is read: {left: {elbow: 1}, right: [0, 1]}.
  struct RobotPart {
    std::string name;
    int first = 0;                                        ///< The first of its coordinates.
    std::shared_ptr<const ConfigurationReader> reader{};  ///< Reader of its configuration; null: this reader itself.
  };
  using Lookup = std::function<std::vector<DrivenCoordinate>(std::string_view name, const SourcePosition& where)>;

  /// Reads configurations of one robot, which outlives the reader: one number a link, or, where their number differs,
  /// one a driver. The robot may be named around its configuration: {arm: {elbow: 1}}.
  explicit ConfigurationReader(const Robot& robot, Quantity quantity = Quantity::position);
  /// Reads lists of anything. The entries of the first form are the coordinates themselves, in order. `lookup` finds
  /// what a name stands for and throws `Error` for a name that there is not.
  ConfigurationReader(std::vector<Form> forms, Lookup lookup);

  /// The robots that maps by robot may name.
  void setRobots(std::vector<RobotPart> robots) { robots_ = std::move(robots); }
  const std::vector<RobotPart>& robots() const { return robots_; }
  bool isRobot(std::string_view name) const;
  /// Throws `Error` where there is none of this name.
  const RobotPart& robot(std::string_view name, const SourcePosition& where) const;

  const std::vector<Form>& forms() const { return forms_; }
  int size() const { return static_cast<int>(forms_.front().entries.size()); }
  const std::string& name(int i) const { return forms_.front().entries.at(static_cast<std::size_t>(i)).name; }
  const char* unit(int i) const { return forms_.front().entries.at(static_cast<std::size_t>(i)).unit; }
  /// The coordinates that a name, or an index, stands for. Throws `Error`.
  std::vector<DrivenCoordinate> find(std::string_view name, const SourcePosition& where) const;

  // Each returns one number a coordinate and throws `Error` with the position of what is wrong; `base` has those that
  // are not mentioned.
  /// Exactly one configuration, in any way of writing.
  VectorXd read(const Value& value, const VectorXd& base, const ConfigurationFiles& files = {}) const;
  /// All that a file name stands for: NAME, or NAME[INDEX].
  std::vector<VectorXd> readFile(const Value& name, const VectorXd& base, const ConfigurationFiles& files) const;
  VectorXd fromList(const Value& list, const VectorXd& base) const;
  /// By coordinates, or by robots.
  VectorXd fromMap(const Value& map, const VectorXd& base, const ConfigurationFiles& files = {}) const;
  /// `what` the numbers are, for messages: "the configuration".
  VectorXd fromNumbers(const VectorXd& numbers, const VectorXd& base, const std::string& what,
                       const SourcePosition& where) const;

  /// "6, one a link of robot 'arm' (shoulder, elbow, ...), or 4, one a driver (...)": for messages.
  std::string describeSizes() const;

 private:
  const Form& formOf(std::size_t count, const std::string& what, const SourcePosition& where) const;

  VectorXd fromMapByRobot(const Value& map, const VectorXd& base, const ConfigurationFiles& files) const;

  std::string list_ = "the configuration";  ///< Name of a list of numbers in messages.
  std::vector<Form> forms_;
  Lookup lookup_;
  std::vector<RobotPart> robots_;
};

/// Says whether a map is one from robots to their configurations and not one from coordinates to numbers: where an
/// entry holds a list or a map, where a robot's entry holds no number, or where all keys name robots, of which there
/// are several.
bool isByRobot(const Value& value, const std::vector<std::string>& robots);

/// A number, or text of one with a unit of length, angle or their rates.
bool isQuantity(const Value& value);
/// A list whose first entry is one.
bool isNumberList(const Value& value);
/// "poses.configs[2]" in its two parts; the index is -1 where there is none.
std::pair<std::string, int> splitIndex(const std::string& name);

/// {file: NAME, index: I} as NAME[I]. Throws `Error` for other keys.
Value fileFromMap(const Value& map);

/// A configuration as an argument of a command line: YAML where it begins with [ or {; numbers and quantities between
/// commas or blanks ("90deg, 0 0.1 m") as a list; anything else, a file's name, as text. Throws `Error`, placed at
/// `origin`.
Value configurationFromText(const std::string& text, const std::string& origin);
/// The words of a list, with units that stand alone put to the number before them: {"90", "deg", "0"} as
/// {"90 deg", 0}.
std::vector<Value> quantitiesFromWords(const std::vector<std::string>& words, const SourcePosition& where);

}  // namespace mortise
