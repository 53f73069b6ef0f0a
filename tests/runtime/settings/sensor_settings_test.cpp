// Every setting of every sensor changes what it measures, or stands here with the reason why it does not.

#include <map>

#include "mortise/base/value_text.h"
#include "tests/runtime/settings/support.h"
#include "tests/support/engines.h"

namespace mortise::test {
namespace {

/// A sensor that is set up so that its settings have something to act on.
struct Instrument {
  const char* type;
  const char* settings;  ///< YAML.
  /// YAML of another value; "-" and why for settings that change nothing here. Others get what their schema allows.
  std::map<std::string, std::string> others = {};
};

const char* kDown = "[1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0.1, -0.1]";  ///< A frame that looks down.
const char* kMoved = "[0, 0, 1, 0, 1, 0, -1, 0, 0, 0.1, 0.05, 0.02]";
const char* kThreads = "- Results are the same with any number of threads.";
const char* kShapes = "- Bodies of a world that comes from no file are seen as they collide.";
const char* kPoints = "- It is the size of the points of point clouds, of which the world has none.";

const char* kNear = "- Depths are as they are; recorders and clouds of points leave out what is nearer.";

std::string withFrame(const std::string& settings) {
  return "{t_sensor: " + std::string(kDown) + ", " + settings + "}";
}

const std::vector<Instrument>& instruments() {
  static const std::string camera = withFrame("link: 1, xres: 8, yres: 6, zmin: 0.1");
  // Sees the table from the side, where the floor stands for the terrain.
  static const std::string tracer =
      "{link: -1, t_sensor: [0.768221, 0.261800, -0.584206, 0.640184, -0.314160, 0.701047, -0.000000, -0.912559, "
      "-0.408944, 1.700000, -1.200000, 1.000000], xres: 16, yres: 12, samples: 2, "
      "floor_height: 0, hidden_terrains: [0], floor_reach: 1, grid_cell: 0.1, link_objects: [10], link_numbers: [0]}";
  static const std::string laser =
      withFrame("link: 1, measurement_count: 8, y_sweep_magnitude: 0.2, x_sweep_period: 0.35, y_sweep_period: 0.35");
  static const std::vector<Instrument> all = {
      {"Accelerometer",
       "{link: 1, has_axis: [true, true, false]}",
       {{"link", "2"}, {"t_sensor", kMoved}, {"has_axis", "[true, true, true]"}, {"accel_variance", "[1, 1, 1]"}}},
      {"IMUSensor",
       "{link: 1, has_axis: [true, true, false], has_rotation: true, has_ang_vel: true, has_ang_accel: true}",
       {{"link", "2"},
        {"t_sensor", kMoved},
        {"has_axis", "[true, true, true]"},
        {"accel_variance", "[1, 1, 1]"},
        {"rotation_variance", "[1, 0, 0, 0, 1, 0, 0, 0, 1]"},
        {"ang_vel_variance", "[1, 0, 0, 0, 1, 0, 0, 0, 1]"},
        {"ang_accel_variance", "[1, 0, 0, 0, 1, 0, 0, 0, 1]"}}},
      {"GyroSensor",
       "{link: 1, has_rotation: true, has_ang_vel: true, has_ang_accel: true}",
       {{"link", "2"},
        {"rotation_variance", "[1, 0, 0, 0, 1, 0, 0, 0, 1]"},
        {"ang_vel_variance", "[1, 0, 0, 0, 1, 0, 0, 0, 1]"},
        {"ang_accel_variance", "[1, 0, 0, 0, 1, 0, 0, 0, 1]"}}},
      {"TiltSensor",
       "{link: 1, has_velocity: true}",
       {{"link", "2"},
        {"reference_dir", "[1, 0, 1]"},
        {"r_sensor", "[0, 0, 1, 0, 1, 0, -1, 0, 0]"},
        {"has_axis", "[true, true, true]"},
        {"resolution", "[0.5, 0.5, 0.5]"},
        {"variance", "[1, 1, 1]"}}},
      {"ForceTorqueSensor",
       "{link: 1, has_force: [true, true, true], has_torque: [true, true, true]}",
       {{"link", "2"},
        {"local_pos", "[0.1, 0.1, 0]"},
        {"has_force", "[true, false, true]"},
        {"has_torque", "[true, false, true]"},
        {"f_variance", "[1, 1, 1]"},
        {"t_variance", "[1, 1, 1]"}}},
      {"JointPositionSensor",
       "{}",
       {{"indices", "[0]"}, {"qvariance", "[1, 1, 1]"}, {"qresolution", "[0.5, 0.5, 0.5]"}}},
      {"JointVelocitySensor",
       "{}",
       {{"indices", "[0]"}, {"dqvariance", "[1, 1, 1]"}, {"dqresolution", "[0.5, 0.5, 0.5]"}}},
      {"DriverTorqueSensor",
       "{}",
       {{"indices", "[0]"}, {"tvariance", "[1, 1, 1]"}, {"tresolution", "[0.5, 0.5, 0.5]"}}},
      {"CorruptedSensor", "{of: q}", {{"of", "dq"}, {"variance", "[1, 1, 1]"}, {"resolution", "[0.5, 0.5, 0.5]"}}},
      {"FilteredSensor", "{of: q, smoothing: 0.9}", {{"of", "dq"}, {"initial", "[1, 2, 3]"}}},
      {"TimeDelayedSensor",
       "{of: q, delay: 0.02}",
       {{"of", "dq"},
        {"jitter", "0.05"},
        {"initial", "- Values come in within 0.1 s; before, these are what it shows."}}},
      {"TransformedSensor",
       "{of: q}",
       {{"of", "dq"},
        {"scale", "[2, 2, 2]"},
        {"bias", "[1, 1, 1]"},
        {"minimum", "[1, 1, 1]"},
        {"maximum", "[-1, -1, -1]"}}},
      {"ContactSensor",
       "{link: 0, t_sensor: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0.03], patch_min: [-0.3, -0.1], patch_max: [0.3, 0.1], "
       "patch_tolerance: 0.02, has_force: [true, true, true]}",
       {{"link", "2"},
        {"t_sensor", "[1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0.5]"},
        {"patch_min", "[0.29, -0.1]"},
        {"patch_max", "[-0.29, 0.1]"},
        {"patch_tolerance", "1e-9"},
        {"has_force", "[true, false, true]"},
        {"f_resolution", "[3, 3, 3]"},
        {"f_variance", "[1, 1, 1]"},
        {"f_sensitivity", "1000"},
        {"f_saturation", "[0.01, 0.01, 0.01]"}}},
      {"PathTracedCamera",
       tracer.c_str(),
       {{"link", "1"},
        {"t_sensor", kMoved},
        {"xres", "13"},
        {"yres", "11"},
        {"fx", "20"},
        {"fy", "20"},
        {"cx", "1"},
        {"cy", "1"},
        {"column", "3"},
        {"row", "2"},
        {"shapes", kShapes},
        {"samples", "3"},
        {"bounces", "2"},
        {"floor_center", "[1, 1]"},
        {"floor_reach", "2"},
        {"grid_cell", "0.05"},
        {"sky_color", "[1, 0, 0]"},
        {"hidden_terrains", "[]"},
        {"link_objects", "[11]"},
        {"link_numbers", "[1]"},
        {"point_radius", kPoints},
        {"threads", kThreads}}},
      {"CameraSensor",
       camera.c_str(),
       {{"link", "2"},
        {"t_sensor", kMoved},
        {"xres", "9"},
        {"yres", "7"},
        {"zmin", kNear},
        {"zmax", "0.3"},
        {"zvariance_linear", "0.1"},
        {"zvariance_constant", "0.1"},
        {"zresolution", "0.5"},
        {"fx", "20"},
        {"fy", "20"},
        {"cx", "1"},
        {"cy", "1"},
        {"point_radius", kPoints},
        {"shapes", kShapes},
        {"threads", kThreads}}},
      {"LaserRangeSensor",
       laser.c_str(),
       {{"link", "2"},
        {"t_sensor", kMoved},
        {"depth_minimum", "2"},
        {"depth_maximum", "0.3"},
        {"depth_variance_linear", "0.1"},
        {"depth_variance_constant", "0.1"},
        {"depth_resolution", "0.5"},
        {"x_sweep_period", "0.2"},
        {"y_sweep_period", "0.2"},
        {"x_sweep_type", "sinusoid"},
        {"y_sweep_type", "sawtooth"},
        {"point_radius", kPoints},
        {"threads", kThreads}}},
  };
  return all;
}

/// What it measures after 0.1 s, channel by channel.
std::string measured(const char* type, const Value& settings) {
  static const World world = busyWorld();
  NullLog log;
  SimulationOptions options;
  for (const char* each : {"JointPositionSensor", "JointVelocitySensor"}) {
    ComponentOptions source;
    source.kind = Kind::sensor;
    source.type = each;
    source.name = each == std::string("JointPositionSensor") ? "q" : "dq";
    options.components.push_back(source);
  }
  ComponentOptions sensor;
  sensor.kind = Kind::sensor;
  sensor.type = type;
  sensor.name = "tried";
  sensor.settings = settings;
  options.components.push_back(sensor);
  try {
    Simulation simulation(world, settingsRegistry(), nullptr, log, options);
    simulation.advance(0.1);
    std::string text;
    for (const SensorReading& reading : simulation.sensorReadings(0)) {
      if (reading.name != "tried") continue;
      for (std::size_t i = 0; i < reading.values.size(); ++i)
        text += reading.channels[i] + "=" + formatReal(reading.values[i]) + " ";
    }
    return text;
  } catch (const Error& error) {
    return std::string("refused: ") + error.what();
  }
}

TEST(SensorSettings, DoWhatTheySay) {
  MORTISE_NEEDS_PLUGIN("sensors");
  for (const Instrument& instrument : instruments()) {
    const ComponentInfo* info = settingsRegistry().find(Kind::sensor, instrument.type);
    if (info == nullptr) continue;  // Cameras and lasers, where there is no Embree.
    const Value base = parseYaml(instrument.settings, "base");
    const std::string before = measured(instrument.type, base);
    ASSERT_FALSE(before.empty() || before.starts_with("refused")) << instrument.type << ": " << before;
    for (const Parameter& parameter : info->schema.parameters()) {
      const auto other = instrument.others.find(parameter.name);
      if (other != instrument.others.end() && other->second.starts_with("- ")) continue;
      std::vector<Value> values = otherValues(parameter);
      if (other != instrument.others.end())
        values = {parseYaml(other->second, "other")};
      else if (const Value* chosen = base.find(parameter.name); chosen != nullptr && chosen->isBool())
        values = {Value(!chosen->asBool())};
      bool does = false;
      std::string after;
      for (const Value& value : values) {
        Value settings = base;
        settings.set(parameter.name, value);
        after = measured(instrument.type, settings);
        does = does || (after != before && !after.starts_with("refused"));
      }
      EXPECT_TRUE(does) << instrument.type << "." << parameter.name << " changes nothing: " << before << "\n" << after;
    }
  }
}

/// Whoever adds a sensor adds a row.
TEST(SensorSettings, AreTriedOfEverySensor) {
  for (const ComponentInfo& info : settingsRegistry().components()) {
    if (info.kind != Kind::sensor || !info.name.starts_with("mortise.")) continue;
    const bool tried = std::any_of(instruments().begin(), instruments().end(), [&](const Instrument& each) {
      return settingsRegistry().find(Kind::sensor, each.type) == &info;
    });
    EXPECT_TRUE(tried) << info.name;
  }
}

}  // namespace
}  // namespace mortise::test
