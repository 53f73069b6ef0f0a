#include "mortise/plugin/side_car_index.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

#include "mortise/base/files.h"
#include "mortise/plugin/discovery.h"
#include "mortise/plugin/library.h"
#include "tests/kernel/plugin/plugin_files.h"

namespace mortise {
namespace {

using test::replaceInFile;
using test::TemporaryFolder;

/// A folder with one plugin, and a cache of its own.
class SideCarIndexTest : public testing::Test {
 protected:
  SideCarIndexTest() : library_(folder_.copyPlugin("sound", "sound")), sideCar_(sideCarPath(library_)) {
    ::setenv("XDG_CACHE_HOME", cache_.path().c_str(), 1);
  }
  ~SideCarIndexTest() override { ::unsetenv("XDG_CACHE_HOME"); }

  std::vector<FoundLibrary> examine() {
    Diagnostics problems;
    return examineFolder(folder_.path(), "test", 0, problems);
  }
  std::string indexFile() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(cache_.path()))
      if (entry.path().extension() == ".index") return entry.path().string();
    return {};
  }

  TemporaryFolder folder_, cache_;
  std::string library_, sideCar_;
};

TEST_F(SideCarIndexTest, SaysWhatTheSideCarSays) {
  EXPECT_FALSE(SideCarIndex(folder_.path()).find(sideCar_, library_));
  ASSERT_EQ(examine().size(), 1u);
  const auto kept = SideCarIndex(folder_.path()).find(sideCar_, library_);
  ASSERT_TRUE(kept) << "examining a folder keeps what it read";
  EXPECT_EQ(sideCarText(*kept), sideCarText(readSideCar(sideCar_)));
  EXPECT_EQ(kept->components.at(0).package, "fixture_sound");
}

TEST_F(SideCarIndexTest, KeepsEverythingOfASetting) {
  SideCar written = readSideCar(sideCar_);
  Schema& schema = written.components.at(0).schema;
  schema.allowOtherKeys();
  schema.parameter(
      "index_speed", 1.5, "How fast.",
      {.min = 0, .max = 3, .unit = "m/s", .aliases = {"fast"}, .formerly = {"velocity"}, .infinite = true});
  schema.parameter("index_way", "left", "Where to.", {.choices = {"left", "right"}, .changeable = true});
  schema.parameter("index_points", ParameterType::realList, "Three.", {.required = true, .size = 3});
  SideCarIndex index(folder_.path());
  index.add(sideCar_, library_, written);
  const auto kept = index.find(sideCar_, library_);
  ASSERT_TRUE(kept);
  EXPECT_EQ(sideCarText(*kept), sideCarText(written));
  EXPECT_TRUE(kept->components.at(0).schema.find("velocity")->wasCalled("velocity"));
}

TEST_F(SideCarIndexTest, OutlinesHaveTheRolesOfComponents) {
  SideCar written = readSideCar(sideCar_);
  Value roles = Value::list();
  roles.push_back(Value("fixture.sound"));
  written.components.at(0).attributes = Value::map();
  written.components.at(0).attributes.set("roles", std::move(roles));
  SideCarIndex index(folder_.path());
  index.add(sideCar_, library_, written);
  const auto outline = index.outline(sideCar_, library_);
  ASSERT_TRUE(outline);
  EXPECT_TRUE(hasRole(outline->sideCar.components.at(0), "fixture.sound"));
  EXPECT_TRUE(outline->sideCar.components.at(0).schema.parameters().empty()) << "the rest is read when it is asked for";
}

TEST_F(SideCarIndexTest, AChangedSideCarIsReadAgain) {
  examine();
  replaceInFile(sideCar_, "fixture_sound", "fixture_other");  // As long as before; time and inode differ.
  EXPECT_FALSE(SideCarIndex(folder_.path()).find(sideCar_, library_));
  EXPECT_EQ(examine().at(0).components.at(0).package, "fixture_other");
  EXPECT_TRUE(SideCarIndex(folder_.path()).find(sideCar_, library_));
}

TEST_F(SideCarIndexTest, AnotherBuildOfTheLibraryIsNoticed) {
  examine();
  std::string bytes = readFile(library_);
  bytes += "x";
  writeFile(library_, bytes);
  EXPECT_FALSE(SideCarIndex(folder_.path()).find(sideCar_, library_));
  std::filesystem::copy_file(test::fixture("faulty_controllers"), library_,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_NE(examine().at(0).staleness, "");
}

TEST_F(SideCarIndexTest, DamagedIndexesAreAsGoodAsNone) {
  examine();
  const std::string file = indexFile(), full = readFile(file);
  for (std::size_t at = 0; at < full.size(); at += 1 + full.size() / 300) {
    std::string damaged = full;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    writeFile(file, damaged);
    EXPECT_FALSE(SideCarIndex(folder_.path()).find(sideCar_, library_)) << at;
    writeFile(file, full.substr(0, at));
    EXPECT_FALSE(SideCarIndex(folder_.path()).find(sideCar_, library_)) << at;
  }
  writeFile(file, full);
  EXPECT_TRUE(SideCarIndex(folder_.path()).find(sideCar_, library_));
}

TEST_F(SideCarIndexTest, WithoutAPlaceToKeepItNothingIsWrong) {
  ::setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
  EXPECT_EQ(examine().at(0).components.size(), 1u);
  EXPECT_EQ(examine().at(0).components.size(), 1u);
}

TEST_F(SideCarIndexTest, AFolderCanHaveItsOwn) {
  SideCarIndex index(folder_.path());
  EXPECT_FALSE(index.inFolder());
  index.add(sideCar_, library_, readSideCar(sideCar_));
  index.writeToFolder();
  std::filesystem::remove_all(cache_.path());
  const SideCarIndex shipped(folder_.path());
  EXPECT_TRUE(shipped.inFolder());
  EXPECT_TRUE(shipped.find(sideCar_, library_));
  std::filesystem::create_directories(cache_.path());
  examine();
  EXPECT_EQ(indexFile(), "") << "nothing had to be read anew";
}

}  // namespace
}  // namespace mortise
