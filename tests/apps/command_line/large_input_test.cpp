/// Inputs of thousands of things take memory and time in proportion.

#include <gtest/gtest.h>

#include "mortise/base/value.h"
#include "mortise/base/value_text.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

const std::string kData = MORTISE_SOURCE_DIR "/data/";
constexpr int kProgram = 200;  ///< Megabytes of addresses that the program takes before it does anything.

class LargeInput : public FolderTest {
 protected:
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return path(name);
  }
  /// The command with so many megabytes of addresses.
  Ran within(int megabytes, const std::string& words) const {
#if defined(__SANITIZE_ADDRESS__)
    const std::string limit;
    (void)megabytes;
#else
    const std::string limit = "ulimit -v " + std::to_string(megabytes) + "000; ";
#endif
    return runProgram({"/bin/sh", "-c", limit + "exec " MORTISE_BINARY_DIR "/bin/mortise " + words},
                      {"XDG_DATA_HOME=/nonexistent"});
  }
  static void says(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text.substr(0, 1000);
  }
  std::string one() const { return write("one.xml", "<world><robot file='" + kData + "robots/reacher.rob'/></world>"); }
};

/// A matrix over 50,000 ids takes gigabytes.
TEST_F(LargeInput, FiftyThousandTerrainsTakeLittle) {
  std::string world = "<world>\n<robot file='" + kData +
                      "robots/reacher.rob'/>\n<rigidObject position='1 1 3'><geometry mesh='" + kData +
                      "objects/cube.off'/><physics mass='1' automass='1'/></rigidObject>\n";
  for (int i = 0; i < 50000; ++i)
    world += "<terrain file='" + kData + "objects/cube.off' translation='" + std::to_string(3 * (i % 250)) + " " +
             std::to_string(3 * (i / 250)) + " -5'/>\n";
  const std::string file = write("w.xml", world + "</world>");
  for (const std::string& words :
       {"world check " + file, "world collisions " + file, "sim " + file + " --duration 0.002"}) {
    const Ran ran = within(kProgram + 1300, words);
    EXPECT_EQ(ran.exitCode, 0) << words << "\n" << ran.out.substr(0, 300) << ran.err.substr(0, 300);
  }
}

/// All of them would take minutes and gigabytes.
TEST_F(LargeInput, HeapsOfThousandsAreMeasuredInPart) {
  std::string world = "<world>\n";
  for (int i = 0; i < 1200; ++i)
    world += "<rigidObject name='o" + std::to_string(i) + "' position='" + std::to_string(i * 1e-4) +
             " 0 0'><geometry mesh='" + kData + "objects/cube.off'/><physics mass='1' automass='1'/></rigidObject>\n";
  const std::string file = write("w.xml", world + "</world>");
  const Ran check = within(kProgram + 250, "world check " + file);
  EXPECT_EQ(check.exitCode, 0) << check.out.substr(0, 300) << check.err.substr(0, 300);
  says(check.out, "10000 pairs of bodies overlap at the start");
  says(check.out, "719400 pairs of bodies are near each other at the start, and 10000 of them were measured");
  EXPECT_LT(check.out.size(), 10000u);
  const Ran collisions = within(kProgram + 250, "world collisions " + file);
  says(collisions.out, "719400 pairs collide");
  says(collisions.out, "  and 709400 more");
}

TEST_F(LargeInput, TextsOfVariablesDoNotMultiply) {
  (void)one();
  const std::string rest = "world: one.xml\nstages: [{simulate: {duration: 1 ms}}]\n";
  std::string doubling = "mortise: 1\nvariables:\n  a0: aaaaaaaaaa\n", many, copies;
  for (int i = 1; i < 40; ++i) {
    const std::string last = "${a" + std::to_string(i - 1) + "}";
    doubling += "  a" + std::to_string(i) + ": '" + last + last + "'\n";
  }
  for (int i = 0; i < 60000; ++i) many += "${a}";
  for (int i = 0; i < 2000; ++i) copies += (i > 0 ? ", '${b}'" : "'${b}'");
  const Ran text = within(kProgram + 200, "config check " + write("d.yaml", doubling + rest));
  EXPECT_EQ(text.exitCode, 1);
  says(text.out + text.err, "the text becomes longer than 1048576 characters");
  const Ran list =
      within(kProgram + 400, "config check " + write("l.yaml", "mortise: 1\nvariables:\n  a: aaaaaaaa\n  b: '" + many +
                                                                   "'\n  c: [" + copies + "]\n" + rest));
  EXPECT_EQ(list.exitCode, 1);
  says(list.out + list.err, "the copies of variables become more than 1048576 values");
}

}  // namespace
}  // namespace mortise::test
