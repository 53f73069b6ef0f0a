/// Tests of the places that pictures are taken from: presets, fitting, hiding, links of the viewer's page.

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/render/floor_placement.h"
#include "mortise/render/photographer.h"
#include "mortise/render/world_renderer.h"
#include "tests/support/worlds.h"

namespace mortise::render {
namespace {

AxisAlignedBounds box(const Vector3d& low, const Vector3d& high) {
  AxisAlignedBounds bounds;
  bounds.include(low);
  bounds.include(high);
  return bounds;
}

TEST(CameraView, SeesWholeBoundsAtAnyAspect) {
  const AxisAlignedBounds bounds = box({1, 2, 0}, {3, 5, 4});
  const Vector3d center(2, 3.5, 2);
  for (const double aspect : {0.3, 1.0, 2.5})
    for (const std::string& name : presetNames()) {
      CameraView camera;
      camera.direction = presetDirection(name);
      ASSERT_TRUE(camera.direction) << name;
      const RigidTransform X = cameraPose(camera, bounds, aspect);
      EXPECT_LT((X.R * X.R.transpose() - Matrix3d::Identity()).norm(), 1e-9);
      double filled = 0;
      for (int corner = 0; corner < 8; ++corner) {
        const Vector3d at = X.inverse() * Vector3d(corner & 1 ? 1 : 3, corner & 2 ? 2 : 5, corner & 4 ? 0 : 4);
        const double down = std::tan(0.5 * camera.fieldOfView) * at.z();
        ASSERT_GT(at.z(), 0);
        filled = std::max({filled, std::abs(at.y()) / down, std::abs(at.x()) / (aspect * down)});
      }
      EXPECT_NEAR(filled, style::kFilled, 1e-9) << name << " at " << aspect;
      EXPECT_GT(X.R.col(2).dot((center - X.p).normalized()), 1 - 1e-12) << "the middle is in the middle";
      if (name != "top" && name != "bottom") {
        EXPECT_LT(X.R(2, 1), -0.9) << "down is down";
      }
    }
  CameraView top;
  top.direction = presetDirection("top");
  EXPECT_GT(cameraPose(top, bounds, 1).R(0, 0), 0.999) << "x to the right";
  EXPECT_FALSE(presetDirection("behind"));
}

TEST(CameraView, TheDefaultLooksFromTheFrontAndTheRight) {
  SeenBoxes boxes;
  boxes.moving = {box({-0.2, -0.2, 0}, {0.2, 0.2, 1.5})};
  const auto elevation = [&] {
    const AxisAlignedBounds bounds = boundsOf(boxes);
    const Vector3d d = clearDirection(boxes, bounds, 4);
    EXPECT_NEAR(std::atan2(d.y(), d.x()), -40 * M_PI / 180, 1e-9);
    return std::asin(d.z()) * 180 / M_PI;
  };
  EXPECT_NEAR(elevation(), 12, 1e-9) << "higher than wide";
  boxes.moving = {box({-1, -0.2, 0}, {0.2, 0.2, 0.5})};
  EXPECT_NEAR(elevation(), 18, 1e-9);
  boxes.fixed = {box({-2, -2, -1}, {2, 2, 0.1})};
  EXPECT_NEAR(elevation(), 28, 1e-9) << "on a table";
}

TEST(CameraView, GoesAroundWhatHides) {
  SeenBoxes boxes;
  boxes.moving = {box({-0.2, -0.2, 0}, {0.2, 0.2, 0.4})};
  const AxisAlignedBounds bounds = boundsOf(boxes);
  const Vector3d plain = clearDirection(boxes, bounds, 3);
  // A wall between.
  const Vector3d wall = 1.5 * plain;
  boxes.fixed = {box(wall - Vector3d(0.3, 0.3, 2), wall + Vector3d(0.3, 0.3, 2))};
  const Vector3d around = clearDirection(boxes, bounds, 3);
  EXPECT_GT((around - plain).norm(), 0.3);
}

TEST(SavedViews, AreThePagesLinks) {
  const SavedView view = savedView("http://127.0.0.1:8000/?x=1#token=abc&t=1.25&view=1,-2,0.5,0,0,1e-1,0.01,100&sel=3");
  ASSERT_TRUE(view.position && view.target && view.time);
  EXPECT_EQ(*view.position, Vector3d(1, -2, 0.5));
  EXPECT_EQ(*view.target, Vector3d(0, 0, 0.1));
  EXPECT_EQ(*view.time, 1.25);
  EXPECT_FALSE(savedView("#t=3").position);
  for (const char* wrong : {"", "side", "#view=1,2,3", "#view=1,2,3,4,5,x", "#view=", "#t=soon", "#view=1,2,3,4,5,inf"})
    EXPECT_THROW(savedView(wrong), Error) << wrong;
}

TEST(FloorPlacement, StandsForLevelTerrainsOrLiesUnderEverything) {
  World world;
  world.objects.push_back(test::boxObject("box", Vector3d(0, 0, 0.6)));
  FloorPlacement floor = placeFloor(drawnBodies(world, nullptr), StillView(world).view());
  EXPECT_NEAR(floor.height, 0.5, 1e-12);
  EXPECT_TRUE(floor.terrains.empty());
  world.terrains.push_back(test::groundTerrain());
  floor = placeFloor(drawnBodies(world, nullptr), StillView(world).view());
  EXPECT_EQ(floor.height, 0);
  EXPECT_EQ(floor.terrains, std::vector<int>{0});
  Value color = Value::map();
  color.set("color", std::vector<double>{0.1, 0.7, 0.1});
  world.terrains[0].display.push_back(color);
  floor = placeFloor(drawnBodies(world, nullptr), StillView(world).view());
  EXPECT_TRUE(floor.terrains.empty()) << "a green meadow stays one";
  EXPECT_EQ(floor.height, -1);
  EXPECT_EQ(placeFloor(drawnBodies(World(), nullptr), StillView(World()).view()).height, 0) << "nothing at all";
}

}  // namespace
}  // namespace mortise::render
