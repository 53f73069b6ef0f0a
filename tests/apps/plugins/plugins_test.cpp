#include <gtest/gtest.h>

#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/plugin/side_car.h"
#include "tests/kernel/plugin/plugin_files.h"
#include "tests/support/engines.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

const std::string kPlugins = MORTISE_BINARY_DIR "/lib/mortise/plugins";

const Value* byName(const Value& list, const std::string& name) {
  for (const auto& item : list.items())
    if (item.string("name", {}) == name) return &item;
  return nullptr;
}

TEST(PluginsList, HasTheFixedKeys) {
  TemporaryFolder folder;
  const std::string library = folder.copyPlugin("sound", "sound");
  const Ran ran = runMortise({"plugins", "list", "--json"}, {"MORTISE_PLUGIN_PATH=" + folder.path()});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  const Value list = parseYaml(ran.out, "list");
  const Value* sound = byName(list, "fixture.Sound");
  ASSERT_NE(sound, nullptr) << ran.out;
  std::vector<std::string> keys;
  for (const auto& entry : sound->entries()) keys.push_back(entry.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"kind", "name", "aliases", "library", "version", "summary"}));
  EXPECT_EQ(sound->at("kind").asString(), "controller");
  EXPECT_EQ(sound->at("aliases").asStrings(), std::vector<std::string>{"SoundController"});
  EXPECT_EQ(sound->at("library").asString(), library);
  EXPECT_EQ(sound->at("version").asString(), "1.2.3");
  EXPECT_NE(byName(list, "mortise.JointTrackingController"), nullptr);
}

TEST(PluginsList, OpensNoPluginLibrary) {
  TemporaryFolder folder;
  folder.copyPlugin("sound", "sound");
  folder.copyPlugin("faulty_controllers", "no_side_car", false);
  // The dynamic loader itself tells which files it opens.
  const Ran ran = runMortise({"plugins", "list"}, {"LD_DEBUG=files", "MORTISE_PLUGIN_PATH=" + folder.path()});
  EXPECT_EQ(ran.exitCode, 0);
  EXPECT_SAYS(ran.out, "fixture.Sound");
  EXPECT_SAYS(ran.err, "libmortise_kernel.so");
  std::istringstream lines(ran.err);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("warning") != std::string::npos || line.find("hint") != std::string::npos) continue;
    EXPECT_EQ(line.find(kPlugins), std::string::npos) << line;
    EXPECT_EQ(line.find(folder.path()), std::string::npos) << line;
  }
  // The same method does notice a library that is opened.
  const Ran opened = runMortise({"plugins", "describe", fixture("sound")}, {"LD_DEBUG=files"});
  EXPECT_SAYS(opened.err, "calling init: " + fixture("sound"));
}

TEST(PluginsList, ShowsOneKind) {
  const Ran ran = runMortise({"plugins", "list", "--kind", "sensor"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_SAYS(ran.out, "mortise.JointPositionSensor");
  EXPECT_EQ(ran.out.find("JointTrackingController"), std::string::npos);
  EXPECT_EQ(runMortise({"plugins", "list", "--kind", "sensr"}).exitCode, 2);
}

TEST(PluginsList, TakesFilesAndFolders) {
  TemporaryFolder folder;
  folder.copyPlugin("sound", "sound");
  EXPECT_SAYS(runMortise({"plugins", "list", "--plugin-path", folder.path()}).out, "fixture.Sound");
  EXPECT_SAYS(runMortise({"plugins", "list", "--plugin=" + fixture("sound")}).out, "fixture.Sound");
  const Ran refused = runMortise({"plugins", "list", "--plugin", fixture("wrong_alignment")});
  EXPECT_EQ(refused.exitCode, 1);
  EXPECT_SAYS(refused.err, "EIGEN_MAX_ALIGN_BYTES");
}

TEST(PluginsInfo, ExplainsAComponent) {
  const Ran ran = runMortise({"plugins", "info", "SoundController", "--plugin", fixture("sound")});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_SAYS(ran.out, "fixture.Sound (controller)");
  EXPECT_SAYS(ran.out, "fixture_sound 1.2.3");
  EXPECT_SAYS(ran.out, "torque: real, N*m, default 0.5, -10 to 10");
  EXPECT_SAYS(ran.out, "one of: none, some");
  EXPECT_SAYS(ran.out, "Next to these, what every controller takes:");
  EXPECT_SAYS(ran.out, "  on_error: string, default \"stop\", one of: stop, hold, disable");
  const Ran json = runMortise({"plugins", "info", "fixture.Sound", "--json", "--plugin", fixture("sound")});
  EXPECT_EQ(parseYaml(json.out, "info")[0].at("package").asString(), "fixture_sound");
  const Ran near = runMortise({"plugins", "info", "JointPositionSensr"});
  EXPECT_EQ(near.exitCode, 1);
  EXPECT_SAYS(near.err, "did you mean 'JointPositionSensor'?");
}

TEST(PluginsInfo, SaysWhatAPhysicsBackendCanDo) {
  EXPECT_SAYS(runMortise({"plugins", "info", "kinematic"}).out, "  restitution       no\n");
  const Ran json = runMortise({"plugins", "info", "kinematic", "--json"});
  const Value capabilities = parseYaml(json.out, "info")[0].at("capabilities");
  EXPECT_FALSE(capabilities.at("dynamics").asBool());
  EXPECT_EQ(capabilities.at("restore").asString(), "bitwise");
}

TEST(PluginsInfo, ShortNamesOfSeveralPlannersAreAmbiguous) {
  MORTISE_NEEDS_PLUGIN("planners_ompl");
  const Ran ran = runMortise({"plugins", "info", "RRTStar"});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_SAYS(ran.err, "'RRTStar' is ambiguous: mortise.RRTStar, ompl.RRTstar");
  EXPECT_SAYS(runMortise({"plugins", "info", "FMMStar"}).out, "mortise.FMMStar (planner)");
}

TEST(PluginsDescribe, WritesTheSideCar) {
  TemporaryFolder folder;
  const std::string library = folder.copyPlugin("sound", "sound", false);
  const Ran printed = runMortise({"plugins", "describe", library});
  EXPECT_EQ(printed.exitCode, 0) << printed.err;
  EXPECT_FALSE(std::filesystem::exists(sideCarPath(library)));
  const Ran written = runMortise({"plugins", "describe", library, "--write"});
  EXPECT_EQ(written.exitCode, 0) << written.err;
  EXPECT_EQ(written.out, "");
  EXPECT_SAYS(written.err, "wrote " + sideCarPath(library));
  EXPECT_EQ(readFile(sideCarPath(library)), printed.out);
  EXPECT_EQ(runMortise({"plugins", "describe", library, "--write", "--quiet"}).err, "");
  EXPECT_EQ(staleness(readSideCar(sideCarPath(library)), library), "");
}

TEST(PluginsDescribe, RefusesWhatCannotBeUsed) {
  const Ran ran = runMortise({"plugins", "describe", fixture("wrong_interface")});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_SAYS(ran.err, "interface 'controller'");
}

TEST(PluginsDoctor, FindsNothingWrongWithThisBuild) {
  const Ran ran = runMortise({"plugins", "doctor"});
  EXPECT_EQ(ran.exitCode, 0) << ran.out << ran.err;
  EXPECT_SAYS(ran.out, " 0 broken, 0 with warnings");
}

#if defined(__SANITIZE_ADDRESS__)
constexpr const char* kCrash = "AddressSanitizer";  // Catches the signal and reports in its own words.
#else
constexpr const char* kCrash = "it crashes when it is opened: signal 11";
#endif

TEST(PluginsDoctor, DiagnosesEveryBrokenLibrary) {
  const std::vector<std::pair<std::string, std::string>> broken = {
      {"missing_entry", "does not export 'mortise_plugin'"},
      {"entry_is_a_number", "is not a manifest"},
      {"manifest_too_small", "has a manifest of 24 bytes"},
      {"manifest_too_new", "has a manifest of version 2"},
      {"wrong_interface", "interface 'controller'"},
      {"wrong_precision", "scalar size"},
      {"wrong_alignment", "EIGEN_MAX_ALIGN_BYTES"},
      {"throws_in_describe", "cannot read my own table"},
      {"declares_twice", "twice"},
      {"undefined_symbol", "nobodyDefinesThis"},
      {"crashes_on_load", kCrash},
      {"exits_on_load", "opening it ends the process"},
  };
  for (const auto& [name, text] : broken) {
    const Ran ran = runMortise({"plugins", "doctor", fixture(name)});
    EXPECT_EQ(ran.signal, 0) << name;
    EXPECT_EQ(ran.exitCode, 1) << name << ran.out << ran.err;
    EXPECT_SAYS(ran.out, "broken: ");
    EXPECT_SAYS(ran.out, text);
    EXPECT_SAYS(ran.out, "1 libraries, 1 broken");
  }
}

TEST(PluginsDoctor, WarnsOfSymbolsThatAreExported) {
  const Ran ran = runMortise({"plugins", "doctor", fixture("exports_more")});
  EXPECT_EQ(ran.exitCode, 0) << ran.out << ran.err;
  EXPECT_SAYS(ran.out, "warning: it exports ");
  EXPECT_SAYS(ran.out, "fixtureHelper");
}

TEST(PluginsDoctor, WarnsOfLibrariesThatWriteToStdout) {
  const Ran ran = runMortise({"plugins", "doctor", fixture("talks_on_load")});
  EXPECT_EQ(ran.exitCode, 0) << ran.out << ran.err;
  EXPECT_SAYS(ran.out, "warning: it writes to stdout when it is opened, where results go: {hello from a plugin");
  EXPECT_SAYS(ran.out, "opens: fixture 1.0.0, 1 components");
}

TEST(PluginsDoctor, ReportsStaleShadowedDuplicateAndLinkedLibraries) {
  TemporaryFolder folder;
  const std::string stale = folder.copyPlugin("sound", "one/stale");
  std::filesystem::copy_file(sideCarPath(fixture("faulty_controllers")), sideCarPath(stale),
                             std::filesystem::copy_options::overwrite_existing);
  folder.copyPlugin("faulty_controllers", "one/good");
  const std::string hidden = folder.copyPlugin("faulty_controllers", "two/hidden");
  const std::string twin = folder.copyPlugin("faulty_controllers", "two/twin");
  std::filesystem::create_symlink(hidden, folder / "two/link.so");
  const Ran ran =
      runMortise({"plugins", "doctor", "--json"}, {"MORTISE_PLUGIN_PATH=" + (folder / "one") + ":" + (folder / "two")});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_SAYS(ran.out, "its side-car manifest is stale");
  EXPECT_SAYS(ran.out, "run: mortise plugins describe '" + stale + "' --write");
  EXPECT_SAYS(ran.out, "is hidden by '" + (folder / "one/good.so") + "', which comes earlier");
  const Value reports = parseYaml(ran.out, "doctor");
  int found = 0;
  for (const auto& report : reports.items()) {
    const std::string library = report.at("library").asString();
    found += library == hidden;
    if (library == stale) {
      EXPECT_EQ(report.at("status").asString(), "broken");
    }
    if (library == hidden || library == twin || library == folder / "one/good.so") {
      EXPECT_EQ(report.at("status").asString(), "ok") << library << ran.out;
    }
  }
  EXPECT_EQ(found, 1) << "a linked library counts once";
  EXPECT_SAYS(ran.out, "found through the link " + (folder / "two/link.so"));

  const Ran twins = runMortise({"plugins", "doctor"}, {"MORTISE_PLUGIN_PATH=" + (folder / "two")});
  EXPECT_EQ(twins.exitCode, 1);
  EXPECT_SAYS(twins.out, "is also offered by '" + hidden + "' in the same folder");
}

TEST(PluginsDoctor, ComparesTheSideCarWithTheLibrary) {
  TemporaryFolder folder;
  const std::string library = folder.copyPlugin("sound", "sound");
  replaceInFile(sideCarPath(library), "default: 0.5", "default: 0.6");
  const Ran ran = runMortise({"plugins", "doctor"}, {"MORTISE_PLUGIN_PATH=" + folder.path()});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_SAYS(ran.out, "describes controller 'fixture.Sound' otherwise than the library does");
}

TEST(PluginsDoctor, ComparesEverythingThatASideCarSays) {
  for (const auto& [from, to, said] :
       {std::tuple("color: red", "color: blue", "otherwise than the library does: attributes"),
        std::tuple("Sends every motor the same torque.", "Does what nobody asked for.", "library does: summary"),
        std::tuple("version: 1.2.3", "version: 1.2.4", "the side-car says version '1.2.4', and the library '1.2.3'")}) {
    TemporaryFolder folder;
    replaceInFile(sideCarPath(folder.copyPlugin("sound", "sound")), from, to);
    const Ran ran = runMortise({"plugins", "doctor"}, {"MORTISE_PLUGIN_PATH=" + folder.path()});
    EXPECT_EQ(ran.exitCode, 1) << from;
    EXPECT_SAYS(ran.out, said);
  }
}

TEST(PluginsDoctor, FindsFormatsWhoseExtensionsDoNotGoWithWhatTheyRead) {
  const Ran ran = runMortise({"plugins", "doctor", fixture("unpaired_formats")});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_SAYS(ran.out, "format 'fixture.ExtensionsOnly' has extensions, but reads and writes nothing");
  EXPECT_SAYS(ran.out, "format 'fixture.ReadsOnly' reads or writes, but has no extensions");
  EXPECT_EQ(ran.out.find("fixture.Paired"), std::string::npos) << ran.out;
  const Ran described = runMortise({"plugins", "describe", fixture("unpaired_formats")});
  EXPECT_EQ(described.exitCode, 1);
  EXPECT_SAYS(described.err, "fixture.ExtensionsOnly");
}

/// The work for a component grows with the number of its parameters and not with its square, or this takes ten seconds.
TEST(PluginsInPipelines, AComponentMayHaveAThousandParameters) {
  TemporaryFolder folder;
  std::string settings;
  for (int i = 0; i < 1000; ++i) settings += ", " + std::string(i % 2 ? "p" : "parameter") + std::to_string(i) + ": 3";
  const std::string file = folder.write(
      "p.yaml", "mortise: 1\nworld: " MORTISE_SOURCE_DIR "/data/worlds/blocks.xml\nplugins: [" +
                    fixture("many_parameters") + "]\ncomponents:\n  - {controller: fixture.ManyParameters" + settings +
                    "}\nstages:\n  - simulate: {duration: 1 ms}\n");
  const Ran ran = runMortise({"config", "check", file});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_SAYS(ran.out, "no problems");
  const Ran wrong = runMortise({"config", "check", file, "--set", "components.0.parameter998=-1"});
  EXPECT_EQ(wrong.exitCode, 1);
  EXPECT_SAYS(wrong.out + wrong.err, "'parameter998' of controller 'fixture.ManyParameters': must be at least 0 m");
}

TEST(PluginsDocs, AsJson) {
  TemporaryFolder folder;
  const Ran ran = runMortise({"plugins", "docs", "--json", "--plugin", fixture("sound")});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value list = parseYaml(ran.out, "list");
  ASSERT_TRUE(list.isList()) << ran.out;
  const Value* sensor = byName(list, "mortise.ForceTorqueSensor");
  ASSERT_NE(sensor, nullptr);
  EXPECT_FALSE(sensor->at("documentation").asString().empty());
  EXPECT_GT(sensor->at("schema").size(), 0u);
  EXPECT_NE(byName(list, "fixture.Sound"), nullptr);
  const Ran one = runMortise({"plugins", "info", "--json", "mortise.ForceTorqueSensor"});
  EXPECT_EQ(toJson(*sensor), toJson(parseYaml(one.out, "list")[0]));
}

TEST(PluginsDocs, WritesAPageForEachComponent) {
  TemporaryFolder folder;
  const Ran ran = runMortise({"plugins", "docs", "--output", folder / "pages", "--plugin", fixture("sound")});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const std::string page = readFile(folder / "pages/controller-fixture.Sound.md");
  EXPECT_SAYS(page, "# fixture.Sound\n\nSends every motor the same torque.");
  EXPECT_SAYS(page, "Of *plugins*.");
  EXPECT_SAYS(page, "| `torque` | real | N*m | `0.5` | -10 to 10 | Torque for every motor. |");
  EXPECT_SAYS(page, "`none`, `some`");
  const std::string index = readFile(folder / "pages/README.md");
  EXPECT_SAYS(index, "[fixture.Sound](controller-fixture.Sound.md)");
  EXPECT_SAYS(index, "## sensor");
  EXPECT_SAYS(page, "called `SoundController` or `fixture.Sound`");
  EXPECT_SAYS(page, "what [every controller](README.md#controller) takes: `name`, `robot`, `rate`, `on_error`");
  EXPECT_SAYS(index, "| `enabled` | boolean |  | `true` |");
  const std::string bare = readFile(folder / "pages/format-mortise.Grasp.md");
  EXPECT_SAYS(bare, "| Extensions | `grasp`, `xml` |");
  EXPECT_SAYS(bare, "It has none of its own.");
}

}  // namespace
}  // namespace mortise::test
