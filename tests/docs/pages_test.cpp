#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "mortise/base/files.h"
#include "tests/docs/compare.h"
#include "tests/docs/page.h"
#include "tests/docs/session.h"

namespace mortise::docs {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> pageFiles() {
  std::vector<std::string> files = {"README.md"};
  const fs::path root = MORTISE_SOURCE_DIR;
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") files.push_back(fs::relative(entry.path(), root).string());
  std::sort(files.begin(), files.end());
  return files;
}

/// Commands whose failure the page shows may fail.
bool showsFailure(const Command& command) {
  return std::any_of(command.shown.begin(), command.shown.end(),
                     [](const std::string& line) { return line.find("error") != std::string::npos; });
}

bool endedAsShown(const Command& command, const CommandRun& run) {
  return run.exitCode == 0 || (run.exitCode > 0 && showsFailure(command));
}

/// Lines of the page that show other things than what is printed, replaced, unless the command failed; from the end, so
/// that the lines before keep their numbers.
void update(const std::string& file, const Page& page, const std::vector<std::vector<CommandRun>>& runs) {
  std::vector<std::string> lines = page.lines;
  for (std::size_t b = page.blocks.size(); b-- > 0;)
    for (std::size_t c = page.blocks[b].commands.size(); c-- > 0;) {
      const Command& command = page.blocks[b].commands[c];
      const CommandRun& run = runs[b][c];
      if (command.shown.empty() || !endedAsShown(command, run)) continue;
      if (compare(command.shown, run.printed, !page.blocks[b].numbersVary.empty()).same) continue;
      const auto begin = lines.begin() + command.shownLine - 1;
      const auto at = lines.erase(begin, begin + static_cast<std::ptrdiff_t>(command.shown.size()));
      const std::vector<std::string> now = updated(command.shown, run.printed);
      lines.insert(at, now.begin(), now.end());
    }
  std::ofstream out(file);
  for (const std::string& line : lines) out << line << "\n";
}

class PageTest : public testing::TestWithParam<std::string> {};

/// With MORTISE_UPDATE_DOCS in the environment the pages themselves are corrected as well; look at what changed before
/// keeping it.
TEST_P(PageTest, ShowsWhatCommandsPrint) {
  if (*MORTISE_LEFT_OUT != '\0')
    GTEST_SKIP() << "the pages show a complete installation, and this build lacks " << MORTISE_LEFT_OUT;
  const std::string file = std::string(MORTISE_SOURCE_DIR) + "/" + GetParam();
  const Page page = readPage(readFile(file));
  for (const std::string& fault : page.faults) ADD_FAILURE() << GetParam() << ":" << fault;
  for (const Block& block : page.blocks) {
    const fs::path shipped = fs::path(MORTISE_SOURCE_DIR) / block.file;
    if (block.file.empty() || !fs::exists(shipped)) continue;
    std::string text;
    for (const std::string& line : block.lines) text += line + "\n";
    EXPECT_EQ(text, readFile(shipped)) << GetParam() << ":" << block.line << ": " << block.file << " is another";
  }
  const auto runs = runPage(page);
  bool skipped = false;
  for (std::size_t b = 0; b < page.blocks.size(); ++b) {
    const Block& block = page.blocks[b];
    skipped = skipped || lacksReference(block);
    if (!block.notRun.empty() || lacksReference(block)) continue;
    for (std::size_t c = 0; c < block.commands.size(); ++c) {
      const Command& command = block.commands[c];
      const CommandRun& run = runs[b][c];
      std::string printed;
      for (const std::string& line : run.printed) printed += "  " + line + "\n";
      const std::string where = GetParam() + ":" + std::to_string(command.line) + ": $ " + command.text + "\n";
      EXPECT_TRUE(endedAsShown(command, run)) << where << "ended with " << run.exitCode << "\n" << printed;
      if (command.shown.empty()) continue;
      const Comparison result = compare(command.shown, run.printed, !block.numbersVary.empty());
      EXPECT_TRUE(result.same) << where << result.difference;
    }
  }
  if (std::getenv("MORTISE_UPDATE_DOCS") != nullptr) update(file, page, runs);
  if (skipped && !HasFailure()) GTEST_SKIP() << "MORTISE_REFERENCE_DIR is not set: sessions that need it were left out";
}

/// "docs/world_xml.md" as the name of a test: "world_xml"; "docs/results/ik.md": "results_ik".
std::string testName(const testing::TestParamInfo<std::string>& page) {
  const fs::path file = fs::path(page.param).replace_extension();
  std::string name = page.param.starts_with("docs/") ? file.lexically_relative("docs").string() : file.string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Docs, PageTest, testing::ValuesIn(pageFiles()), testName);

}  // namespace
}  // namespace mortise::docs
