#include "ros2_relay.h"

#include "ros2_transport.h"

namespace mortise::ros2 {

Ros2Relay::Ros2Relay(const ComponentContext& context)
    : Ros2Relay(context, settingsFrom<Ros2RelaySettings>(context.settings)) {}

Ros2Relay::Ros2Relay(const ComponentContext& context, const Ros2RelaySettings& settings)
    : RelayController(context, settings.relay, std::nullopt,  // Actions are services, whose bytes differ between DDSs.
                      [domain = settings.domain] { return std::make_unique<Ros2Transport>(domain.options()); }) {}

}  // namespace mortise::ros2
