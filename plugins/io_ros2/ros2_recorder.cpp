#include "ros2_recorder.h"

#include "ros2_transport.h"

namespace mortise::ros2 {

Ros2Recorder::Ros2Recorder(const ComponentContext& context)
    : Ros2Recorder(context.host, *Settings<Ros2RecorderSettings>(context.settings)) {}

Ros2Recorder::Ros2Recorder(Host& host, const Ros2RecorderSettings& settings)
    : BroadcastRecorder(host, settings.broadcast, [domain = settings.domain](const RecorderSetup&) {
        return std::make_unique<Ros2Transport>(domain.options());
      }) {}

}  // namespace mortise::ros2
