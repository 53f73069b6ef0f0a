#include <gtest/gtest.h>

#include "mortise/plugin/library.h"
#include "mortise/plugin/plugin.h"
#include "tests/kernel/plugin/fixtures/still_controller.h"
#include "tests/kernel/plugin/plugin_files.h"
#include "tests/support/quiet_host.h"

namespace mortise {
namespace {

using fixture::StillController;

/// Reads everything; what matters here is how it declares itself.
class NullFormat final : public FileFormat {};

TEST(PluginBuilder, KeepsWhatIsSaid) {
  PluginBuilder plugin;
  plugin.controller<StillController>("acme.Still")
      .alias("Still")
      .summary("Does nothing.")
      .documentation("At length.")
      .parameter("gain", 2.0, "Of nothing.", {.min = 0})
      .parameter("file", ParameterType::string, "Needed.", {.required = true})
      .attribute("speed", 3);
  plugin.format<NullFormat>("acme.Null")
      .extensions({"nul"})
      .reads({FileContent::geometry, FileContent::rigidObject})
      .writes({FileContent::geometry})
      .allowOtherKeys();
  ASSERT_EQ(plugin.declarations().size(), 2u);
  const auto& still = plugin.declarations()[0];
  EXPECT_EQ(still.kind, Kind::controller);
  EXPECT_EQ(still.name, "acme.Still");
  EXPECT_EQ(still.aliases, std::vector<std::string>{"Still"});
  EXPECT_EQ(still.summary, "Does nothing.");
  EXPECT_EQ(still.documentation, "At length.");
  ASSERT_EQ(still.schema.parameters().size(), 2u);
  EXPECT_EQ(still.schema.parameters()[0].defaultValue.asReal(), 2.0);
  EXPECT_TRUE(still.schema.parameters()[1].options.required);
  EXPECT_EQ(still.attributes.integer("speed", 0), 3);
  const auto& format = plugin.declarations()[1];
  EXPECT_EQ(format.kind, Kind::format);
  EXPECT_EQ(format.attributes.at("extensions").asStrings(), std::vector<std::string>{"nul"});
  EXPECT_EQ(format.attributes.at("reads").asStrings(), (std::vector<std::string>{"geometry", "rigid_object"}));
  EXPECT_TRUE(format.schema.otherKeysAllowed());
}

TEST(PluginBuilder, CreatesAndDestroysThroughTheInterface) {
  static int alive = 0;
  struct Counted final : StillController {
    Counted() { ++alive; }
    ~Counted() override { --alive; }
  };
  PluginBuilder plugin;
  plugin.controller<Counted>("acme.Counted");
  test::QuietHost host;
  const Value settings = Value::map();
  const auto& declaration = plugin.declarations()[0];
  auto* controller = static_cast<Controller*>(declaration.create(ComponentContext{settings, host}));
  EXPECT_EQ(alive, 1);
  EXPECT_TRUE(controller->commands().empty());
  declaration.destroy(controller);
  EXPECT_EQ(alive, 0);
}

TEST(PluginBuilder, RefusesNamesThatNoFileCouldWrite) {
  for (const char* name : {"", "acme.", ".Still", "acme..Still", "two words", "a/b", "na\nme"}) {
    PluginBuilder plugin;
    EXPECT_THROW(plugin.controller<StillController>(name), Error) << name;
    EXPECT_THROW(plugin.controller<StillController>("acme.Still").alias(name), Error) << name;
  }
}

TEST(PluginBuilder, OnlyOtherNamesMayHaveStarsAndColons) {
  PluginBuilder plugin;
  plugin.controller<StillController>("acme.Still").alias("ompl:rrt*");
  EXPECT_EQ(plugin.declarations().front().aliases, std::vector<std::string>{"ompl:rrt*"});
  EXPECT_THROW(plugin.controller<StillController>("acme.rrt*"), Error);
  EXPECT_THROW(plugin.controller<StillController>("acme:rrt"), Error);
}

TEST(PluginBuilder, RefusesTheSameNameTwiceInOneKind) {
  PluginBuilder plugin;
  plugin.controller<StillController>("acme.Still");
  EXPECT_THROW(plugin.controller<StillController>("acme.Still"), Error);
  EXPECT_NO_THROW(plugin.format<NullFormat>("acme.Still"));
}

TEST(Manifest, RefusesAnythingElse) {
  const char zeros[sizeof(MortisePluginManifest)] = {};
  EXPECT_SAYS(test::errorOf([&] { acceptManifest(zeros, sizeof(zeros), "it"); }).message, "is not a manifest");
}

}  // namespace
}  // namespace mortise
