#include "ros2_recorder.h"

#include "ros2_transport.h"

namespace mortise::ros2 {

void Ros2RecorderSettings::bind(SettingBinder& b) {
  broadcast.bind(b);
  b.add("domain", domain, "Domain of DDS, 0 to 232; not set: ROS_DOMAIN_ID, or 0.", {.min = 0, .max = 232});
  b.add("localhost_only", localhostOnly,
        "Whether only programs on this computer are reached; not set: what ROS_LOCALHOST_ONLY and "
        "ROS_AUTOMATIC_DISCOVERY_RANGE say.");
}

DomainOptions Ros2RecorderSettings::options() const {
  DomainOptions options = domain && localhostOnly ? DomainOptions() : domainFromEnvironment();
  if (domain) options.id = *domain;
  if (localhostOnly) options.localOnly = *localhostOnly;
  return options;
}

Ros2Recorder::Ros2Recorder(const ComponentContext& context)
    : Ros2Recorder(context.host, *Settings<Ros2RecorderSettings>(context.settings)) {}

Ros2Recorder::Ros2Recorder(Host& host, const Ros2RecorderSettings& settings)
    : BroadcastRecorder(host, settings.broadcast, [options = settings](const RecorderSetup&) {
        return std::make_unique<Ros2Transport>(options.options());
      }) {}

}  // namespace mortise::ros2
