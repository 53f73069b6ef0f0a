// Heightmaps of many cells are prepared as grids, tile by tile. What comes of it is what comes of the same triangles
// prepared like any mesh.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/collision/query.h"
#include "mortise/math/rotation.h"
#include "tests/toolbox/contacts/contact_scenes.h"

namespace mortise {
namespace {

using test::shapeOf;

HeightmapShape hills(int columns, int rows, double spacing, double height, std::uint64_t seed) {
  RandomStream random(seed, "hills");
  HeightmapShape map;
  map.columns = columns;
  map.rows = rows;
  map.size = {spacing * (columns - 1), spacing * (rows - 1)};
  map.X.R = rotationAboutAxis(Vector3d::UnitZ(), 0.3);
  map.X.p = Vector3d(1, -2, 0.5);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      // Hills, with a flat part in the middle.
      const double u = 0.07 * column, v = 0.05 * row;
      const double z = height * (std::sin(u) * std::cos(v) + 0.1 * random.uniform());
      map.heights.push_back(std::abs(column - columns / 2) < 12 && std::abs(row - rows / 2) < 12 ? 0 : z);
    }
  return map;
}

/// The same heightmap as a part of a group, which is prepared like any mesh.
CollisionShapePtr asMesh(const HeightmapShape& map) {
  GeometryGroup group;
  group.parts.push_back(std::make_shared<const Geometry>(map));
  return shapeOf(std::move(group));
}

/// A pose above the surface, or a little within it.
RigidTransform near(const HeightmapShape& map, RandomStream& random, double above) {
  const int column = 1 + static_cast<int>(random.uniform() * (map.columns - 3));
  const int row = 1 + static_cast<int>(random.uniform() * (map.rows - 3));
  RigidTransform X;
  X.R = rotationAboutAxis(Vector3d::UnitZ(), 6 * random.uniform()) *
        rotationAboutAxis(Vector3d::UnitX(), 6 * random.uniform());
  X.p = map.point(column, row) + map.X.R * Vector3d(0.1 * random.uniform(), 0.1 * random.uniform(), above);
  return X;
}

TEST(LargeHeightmap, TrianglesAndBoundsAreThoseOfTheSurface) {
  const HeightmapShape map = hills(180, 130, 0.2, 0.8, 1);
  const CollisionShapePtr grid = shapeOf(map);
  ASSERT_NE(grid->largeGrid(), nullptr);
  const TriangleMesh surface = map.surface();
  ASSERT_EQ(grid->numElements(), static_cast<int>(surface.triangles.size()));
  std::vector<char> seen(surface.triangles.size(), 0);
  for (int place = 0; place < grid->numElements(); ++place) {
    const auto index = static_cast<std::size_t>(grid->id(place).index);
    EXPECT_EQ(seen[index]++, 0);
    const ConvexElement element = grid->element(place);
    const Vector3d* corners[] = {&element.a, &element.b, &element.c};
    for (std::size_t k = 0; k < 3; ++k)
      ASSERT_EQ(*corners[k], surface.vertices[static_cast<std::size_t>(surface.triangles[index][k])]);
  }
  const CollisionShapePtr mesh = asMesh(map);
  EXPECT_EQ(mesh->largeGrid(), nullptr);
  EXPECT_EQ(grid->bounds().min, mesh->bounds().min);
  EXPECT_EQ(grid->bounds().max, mesh->bounds().max);
  EXPECT_NEAR(grid->radius(), mesh->radius(), 1e-9);
  EXPECT_TRUE(grid->solid());
}

TEST(LargeHeightmap, SmallOnesArePreparedAsBefore) {
  EXPECT_EQ(shapeOf(hills(100, 100, 0.2, 0.8, 1))->largeGrid(), nullptr);
}

TEST(LargeHeightmap, DistancesAreThoseOfTheMesh) {
  const HeightmapShape map = hills(150, 140, 0.2, 0.8, 2);
  const CollisionShapePtr grid = shapeOf(map), mesh = asMesh(map), box = shapeOf(test::boxShape({0.5, 0.3, 0.2}));
  RandomStream random(3, "poses");
  QueryWorkspace workspace;
  for (int i = 0; i < 60; ++i) {
    const RigidTransform X = near(map, random, -0.1 + 1.5 * random.uniform());
    const double ofGrid = distance(*grid, RigidTransform(), *box, X, workspace).distance;
    const double ofMesh = distance(*mesh, RigidTransform(), *box, X, workspace).distance;
    ASSERT_NEAR(ofGrid, ofMesh, 1e-9) << i;
    ASSERT_EQ(collide(*grid, RigidTransform(), *box, X, workspace),
              collide(*mesh, RigidTransform(), *box, X, workspace))
        << i;
  }
}

struct Touch {
  Vector3d point, normal;
  double gap;
};

std::vector<Touch> touches(ContactGenerator& generator, const RigidTransform& X) {
  generator.reset();
  generator.setPose(1, X);
  generator.update();
  std::vector<Touch> found;
  for (const GeneratedContact& contact : generator.contacts())
    found.push_back({contact.point, contact.normal, contact.gap});
  return found;
}

ContactGenerator generatorFor(const CollisionShapePtr& terrain, const CollisionShapePtr& body) {
  ContactRules rules;
  rules.maxContacts = 10000;
  return test::generatorOf({{terrain, 0}, {body, 0.05}}, rules);
}

/// How many of the one list are not in the other.
int missing(const std::vector<Touch>& from, const std::vector<Touch>& in) {
  return static_cast<int>(std::count_if(from.begin(), from.end(), [&](const Touch& touch) {
    return std::none_of(in.begin(), in.end(), [&](const Touch& other) {
      return (touch.point - other.point).norm() < 1e-6 && (touch.normal - other.normal).norm() < 1e-6 &&
             std::abs(touch.gap - other.gap) < 1e-9;
    });
  }));
}

TEST(LargeHeightmap, ContactsAreThoseOfTheMesh) {
  const HeightmapShape map = hills(150, 140, 0.2, 0.8, 4);
  const CollisionShapePtr grid = shapeOf(map), mesh = asMesh(map);
  RandomStream random(5, "poses");
  QueryWorkspace workspace;
  int compared = 0, different = 0;
  for (const CollisionShapePtr& body : {shapeOf(test::boxShape({0.5, 0.3, 0.2})), shapeOf(test::ballMesh(0.3, 12)),
                                        shapeOf(CapsuleShape{{0, 0, -0.3}, {0, 0, 0.3}, 0.1})}) {
    ContactGenerator onGrid = generatorFor(grid, body), onMesh = generatorFor(mesh, body);
    for (int i = 0; i < 60; ++i) {
      // Down until the layers touch, not the shapes.
      RigidTransform X = near(map, random, 0.6);
      X.p -= map.X.R.col(2) * std::max(0.0, distance(*grid, RigidTransform(), *body, X, workspace).distance - 0.02);
      if (collide(*grid, RigidTransform(), *body, X, workspace)) continue;
      const std::vector<Touch> ofGrid = touches(onGrid, X), ofMesh = touches(onMesh, X);
      EXPECT_EQ(ofGrid.empty(), ofMesh.empty()) << i;
      if (ofMesh.empty() || ofGrid.empty()) continue;
      ++compared;
      different += missing(ofGrid, ofMesh) + missing(ofMesh, ofGrid) > 0;
      const auto minimum = [](const std::vector<Touch>& all) {
        return std::min_element(all.begin(), all.end(), [](const Touch& a, const Touch& b) { return a.gap < b.gap; })
            ->gap;
      };
      EXPECT_NEAR(minimum(ofGrid), minimum(ofMesh), 1e-6) << i;
    }
  }
  EXPECT_GT(compared, 80);
  EXPECT_LE(different, compared / 10) << "of " << compared;
}

TEST(LargeHeightmap, ASlidingBoxKeepsItsContactsAcrossTiles) {
  HeightmapShape map;
  map.columns = map.rows = 140;
  map.size = {13.9, 13.9};
  map.heights.assign(140 * 140, 0.0);
  const CollisionShapePtr grid = shapeOf(map), box = shapeOf(test::boxShape({0.5, 0.5, 0.5}));
  ContactGenerator generator = generatorFor(grid, box);
  for (int i = 0; i < 60; ++i) {
    const std::vector<Touch> found = touches(generator, RigidTransform::translation({-3 + 0.103 * i, 0.21, 0.255}));
    EXPECT_EQ(found.size(), 4u) << i;
    for (const Touch& touch : found) EXPECT_NEAR(std::abs(touch.normal.z()), 1, 1e-9) << i;
  }
}

TEST(LargeHeightmap, TooManyCellsAreAnError) {
  HeightmapShape map;
  map.columns = map.rows = 2100;
  map.heights.assign(2100 * 2100, 0.0);
  try {
    (void)shapeOf(map);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("a heightmap of 2100 x 2100 points has 4405801 cells"), std::string::npos);
  }
}

TEST(LargeHeightmap, AThousandByAThousandTakeThreeHundredMegabytes) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer takes memory of its own";
#endif
  const HeightmapShape map = hills(1000, 1000, 0.1, 2, 6);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    unsigned long pages = 0;
    if (FILE* file = std::fopen("/proc/self/statm", "re")) {
      if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
      std::fclose(file);
    }
    const rlim_t maximum = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + (rlim_t{300} << 20);
    const rlimit limit{maximum, maximum};
    ::setrlimit(RLIMIT_AS, &limit);
    try {
      const CollisionShapePtr grid = shapeOf(map), box = shapeOf(test::boxShape({0.5, 0.5, 0.5}));
      RigidTransform X;
      X.p = map.point(500, 500) + Vector3d(0, 0, 0.25);
      ContactGenerator generator = generatorFor(grid, box);
      ::_exit(touches(generator, X).empty() ? 2 : 0);
    } catch (...) {
      ::_exit(1);
    }
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace mortise
