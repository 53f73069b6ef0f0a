// Roles: components are found by what they do, in the order of the places that they come from.

#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "mortise/component/role.h"
#include "mortise/plugin/declaration_check.h"
#include "mortise/plugin/library.h"
#include "mortise/plugin/plugin.h"
#include "mortise/plugin/registry.h"
#include "mortise/plugin/side_car.h"
#include "tests/kernel/plugin/plugin_files.h"
#include "tests/support/plugins.h"
#include "tests/support/quiet_host.h"

namespace mortise {
namespace {

using test::errorOf;
using test::fixture;
using test::MemoryLog;
using test::replaceInFile;
using test::TemporaryFolder;

class Still final : public Controller {
 public:
  void start(const ControllerSetup&) override {}
  void update(const ControllerInput&, double, std::span<ActuatorCommand>) override {}
};

}  // namespace
}  // namespace mortise

MORTISE_PLUGIN_AS(mortise_test_standard_roles, __attribute__((visibility("hidden"))), "test_standard_roles", "1") {
  plugin.controller<mortise::Still>("standard.Still").summary("Is there by default.").role("default_controller");
}

namespace mortise {
namespace {

class Roles : public testing::Test {
 protected:
  std::string problems() const {
    std::string text;
    for (const Diagnostic& problem : registry.problems().all()) text += problem.format() + "\n";
    return text;
  }
  MemoryLog log;
  TemporaryFolder folder;
  Registry registry{log};
};

TEST(RoleTable, NamesEachRoleOnce) {
  for (const RoleInfo& role : roles()) {
    EXPECT_EQ(findRoleInfo(role.name), &role);
    EXPECT_FALSE(role.meaning.empty());
    EXPECT_EQ(role.name.find('.'), std::string_view::npos) << "names with a dot are those of others";
  }
  EXPECT_EQ(findRoleInfo("nothing"), nullptr);
}

TEST_F(Roles, StandInTheSideCarAndAreFoundWithoutOpeningTheLibrary) {
  const std::string library = folder.copyPlugin("kernel_only", "kernel_only");
  registry.addFolder(folder.path(), "test");
  registry.discover();
  EXPECT_EQ(problems(), "");
  const ComponentInfo& follower = registry.requireRole(role::kDefaultController);
  EXPECT_EQ(follower.name, "fixture.Follower");
  EXPECT_EQ(rolesOf(follower), (std::vector<std::string>{"default_controller", "motion_follower", "fixture.spare"}));
  EXPECT_EQ(nameInRole(follower, role::kDefaultController), "Follower");
  EXPECT_EQ(nameInRole(follower, role::kMotionFollower), "OtherFollower");
  EXPECT_EQ(registry.requireRole(role::kDefaultPositions).name, "fixture.Encoder");
  EXPECT_EQ(registry.requireRole("fixture.spare").name, "fixture.Follower") << "a role of one's own";
  EXPECT_TRUE(registry.loadedLibraries().empty());
  EXPECT_SAYS(readFile(folder / "kernel_only.mortise.yaml"), "default_joint_positions");
}

TEST_F(Roles, AreFoundInLibrariesWithoutASideCar) {
  folder.copyPlugin("kernel_only", "kernel_only", false);
  registry.addFolder(folder.path(), "test");
  registry.discover();
  EXPECT_EQ(registry.requireRole(role::kMotionFollower).name, "fixture.Follower");
}

TEST_F(Roles, OfTheFirstPlaceAreUsed) {
  registry.addBuiltIn(mortise_test_standard_roles);
  registry.discover();
  EXPECT_EQ(registry.requireRole(role::kDefaultController).name, "standard.Still");
  registry.addFile(fixture("kernel_only"));
  registry.discover();
  EXPECT_EQ(registry.requireRole(role::kDefaultController).name, "fixture.Follower");
  EXPECT_SAYS(problems(),
              "note: controller 'fixture.Follower' (--plugin) has the role 'default_controller' and is "
              "used for it, not 'standard.Still' (built-in)");
}

TEST_F(Roles, OfOnePlaceAreAnErrorWhenTheyAreNeeded) {
  // Another library of the same folder, whose components have other names.
  folder.copyPlugin("kernel_only", "first");
  folder.copyPlugin("kernel_only", "second");
  replaceInFile(folder / "second.mortise.yaml", "fixture.Follower", "second.Follower");
  registry.addFolder(folder.path(), "test");
  registry.discover();
  const auto said = errorOf([&] { registry.requireRole(role::kDefaultController, {"world.xml", 3, 1, {}}); });
  EXPECT_EQ(said.message,
            "several components of one folder have the role 'default_controller': fixture.Follower, second.Follower");
  EXPECT_EQ(said.where, "world.xml:3:1");
  EXPECT_SAYS(said.hint, "--plugin FILE");
  EXPECT_SAYS(problems(), "warning: several components of one folder have the role 'default_controller'");
  EXPECT_EQ(problems().find("'joint_positions'"), std::string::npos) << "any number of sensors may measure positions";
}

TEST_F(Roles, ThatNobodyHasSayWhereTheyWereLookedFor) {
  registry.addFolder(folder.path(), "test");
  registry.discover();
  EXPECT_EQ(registry.findRole(role::kPictureCamera), nullptr);
  const auto said = errorOf([&] { registry.requireRole(role::kPictureCamera); });
  EXPECT_SAYS(said.message, "no sensor has the role 'picture_camera'");
  EXPECT_SAYS(said.message, "looked in: " + folder.path() + " (test)");
}

TEST(RoleDeclarations, ThatCannotBeMeantAreFaults) {
  const Library& library = Library::open(fixture("misplaced_roles"));
  std::vector<std::string> faults;
  for (const ComponentInfo& info : describe(library).components)
    for (const std::string& fault : declarationFaults(info)) faults.push_back(fault);
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_SAYS(faults[0],
              "controller 'fixture.Misspelled' has the role 'default_controler', which no program asks for; "
              "did you mean 'default_controller'?");
  EXPECT_SAYS(faults[1], "has the role 'joint_positions', which is for components of kind sensor");
}

TEST(KernelAlone, IsEnoughForAPlugin) {
  // Its settings are bound by its own means, found by argument-dependent lookup.
  MemoryLog log;
  Registry registry(log);
  registry.addFile(fixture("kernel_only"));
  registry.discover();
  const ComponentInfo& info = registry.require(Kind::controller, "fixture.Follower");
  const Parameter* damping = info.schema.find("damping");
  ASSERT_NE(damping, nullptr);
  EXPECT_EQ(damping->defaultValue.asReal(), 2);
  Diagnostics diagnostics;
  test::QuietHost host;
  const Value settings = registry.completeSettings(info, Value::map(), diagnostics);
  EXPECT_NE(registry.create<Controller>(info, settings, host), nullptr);
  EXPECT_NE(
      registry.create<Sensor>(registry.require(Kind::sensor, "fixture.Encoder"), parseYaml("value: 1", "test"), host),
      nullptr);
}

}  // namespace
}  // namespace mortise
