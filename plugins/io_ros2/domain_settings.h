#pragma once

#include <optional>

#include "dds_domain.h"
#include "mortise/settings/settings.h"

namespace mortise::ros2 {

/// Which programs of ROS 2 are reached.
struct DomainSettings {
  std::optional<int> domain;          ///< Not set: what the environment says.
  std::optional<bool> localhostOnly;  ///< The same.
  void bind(SettingBinder& b);
  DomainOptions options() const;
};

}  // namespace mortise::ros2
