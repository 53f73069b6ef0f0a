#include "mortise/plugin/abi.h"

#include <cstring>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

#include "tests/kernel/plugin/plugin_files.h"

namespace mortise {
namespace {

TEST(Abi, SameTagIsAccepted) {
  EXPECT_EQ(compareAbiTags(currentAbiTag(), currentAbiTag()), "");
  constexpr MortiseAbiTag constant = currentAbiTag();  // Needs no code to run at load.
  EXPECT_EQ(constant.scalarSize, 8u);
}

TEST(Abi, EachFieldIsComparedAndNamed) {
  const MortiseAbiTag kernel = currentAbiTag();
  const auto compare = [&](auto spoil) {
    MortiseAbiTag plugin = currentAbiTag();
    spoil(plugin);
    return compareAbiTags(kernel, plugin);
  };
  EXPECT_SAYS(compare([](auto& tag) { tag.size = 8; }), "size of the ABI tag");
  EXPECT_SAYS(compare([](auto& tag) { std::strcpy(tag.cxxAbi, "msvc"); }),
              "C++ ABI: this program has 'itanium', the plugin has 'msvc'");
  EXPECT_SAYS(compare([](auto& tag) { std::strcpy(tag.standardLibrary, "libc++"); }), "the plugin has 'libc++'");
  EXPECT_SAYS(compare([](auto& tag) { tag.pointerSize = 4; }), "pointer size: this program has 8, the plugin has 4");
  EXPECT_SAYS(compare([](auto& tag) { tag.scalarSize = 4; }), "double precision");
  EXPECT_SAYS(compare([](auto& tag) { tag.eigenMaxAlign = 64; }), "EIGEN_MAX_ALIGN_BYTES");
  EXPECT_SAYS(compare([](auto& tag) { tag.eigenVersion = 30300; }), "the plugin has 30300");
  EXPECT_SAYS(compare([](auto& tag) { std::strcpy(tag.sanitizers, "memory"); }), "-fsanitize");
  EXPECT_SAYS(compare([](auto& tag) { tag.kernelMajor = 7; }), "kernel version");
}

TEST(Abi, AllDifferencesAreListed) {
  MortiseAbiTag plugin = currentAbiTag();
  plugin.scalarSize = 4;
  plugin.eigenMaxAlign = 32;
  const std::string text = compareAbiTags(currentAbiTag(), plugin);
  EXPECT_SAYS(text, "scalar size");
  EXPECT_SAYS(text, "EIGEN_MAX_ALIGN_BYTES");
}

TEST(Abi, FieldsWithoutEndAreReadSafely) {
  MortiseAbiTag plugin = currentAbiTag();
  std::memset(plugin.cxxAbi, 'x', sizeof(plugin.cxxAbi));
  EXPECT_SAYS(compareAbiTags(currentAbiTag(), plugin), "'" + std::string(sizeof(plugin.cxxAbi), 'x') + "'");
}

TEST(Abi, InterfacesGrowByMinorVersions) {
  EXPECT_EQ(compareInterfaces(Kind::sensor, {1, 2}, {1, 2}), "");
  EXPECT_EQ(compareInterfaces(Kind::sensor, {1, 2}, {1, 0}), "");
  EXPECT_SAYS(compareInterfaces(Kind::sensor, {1, 2}, {1, 3}), "update Mortise");
  EXPECT_SAYS(compareInterfaces(Kind::sensor, {1, 2}, {2, 0}),
              "interface 'sensor': this program offers 1.2, the plugin was built for 2.0");
  EXPECT_SAYS(compareInterfaces(Kind::sensor, {2, 0}, {1, 9}), "rebuild the plugin");
}

/// Their numbers are places in the tags of plugins that were built before.
TEST(Abi, KindsKeepTheirNumbers) {
  const std::vector<std::string> names = {"physics", "controller", "sensor",   "planner",  "format",
                                          "stage",   "estimator",  "recorder", "hardware", "metric"};
  ASSERT_EQ(names.size(), static_cast<std::size_t>(kNumKinds));
  for (int i = 0; i < kNumKinds; ++i) {
    EXPECT_EQ(kindName(static_cast<Kind>(i)), names[i]);
    EXPECT_EQ(kindFromName(names[i]), static_cast<Kind>(i));
  }
  EXPECT_EQ(kindFromName("hardwares"), std::nullopt);
}

TEST(Abi, KernelOffersWhatItsHeadersSay) {
  for (int i = 0; i < kNumKinds; ++i) EXPECT_EQ(interfaceVersion(static_cast<Kind>(i)), kInterfaceVersions[i]);
}

}  // namespace
}  // namespace mortise
