#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "mortise/component/file_format.h"
#include "mortise/component/host.h"

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

/// What a simulation hands each of its components.
class ComponentHost final : public Host {
 public:
  /// `log`, `loader` (may be null: no files then) and `channels` outlive the host. `referringFile` resolves relative
  /// references.
  ComponentHost(std::string name, std::uint64_t seed, LogSink& log, ResourceLoader* loader, ChannelTable& channels,
                std::string referringFile, std::string runDirectory);
  ~ComponentHost() override;

  std::string_view name() const override { return name_; }
  void log(LogLevel level, std::string_view message) override { log_.write(level, name_, message); }
  std::string findResource(std::string_view reference) const override;
  Trajectory loadTrajectory(std::string_view reference) const override;
  RandomStream& random() override { return random_; }
  std::string runDirectory() const override { return runDirectory_; }
  void publish(std::string_view channel, std::span<const double> values) override {
    channels_.publish(name_, channel, values);
  }

 private:
  std::string name_;
  LogSink& log_;
  ResourceLoader* loader_;
  ChannelTable& channels_;
  std::string referringFile_;
  std::string runDirectory_;
  RandomStream random_;
};

}  // namespace mortise
