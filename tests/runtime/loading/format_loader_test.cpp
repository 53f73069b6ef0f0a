#include "mortise/loading/format_loader.h"

#include <gtest/gtest.h>

#include "mortise/base/files.h"
#include "mortise/plugin/plugin.h"
#include "tests/kernel/plugin/plugin_files.h"
#include "tests/support/plugins.h"

namespace mortise {
namespace {

using test::errorOf;
using test::TemporaryFolder;

int ballsRead = 0;

/// "ball RADIUS": a sphere.
class BallFormat final : public FileFormat {
 public:
  double probe(std::string_view, std::string_view head) const override { return head.starts_with("ball") ? 1 : 0; }
  Resource read(FileContent, ReadContext& context) override {
    ++ballsRead;
    const std::string text = readFile(context.path);
    if (text.find("damaged") != std::string::npos) {
      context.diagnostics.error("damaged ball", {context.path, 1, 1, {}});
      return GeometryPtr();
    }
    return std::make_shared<const Geometry>(SphereShape{Vector3d::Zero(), std::stod(text.substr(5))}, 0, context.path);
  }
};

/// "refer FILE": the geometry of another file.
class LinkFormat final : public FileFormat {
 public:
  double probe(std::string_view, std::string_view head) const override { return head.starts_with("refer") ? 0.9 : 0; }
  Resource read(FileContent, ReadContext& context) override {
    return context.loader.load<GeometryPtr>(readFile(context.path).substr(6), context.path, context.diagnostics);
  }
};

class ThrowingFormat final : public FileFormat {
 public:
  Resource read(FileContent, ReadContext&) override { throw std::out_of_range("vector::_M_range_check"); }
};

/// Asks for a setting that nobody can give it.
class DemandingFormat final : public FileFormat {};

class ObjectFormat final : public FileFormat {
 public:
  Resource read(FileContent, ReadContext& context) override {
    RigidObject object;
    object.name = "from object file";
    object.geometry = context.loader.load<GeometryPtr>("ball.shape", context.path, context.diagnostics);
    return object;
  }
};

/// Gives another kind than the one that is asked for: a motion or a terrain, by the name of the file.
class MistakenFormat final : public FileFormat {
 public:
  Resource read(FileContent, ReadContext& context) override {
    if (context.path.find("path") == std::string::npos) return Terrain();
    return Trajectory{{0, 1}, {VectorXd::Zero(2), VectorXd::Ones(2)}};
  }
};

MORTISE_PLUGIN_AS(format_manifest, , "test_formats", "1.0") {
  plugin.format<BallFormat>("test.Ball").extensions({"shape", "ball"}).reads({FileContent::geometry});
  plugin.format<LinkFormat>("test.Link").extensions({"shape"}).reads({FileContent::geometry});
  plugin.format<ThrowingFormat>("test.Throwing").extensions({"ter"}).reads({FileContent::terrain});
  plugin.format<ObjectFormat>("test.Object").extensions({"object"}).reads({FileContent::rigidObject});
  plugin.format<MistakenFormat>("test.Mistaken")
      .extensions({"mistake"})
      .reads({FileContent::configurations, FileContent::transform});
  plugin.format<DemandingFormat>("test.Demanding")
      .extensions({"demand"})
      .reads({FileContent::world})
      .parameter("key", ParameterType::string, "Needed.", {.required = true});
}

class FormatLoaderTest : public testing::Test {
 protected:
  FormatLoaderTest() {
    registry.addBuiltIn(format_manifest);
    registry.discover();
    ballsRead = 0;
  }
  GeometryPtr geometry(const std::string& path) { return loader.load<GeometryPtr>(path, {}, diagnostics); }

  test::MemoryLog log;
  TemporaryFolder folder;
  Registry registry{log};
  FormatLoader loader{registry, log};
  Diagnostics diagnostics;
};

TEST_F(FormatLoaderTest, ChoosesByExtension) {
  const auto shape = geometry(folder.write("a.ball", "ball 2"));
  ASSERT_NE(shape->as<SphereShape>(), nullptr);
  EXPECT_EQ(shape->as<SphereShape>()->radius, 2);
  EXPECT_EQ(geometry(folder.write("B.BALL", "ball 3"))->as<SphereShape>()->radius, 3);
}

TEST_F(FormatLoaderTest, ChoosesByContentWhenSeveralClaimTheExtension) {
  folder.write("a.shape", "ball 2");
  EXPECT_EQ(geometry(folder / "a.shape")->as<SphereShape>()->radius, 2);
  EXPECT_EQ(geometry(folder.write("b.shape", "refer a.shape"))->as<SphereShape>()->radius, 2);
  EXPECT_EQ(loader.contentOf(folder / "a.shape"), FileContent::geometry);
  EXPECT_EQ(loader.contentOf(folder / "a.none"), std::nullopt);
  const auto said = errorOf([&] { geometry(folder.write("c.shape", "cube 1")); });
  EXPECT_SAYS(said.message, "is not recognized as a geometry by any format of its extension");
  EXPECT_SAYS(said.hint, "test.Ball, test.Link");
}

TEST_F(FormatLoaderTest, ReadsAGeometryOnce) {
  const std::string path = folder.write("a.ball", "ball 2");
  std::filesystem::create_symlink(path, folder / "link.ball");
  const auto first = geometry(path);
  EXPECT_EQ(geometry(path), first);
  EXPECT_EQ(geometry(folder / "link.ball"), first);
  EXPECT_EQ(loader.load<GeometryPtr>("a.ball", folder / "other.xml", diagnostics), first);
  EXPECT_EQ(ballsRead, 1);
}

TEST_F(FormatLoaderTest, ReportsADamagedFileToEveryoneWhoNeedsIt) {
  const std::string path = folder.write("a.ball", "ball damaged");
  geometry(path);
  geometry(path);
  EXPECT_EQ(diagnostics.errorCount(), 2);
}

TEST_F(FormatLoaderTest, NoticesFilesThatReferToThemselves) {
  folder.write("a.shape", "refer b.shape");
  folder.write("b.shape", "refer a.shape");
  const auto said = errorOf([&] { geometry(folder / "a.shape"); });
  EXPECT_SAYS(said.message, "refers to itself: " + (folder / "a.shape") + " -> " + (folder / "b.shape") + " -> ");
  // The next file is read as if nothing had happened.
  EXPECT_NE(geometry(folder.write("c.ball", "ball 1")), nullptr);
}

TEST_F(FormatLoaderTest, SaysWhatCouldBeRead) {
  const auto unknown = errorOf([&] { geometry(folder.write("a.xyz", "?")); });
  EXPECT_SAYS(unknown.message, "no format reads '" + (folder / "a.xyz") + "' as a geometry");
  EXPECT_SAYS(unknown.hint, "a geometry is read from: .shape, .ball, .shape");
  const auto other =
      errorOf([&] { loader.load<RobotDescription>(folder.write("a.ball", "ball 1"), "world.xml", diagnostics); });
  EXPECT_SAYS(other.message, "its extension belongs to: geometry (test.Ball)");
  EXPECT_SAYS(other.hint, "no plugin that reads a robot is installed");
  EXPECT_EQ(other.where, "world.xml");
}

TEST_F(FormatLoaderTest, ListsThePathsTried) {
  const auto said = errorOf([&] { loader.load<GeometryPtr>("none.ball", folder / "world.xml", diagnostics); });
  EXPECT_SAYS(said.message + said.hint, folder / "none.ball");
}

TEST_F(FormatLoaderTest, TurnsForeignExceptionsIntoErrors) {
  const std::string path = folder.write("a.ter", "");
  const auto said = errorOf([&] { loader.load<Terrain>(path, {}, diagnostics); });
  EXPECT_SAYS(said.message, "format 'test.Throwing' failed to read this file: vector::_M_range_check");
  EXPECT_EQ(said.where, path);
}

TEST_F(FormatLoaderTest, AFormatThatGivesAnotherKindIsConvertedOrAnError) {
  EXPECT_EQ(loader.load<ConfigurationList>(folder.write("path.mistake", ""), {}, diagnostics).configurations.size(),
            2u);
  const std::string path = folder.write("a.mistake", "");
  const auto said = errorOf([&] { loader.load<RigidTransform>(path, {}, diagnostics); });
  EXPECT_SAYS(said.message, "a terrain does not become a transform");
  EXPECT_EQ(said.where, path);
}

TEST_F(FormatLoaderTest, SaysWhenNothingWritesAValue) {
  const auto unknown = errorOf([&] { loader.write(Trajectory(), folder / "a.ball", diagnostics); });
  EXPECT_SAYS(unknown.message, "no format writes a trajectory to '" + (folder / "a.ball") + "'");
  const auto nothing = errorOf([&] { loader.write(GeometryPtr(), folder / "a.ball", diagnostics); });
  EXPECT_SAYS(nothing.message, "there is no shape to write");
}

TEST_F(FormatLoaderTest, SaysWhenAFormatHasNoUsableDefaults) {
  const auto path = folder.write("a.demand", "");
  try {
    loader.world(path, {}, diagnostics);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_SAYS(error.what(), "key");
  }
}

TEST_F(FormatLoaderTest, BareShapesAreObjectsAndTerrains) {
  const std::string path = folder.write("ball.shape", "ball 0.5");
  const RigidObject object = loader.load<RigidObject>(path, {}, diagnostics);
  EXPECT_EQ(object.name, "ball");
  EXPECT_EQ(object.inertia.mass, 1);
  EXPECT_TRUE(object.inertia.physical());
  EXPECT_EQ(object.surface.friction, 0.5);
  const Terrain terrain = loader.load<Terrain>(path, {}, diagnostics);
  EXPECT_EQ(terrain.geometry, object.geometry);
  EXPECT_EQ(terrain.surface.friction, 0.5);
  EXPECT_EQ(loader.load<RigidObject>(folder.write("o.object", ""), {}, diagnostics).name, "from object file");
}

}  // namespace
}  // namespace mortise
