#include <gtest/gtest.h>
#include <numbers>

#include "mortise/base/value_text.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

/// A cube from (0,0,0) to (1,1,1) whose corners are counted as in `corner`: bit 2 is x, bit 1 y, bit 0 z.
constexpr const char* kCube =
    "OFF\n8 12 0\n0 0 0\n0 0 1\n0 1 0\n0 1 1\n1 0 0\n1 0 1\n1 1 0\n1 1 1\n3 0 1 3\n3 0 3 2\n3 4 6 7\n3 4 7 5\n3 0 4 5\n"
    "3 0 5 1\n3 2 3 7\n3 2 7 6\n3 0 2 6\n3 0 6 4\n3 1 5 7\n3 1 7 3\n";

class GeometryCommand : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("mortise_geometry_") + info->name() + "_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    cube_ = write("cube.off", kCube);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name) << content;
    return path(name);
  }
  Value info(const std::string& file) const {
    const Ran ran = runMortise({"geometry", "info", file, "--json"});
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return parseYaml(ran.out, "info");
  }
  /// Converts the cube and tells what came out.
  Value converted(const std::string& out, const std::vector<std::string>& options) const {
    std::vector<std::string> arguments = {"geometry", "convert", cube_, path(out)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Ran ran = runMortise(arguments);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return info(path(out));
  }
  static std::vector<double> bounds(const Value& info) {
    std::vector<double> numbers = info.at("bmin").asReals();
    const std::vector<double> max = info.at("bmax").asReals();
    numbers.insert(numbers.end(), max.begin(), max.end());
    return numbers;
  }

  std::filesystem::path folder_;
  std::string cube_;
};

TEST_F(GeometryCommand, InfoOfAClosedMesh) {
  const Value cube = info(cube_);
  EXPECT_EQ(cube.string("type", ""), "TriangleMesh");
  EXPECT_EQ(cube.at("num_vertices").asInteger(), 8);
  EXPECT_EQ(cube.at("num_triangles").asInteger(), 12);
  EXPECT_TRUE(cube.at("closed").asBool());
  EXPECT_EQ(cube.at("components").asInteger(), 1);
  EXPECT_EQ(cube.at("degenerate_triangles").asInteger(), 0);
  EXPECT_NEAR(cube.at("area").asReal(), 6, 1e-12);
  EXPECT_NEAR(cube.at("volume").asReal(), 1, 1e-12);
  for (const double x : cube.at("center").asReals()) EXPECT_NEAR(x, 0.5, 1e-12);
  EXPECT_EQ(bounds(cube), std::vector<double>({0, 0, 0, 1, 1, 1}));
  const Ran text = runMortise({"geometry", "info", cube_});
  EXPECT_NE(text.out.find("TriangleMesh, 8 vertices, 12 triangles"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("closed, 1 component, 6 m^2"), std::string::npos) << text.out;
}

TEST_F(GeometryCommand, InfoOfWhatIsWrongWithAMesh) {
  // Two triangles that turn against each other, one apart without area, one vertex of none.
  const Value open = info(write("open.off",
                                "OFF\n8 3 0\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n5 0 0\n6 0 0\n7 0 0\n9 9 9\n3 0 1 2\n3 1 2 3\n"
                                "3 4 5 6\n"));
  EXPECT_FALSE(open.at("closed").asBool());
  EXPECT_EQ(open.at("components").asInteger(), 2);
  EXPECT_EQ(open.at("border_edges").asInteger(), 7);
  EXPECT_EQ(open.at("flipped_edges").asInteger(), 1);
  EXPECT_EQ(open.at("degenerate_triangles").asInteger(), 1);
  EXPECT_EQ(open.at("unused_vertices").asInteger(), 1);
  EXPECT_NEAR(open.at("area").asReal(), 1, 1e-12);
  EXPECT_EQ(open.find("volume"), nullptr);
  std::string flipped = kCube;
  flipped.replace(flipped.find("3 0 1 3"), 7, "3 0 3 1");
  EXPECT_EQ(info(write("flipped.off", flipped)).at("flipped_edges").asInteger(), 3);
}

TEST_F(GeometryCommand, ClosedPiecesMayTouch) {
  converted("a.tri", {});
  converted("b.tri", {"--transform", "1,1,0"});  // Shares an edge with the first.
  std::ostringstream both;
  both << std::ifstream(path("a.tri")).rdbuf() << std::ifstream(path("b.tri")).rdbuf();
  const Value cubes = info(write("both.tri", both.str()));
  EXPECT_EQ(cubes.at("num_vertices").asInteger(), 16);
  EXPECT_EQ(cubes.at("components").asInteger(), 1);
  EXPECT_EQ(cubes.at("crowded_edges").asInteger(), 1);
  EXPECT_TRUE(cubes.at("closed").asBool());
  EXPECT_NEAR(cubes.at("volume").asReal(), 2, 1e-12);
}

TEST_F(GeometryCommand, InfoOfOtherShapes) {
  const Value ball = info(write("ball.geom", "Sphere 1 2 3 0.5\n"));
  EXPECT_EQ(ball.string("primitive", ""), "Sphere");
  EXPECT_NEAR(ball.at("volume").asReal(), std::numbers::pi / 6, 1e-12);
  EXPECT_NEAR(ball.at("area").asReal(), std::numbers::pi, 1e-12);
  const Value group = info(write("two.group", "2\nPrimitive\nSphere 0 0 0 1\nPrimitive\nAABB 0 0 0 1 2 3\n"));
  ASSERT_EQ(group.at("parts").items().size(), 2u);
  EXPECT_NEAR(group.at("parts")[1].at("area").asReal(), 22, 1e-12);
  const Ran text = runMortise({"geometry", "info", path("two.group")});
  EXPECT_NE(text.out.find("part 1: AABB"), std::string::npos) << text.out;
  const Value cloud = info(write("c.pcd", "FIELDS x y z intensity\nPOINTS 1\nDATA ascii\n1 2 3 4\n"));
  EXPECT_EQ(cloud.at("properties").asStrings(), std::vector<std::string>({"intensity"}));
  const Ran missing = runMortise({"geometry", "info", path("cub.off")});
  EXPECT_EQ(missing.exitCode, 1);
  EXPECT_NE(missing.err.find("cube.off"), std::string::npos) << missing.err;  // The near name.
}

TEST_F(GeometryCommand, ConvertTurnsThenScalesThenMoves) {
  EXPECT_EQ(bounds(converted("a.off", {"--scale", "1,2,3"})), std::vector<double>({0, 0, 0, 1, 2, 3}));
  EXPECT_EQ(bounds(converted("b.ply", {"--scale", "0.5"})), std::vector<double>({0, 0, 0, 0.5, 0.5, 0.5}));
  // y becomes z, z becomes -y.
  EXPECT_EQ(bounds(converted("c.obj", {"--up", "y", "--scale", "1,2,3", "--transform", "10,0,0"})),
            std::vector<double>({10, -2, 0, 11, 0, 3}));
  for (const char* axis : {"x", "y", "z", "-x", "-y", "-z"}) {
    const Value turned = converted("d.off", {std::string("--up=") + axis});
    EXPECT_NEAR(turned.at("volume").asReal(), 1, 1e-12) << axis;
  }
  // A mirror turns the triangles over, so that they face outward still.
  const Value mirrored = converted("e.tri", {"--transform=-1,0,0,0,1,0,0,0,1,0,0,0"});
  EXPECT_EQ(bounds(mirrored), std::vector<double>({-1, 0, 0, 0, 1, 1}));
  EXPECT_NEAR(mirrored.at("volume").asReal(), 1, 1e-12);
}

TEST_F(GeometryCommand, UpBringsTheAxisUpright) {
  const std::string points[] = {"1 0 0", "0 1 0", "0 0 1", "-1 0 0", "0 -1 0", "0 0 -1"};
  const char* axes[] = {"x", "y", "z", "-x", "-y", "-z"};
  for (int i = 0; i < 6; ++i) {
    const std::string file = write("p.geom", "Point " + points[i] + "\n");
    const Ran ran = runMortise({"geometry", "convert", file, path("q.geom"), std::string("--up=") + axes[i]});
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    EXPECT_EQ(info(path("q.geom")).at("bmax").asReals(), std::vector<double>({0, 0, 1})) << axes[i];
  }
}

TEST_F(GeometryCommand, ConvertToOtherKinds) {
  const Value points = converted("a.pcd", {"--as", "cloud", "--resolution", "0.5"});
  EXPECT_EQ(points.string("type", ""), "PointCloud");
  EXPECT_GE(points.at("num_vertices").asInteger(), 8);
  EXPECT_EQ(bounds(points), std::vector<double>({0, 0, 0, 1, 1, 1}));
  const Ran round = runMortise({"geometry", "convert", write("ball.geom", "Sphere 0 0 0 1\n"), path("ball.off"), "--as",
                                "mesh", "--resolution", "0.05"});
  EXPECT_EQ(round.exitCode, 0) << round.err;
  const Value ball = info(path("ball.off"));
  EXPECT_TRUE(ball.at("closed").asBool());
  EXPECT_NEAR(ball.at("volume").asReal(), 4.0 / 3 * std::numbers::pi, 0.02);
  const Value box = converted("b.geom", {"--as", "box"});
  EXPECT_EQ(box.string("primitive", ""), "AABB");
  EXPECT_NEAR(box.at("volume").asReal(), 1, 1e-12);
  const Value hull = converted("c.group", {"--as", "hull"}).at("parts")[0];
  EXPECT_EQ(hull.string("type", ""), "ConvexHull");
  EXPECT_NEAR(hull.at("volume").asReal(), 1, 1e-12);
  // And back: boxes and hulls are meshes that face outward.
  for (const char* from : {"b.geom", "c.group"}) {
    const Ran ran = runMortise({"geometry", "convert", path(from), path("back.off"), "--as", "mesh"});
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    const Value back = info(path("back.off"));
    EXPECT_TRUE(back.at("closed").asBool()) << from;
    EXPECT_NEAR(back.at("volume").asReal(), 1, 1e-12) << from;
  }
}

TEST_F(GeometryCommand, EveryKindOfThePage) {
  EXPECT_EQ(converted("a.vol", {"--as", "implicit_surface", "--resolution", "0.1"}).string("type", ""),
            "ImplicitSurface");
  EXPECT_EQ(converted("a.sdf", {"--as", "ImplicitSurface", "--resolution", "0.1"}).string("type", ""),
            "ImplicitSurface");
  EXPECT_EQ(converted("a.occ", {"--as", "occupancy_grid", "--resolution", "0.1"}).string("type", ""), "OccupancyGrid");
  EXPECT_EQ(converted("a.json", {"--as", "heightmap", "--resolution", "0.1"}).string("type", ""), "Heightmap");
  EXPECT_EQ(converted("b.pcd", {"--as", "point_cloud", "--resolution", "0.5"}).string("type", ""), "PointCloud");
  const Ran help = runMortise({"geometry", "convert", "--help"});
  for (const char* kind : {"mesh", "cloud", "hull", "implicit_surface", "occupancy_grid", "heightmap", "box"})
    EXPECT_NE(help.out.find("\n  " + std::string(kind) + " "), std::string::npos) << help.out;
  const Ran slip = runMortise({"geometry", "convert", cube_, path("c.vol"), "--as", "implicit_surfase"});
  EXPECT_EQ(slip.exitCode, 2);
  EXPECT_NE(slip.err.find("did you mean 'implicit_surface'?"), std::string::npos) << slip.err;
}

TEST_F(GeometryCommand, HullsAndBoxesAreTrianglesInMeshFiles) {
  // Two cubes apart, whose hull is a box of 3 x 1 x 1.
  const Ran apart = runMortise({"geometry", "convert", cube_, path("b.off"), "--transform", "2,0,0"});
  ASSERT_EQ(apart.exitCode, 0) << apart.err;
  const Ran tri = runMortise({"convert", cube_, path("a.tri")});
  ASSERT_EQ(runMortise({"convert", path("b.off"), path("b.tri")}).exitCode, 0);
  std::ostringstream both;
  both << std::ifstream(path("a.tri")).rdbuf() << std::ifstream(path("b.tri")).rdbuf();
  const std::string two = write("two.tri", both.str());
  for (const char* kind : {"hull", "box"})
    for (const char* name : {"h.off", "h.obj", "h.stl", "h.ply", "h.tri"}) {
      const Ran ran = runMortise({"geometry", "convert", two, path(name), "--as", kind});
      ASSERT_EQ(ran.exitCode, 0) << ran.err;
      const Value hull = info(path(name));
      EXPECT_EQ(hull.string("type", ""), "TriangleMesh") << name;
      EXPECT_TRUE(hull.at("closed").asBool()) << name;
      EXPECT_NEAR(hull.at("volume").asReal(), 3, 1e-6) << name;
    }
}

TEST_F(GeometryCommand, JsonNamesTheKindAsTheOptionDoes) {
  write("part.off", "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n");
  for (const auto& [kind, file] :
       {std::pair("mesh", "k.off"), std::pair("cloud", "k.pcd"), std::pair("hull", "k.group"),
        std::pair("implicit_surface", "k.vol"), std::pair("occupancy_grid", "k.occ"), std::pair("heightmap", "k.json"),
        std::pair("box", "k.geom")}) {
    const Ran ran = runMortise(
        {"geometry", "convert", path("part.off"), path(file), "--as", kind, "--resolution", "0.1", "--json"});
    ASSERT_EQ(ran.exitCode, 0) << ran.err;
    const Value done = parseYaml(ran.out, "stdout");
    EXPECT_EQ(done.at("kind").asString(), kind);
    // --as takes the name of the type as well.
    if (std::string(kind) == "box") continue;
    const Ran again = runMortise({"geometry", "convert", path("part.off"), path(file), "--as",
                                  done.at("type").asString(), "--resolution", "0.1", "--json"});
    EXPECT_EQ(parseYaml(again.out, "stdout").at("kind").asString(), kind) << again.err;
  }
}

TEST_F(GeometryCommand, JsonSaysWhatWasDone) {
  const Ran ran = runMortise({"geometry", "convert", cube_, path("j.group"), "--as", "hull", "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value done = parseYaml(ran.out, "stdout");
  EXPECT_EQ(done.at("input").asString(), cube_);
  EXPECT_EQ(done.at("output").asString(), path("j.group"));
  EXPECT_EQ(done.at("type").asString(), "ConvexHull");
  EXPECT_EQ(done.at("warnings").size(), 0u);
}

TEST_F(GeometryCommand, WrongUsageAndWhatCannotBe) {
  const auto fails = [&](std::vector<std::string> arguments, int code, const std::string& message) {
    arguments.insert(arguments.begin(), "geometry");
    const Ran ran = runMortise(arguments);
    EXPECT_EQ(ran.exitCode, code) << ran.err;
    EXPECT_NE(ran.err.find(message), std::string::npos) << ran.err;
  };
  const std::string out = path("out.off");
  fails({}, 2, "'mortise geometry' needs a command");
  fails({"inof", cube_}, 2, "did you mean 'info'");
  fails({"convert", cube_, out, "--scale", "1,2"}, 2, "--scale takes 1 or 3 numbers, not 2");
  fails({"convert", cube_, out, "--scale", "0"}, 2, "a factor is zero");
  fails({"convert", cube_, out, "--scale", "big"}, 2, "'big' is not a number");
  fails({"convert", cube_, out, "--up", "w"}, 2, "--up takes one of");
  fails({"convert", cube_, out, "--transform", "1,2,3,4"}, 2, "--transform takes");
  fails({"convert", cube_, out, "--as", "meh"}, 2, "--as takes one of");
  const std::string ball = write("ball.geom", "Sphere 0 0 0 1\n");
  fails({"convert", ball, out, "--as", "mesh", "--resolution=-1"}, 2, "--resolution must not be negative");
  fails({"convert", write("p.geom", "Point 0 0 0\n"), out, "--as", "mesh"}, 1, "p.geom' cannot be converted: ");
  fails({"convert", ball, out}, 1, "has no triangles to write");
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace mortise::test
