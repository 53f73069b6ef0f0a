#include "tests/plugins/ros_relay/loop_relay.h"

#include "mortise/base/error.h"
#include "mortise/plugin/plugin.h"

namespace mortise::ros::test {

std::shared_ptr<Network> network;

namespace {

class LoopRelay final : public RelayController {
 public:
  explicit LoopRelay(const ComponentContext& context)
      : LoopRelay(context, settingsFrom<ReplaySettings>(context.settings)) {}

 private:
  LoopRelay(const ComponentContext& context, const ReplaySettings& settings)
      : RelayController(context, settings.relay, settings.action, [] {
          if (network == nullptr) throw Error("no network", {}, "start one");
          return std::make_unique<LoopTransport>(network);
        }) {}
};

MORTISE_PLUGIN_AS(loop_relay_plugin, , "test.relays", "1.0") {
  plugin.controller<LoopRelay>("test.LoopRelay").settings<ReplaySettings>();
}

}  // namespace

RelayTest::RelayTest() {
  network = std::make_shared<Network>(Encoding::cdr);
  registry->addBuiltIn(loop_relay_plugin);
  registry->discover();
}

RelayTest::~RelayTest() { network.reset(); }

std::unique_ptr<Simulation> RelayTest::simulation(const std::string& type, const std::string& settings) {
  SimulationOptions options;
  options.runDirectory = folder_.string();
  ComponentOptions relay;
  relay.type = type;
  relay.name = "relay";
  relay.settings = parseYaml(settings, "test");
  options.components.push_back(relay);
  return std::make_unique<Simulation>(world, *registry, nullptr, log, options);
}

}  // namespace mortise::ros::test
