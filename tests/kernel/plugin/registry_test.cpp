#include "mortise/plugin/registry.h"

#include <gtest/gtest.h>

#include "mortise/base/files.h"
#include "mortise/component/controller.h"
#include "mortise/component/sensor.h"
#include "mortise/plugin/plugin.h"
#include "mortise/plugin/side_car.h"
#include "tests/kernel/plugin/fixtures/still_controller.h"
#include "tests/kernel/plugin/plugin_files.h"
#include "tests/support/plugins.h"
#include "tests/support/quiet_host.h"

namespace mortise {
namespace {

using test::errorOf;
using test::fixture;
using test::mapped;
using test::MemoryLog;
using test::replaceInFile;
using test::TemporaryFolder;

/// Sets an environment variable for one test.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

class RegistryTest : public testing::Test {
 protected:
  bool hasProblem(Severity severity, const std::string& part) const {
    for (const auto& problem : registry.problems().all())
      if (problem.severity == severity && problem.format().find(part) != std::string::npos) return true;
    return false;
  }
  std::string problems() const {
    std::string text;
    for (const auto& problem : registry.problems().all()) text += problem.format() + "\n";
    return text;
  }
  const ComponentInfo& sound() const { return registry.require(Kind::controller, "fixture.Sound"); }
  ComponentPtr<Controller> create(const ComponentInfo& info, const Value& settings = Value::map()) {
    Diagnostics diagnostics;
    const Value complete = registry.completeSettings(info, settings, diagnostics);
    diagnostics.throwIfErrors();
    return registry.create<Controller>(info, complete, host);
  }

  MemoryLog log;
  test::QuietHost host;
  TemporaryFolder folder;
  Registry registry{log};
};

TEST_F(RegistryTest, KnowsComponentsWithoutOpeningTheirLibrary) {
  const std::string library = folder.copyPlugin("sound", "sound");
  registry.addFolder(folder.path(), "test");
  registry.discover();
  EXPECT_EQ(problems(), "");
  ASSERT_EQ(registry.components().size(), 1u);
  const ComponentInfo& info = sound();
  EXPECT_EQ(info.kind, Kind::controller);
  EXPECT_EQ(info.aliases, std::vector<std::string>{"SoundController"});
  EXPECT_EQ(info.library, library);
  EXPECT_EQ(info.package, "fixture_sound");
  EXPECT_EQ(info.version, "1.2.3");
  EXPECT_EQ(info.origin, "test");
  EXPECT_EQ(info.schema.find("torque")->defaultValue.asReal(), 0.5);
  EXPECT_EQ(registry.namesOf(Kind::controller), std::vector<std::string>{"fixture.Sound"});
  EXPECT_EQ(registry.find(Kind::controller, "SoundController"), &info);
  EXPECT_EQ(registry.find(Kind::sensor, "fixture.Sound"), nullptr);
  EXPECT_TRUE(registry.loadedLibraries().empty());
  EXPECT_FALSE(mapped(library));

  const auto controller = create(info);
  EXPECT_EQ(registry.loadedLibraries(), std::vector<std::string>{library});
  EXPECT_TRUE(mapped(library));
  ActuatorCommand command;
  controller->update({}, 0.01, {&command, 1});
  EXPECT_EQ(command.torque, 0.5);
}

TEST_F(RegistryTest, SettingsReachTheComponent) {
  folder.copyPlugin("sound", "sound");
  registry.addFolder(folder.path(), "test");
  registry.discover();
  Value settings = Value::map();
  settings.set("torque", "2 N*m");
  const auto controller = create(sound(), settings);
  ActuatorCommand command;
  controller->update({}, 0.01, {&command, 1});
  EXPECT_EQ(command.torque, 2);

  Diagnostics diagnostics;
  settings.set("torque", 11.0);
  settings.set("torqe", 1.0);
  registry.completeSettings(sound(), settings, diagnostics);
  EXPECT_EQ(diagnostics.errorCount(), 2);
}

TEST_F(RegistryTest, EarlierPlaceWinsAndShadowingIsReported) {
  const std::string first = folder.copyPlugin("sound", "first/sound");
  const std::string second = folder.copyPlugin("sound", "second/sound");
  const std::string file = folder.copyPlugin("sound", "file/sound");
  registry.addFolder(folder / "first", "one");
  registry.addFolder(folder / "second", "two");
  registry.discover();
  EXPECT_EQ(sound().library, first);
  ASSERT_EQ(registry.shadowed().size(), 1u);
  EXPECT_EQ(registry.shadowed()[0].hidden.library, second);
  EXPECT_EQ(registry.shadowed()[0].by, first);
  EXPECT_FALSE(registry.shadowed()[0].duplicate);
  EXPECT_TRUE(hasProblem(Severity::note, "is hidden by '" + first + "' (one)")) << problems();
  EXPECT_FALSE(registry.problems().hasErrors());

  // Files come before folders, also when they are added later; what was handed out stays valid.
  const ComponentInfo& before = sound();
  registry.addFile(file);
  registry.discover();
  EXPECT_EQ(sound().library, file);
  EXPECT_EQ(sound().origin, "--plugin");
  EXPECT_EQ(before.library, first);
  EXPECT_EQ(registry.shadowed().size(), 2u);
}

TEST_F(RegistryTest, SameNameTwiceInOneFolderIsAmbiguous) {
  const std::string a = folder.copyPlugin("sound", "a");
  const std::string b = folder.copyPlugin("sound", "b");
  registry.addFolder(folder.path(), "test");
  registry.discover();
  EXPECT_TRUE(hasProblem(Severity::warning, "offered by two libraries of the same folder: '" + a + "' and '" + b + "'"))
      << problems();
  ASSERT_EQ(registry.shadowed().size(), 1u);
  EXPECT_TRUE(registry.shadowed()[0].duplicate);
  const auto said = errorOf([&] { sound(); });
  EXPECT_SAYS(said.message, a + ", " + b);
  EXPECT_SAYS(said.hint, "--plugin FILE");
}

TEST_F(RegistryTest, NamingOneFileResolvesAnAmbiguity) {
  folder.copyPlugin("sound", "a");
  const std::string b = folder.copyPlugin("sound", "b");
  registry.addFolder(folder.path(), "test");
  registry.addFile(b);
  registry.discover();
  EXPECT_EQ(sound().library, b);
}

TEST_F(RegistryTest, LinkedLibraryCountsOnce) {
  const std::string real = folder.copyPlugin("sound", "real/sound");
  std::filesystem::create_directories(folder / "links");
  std::filesystem::create_symlink(real, folder / "links/sound.so");
  std::filesystem::create_symlink(real, folder / "links/again.so");
  registry.addFolder(folder / "links", "links");
  registry.addFolder(folder / "real", "real");
  registry.discover();
  EXPECT_EQ(problems(), "");
  ASSERT_EQ(registry.components().size(), 1u);
  EXPECT_EQ(sound().library, real);
  EXPECT_EQ(sound().origin, "links");
  EXPECT_TRUE(registry.shadowed().empty());
  ASSERT_EQ(registry.libraries().size(), 1u);
  EXPECT_EQ(registry.libraries()[0].shownAs, folder / "links/again.so");
  EXPECT_EQ(registry.libraries()[0].links,
            (std::vector<std::string>{folder / "links/again.so", folder / "links/sound.so"}));
  EXPECT_NE(create(sound()), nullptr);
}

TEST_F(RegistryTest, LinkedSideCarIsEnough) {
  const std::string real = folder.copyPlugin("sound", "real/sound");
  std::filesystem::create_directories(folder / "links");
  std::filesystem::create_symlink(folder / "real/sound.mortise.yaml", folder / "links/sound.mortise.yaml");
  registry.addFolder(folder / "links", "links");
  registry.discover();
  EXPECT_EQ(problems(), "");
  EXPECT_EQ(sound().library, real);
}

TEST_F(RegistryTest, BrokenLinksAndOrphansAreReported) {
  std::filesystem::create_symlink(folder / "gone.so", folder / "link.so");
  folder.write("orphan.mortise.yaml", readFile(sideCarPath(fixture("sound"))));
  folder.write("notes.txt", "not a plugin");
  registry.addFolder(folder.path(), "test");
  registry.discover();
  EXPECT_TRUE(hasProblem(Severity::warning, "link.so")) << problems();
  EXPECT_TRUE(hasProblem(Severity::warning, "describes 'orphan.so', which is not there")) << problems();
  EXPECT_EQ(registry.problems().all().size(), 2u);
  EXPECT_TRUE(registry.components().empty());
}

TEST_F(RegistryTest, MissingFolderIsReported) {
  registry.addFolder(folder / "nowhere", "MORTISE_PLUGIN_PATH");
  registry.discover();
  EXPECT_TRUE(hasProblem(Severity::warning, "No such file or directory")) << problems();
  EXPECT_TRUE(hasProblem(Severity::warning, "MORTISE_PLUGIN_PATH")) << problems();
}

TEST_F(RegistryTest, LibraryWithoutSideCarIsOpenedOnlyWhenNothingElseHasTheName) {
  const std::string plain = folder.copyPlugin("faulty_controllers", "plain", false);
  folder.copyPlugin("sound", "sound");
  registry.addFolder(folder.path(), "test");
  registry.discover();
  EXPECT_TRUE(hasProblem(Severity::warning, "has no side-car")) << problems();
  EXPECT_TRUE(hasProblem(Severity::warning, "mortise plugins describe '" + plain + "' --write")) << problems();
  EXPECT_EQ(registry.components().size(), 1u);
  sound();
  EXPECT_FALSE(mapped(plain));

  const auto& late = registry.require(Kind::controller, "fixture.ReturnsNan");
  EXPECT_EQ(late.library, plain);
  EXPECT_TRUE(mapped(plain));
  EXPECT_EQ(registry.loadedLibraries(), std::vector<std::string>{plain});
}

TEST_F(RegistryTest, LibraryNamedAsAFileNeedsNoSideCar) {
  const std::string plain = folder.copyPlugin("sound", "plain", false);
  registry.addFile(plain);
  registry.discover();
  EXPECT_EQ(problems(), "");
  EXPECT_EQ(sound().library, plain);
}

TEST_F(RegistryTest, StaleSideCarIsNotBelieved) {
  const std::string library = folder.copyPlugin("sound", "sound");
  std::filesystem::copy_file(sideCarPath(fixture("faulty_controllers")), sideCarPath(library),
                             std::filesystem::copy_options::overwrite_existing);
  registry.addFolder(folder.path(), "test");
  registry.discover();
  EXPECT_TRUE(registry.components().empty());
  EXPECT_TRUE(hasProblem(Severity::warning, "is stale: it describes another build of '" + library + "'")) << problems();
  EXPECT_TRUE(hasProblem(Severity::warning, "mortise plugins describe '" + library + "' --write")) << problems();
  EXPECT_FALSE(mapped(library));
  EXPECT_EQ(sound().library, library);  // Opened now, because nothing else has the name.
  EXPECT_TRUE(mapped(library));
}

TEST_F(RegistryTest, DamagedSideCarIsReportedWithPosition) {
  const std::string library = folder.copyPlugin("sound", "sound");
  replaceInFile(sideCarPath(library), "kind: controller", "kind: cook");
  registry.addFolder(folder.path(), "test");
  registry.discover();
  EXPECT_TRUE(hasProblem(Severity::warning, "sound.mortise.yaml:")) << problems();
  EXPECT_TRUE(hasProblem(Severity::warning, "'cook' is not a kind")) << problems();
}

TEST_F(RegistryTest, StrippedLibraryWorks) {
  const std::string library = folder.copyPlugin("sound", "sound");
  ASSERT_EQ(std::system(("strip --strip-all '" + library + "'").c_str()), 0);
  registry.addFolder(folder.path(), "test");
  registry.discover();
  EXPECT_EQ(problems(), "");
  EXPECT_NE(create(sound()), nullptr);
}

TEST_F(RegistryTest, AnotherAbiIsRefusedWithoutOpening) {
  const std::string library = folder.copyPlugin("sound", "sound");
  replaceInFile(sideCarPath(library), "eigen_max_align: 16", "eigen_max_align: 64");
  registry.addFolder(folder.path(), "test");
  registry.discover();
  EXPECT_TRUE(hasProblem(Severity::warning, "EIGEN_MAX_ALIGN_BYTES: this program has 16, the plugin has 64"))
      << problems();
  EXPECT_EQ(registry.find(Kind::controller, "fixture.Sound"), nullptr);
  const auto said = errorOf([&] { sound(); });
  EXPECT_SAYS(said.message, "'fixture.Sound' is in '" + library + "', but cannot be used");
  EXPECT_SAYS(said.message, "EIGEN_MAX_ALIGN_BYTES");
  EXPECT_FALSE(mapped(library));
}

TEST_F(RegistryTest, AnotherAbiOfANamedFileIsAnError) {
  registry.addFile(fixture("wrong_precision"));
  registry.discover();
  EXPECT_TRUE(registry.problems().hasErrors());
  EXPECT_TRUE(hasProblem(Severity::error, "scalar size")) << problems();
}

TEST_F(RegistryTest, AnotherInterfaceIsRefusedForThatComponentOnly) {
  folder.copyPlugin("wrong_interface", "wrong_interface", false);
  folder.copyPlugin("other_kinds_interface", "other", false);
  registry.addFolder(folder.path(), "test");
  registry.discover();
  EXPECT_EQ(registry.require(Kind::controller, "fixture.NotPhysics").package, "fixture");
  const auto said = errorOf([&] { registry.require(Kind::controller, "fixture.FromTheFuture"); });
  const int major = interfaceVersion(Kind::controller).major;
  EXPECT_SAYS(said.message, "interface 'controller': this program offers " + std::to_string(major) +
                                ".0, the plugin was built for " + std::to_string(major + 1) + ".0");
  EXPECT_SAYS(said.message, "update Mortise");
}

TEST_F(RegistryTest, SideCarThatPromisesTooMuchIsFoundOut) {
  const std::string library = folder.copyPlugin("sound", "sound");
  replaceInFile(sideCarPath(library), "name: fixture.Sound", "name: fixture.Louder");
  registry.addFolder(folder.path(), "test");
  registry.discover();
  const auto& info = registry.require(Kind::controller, "fixture.Louder");
  EXPECT_SAYS(errorOf([&] { create(info); }).message,
              "does not offer controller 'fixture.Louder', although its side-car says so");
}

TEST_F(RegistryTest, SideCarThatWasEditedIsFoundOutWhenTheLibraryIsOpened) {
  const std::string library = folder.copyPlugin("sound", "sound");
  replaceInFile(sideCarPath(library), "default: 0.5", "default: 0.6");
  registry.addFolder(folder.path(), "test");
  registry.discover();
  const auto& info = registry.require(Kind::controller, "fixture.Sound");
  EXPECT_SAYS(errorOf([&] { create(info); }).message,
              "describes controller 'fixture.Sound' otherwise than the library does (schema)");
}

TEST_F(RegistryTest, NamedFileThatIsMissingIsAnError) {
  registry.addFile(folder / "nothing.so");
  registry.discover();
  EXPECT_TRUE(hasProblem(Severity::error, "cannot be found: No such file or directory")) << problems();
}

TEST_F(RegistryTest, EveryBrokenLibraryIsReportedAndNoneStopsTheOthers) {
  const std::vector<std::pair<std::string, std::string>> broken = {
      {"missing_entry", "does not export 'mortise_plugin'"},
      {"entry_is_a_number", "is not a manifest"},
      {"manifest_too_small", "has a manifest of 24 bytes"},
      {"manifest_too_new", "has a manifest of version 2"},
      {"wrong_precision", "scalar size"},
      {"wrong_alignment", "EIGEN_MAX_ALIGN_BYTES"},
      {"throws_in_describe", "cannot read my own table"},
      {"declares_twice", "twice"},
      {"undefined_symbol", "nobodyDefinesThis"},
  };
  for (const auto& [name, text] : broken) folder.copyPlugin(name, name, false);
  folder.write("not_a_library.so",
               "just text, long enough to be looked at as a header by the loader: 0123456789abcdef");
  folder.copyPlugin("sound", "zzz", false);
  registry.addFolder(folder.path(), "test");
  registry.discover();
  EXPECT_EQ(registry.problems().all().size(), broken.size() + 2);
  EXPECT_EQ(sound().package, "fixture_sound");
  for (const auto& [name, text] : broken)
    EXPECT_TRUE(hasProblem(Severity::warning, text)) << name << "\n" << problems();
  EXPECT_TRUE(hasProblem(Severity::warning, "not_a_library.so' cannot be opened; the loader says: ")) << problems();
}

TEST_F(RegistryTest, UnknownNameSaysWhereItLookedWhatThereIsAndWhatIsNear) {
  folder.copyPlugin("sound", "sound");
  registry.addFolder(folder.path(), "test");
  registry.discover();
  const auto said = errorOf([&] { registry.require(Kind::controller, "fixture.Sond", {"world.xml", 4, 7, {}}); });
  EXPECT_EQ(said.where, "world.xml:4:7");
  EXPECT_SAYS(said.message, "there is no controller named 'fixture.Sond'");
  EXPECT_SAYS(said.message, "looked in: " + folder.path() + " (test)");
  EXPECT_SAYS(said.message, "available: SoundController");
  EXPECT_EQ(said.hint, "did you mean 'fixture.Sound'?");
  EXPECT_SAYS(errorOf([&] { registry.require(Kind::controller, "SoundControler"); }).hint, "'SoundController'");
  EXPECT_SAYS(errorOf([&] { registry.require(Kind::sensor, "fixture.Sound"); }).hint, "exists as a controller");
  EXPECT_SAYS(errorOf([&] { registry.require(Kind::sensor, "x"); }).hint, "mortise plugins list");
}

TEST_F(RegistryTest, CreateReportsWhatTheConstructorThrew) {
  registry.addFile(fixture("faulty_controllers"));
  registry.discover();
  const auto say = [&](const char* name) {
    const auto& info = registry.require(Kind::controller, name);
    Value settings = Value::map();
    settings.setPosition({"run.yaml", 3, 5, {}});
    return errorOf([&] { registry.create<Controller>(info, settings, host); });
  };
  const auto own = say("fixture.ThrowsInCreate");
  EXPECT_SAYS(own.message, "controller 'fixture.ThrowsInCreate' of '" + fixture("faulty_controllers") +
                               "' cannot be created: no socket to the motor driver");
  EXPECT_EQ(own.where, "run.yaml:3:5");
  const auto ours = say("fixture.ThrowsErrorInCreate");
  EXPECT_SAYS(ours.message, "'fixture.ThrowsErrorInCreate' cannot be created: gains of opposite sign");
  EXPECT_EQ(ours.where, "run.yaml:3:5");
  EXPECT_EQ(ours.hint, "give both the same sign");
}

TEST_F(RegistryTest, StandardFoldersComeInTheDocumentedOrder) {
  folder.copyPlugin("sound", "path1/sound");
  folder.copyPlugin("sound", "path2/sound");
  folder.copyPlugin("sound", "data/mortise/plugins/sound");
  const Environment path("MORTISE_PLUGIN_PATH", (folder / "path1") + "::" + (folder / "path2") + ":");
  const Environment data("XDG_DATA_HOME", folder / "data");
  registry.addStandardFolders();
  registry.discover();
  const auto& places = registry.placesSearched();
  ASSERT_GE(places.size(), 3u);
  EXPECT_EQ(places[0], folder / "path1 (MORTISE_PLUGIN_PATH)");
  EXPECT_EQ(places[1], folder / "path2 (MORTISE_PLUGIN_PATH)");
  EXPECT_EQ(places[2], folder / "data/mortise/plugins (user)");
  EXPECT_EQ(places[3], MORTISE_BINARY_DIR "/lib/mortise/plugins (install)");
  EXPECT_EQ(places.size(), 4u);
  EXPECT_EQ(sound().origin, "MORTISE_PLUGIN_PATH");
}

// Components linked into a program.
MORTISE_PLUGIN_AS(built_in_manifest, , "built_in", "0.0.1") {
  plugin.controller<fixture::StillController>("fixture.BuiltIn").alias("Shared").summary("Linked in.");
  plugin.controller<fixture::StillController>("fixture.Other").alias("Shared");
  plugin.controller<fixture::StillController>("fixture.Sound").summary("Comes last.");
}

MORTISE_PLUGIN_AS(alike_manifest, , "alike", "0.0.1") {
  plugin.controller<fixture::StillController>("one.StepStar");
  plugin.controller<fixture::StillController>("two.Stepstar").alias("Stepstar");
  plugin.controller<fixture::StillController>("two.Walk").alias("walk");
}

TEST_F(RegistryTest, BuiltInsComeLast) {
  folder.copyPlugin("sound", "sound");
  registry.addBuiltIn(built_in_manifest);
  registry.addFolder(folder.path(), "test");
  registry.discover();
  EXPECT_EQ(sound().origin, "test");
  EXPECT_EQ(registry.shadowed().size(), 1u);
  const auto& info = registry.require(Kind::controller, "fixture.BuiltIn");
  EXPECT_EQ(info.library, "built-in");
  EXPECT_NE(create(info), nullptr);
  EXPECT_EQ(registry.components().size(), 3u);
  EXPECT_TRUE(registry.loadedLibraries().empty());
}

TEST_F(RegistryTest, AliasOfSeveralComponentsIsAmbiguous) {
  registry.addBuiltIn(built_in_manifest);
  registry.discover();
  const auto said = errorOf([&] { registry.require(Kind::controller, "Shared", {"w.xml", 1, 1, {}}); });
  EXPECT_SAYS(said.message, "'Shared' is another name of several components");
  EXPECT_SAYS(said.message, "fixture.BuiltIn, fixture.Other");
  EXPECT_EQ(said.where, "w.xml:1:1");
  EXPECT_THROW(registry.find(Kind::controller, "Shared"), Error);
}

TEST_F(RegistryTest, TheLastPartOfANameIsEnoughWhereItIsTheOnlyOne) {
  registry.addBuiltIn(alike_manifest);
  registry.discover();
  EXPECT_EQ(registry.require(Kind::controller, "Walk").name, "two.Walk");
  EXPECT_EQ(registry.require(Kind::controller, "Stepstar").name, "two.Stepstar");
  EXPECT_EQ(registry.find(Kind::controller, "WALK"), nullptr);
  EXPECT_EQ(registry.find(Kind::planner, "Walk"), nullptr);
  const auto said = errorOf([&] { registry.require(Kind::controller, "StepStar", {"w.xml", 1, 1, {}}); });
  EXPECT_SAYS(said.message, "'StepStar' is ambiguous: one.StepStar, two.Stepstar");
  EXPECT_SAYS(said.hint, "write the full name");
}

TEST_F(RegistryTest, ComponentsAreSortedByKindAndName) {
  registry.addFile(fixture("faulty_controllers"));
  registry.addBuiltIn(built_in_manifest);
  registry.discover();
  const auto& list = registry.components();
  EXPECT_TRUE(std::is_sorted(list.begin(), list.end(), [](const auto& a, const auto& b) {
    return std::pair(a.kind, a.name) < std::pair(b.kind, b.name);
  }));
}

TEST_F(RegistryTest, WrongKindIsRefused) {
  folder.copyPlugin("sound", "sound");
  registry.addFolder(folder.path(), "test");
  registry.discover();
  EXPECT_SAYS(errorOf([&] { registry.create<Sensor>(sound(), Value::map(), host); }).message, "is not a sensor");
}

}  // namespace
}  // namespace mortise
