#include "mortise/plugin/side_car.h"

#include <cstring>
#include <gtest/gtest.h>

#include "mortise/base/files.h"
#include "mortise/plugin/abi.h"
#include "mortise/plugin/elf_image.h"
#include "mortise/plugin/library.h"
#include "tests/kernel/plugin/plugin_files.h"

namespace mortise {
namespace {

using test::errorOf;
using test::fixture;
using test::replaceInFile;
using test::TemporaryFolder;

TEST(SideCar, LiesBesideItsLibrary) {
  EXPECT_EQ(sideCarPath("/a/b/libacme.so"), "/a/b/libacme.mortise.yaml");
  EXPECT_EQ(sideCarPath("acme.so"), "acme.mortise.yaml");
}

TEST(SideCar, SaysWhatTheLibrarySays) {
  TemporaryFolder folder;
  const SideCar written = describe(Library::open(fixture("sound")));
  const SideCar read = readSideCar(folder.write("sound.mortise.yaml", sideCarText(written)));
  EXPECT_EQ(read.package, "fixture_sound");
  EXPECT_EQ(read.version, "1.2.3");
  EXPECT_EQ(read.library.file, "sound.so");
  EXPECT_EQ(read.library.size, std::filesystem::file_size(fixture("sound")));
  EXPECT_EQ(read.library.buildId, readBuildId(fixture("sound")));
  EXPECT_EQ(read.library.buildId.size(), 40u);  // SHA-1
  EXPECT_FALSE(read.library.buildId.empty());
  EXPECT_EQ(read.library.hash, written.library.hash);
  EXPECT_EQ(std::memcmp(&read.abi, &written.abi, sizeof(MortiseAbiTag)), 0);
  ASSERT_EQ(read.components.size(), 1u);
  const auto &now = read.components[0], &before = written.components[0];
  EXPECT_EQ(now.kind, before.kind);
  EXPECT_EQ(now.name, before.name);
  EXPECT_EQ(now.aliases, before.aliases);
  EXPECT_EQ(now.summary, before.summary);
  EXPECT_EQ(now.documentation, before.documentation);
  EXPECT_EQ(now.interface, before.interface);
  EXPECT_EQ(now.schema.toValue(), before.schema.toValue());
  EXPECT_EQ(now.attributes, before.attributes);
  EXPECT_EQ(now.schema.find("torque")->options.max, 10);
  EXPECT_EQ(sideCarText(read), sideCarText(written));
}

TEST(SideCar, IsWrittenByTheBuild) {
  const SideCar sideCar = readSideCar(sideCarPath(fixture("sound")));
  EXPECT_EQ(staleness(sideCar, fixture("sound")), "");
  EXPECT_NE(staleness(sideCar, fixture("faulty_controllers")), "");
}

TEST(SideCar, OutlivesStrippingAndChangesOfRpath) {
  TemporaryFolder folder;
  const std::string library = folder.copyPlugin("sound", "copy");
  ASSERT_EQ(std::system(("strip --strip-all '" + library + "'").c_str()), 0);
  EXPECT_EQ(staleness(readSideCar(sideCarPath(library)), library), "");
}

TEST(SideCar, GoesBySizeAndHashWithoutBuildId) {
  TemporaryFolder folder;
  const std::string library = folder.copyPlugin("sound", "copy");
  ASSERT_EQ(std::system(("objcopy --remove-section=.note.gnu.build-id '" + library + "'").c_str()), 0);
  ASSERT_EQ(readBuildId(library), "");
  SideCar sideCar = readSideCar(sideCarPath(library));
  sideCar.library = identify(library);
  EXPECT_EQ(staleness(sideCar, library), "");
  std::string bytes = readFile(library);
  bytes[bytes.size() / 2] ^= 1;
  writeFile(library, bytes);
  EXPECT_SAYS(staleness(sideCar, library), "hash");
  writeFile(library, bytes + "x");
  EXPECT_SAYS(staleness(sideCar, library), "bytes instead of");
}

TEST(SideCar, ErrorsHaveAPosition) {
  TemporaryFolder folder;
  const std::string good = readFile(sideCarPath(fixture("sound")));
  const auto read = [&](const std::string& from, const std::string& to) {
    const std::string path = folder.write("bad.mortise.yaml", good);
    replaceInFile(path, from, to);
    return errorOf([&] { readSideCar(path); });
  };
  EXPECT_SAYS(read("mortise: 1", "mortise: 9").message, "version 9; this program reads version 1");
  EXPECT_SAYS(read("kind: controller", "kind: cook").message, "'cook' is not a kind of component");
  EXPECT_SAYS(read("kind: controller", "kind: cook").where, "bad.mortise.yaml:");
  EXPECT_SAYS(read("file: sound.so", "file: ../../sound.so").message, "in its own folder");
  EXPECT_SAYS(read("size: ", "size: -").message, "negative size");
  EXPECT_SAYS(
      read("interface: \"" + std::to_string(interfaceVersion(Kind::controller).major) + ".0\"", "interface: one")
          .message,
      "not an interface version");
  EXPECT_SAYS(read("package:", "pakcage:").message, "package");
  EXPECT_NE(errorOf([&] { readSideCar(folder.write("list.mortise.yaml", "[1, 2]")); }).message, "");
  EXPECT_NE(errorOf([&] { readSideCar(folder.write("half.mortise.yaml", good.substr(0, good.size() / 2))); }).message,
            "");
}

}  // namespace
}  // namespace mortise
