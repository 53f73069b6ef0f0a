#pragma once

#include <string>

#include "mortise/component/host.h"

namespace mortise::test {

/// A host for components alone: says nothing, keeps nothing, and takes references for files.
class QuietHost final : public Host {
 public:
  explicit QuietHost(std::string name = "test") : name_(std::move(name)), random_(1, name_) {}
  std::string_view name() const override { return name_; }
  void log(LogLevel, std::string_view) override {}
  std::string findResource(std::string_view reference) const override { return std::string(reference); }
  RandomStream& random() override { return random_; }
  std::string runDirectory() const override { return {}; }
  void publish(std::string_view, std::span<const double>) override {}

 private:
  std::string name_;
  RandomStream random_;
};

}  // namespace mortise::test
