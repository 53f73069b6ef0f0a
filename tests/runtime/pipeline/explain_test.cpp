#include "mortise/pipeline/file/explain.h"

#include "support.h"
#include "tests/support/engines.h"

namespace mortise::test {
namespace {

class Explain : public PipelineTest {
 protected:
  std::string holder(const Pipeline& pipeline, const std::string& key) {
    for (const SettingLayer& layer : explainSetting(pipeline, *registry_, key).layers)
      if (layer.holds) return layer.name;
    return "nobody";
  }
};

TEST_F(Explain, NamesTheLayerThatHolds) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  const std::string file = write(
      "variables: {rate: 50 Hz}\n"
      "simulation: {backend: ode}\n"
      "components:\n  - {sensor: JointPositionSensor, name: q, rate: \"${rate}\"}\n"
      "stages:\n  - simulate: {duration: 1 s}\n");
  const Pipeline p = good(file);
  EXPECT_EQ(holder(p, "simulation.backend"), "pipeline");
  EXPECT_EQ(holder(p, "simulation.step"), "world");
  EXPECT_EQ(holder(p, "simulation.control_rate"), "default");
  EXPECT_EQ(holder(p, "simulation.settings.quick_step_w"), "plugin default (mortise.OdePhysics)");
  EXPECT_EQ(holder(p, "components.q.rate"), "pipeline");
  EXPECT_EQ(holder(p, "components.q.on_error"), "plugin default (mortise.JointPositionSensor)");
  EXPECT_EQ(holder(p, "stages.simulate.duration"), "pipeline");
  EXPECT_EQ(holder(p, "seed"), "default");

  const Pipeline changed = good(file, {"simulation.backend=bullet", "simulation.step=2 ms", "components.q.rate=7",
                                       "simulation.settings.erp=0.3", "stages.0.duration=3"});
  const SettingExplanation backend = explainSetting(changed, *registry_, "simulation.backend");
  EXPECT_EQ(backend.value.asString(), "bullet");
  ASSERT_EQ(backend.layers.size(), 4u);
  EXPECT_TRUE(backend.layers[0].holds);
  EXPECT_EQ(backend.layers[1].value.asString(), "ode");
  EXPECT_EQ(backend.layers[1].where, file + ":4:23");
  for (const char* key : {"simulation.step", "components.q.rate", "simulation.settings.erp", "stages.0.duration"})
    EXPECT_EQ(holder(changed, key), "--set") << key;
  EXPECT_EQ(explainSetting(changed, *registry_, "simulation.step").value.asReal(), 0.002);
}

TEST_F(Explain, ListsWhatIsBelow) {
  const Pipeline p = good(write("stages:\n  - simulate: {duration: 1 s}\n"));
  const SettingExplanation all = explainSetting(p, *registry_, "simulation");
  std::vector<std::string> keys;
  for (const auto& [key, value] : all.below) keys.push_back(key);
  EXPECT_EQ(keys.front(), "simulation.backend");
  EXPECT_NE(std::find(keys.begin(), keys.end(), "simulation.settings.iterations"), keys.end());
}

TEST_F(Explain, KnowsAliases) {
  MORTISE_NEEDS_ENGINES("ode");
  // The file writes the aliases of both settings; the questions are by name and by alias.
  const std::string file = write(
      "simulation: {backend: ode, settings: {frictionModel: klampt}}\n"
      "stages:\n  - simulate: {duration: 1 s, start: [0.5, 0, 0, 0, 0, 0]}\n");
  const Pipeline p = good(file);
  for (const char* asked : {"simulation.settings.friction_model", "simulation.settings.frictionModel"}) {
    const SettingExplanation model = explainSetting(p, *registry_, asked);
    EXPECT_EQ(model.key, "simulation.settings.friction_model");
    EXPECT_EQ(model.alias, std::string(asked).ends_with("frictionModel") ? "frictionModel" : "");
    EXPECT_EQ(model.value.asString(), "klampt");
    ASSERT_EQ(model.layers.size(), 4u);
    EXPECT_TRUE(model.layers[1].holds);
    EXPECT_EQ(model.layers[1].alias, "frictionModel");
    EXPECT_EQ(model.layers[3].value.asString(), "coulomb");
  }
  const SettingExplanation start = explainSetting(p, *registry_, "stages.simulate.start");
  EXPECT_EQ(start.key, "stages.0.simulate.config");
  EXPECT_EQ(start.alias, "start");
  EXPECT_EQ(holder(p, "stages.simulate.config"), "pipeline");

  const Pipeline changed = good(file, {"simulation.settings.frictionModel=klampt"});
  EXPECT_EQ(holder(changed, "simulation.settings.friction_model"), "--set");
  EXPECT_EQ(holder(changed, "simulation.settings.frictionModel"), "--set");
}

TEST_F(Explain, KnowsFormerNames) {
  writeFile(path("arm.path"), "0\t6\t0 0 0 0 0 0\n1\t6\t0 0.2 0.1 0 0 0\n");
  const Pipeline p = good(write("stages:\n  - smooth: {path: arm.path, tolerance: 0.001}\n"));
  const SettingExplanation tolerance = explainSetting(p, *registry_, "stages.smooth.goal_tolerance");
  EXPECT_EQ(tolerance.value.asReal(), 0.001);
  EXPECT_EQ(holder(p, "stages.smooth.goal_tolerance"), "pipeline");
}

TEST_F(Explain, UnknownKeysGetTheNearest) {
  const Pipeline p = good(write("stages:\n  - simulate: {duration: 1 s}\n"));
  for (const auto& [key, near] :
       std::vector<std::pair<std::string, std::string>>{{"simulaton.backend", "simulation"},
                                                        {"simulation.bakcend", "backend"},
                                                        {"stages.simulate.duratoin", "duration"}}) {
    try {
      explainSetting(p, *registry_, key);
      FAIL() << key;
    } catch (const Error& error) {
      EXPECT_EQ(error.hint(), "did you mean '" + near + "'?") << key;
    }
  }
  EXPECT_THROW(explainSetting(p, *registry_, "file"), Error);
  EXPECT_THROW(explainSetting(p, *registry_, ""), Error);
}

}  // namespace
}  // namespace mortise::test
