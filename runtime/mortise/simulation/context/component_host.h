#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/component/controller.h"
#include "mortise/component/file_format.h"
#include "mortise/component/host.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// Numbers that components publish, by "component/channel", for recorders and other components.
class ChannelTable {
 public:
  void publish(std::string_view component, std::string_view channel, std::span<const double> values);
  const std::map<std::string, std::vector<double>, std::less<>>& all() const { return values_; }

 private:
  std::map<std::string, std::vector<double>, std::less<>> values_;
  std::string key_;
};

/// The host that a simulation hands each of its components.
class ComponentHost final : public Host {
 public:
  /// `log`, `loader` (may be null: no files then) and `channels` outlive the host. `referringFile` resolves relative
  /// references. `registry` (may be null: no further components then) outlives the host as well.
  ComponentHost(std::string name, std::uint64_t seed, LogSink& log, ResourceLoader* loader, ChannelTable& channels,
                std::string referringFile, std::string runDirectory, Registry* registry = nullptr,
                std::function<bool()> stopRequested = {});
  ~ComponentHost() override;

  /// The robot that the component belongs to: motions from files keep to their goals for it. Null: for none.
  void setRobot(RobotPtr robot) { robot_ = std::move(robot); }

  std::string_view name() const override { return name_; }
  /// Logs a message; warnings of components are substitutions (`SubstitutionKind::component`).
  void log(LogLevel level, std::string_view message) override;
  std::string findResource(std::string_view reference) const override;
  Trajectory loadTrajectory(std::string_view reference) const override;
  RandomStream& random() override { return random_; }
  std::string runDirectory() const override { return runDirectory_; }
  void publish(std::string_view channel, std::span<const double> values) override {
    channels_.publish(name_, channel, values);
  }
  ComponentPtr<Controller> createController(std::string_view type, const Value& settings, std::string_view name,
                                            const SourcePosition& where) const override;
  bool stopRequested() const override { return stopRequested_ && stopRequested_(); }

  /// A controller that was created for this component, with its complete settings.
  struct Child {
    std::string type, name;
    Value settings;
    std::unique_ptr<ComponentHost> host;
  };
  const std::vector<Child>& children() const { return children_; }

  /// The random streams of this host and of the controllers that its component created, in the order of creation.
  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  std::string name_;
  LogSink& log_;
  ResourceLoader* loader_;
  ChannelTable& channels_;
  std::string referringFile_;
  std::string runDirectory_;
  std::uint64_t seed_;
  Registry* registry_;
  std::function<bool()> stopRequested_;
  RobotPtr robot_;
  int depth_ = 0;  ///< Number of components that hold this one, each within the next.
  RandomStream random_;
  mutable std::vector<Child> children_;
};

}  // namespace mortise
