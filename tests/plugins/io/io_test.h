#pragma once

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

#include "mortise/base/value_text.h"
#include "mortise/loading/format_loader.h"
#include "tests/support/error_text.h"
#include "tests/support/plugins.h"
#include "tests/support/reference.h"

namespace mortise::test {

/// The formats of the built plugins, and a folder for files of the test's own.
class IoTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() / ("mortise_io_" + std::string(info->test_suite_name()) + "_" +
                                                        info->name() + "_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& content) {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path.string();
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  /// Every problem found so far, one a line; files without their folder.
  std::string problems() const {
    std::string text;
    for (const Diagnostic& entry : diagnostics.all()) {
      Diagnostic shortened = entry;
      const std::size_t slash = shortened.where.file.find_last_of('/');
      if (slash != std::string::npos) shortened.where.file.erase(0, slash + 1);
      text += shortened.format() + "\n";
    }
    return text;
  }

  GeometryPtr geometry(const std::string& file) { return loader.load<GeometryPtr>(file, {}, diagnostics); }
  void writeShape(const Geometry& shape, const std::string& file) {
    loader.write(std::make_shared<const Geometry>(shape), file, diagnostics);
  }
  RobotDescription robot(const std::string& file) { return loader.load<RobotDescription>(file, {}, diagnostics); }
  World world(const std::string& file) { return loader.world(file, {}, diagnostics); }

  MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
  FormatLoader loader{*registry, log};
  Diagnostics diagnostics;

 private:
  std::filesystem::path folder_;
};

/// A cube with corners (0,0,0) and (1,1,1), in the order of Klamp't's cube.off.
inline constexpr const char* kCubeOff = R"(OFF
8 12 0
0 0 0
0 0 1
0 1 0
0 1 1
1 0 0
1 0 1
1 1 0
1 1 1
3 0 1 3
3 0 3 2
3 4 6 7
3 4 7 5
3 0 4 5
3 0 5 1
3 2 3 7
3 2 7 6
3 0 2 6
3 0 6 4
3 1 5 7
3 1 7 3
)";

}  // namespace mortise::test
