// Every repair, skip and guess of a reader is said with its place, and `--strict` refuses it: the list of all kinds,
// and a look at the sources that none is missing in it.

#include "repairs.h"

#include <algorithm>

#include "io_test.h"
#include "tests/support/source_literals.h"

namespace mortise {
namespace {

class Repairs : public test::IoTest, public testing::WithParamInterface<int> {};

TEST_P(Repairs, AreSaidOnceWithTheirPlaceAndRefusedByStrict) {
  const test::Repair& repair = test::repairs()[static_cast<std::size_t>(GetParam())];
  write("cube.off", test::kCubeOff);
  const std::string file = write(repair.file, repair.text);
  (void)loader.load(repair.content, file, {}, diagnostics);
  EXPECT_FALSE(diagnostics.hasErrors()) << repair.kind << ": " << problems();
  int said = 0;
  for (const Diagnostic& problem : diagnostics.all()) {
    if (problem.message.find(repair.said) == std::string::npos) continue;
    ++said;
    EXPECT_EQ(problem.severity, Severity::warning) << repair.kind;
    EXPECT_EQ(problem.where.file, file) << repair.kind;
    EXPECT_EQ(problem.where.line, repair.line) << repair.kind << ": " << problem.format();
  }
  EXPECT_EQ(said, 1) << repair.kind << ": " << problems();

  Diagnostics strict;
  strict.setStrict(true);
  FormatLoader other(*registry, log);
  try {
    (void)other.load(repair.content, file, {}, strict);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(repair.said), std::string::npos) << repair.kind << ": " << error.what();
    return;
  }
  EXPECT_TRUE(strict.hasErrors()) << repair.kind;
}

INSTANTIATE_TEST_SUITE_P(OfReaders, Repairs, testing::Range(0, static_cast<int>(test::repairs().size())),
                         [](const auto& each) { return test::repairs()[static_cast<std::size_t>(each.param)].kind; });

/// Warnings that no test brings about, and why.
const std::vector<std::string>& untried() {
  static const std::vector<std::string> list = {
      // Of more than 20 in one element; the tests of hostile input expect it.
      " further attributes that it does not know; they are ignored",
      // Writers lose what their formats cannot hold; losses_test.cpp has those of shapes, objects and motions.
      "a .rob file cannot hold ",
      "a .rob file cannot hold the joint name '",
      "' is there twice; the second one is in '",
      " keeps no point in place; Klamp't will not read it",
      ", which the text of a hold does not say",
      // Folders and JSON libraries, of which the tests of resources look at what is read.
      "there is no resource of type '",
      " refers to other files and is not copied",
      // Parts of MoveIt's messages that the problems of the tests do not have.
      "', but the robot is '",
      "' beyond its limit; it is moved onto it",
      "'; its scale is ignored",
      "' to remove",
      "'; its padding is ignored",
      "paddings of links differ; what a link has beyond the minimum counts against the robot itself as well",
      "> means nothing in an SRDF file; it is ignored",
      ": a quaternion of zeros; no rotation is taken",
      "' has no shape",
      "of the region that is the goal of link '",
      // Needs a joint without motor that follows, or a hold that refers and has text.
      "' has no motor; its <mimic> is ignored",
      "the text is ignored: this <hold> refers to one of the path",
      "'; nothing is colored",
  };
  return list;
}

/// Whoever adds a repair to a reader adds a row to repairs.h, or expects its text in another test.
TEST(RepairList, HasEveryWarningOfTheReaders) {
  const std::string tests = test::literalsOfTests();
  int calls = 0;
  for (const char* folder : {"io", "io_moveit", "io_assimp", "shared"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(MORTISE_SOURCE_DIR) + "/plugins/" + folder)) {
      if (entry.path().extension() != ".cpp") continue;
      const std::string text = test::fullFile(entry.path());
      constexpr std::string_view kCall = "warning(";
      for (std::size_t at = text.find(kCall); at != std::string::npos; at = text.find(kCall, at + 1)) {
        const std::vector<std::string> literals = test::literalsOfCall(text, at + kCall.size());
        if (literals.empty()) continue;  // It passes on a message.
        ++calls;
        const bool listed = std::any_of(literals.begin(), literals.end(), [&](const std::string& literal) {
          return literal.size() >= 10 && tests.find(literal) != std::string::npos;
        });
        EXPECT_TRUE(listed) << entry.path().filename().string() << ": no test expects '" << literals.front()
                            << "...': add a row to tests/plugins/io/repairs.h";
      }
    }
  EXPECT_GT(calls, 60);
}

/// Every text in the list of untried ones is still in the sources.
TEST(RepairList, OfUntriedOnesIsTrue) {
  std::string readers;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(MORTISE_SOURCE_DIR "/plugins"))
    if (entry.path().extension() == ".cpp")
      for (const std::string& literal : test::literalsOfCall(test::fullFile(entry.path()) + ")", 0))
        readers += literal + "\n";
  for (const std::string& text : untried()) EXPECT_NE(readers.find(text), std::string::npos) << text;
}

}  // namespace
}  // namespace mortise
