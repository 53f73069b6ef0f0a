#pragma once

/// The values of the look that pictures have, in the viewer's page and in `mortise render`: its page repeats them
/// (`viewer/src/scene`), and a test compares both.

#include <array>
#include <cstdint>
#include <numbers>

namespace mortise::style {

/// Colors are 0xrrggbb as screens show them; `sun` and `environment` are factors of linear light.
struct Theme {
  std::uint32_t zenith, horizon, ground;
  std::uint32_t floor, grid;
  double gridFraction;  ///< How much of a grid's line is its color.
  double sun;           ///< Irradiance of a surface that faces the sun.
  std::uint32_t sunColor;
  double environment;   ///< Factor of the light from all around.
  bool floorLights;     ///< The floor lights bodies from below; else the environment does.
  std::uint32_t plain;  ///< Terrains and objects whose color nobody gave.
  std::uint32_t ink;    ///< Words that are drawn over the picture.
};

inline constexpr Theme kLight = {.zenith = 0xc9d3dd,
                                 .horizon = 0xf4f6f8,
                                 .ground = 0xe7e9ec,
                                 .floor = 0xe6e8ea,
                                 .grid = 0x3c4957,
                                 .gridFraction = 0.20,
                                 .sun = 3.0,
                                 .sunColor = 0xfff4e6,
                                 .environment = 0.36,
                                 .floorLights = true,
                                 .plain = 0xc9c6c0,
                                 .ink = 0x1a2129};
inline constexpr Theme kDark = {.zenith = 0x14181d,
                                .horizon = 0x2a3138,
                                .ground = 0x1d2228,
                                .floor = 0x2b3138,
                                .grid = 0xaebdcc,
                                .gridFraction = 0.16,
                                .sun = 2.6,
                                .sunColor = 0xfff4e6,
                                .environment = 0.30,
                                .floorLights = false,
                                .plain = 0x565b60,
                                .ink = 0xe6eaee};

inline constexpr double kDegree = std::numbers::pi / 180;

inline constexpr double kExposure = 1.25;
/// The exponent of the sky's gradient over the height of a direction.
inline constexpr double kSkyExponent = 1.3;
/// The direction to the sun, not yet of length 1, and the radius of its disk.
inline constexpr std::array<double, 3> kToSun = {-0.30, -0.80, 0.95};
inline constexpr double kSunRadius = 2.5 * kDegree;
/// Factor of the environment's light on surfaces in place of what its boxes would add.
inline constexpr double kWithoutBoxes = 1.4;

/// Linear radiance of the environment: beside, above and below, and the heights of a direction at which it is reached.
inline constexpr std::array<double, 3> kBeside = {0.78, 0.80, 0.84}, kAbove = {1.00, 1.02, 1.06},
                                       kBelow = {0.42, 0.41, 0.40};
inline constexpr double kAboveFrom = 0.9, kBelowFrom = 0.5;
/// A box of light: the direction to it, where it begins to fall off and where it ends (rad), and its radiance.
struct Box {
  std::array<double, 3> toward;
  double inner, outer;
  double scale;
  std::array<double, 3> color;
};
inline constexpr std::array<Box, 3> kBoxes = {{{kToSun, 0.25, 0.55, 5.0, {1.00, 0.97, 0.92}},
                                               {{0.90, 0.35, 0.35}, 0.15, 0.50, 2.2, {0.92, 0.96, 1.00}},
                                               {{-0.35, 0.90, 0.55}, 0.12, 0.38, 3.0, {1.00, 1.00, 1.00}}}};

/// The floor: how much of its light is the sky's, how far it reaches in radii of what moves, and the share of that from
/// which it fades; what bodies get of its light, and how much of the environment's light it has.
inline constexpr double kFloorSkyFraction = 0.5, kFloorReach = 7, kFloorFadesFrom = 0.35;
inline constexpr double kFloorReflects = 0.75, kFloorSkyLight = 0.8;
/// A grid's cell is a power of ten, m, of at least so many pixels where the camera looks; lines are so wide to each
/// side, pixels, every tenth the second; they fade between these shares of the floor's reach, and where a cell has so
/// few pixels.
inline constexpr double kGridMinPixels = 32, kGridHalfWidth = 0.25, kGridTenthHalfWidth = 0.65;
inline constexpr double kGridFadesFrom = 0.2, kGridFadesTo = 0.8, kGridNoPixels = 3, kGridAllPixels = 8;
/// A level terrain is drawn as the floor when it is so wide both ways, m, and no thicker than this share of that.
inline constexpr double kFloorTerrainWide = 3, kFloorTerrainThin = 0.25;

/// A robot without colors; its links are by turns darker and lighter, in HSL.
inline constexpr std::uint32_t kRobot = 0xe0ddd8;
inline constexpr double kRobotDarker = -0.035, kRobotLighter = 0.014;
inline constexpr double kRobotRoughness = 0.42, kObjectRoughness = 0.6, kTerrainRoughness = 0.8;
inline constexpr double kCoat = 0.35, kCoatRoughness = 0.25;
/// Reflectance of surfaces that are seen head-on.
inline constexpr double kReflectance = 0.04;
/// The largest channel of the darkest albedo that is shown.
inline constexpr double kDarkest = 0.045;
/// Normals are smooth where faces meet at less than this.
inline constexpr double kCrease = 30 * kDegree;

/// The camera: angle between the upper and lower border of the picture; its place seen from its target, from the
/// front and the right, over what is high, what is wide and what stands on tables; how much of the picture, across or
/// down, is filled by the box around what is seen.
inline constexpr double kFieldOfView = 35 * kDegree;
inline constexpr double kAzimuth = -40 * kDegree, kElevationHigh = 12 * kDegree, kElevationWide = 18 * kDegree,
                        kElevationOnTables = 28 * kDegree, kElevationSteep = 50 * kDegree;
inline constexpr double kFilled = 0.9;

/// Petroff's ten colors: objects without color, one each as long as they suffice, and logs.
inline constexpr std::array<std::uint32_t, 10> kPalette = {0x3f90da, 0xffa90e, 0xbd1f01, 0x832db6, 0x94a4a2,
                                                           0xa96b59, 0xe76300, 0xb9ac70, 0x717581, 0x92dadd};
inline constexpr std::array<std::uint32_t, 3> kAxes = {0xe5484d, 0x30a46c, 0x3e63dd};
/// Arrows of contacts: color, length of the largest and thickness in sizes of the scene, the head in thicknesses, and
/// how much is seen of what is hidden.
inline constexpr std::uint32_t kContact = 0xe8710a;
inline constexpr double kArrowLength = 0.16, kArrowThickness = 0.0032, kArrowHead = 2.6, kArrowHeadLength = 7,
                        kArrowMaxHead = 0.45, kHidden = 0.28;

/// Brightness above which a sample counts no more, before the exposure; half of the width of the filter over a pixel.
inline constexpr double kClamp = 4, kFilter = 0.75;

}  // namespace mortise::style
