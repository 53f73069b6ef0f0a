/// Tests of what cameras see of bodies whose visual shapes are not those that collide.

#include "mortise/appearance/texture.h"
#include "mortise/appearance/visual_files.h"
#include "mortise/images/png_image.h"
#include "mortise/loading/format_loader.h"
#include "tests/plugins/sensors_embree/sight.h"

namespace mortise {
namespace {

using test::placedObject;

class CameraLooks : public test::SightTest {
 protected:
  void SetUp() override {
    world.objects.push_back(
        placedObject(test::boxGeometry(Vector3d(1, 1, 0.2)), RigidTransform::translation(Vector3d(0, 0, 2.1))));
  }

  /// A square 2 m before the camera, wider than the box, which collides; u goes to the right, v down.
  static VisualMesh square() {
    auto data = std::make_shared<VisualMeshData>();
    data->vertices = {{-1, -1, -0.1}, {1, -1, -0.1}, {1, 1, -0.1}, {-1, 1, -0.1}};
    data->triangles = {{0, 2, 1}, {0, 3, 2}};
    data->textureCoordinates = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    return {data, VisualMaterial()};
  }
  void lookLike(VisualMesh mesh) {
    files.know(world.objects[0].geometry, std::make_shared<const VisualShape>(VisualShape{std::move(mesh)}));
  }
  /// 0xrrggbb of a pixel of 64 by 48, bare colors.
  static std::uint32_t at(const std::vector<double>& values, int i, int j) {
    return static_cast<std::uint32_t>(values[static_cast<std::size_t>(64 * j + i)]);
  }
  static void expectNear(std::uint32_t color, std::uint32_t expected) {
    for (const int shift : {16, 8, 0})
      EXPECT_NEAR(static_cast<int>(color >> shift & 255), static_cast<int>(expected >> shift & 255), 20)
          << std::hex << color << " instead of " << expected;
  }
  std::vector<double> seen(const std::string& more = {}) {
    const VisualFilesScope scope(files);
    auto camera = started("CameraSensor", "{xres: 64, yres: 48, shading: false, depth: false" + more + "}");
    return measure(*camera);
  }

  test::MemoryLog log;
  FormatLoader loader{registry(), log};
  std::vector<std::string> said;
  VisualFiles files{loader, [this](const std::string& message) { said.push_back(message); }};
};

TEST_F(CameraLooks, TexturesLieTheRightWayUp) {
  VisualMesh mesh = square();
  // Red, green; blue, white.
  mesh.material->texture =
      textureFrom(colorPng(2, 2, std::vector<std::uint32_t>{0xff0000, 0x00ff00, 0x0000ff, 0xffffff}));
  lookLike(mesh);
  const std::vector<double> image = seen();
  // The middles of the image's pixels; what is nearby has a little of their neighbors.
  expectNear(at(image, 16, 8), 0xff0000);
  expectNear(at(image, 47, 8), 0x00ff00);
  expectNear(at(image, 16, 39), 0x0000ff);
  expectNear(at(image, 47, 39), 0xffffff);
  EXPECT_TRUE(said.empty());
}

TEST_F(CameraLooks, ColorsOfVerticesAreBetweenThem) {
  VisualMesh mesh = square();
  auto data = std::make_shared<VisualMeshData>(*mesh.data);
  data->colors = {{1, 0, 0, 1}, {1, 0, 0, 1}, {0, 0, 1, 1}, {0, 0, 1, 1}};
  mesh.data = data;
  mesh.material->color = {1, 1, 1, 1};
  lookLike(mesh);
  const std::vector<double> image = seen();
  const std::uint32_t upper = at(image, 32, 6), middle = at(image, 32, 24), lower = at(image, 32, 42);
  EXPECT_GT(upper >> 16, lower >> 16);
  EXPECT_LT(upper & 255, lower & 255);
  EXPECT_NEAR(middle >> 16, 127, 6) << "half of both";
  EXPECT_NEAR(middle & 255, 127, 6);
}

TEST_F(CameraLooks, CollisionShapesOnRequest) {
  VisualMesh mesh = square();
  mesh.material->color = {0, 1, 0, 1};
  lookLike(mesh);
  EXPECT_EQ(at(seen(), 12, 24), 0x00ff00U) << "the square is wider than the box";
  const std::vector<double> collision = seen(", shapes: collision");
  EXPECT_EQ(at(collision, 12, 24), 0x6666ffU);
  EXPECT_EQ(at(collision, 32, 24), 0x6633ccU) << "Klamp't's color of objects";
}

TEST_F(CameraLooks, WithoutFilesNothingChanges) {
  auto camera = started("CameraSensor", "{xres: 64, yres: 48, depth: true}");
  const std::vector<double> before = measure(*camera);
  const VisualFilesScope scope(files);
  auto again = started("CameraSensor", "{xres: 64, yres: 48, depth: true}");
  EXPECT_EQ(measure(*again), before) << "bodies that look as they collide are met as exactly as ever";
}

TEST_F(CameraLooks, ADamagedTextureIsSaidAndTheColorSeen) {
  std::string damaged = colorPng(2, 2, std::vector<std::uint32_t>{1, 2, 3, 4});
  damaged.erase(50, 4);
  VisualMesh mesh = square();
  mesh.material->color = {0, 0, 1, 1};
  mesh.material->texture = textureFrom(damaged);
  lookLike(mesh);
  EXPECT_EQ(at(seen(), 32, 24), 0x0000ffU);
  ASSERT_EQ(host.messages().lines.size(), 1U);
  EXPECT_TRUE(host.messages().mentions("a texture is not seen"));
}

}  // namespace
}  // namespace mortise
