#include "mortise/plugin/library.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "tests/kernel/plugin/plugin_files.h"

namespace mortise {
namespace {

using test::errorOf;
using test::fixture;
using test::TemporaryFolder;

std::string openError(const std::string& path) {
  return errorOf([&] { Library::open(path); }).message;
}

/// What dlopen itself says, for comparison.
std::string systemReason(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_EQ(handle, nullptr);
  return dlerror();
}

TEST(Library, OpensASoundPlugin) {
  const Library& library = Library::open(fixture("sound"));
  EXPECT_STREQ(library.manifest().package, "fixture_sound");
  EXPECT_STREQ(library.manifest().version, "1.2.3");
  ASSERT_EQ(library.components().size(), 1u);
  EXPECT_EQ(library.components()[0].name, "fixture.Sound");
  EXPECT_NE(library.find(Kind::controller, "fixture.Sound"), nullptr);
  EXPECT_EQ(library.find(Kind::sensor, "fixture.Sound"), nullptr);
  EXPECT_EQ(&Library::open(fixture("sound")), &library);
}

TEST(Library, FollowsLinksToOneLibrary) {
  TemporaryFolder folder;
  const std::string real = folder.copyPlugin("sound", "real");
  std::filesystem::create_symlink(real, folder / "link.so");
  const Library& library = Library::open(folder / "link.so");
  EXPECT_EQ(library.path(), real);
  EXPECT_EQ(&Library::open(real), &library);
}

TEST(Library, SaysThatAFileIsMissing) {
  EXPECT_SAYS(openError("/nowhere/at/all.so"), "'/nowhere/at/all.so' does not exist");
}

TEST(Library, SaysThatATextFileIsNoLibrary) {
  TemporaryFolder folder;
  const std::string file = folder.write("text.so", std::string(4096, 'x'));
  const auto said = errorOf([&] { Library::open(file); });
  EXPECT_SAYS(said.message, "'" + file + "' cannot be opened");
  EXPECT_SAYS(said.message, "the loader says: " + systemReason(file));
  EXPECT_SAYS(said.message, "invalid ELF header");
  EXPECT_SAYS(said.hint, ".so file that the linker wrote");
  const std::string empty = folder.write("empty.so", "");
  EXPECT_SAYS(openError(empty), systemReason(empty));
}

TEST(Library, SaysWhichSymbolIsUndefined) {
  const auto said = errorOf([&] { Library::open(fixture("undefined_symbol")); });
  EXPECT_SAYS(said.message, "the loader says: " + systemReason(fixture("undefined_symbol")));
  EXPECT_SAYS(said.message, "nobodyDefinesThis");
  EXPECT_SAYS(said.hint, "link the plugin with the library that defines the symbol");
}

TEST(Library, SaysThatTheEntryIsMissing) {
  const auto said = errorOf([&] { Library::open(fixture("missing_entry")); });
  EXPECT_SAYS(said.message, "is not a Mortise plugin: it does not export 'mortise_plugin'");
  EXPECT_SAYS(said.message, "undefined symbol: mortise_plugin");
  EXPECT_SAYS(said.hint, "MORTISE_PLUGIN");
}

TEST(Library, SaysThatTheEntryIsSomethingElse) {
  EXPECT_SAYS(openError(fixture("entry_is_a_number")), "its symbol 'mortise_plugin' is not a manifest");
}

TEST(Library, SaysThatTheManifestIsTooSmall) {
  EXPECT_SAYS(openError(fixture("manifest_too_small")),
              "has a manifest of 24 bytes; version 1 has " + std::to_string(sizeof(MortisePluginManifest)));
}

TEST(Library, SaysThatTheManifestIsTooNew) {
  const auto said = errorOf([&] { Library::open(fixture("manifest_too_new")); });
  EXPECT_SAYS(said.message, "has a manifest of version 2; this program reads versions up to 1");
  EXPECT_SAYS(said.hint, "update Mortise");
}

TEST(Library, RefusesAnotherPrecisionBeforeRunningAnyOfIt) {
  const std::string text = openError(fixture("wrong_precision"));
  EXPECT_SAYS(text, "scalar size: this program has 8, the plugin has 4");
  EXPECT_SAYS(text, "double precision");
}

TEST(Library, RefusesAnotherAlignmentBeforeRunningAnyOfIt) {
  EXPECT_SAYS(openError(fixture("wrong_alignment")), "EIGEN_MAX_ALIGN_BYTES: this program has 16, the plugin has 64");
}

TEST(Library, RefusalIsTheSameTheSecondTime) {
  const std::string first = openError(fixture("wrong_precision"));
  EXPECT_EQ(openError(fixture("wrong_precision")), first);
}

TEST(Library, TurnsWhatDescribeThrowsIntoAnError) {
  EXPECT_SAYS(openError(fixture("throws_in_describe")), "describing its components failed: cannot read my own table");
  EXPECT_SAYS(openError(fixture("declares_twice")), "declares controller 'fixture.Twin' twice");
}

TEST(Library, KeepsTheInterfaceVersionThatThePluginWasBuiltFor) {
  const auto& component = Library::open(fixture("wrong_interface")).components().at(0);
  EXPECT_EQ(component.interface.major, interfaceVersion(Kind::controller).major + 1);
}

TEST(Library, OpensAStrippedPlugin) {
  TemporaryFolder folder;
  const std::string library = folder.copyPlugin("sound", "stripped");
  ASSERT_EQ(std::system(("strip --strip-all '" + library + "'").c_str()), 0);
  ASSERT_LT(std::filesystem::file_size(library), std::filesystem::file_size(fixture("sound")));
  EXPECT_EQ(Library::open(library).components().size(), 1u);
}

TEST(Library, OpensAPluginOfAnotherCompiler) {
  if (!std::filesystem::exists(fixture("sound_clang")))
    GTEST_SKIP() << "not built: no clang++ was found, or this is a sanitizer build";
  EXPECT_EQ(Library::open(fixture("sound_clang")).components().at(0).name, "fixture.Sound");
}

TEST(Library, KeepsSymbolsOfPluginsApart) {
  Library::open(fixture("sound"));
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "mortise_plugin"), nullptr);
}

}  // namespace
}  // namespace mortise
