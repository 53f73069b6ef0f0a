// Hardware is a kind of component like the others: listed, explained, documented, examined.

#include <gtest/gtest.h>
#include <set>

#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "tests/kernel/plugin/plugin_files.h"
#include "tests/support/engines.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

TEST(HardwareAtTheCommandLine, IsListed) {
  MORTISE_NEEDS_PLUGIN("controllers_serial");
  MORTISE_NEEDS_PLUGIN("hardware_simulated");
  const Ran ran = runMortise({"plugins", "list", "--kind", "hardware", "--json"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  std::set<std::string> names;
  const Value listed = parseYaml(ran.out, "list");
  for (const Value& component : listed.items()) {
    EXPECT_EQ(component.at("kind").asString(), "hardware");
    names.insert(component.at("name").asString());
  }
  EXPECT_TRUE(names.contains("mortise.SerialHardware"));
  EXPECT_TRUE(names.contains("mortise.SimulatedHardware"));
}

TEST(HardwareAtTheCommandLine, IsExplained) {
  MORTISE_NEEDS_PLUGIN("hardware_simulated");
  const Ran ran = runMortise({"plugins", "info", "simulated"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_SAYS(ran.out, "mortise.SimulatedHardware (hardware)");
  EXPECT_SAYS(ran.out, "realtime");
  EXPECT_SAYS(ran.out, "Interface: hardware 1.0");
}

TEST(HardwareAtTheCommandLine, HasPages) {
  MORTISE_NEEDS_PLUGIN("controllers_serial");
  TemporaryFolder folder;
  const Ran ran = runMortise({"plugins", "docs", "--output", folder / "pages"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  const std::string index = readFile(folder / "pages/README.md");
  EXPECT_SAYS(index, "## hardware");
  EXPECT_SAYS(index, "Hardware reads the sensors of a robot");
  const std::string page = readFile(folder / "pages/hardware-mortise.SerialHardware.md");
  EXPECT_SAYS(page, "One of the [drivers of hardware](README.md#hardware), called `serial`");
  EXPECT_SAYS(page, "`address`");
  EXPECT_SAYS(page, "default_hardware");
}

TEST(HardwareAtTheCommandLine, IsSound) {
  MORTISE_NEEDS_PLUGIN("hardware_simulated");
  const Ran ran =
      runMortise({"plugins", "doctor", MORTISE_BINARY_DIR "/lib/mortise/plugins/mortise_hardware_simulated.so"});
  EXPECT_EQ(ran.exitCode, 0) << ran.out << ran.err;
}

/// A name of another kind is no hardware.
TEST(HardwareAtTheCommandLine, IsAskedForByItsKind) {
  const Ran ran = runMortise({"drive", MORTISE_SOURCE_DIR "/data/robots/reacher.rob", "--hardware",
                              "JointTrackingController", "--controller", "JointTrackingController"});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_SAYS(ran.err, "there is no hardware named 'JointTrackingController'");
}

}  // namespace
}  // namespace mortise::test
