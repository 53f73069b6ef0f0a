#include "domain_settings.h"

namespace mortise::ros2 {

void DomainSettings::bind(SettingBinder& b) {
  b.add("domain", domain, "Domain of DDS, 0 to 232; not set: ROS_DOMAIN_ID, or 0.", {.min = 0, .max = 232});
  b.add("localhost_only", localhostOnly,
        "Whether only programs on this computer are reached; not set: what ROS_LOCALHOST_ONLY and "
        "ROS_AUTOMATIC_DISCOVERY_RANGE say.");
}

DomainOptions DomainSettings::options() const {
  DomainOptions options = domain && localhostOnly ? DomainOptions() : domainFromEnvironment();
  if (domain) options.id = *domain;
  if (localhostOnly) options.localOnly = *localhostOnly;
  return options;
}

}  // namespace mortise::ros2
