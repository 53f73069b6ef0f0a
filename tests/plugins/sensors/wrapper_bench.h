#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/component/sensor.h"
#include "tests/support/error_text.h"
#include "tests/support/plugins.h"
#include "tests/support/quiet_host.h"
#include "tests/support/worlds.h"

namespace mortise::test {

/// A sensor whose values the test writes, and wrappers around it.
class WrapperBench : public testing::Test {
 protected:
  struct Wrapper {
    std::string name, type;
    std::unique_ptr<QuietHost> host;
    ComponentPtr<Sensor> sensor;
    std::vector<double> values;
  };

  /// The wrapped sensor "raw" with this many channels.
  void measure(std::size_t count, const CameraModel* camera = nullptr) {
    channels.clear();
    for (std::size_t i = 0; i < count; ++i) channels.push_back("c[" + std::to_string(i) + "]");
    raw.assign(count, 0);
    readings.clear();
    readings.reserve(16);
    readings.push_back({"raw", "RawSensor", channels, raw, camera});
  }
  static ComponentPtr<Sensor> create(Registry& registry, const std::string& type, const std::string& settings,
                                     Host& host) {
    const ComponentInfo& info = registry.require(Kind::sensor, type);
    Diagnostics diagnostics;
    const Value complete = registry.completeSettings(info, parseYaml(settings, "test.yaml"), diagnostics);
    diagnostics.throwIfErrors();
    return registry.create<Sensor>(info, complete, host);
  }
  /// A wrapper that later ones can wrap under its name.
  Wrapper wrap(const std::string& type, const std::string& settings, const std::string& name = "wrapper") {
    Wrapper wrapper{name, type, std::make_unique<QuietHost>(), nullptr, {}};
    wrapper.sensor = create(*registry, type, settings, *wrapper.host);
    wrapper.sensor->start({world, 0, period, readings});
    wrapper.values.assign(wrapper.sensor->channels().size(), -1);
    return wrapper;
  }
  void offer(const Wrapper& wrapper) {
    readings.push_back(
        {wrapper.name, wrapper.type, wrapper.sensor->channels(), wrapper.values, wrapper.sensor->camera()});
  }
  void read(Wrapper& wrapper, std::int64_t reading = 0) {
    SimulationView view;
    view.time = static_cast<double>(reading) * period;
    wrapper.sensor->simulate(view, period, wrapper.values);
  }
  static std::vector<std::byte> saved(const Wrapper& wrapper) {
    ByteWriter out;
    wrapper.sensor->save(out);
    out.put(wrapper.host->random().state());
    return out.bytes();
  }
  static void restore(Wrapper& wrapper, std::span<const std::byte> bytes) {
    ByteReader in(bytes);
    wrapper.sensor->restore(in);
    wrapper.host->random().setState(in.get<RandomStream::State>());
  }

  double period = 0.01;
  MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
  World world = smallWorld();
  std::vector<std::string> channels;
  std::vector<double> raw;
  std::vector<SensorReading> readings;
};

}  // namespace mortise::test
