/// The viewer's page has the look that `picture_style.h` declares: both files' numbers are compared.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "mortise/appearance/picture_style.h"

namespace mortise::style {
namespace {

const std::string kScene = MORTISE_SOURCE_DIR "/viewer/src/scene/";

/// The values of a number, a hexadecimal one among them, or several with commas between, wherever a pattern stands.
std::vector<double> numbersAt(const std::string& file, const std::string& pattern) {
  std::ifstream in(kScene + file);
  std::stringstream text;
  text << in.rdbuf();
  const std::string source = text.str();
  std::vector<double> numbers;
  const std::regex place(pattern);
  for (std::sregex_iterator at(source.begin(), source.end(), place), end; at != end; ++at)
    for (std::size_t group = 1; group < at->size(); ++group) {
      std::string list = (*at)[group].str();
      std::replace(list.begin(), list.end(), ',', ' ');
      std::istringstream words(list);
      for (std::string word; words >> word;)
        numbers.push_back(word.starts_with("0x") ? static_cast<double>(std::stoul(word, nullptr, 16))
                                                 : std::stod(word));
    }
  return numbers;
}

class PageStyle : public testing::Test {
 protected:
  static void expectSame(const std::string& file, const std::string& pattern, const std::vector<double>& ours) {
    const std::vector<double> page = numbersAt(file, pattern);
    ASSERT_EQ(page.size(), ours.size()) << file << ": " << pattern;
    for (std::size_t i = 0; i < ours.size(); ++i)
      EXPECT_NEAR(page[i], ours[i], 1e-9 * std::max(1.0, std::abs(ours[i]))) << file << ": " << pattern << ", " << i;
  }
  static std::vector<double> both(double light, double dark) { return {light, dark}; }
};

TEST_F(PageStyle, ThemesAreTheSame) {
  const std::string file = "light/theme.ts", hex = R"(\((0x[0-9a-f]{6})\))", number = R"(([0-9.]+))";
  expectSame(file, "zenith: color" + hex, both(kLight.zenith, kDark.zenith));
  expectSame(file, "horizon: color" + hex, both(kLight.horizon, kDark.horizon));
  expectSame(file, "ground: color" + hex, both(kLight.ground, kDark.ground));
  expectSame(file, "floor: color" + hex, both(kLight.floor, kDark.floor));
  expectSame(file, "grid: color" + hex, both(kLight.grid, kDark.grid));
  expectSame(file, "gridShare: " + number, both(kLight.gridFraction, kDark.gridFraction));
  expectSame(file, "intensity: " + number, both(kLight.sun, kDark.sun));
  expectSame(file, "intensity: [0-9.]+, color: color" + hex, both(kLight.sunColor, kDark.sunColor));
  expectSame(file, "environment: " + number, both(kLight.environment, kDark.environment));
  expectSame(file, "plain: color" + hex, both(kLight.plain, kDark.plain));
  expectSame(file, "EXPOSURE = " + number, {kExposure});
}

TEST_F(PageStyle, LightIsTheSame) {
  const std::string file = "light/environment.ts", triple = R"(\((-?[0-9.]+, -?[0-9.]+, -?[0-9.]+)\))";
  expectSame(file, "TO_SUN = new THREE.Vector3" + triple, {kToSun[0], kToSun[1], kToSun[2]});
  expectSame(file, "SIDE = linear" + triple, {kBeside[0], kBeside[1], kBeside[2]});
  expectSame(file, "ABOVE = linear" + triple, {kAbove[0], kAbove[1], kAbove[2]});
  expectSame(file, "BELOW = linear" + triple, {kBelow[0], kBelow[1], kBelow[2]});
  std::vector<double> boxes, directions;
  for (const Box& box : kBoxes) {
    boxes.insert(boxes.end(), {box.inner, box.outer, box.color[0], box.color[1], box.color[2], box.scale});
    if (&box != kBoxes.data()) directions.insert(directions.end(), box.toward.begin(), box.toward.end());
  }
  expectSame(file, R"(inner: ([0-9.]+), outer: ([0-9.]+), color: linear\(([0-9., ]+)\))", boxes);
  expectSame(file, "toward: new THREE.Vector3" + triple, directions);
  expectSame(file, R"(smoothstep\(0, ([0-9.]+), z\) : smoothstep\(0, ([0-9.]+), -z\))", {kAboveFrom, kBelowFrom});
  expectSame("light/lights.ts", R"(SUN_RADIUS = THREE.MathUtils.degToRad\(([0-9.]+)\))", {kSunRadius / kDegree});
  expectSame("light/lights.ts", "FLOOR_REFLECTS = ([0-9.]+), FLOOR_SKY_LIGHT = ([0-9.]+)",
             {kFloorReflects, kFloorSkyLight});
  expectSame("light/lights.ts", "WITHOUT_BOXES = ([0-9.]+)", {kWithoutBoxes});
  expectSame("light/sky.ts", R"(pow\(abs\(d.z\), ([0-9.]+)\))", {kSkyExponent});
}

TEST_F(PageStyle, TheFloorIsTheSame) {
  expectSame("light/surroundings.ts", "REACH = ([0-9.]+)", {kFloorReach});
  expectSame("light/floor.ts", R"(alpha = 1.0 - smoothstep\(([0-9.]+) \* reach)", {kFloorFadesFrom});
  expectSame("light/floor.ts", "LEAST_PIXELS = ([0-9.]+)", {kGridMinPixels});
  expectSame("light/floor.ts", R"(gridLine\(cell, ([0-9.]+)\), gridLine\(10.0 \* cell, ([0-9.]+)\))",
             {kGridHalfWidth, kGridTenthHalfWidth});
  expectSame("light/floor.ts", R"(smoothstep\(([0-9.]+) \* reach, ([0-9.]+) \* reach, away\)\) : )",
             {kGridFadesFrom, kGridFadesTo});
  expectSame("light/floor.ts", R"(smoothstep\(([0-9.]+), ([0-9.]+), 1.0 / step\))", {kGridNoPixels, kGridAllPixels});
  expectSame("light/floor_terrain.ts", "WIDE = ([0-9.]+), THIN = ([0-9.]+)", {kFloorTerrainWide, kFloorTerrainThin});
}

TEST_F(PageStyle, BodiesAreTheSame) {
  expectSame("shapes/looks.ts", "ROBOT = (0x[0-9a-f]{6}), DARKER = (-?[0-9.]+), LIGHTER = (-?[0-9.]+)",
             {static_cast<double>(kRobot), kRobotDarker, kRobotLighter});
  expectSame("shapes/looks.ts", R"(terrain: ([0-9.]+), object: ([0-9.]+), link: ([0-9.]+), robot: ([0-9.]+)\})",
             {kTerrainRoughness, kObjectRoughness, kRobotRoughness, kRobotRoughness});
  expectSame("shapes/looks.ts", "clearcoat: ([0-9.]+), clearcoatRoughness: ([0-9.]+)", {kCoat, kCoatRoughness});
  expectSame("light/surface.ts", "DARKEST = ([0-9.]+)", {kDarkest});
  expectSame("palette.ts", R"(PALETTE = \[([0-9a-fx, ]+)\])", {kPalette.begin(), kPalette.end()});
  expectSame("palette.ts", R"(AXES = \[([0-9a-fx, ]+)\])", {kAxes.begin(), kAxes.end()});
  expectSame("palette.ts", "CONTACT = (0x[0-9a-f]{6})", {static_cast<double>(kContact)});
}

TEST_F(PageStyle, CamerasAndArrowsAreTheSame) {
  expectSame("camera/scene_camera.ts", "FIELD_OF_VIEW = ([0-9.]+)", {kFieldOfView / kDegree});
  expectSame("camera/viewpoint.ts",
             "AZIMUTH = (-?[0-9.]+), HIGH = ([0-9.]+), WIDE = ([0-9.]+), ON_TABLES = ([0-9.]+), STEEP = ([0-9.]+)",
             {kAzimuth / kDegree, kElevationHigh / kDegree, kElevationWide / kDegree, kElevationOnTables / kDegree,
              kElevationSteep / kDegree});
  expectSame("camera/camera_rig.ts", "FILLED = ([0-9.]+)", {kFilled});
  expectSame("marks/arrows.ts", "HEAD = ([0-9.]+), HEAD_LENGTH = ([0-9.]+)", {kArrowHead, kArrowHeadLength});
  expectSame("marks/arrows.ts", "MOST_HEAD = ([0-9.]+)", {kArrowMaxHead});
  expectSame("marks/arrows.ts", "HIDDEN = ([0-9.]+)", {kHidden});
}

}  // namespace
}  // namespace mortise::style
