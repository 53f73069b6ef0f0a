#include "mortise/inspect/elf_symbols.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "mortise/base/files.h"
#include "mortise/base/random.h"
#include "tests/kernel/plugin/plugin_files.h"

namespace mortise {
namespace {

using test::errorOf;
using test::fixture;
using test::TemporaryFolder;

TEST(ElfSymbols, ListsExportedNamesAndLibraries) {
  const ElfSymbols file = readElfSymbols(fixture("sound"));
  EXPECT_EQ(file.exported, std::vector<std::string>{"mortise_plugin"});
  EXPECT_TRUE(std::any_of(file.needed.begin(), file.needed.end(),
                          [](const std::string& name) { return name.starts_with("libmortise_kernel.so"); }));
}

TEST(ElfSymbols, RefusesDamagedFiles) {
  TemporaryFolder folder;
  EXPECT_SAYS(errorOf([&] { readElfSymbols(folder.write("text.so", "hello")); }).message, "is not a shared library");
  const std::string full = readFile(fixture("sound"));
  for (const std::size_t length : {64u, 100u, 500u, 1000u, 3000u}) {
    const std::string path = folder.write("cut.so", full.substr(0, length));
    EXPECT_SAYS(errorOf([&] { readElfSymbols(path); }).message, "is damaged") << length;
  }
}

TEST(ElfSymbols, SurvivesRandomDamage) {
  TemporaryFolder folder;
  const std::string full = readFile(fixture("sound"));
  RandomStream random(7, "elf");
  for (int i = 0; i < 300; ++i) {
    std::string bytes = full;
    for (int j = 0; j < 8; ++j) bytes[random.below(j < 4 ? 1024 : bytes.size())] = static_cast<char>(random.below(256));
    const std::string path = folder.write("damaged.so", bytes);
    try {
      readElfSymbols(path);
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace mortise
