// Every test that lies in the tree is run: its file belongs to a test of CMake's (build/test_files.txt), present or
// left out.

#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace mortise {
namespace {

namespace fs = std::filesystem;

const fs::path kTree = MORTISE_SOURCE_DIR;

std::set<fs::path> filesOfTests() {
  std::ifstream stream(MORTISE_BINARY_DIR "/test_files.txt");
  std::set<fs::path> files;
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) files.insert(fs::relative(line, kTree));
  return files;
}

/// The files below `folder` whose names `isTest` accepts, relative to the tree; dependencies of npm are left out.
std::set<fs::path> testsBelow(const fs::path& folder, const std::function<bool(const std::string&)>& isTest) {
  std::set<fs::path> files;
  for (auto entry = fs::recursive_directory_iterator(kTree / folder); entry != fs::recursive_directory_iterator();
       ++entry) {
    if (entry->is_directory() && entry->path().filename() == "node_modules") entry.disable_recursion_pending();
    if (entry->is_regular_file() && isTest(entry->path().filename().string()))
      files.insert(fs::relative(entry->path(), kTree));
  }
  return files;
}

void expectRun(const std::set<fs::path>& files) {
  EXPECT_FALSE(files.empty());
  const std::set<fs::path> run = filesOfTests();
  for (const fs::path& file : files) EXPECT_TRUE(run.contains(file)) << file.string() << " belongs to no test";
}

TEST(TestFiles, OfCpp) {
  expectRun(testsBelow("tests", [](const std::string& name) { return name.ends_with("_test.cpp"); }));
}

TEST(TestFiles, OfPython) {
  for (const char* folder : {"tests/python", "python"}) {
    const auto files =
        testsBelow(folder, [](const std::string& name) { return name.starts_with("test_") && name.ends_with(".py"); });
    if (folder == std::string("tests/python") || !files.empty()) expectRun(files);
  }
}

TEST(TestFiles, OfTheViewer) {
  // Two programs measure and take pictures, two files hold what all share, and two bundle pages.
  const std::set<std::string> noTests = {"measure.mjs",  "pictures.mjs",   "harness.mjs",
                                         "programs.mjs", "build_page.mjs", "bundle.mjs"};
  expectRun(testsBelow("viewer", [&](const std::string& name) {
    return name.ends_with(".test.ts") || name.ends_with(".test.tsx") ||
           (name.ends_with(".mjs") && name != "build.mjs" && noTests.count(name) == 0);
  }));
}

}  // namespace
}  // namespace mortise
