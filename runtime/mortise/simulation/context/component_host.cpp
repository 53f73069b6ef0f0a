#include "mortise/simulation/context/component_host.h"

#include "mortise/base/error.h"
#include "mortise/loading/followed_motion.h"
#include "mortise/simulation/scene/substitution.h"

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
                             ChannelTable& channels, std::string referringFile, std::string runDirectory,
                             Registry* registry, std::function<bool()> stopRequested)
    : name_(std::move(name)),
      log_(log),
      loader_(loader),
      channels_(channels),
      referringFile_(std::move(referringFile)),
      runDirectory_(std::move(runDirectory)),
      seed_(seed),
      registry_(registry),
      stopRequested_(std::move(stopRequested)),
      random_(seed, name_) {}

ComponentHost::~ComponentHost() = default;

void ComponentHost::log(LogLevel level, std::string_view message) {
  if (level == LogLevel::warning)
    substitute(log_, {SubstitutionKind::component, name_, std::string(message)});
  else
    log_.write(level, name_, message);
}

std::string ComponentHost::findResource(std::string_view reference) const {
  if (loader_ == nullptr)
    throw Error("no files can be looked up here, so '" + std::string(reference) + "' is out of reach");
  return loader_->find(reference, referringFile_);
}

Trajectory ComponentHost::loadTrajectory(std::string_view reference) const {
  if (loader_ == nullptr) return Host::loadTrajectory(reference);
  Diagnostics diagnostics;
  const auto kind = loader_->contentOf(loader_->find(reference, referringFile_));
  Trajectory trajectory;
  if (kind == FileContent::configuration) {
    trajectory.configurations.push_back(loader_->load<VectorXd>(reference, referringFile_, diagnostics));
    trajectory.times.push_back(0);
  } else {
    trajectory = followedMotion(*loader_, reference, referringFile_, robot_, diagnostics);
  }
  for (const Diagnostic& said : diagnostics.all())
    if (said.severity != Severity::error)
      substitute(log_, {SubstitutionKind::component, name_, Error(said.message, said.where, said.hint).what()});
  diagnostics.throwIfErrors();
  return trajectory;
}

ComponentPtr<Controller> ComponentHost::createController(std::string_view type, const Value& settings,
                                                         std::string_view name, const SourcePosition& where) const {
  if (registry_ == nullptr) return Host::createController(type, settings, name, where);
  constexpr int kDeepest = 16;
  if (depth_ == kDeepest)
    throw Error("controllers hold each other more than " + std::to_string(kDeepest) + " deep", where,
                "look for a file that names itself");
  const ComponentInfo& info = registry_->require(Kind::controller, type, where);
  Diagnostics diagnostics;
  const Value complete = registry_->completeSettings(info, settings, diagnostics);
  for (const Diagnostic& problem : diagnostics.all())
    if (problem.severity != Severity::error)
      substitute(log_,
                 {SubstitutionKind::component, name_, Error(problem.message, problem.where, problem.hint).what()});
  diagnostics.throwIfErrors();
  auto host = std::make_unique<ComponentHost>(name_ + "/" + std::string(name), seed_, log_, loader_, channels_,
                                              referringFile_, runDirectory_, registry_, stopRequested_);
  host->depth_ = depth_ + 1;
  host->robot_ = robot_;
  ComponentPtr<Controller> controller = registry_->create<Controller>(info, complete, *host);
  children_.push_back({info.name, std::string(name), complete, std::move(host)});
  return controller;
}

void ComponentHost::save(ByteWriter& out) const {
  out.put(random_.state());
  for (const Child& child : children_) child.host->save(out);
}

void ComponentHost::restore(ByteReader& in) {
  random_.setState(in.get<RandomStream::State>());
  for (const Child& child : children_) child.host->restore(in);
}

}  // namespace mortise
