#include "mortise/simulation/component_host.h"

#include "mortise/base/error.h"

namespace mortise {

void ChannelTable::publish(std::string_view component, std::string_view channel, std::span<const double> values) {
  key_.assign(component);
  key_ += '/';
  key_ += channel;
  auto found = values_.find(key_);
  if (found == values_.end()) found = values_.emplace(key_, std::vector<double>()).first;
  found->second.assign(values.begin(), values.end());
}

ComponentHost::ComponentHost(std::string name, std::uint64_t seed, LogSink& log, ResourceLoader* loader,
                             ChannelTable& channels, std::string referringFile, std::string runDirectory)
    : name_(std::move(name)),
      log_(log),
      loader_(loader),
      channels_(channels),
      referringFile_(std::move(referringFile)),
      runDirectory_(std::move(runDirectory)),
      random_(seed, name_) {}

ComponentHost::~ComponentHost() = default;

std::string ComponentHost::findResource(std::string_view reference) const {
  if (loader_ == nullptr)
    throw Error("no files can be looked up here, so '" + std::string(reference) + "' is out of reach");
  return loader_->find(reference, referringFile_);
}

Trajectory ComponentHost::loadTrajectory(std::string_view reference) const {
  if (loader_ == nullptr) return Host::loadTrajectory(reference);
  Diagnostics diagnostics;
  Trajectory trajectory = loader_->trajectory(reference, referringFile_, diagnostics);
  diagnostics.throwIfErrors();
  return trajectory;
}

}  // namespace mortise
