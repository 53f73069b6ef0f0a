#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "command_line/command_group.h"
#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "mortise/base/error.h"
#include "mortise/geometry/convert.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/inspect/geometry_report.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/format_loader.h"
#include "mortise/text/suggest.h"

namespace mortise::app {

namespace {

/// Kinds that --as makes, under the names that the help shows; `kindNamed` knows more for each but "box".
const std::vector<std::string> kShapeKinds = {"mesh",           "cloud",     "hull", "implicit_surface",
                                              "occupancy_grid", "heightmap", "box"};

/// Returns the kind of a shape as --as calls it; "primitive" and "group" for those that it does not make.
std::string kindOf(const Geometry& geometry) {
  if (geometry.as<BoxShape>() != nullptr || geometry.as<AxisAlignedBoxShape>() != nullptr) return "box";
  for (const std::string& kind : kShapeKinds)
    if (kind != "box" && kindName(kindNamed(kind)) == geometry.typeName()) return kind;
  return geometry.as<GeometryGroup>() != nullptr ? "group" : "primitive";
}

/// Throws `UsageError` that lists the kinds and names the nearest one.
void checkKind(const std::string& kind) {
  if (kind == "box") return;
  try {
    (void)kindNamed(kind);
  } catch (const Error&) {
    const std::string near = didYouMean(kind, kShapeKinds);
    throw UsageError("--as takes one of " + nameList(kShapeKinds) + ", not '" + kind + "'" +
                     (near.empty() ? "" : "; " + near));
  }
}

/// The numbers of an option, parted by commas or blanks. Throws `UsageError` unless there are as many as in `counts`.
std::vector<double> numbers(const std::string& option, const std::string& text,
                            const std::vector<std::size_t>& counts) {
  std::string listText = text;
  std::replace(listText.begin(), listText.end(), ',', ' ');
  std::vector<double> values;
  std::size_t at = 0;
  while ((at = listText.find_first_not_of(" \t", at)) != std::string::npos) {
    const std::size_t end = std::min(listText.find_first_of(" \t", at), listText.size());
    const std::string word = listText.substr(at, end - at);
    double value = NAN;
    try {
      value = Value::fromText(word).asReal();
    } catch (const Error&) {
    }
    if (!std::isfinite(value)) throw UsageError("--" + option + ": '" + word + "' is not a number");
    values.push_back(value);
    at = end;
  }
  if (std::find(counts.begin(), counts.end(), values.size()) == counts.end()) {
    std::vector<std::string> wanted;
    for (const std::size_t count : counts) wanted.push_back(std::to_string(count));
    throw UsageError("--" + option + " takes " + (wanted.size() == 2 ? wanted[0] + " or " + wanted[1] : wanted[0]) +
                     " numbers, not " + std::to_string(values.size()));
  }
  return values;
}

/// The turn that brings an axis of the file upright, to +z: by a quarter or half turn about x or y.
Matrix3d upright(const std::string& axis) {
  Matrix3d R = Matrix3d::Identity();
  if (axis == "x") R << 0, 0, -1, 0, 1, 0, 1, 0, 0;
  if (axis == "-x") R << 0, 0, 1, 0, 1, 0, -1, 0, 0;
  if (axis == "y") R << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  if (axis == "-y") R << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  if (axis == "-z") R << 1, 0, 0, 0, -1, 0, 0, 0, -1;
  return R;
}

/// Returns the placement that the options say, in the order of the help: upright, then scaled, then moved.
AffineMap placement(const CommandLine& line) {
  AffineMap map;
  if (line.has("up")) {
    const std::vector<std::string> axes = {"x", "y", "z", "-x", "-y", "-z"};
    const std::string axis = line.text("up");
    if (std::find(axes.begin(), axes.end(), axis) == axes.end())
      throw UsageError("--up takes one of " + nameList(axes) + ", not '" + axis + "'");
    map.A = upright(axis);
  }
  if (line.has("scale")) {
    const std::vector<double> factors = numbers("scale", line.text("scale"), {1, 3});
    const Vector3d scale =
        factors.size() == 1 ? Vector3d(Vector3d::Constant(factors[0])) : Vector3d(factors[0], factors[1], factors[2]);
    if ((scale.array() == 0).any()) throw UsageError("--scale: a factor is zero");
    map = AffineMap::scaling(scale) * map;
  }
  if (line.has("transform")) {
    const std::vector<double> n = numbers("transform", line.text("transform"), {12, 3});
    AffineMap move;
    if (n.size() == 3) {
      move.t = Vector3d(n[0], n[1], n[2]);
    } else {
      move.A << n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8];
      move.t << n[9], n[10], n[11];
      if (!(std::abs(move.A.determinant()) > 0)) throw UsageError("--transform: the matrix flattens the shape");
    }
    map = move * map;
  }
  return map;
}

GeometryPtr asKind(const GeometryPtr& geometry, const std::string& kind, double resolution) {
  if (kind == "box") {
    const AxisAlignedBounds bounds = geometry->bounds();
    if (bounds.empty()) throw Error("it holds no shape, so it has no bounds");
    return std::make_shared<Geometry>(AxisAlignedBoxShape{bounds.min, bounds.max}, geometry->margin());
  }
  ConversionOptions options;
  options.resolution = resolution;
  return converted(geometry, kindNamed(kind), options);
}

GeometryPtr read(const CommandLine& line, FormatLoader& loader, const std::string& file, Diagnostics& diagnostics) {
  diagnostics.setStrict(line.has("strict"));
  GeometryPtr geometry = loader.load<GeometryPtr>(file, {}, diagnostics);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors("'" + file + "' cannot be used");
  return geometry;
}

int geometryInfo(const Arguments& arguments) {
  CommandLine line("mortise geometry info", "print what a geometry file holds");
  line.positional("FILE", "mesh, point cloud, primitive, group or heightmap")
      .flag("strict", "treat warnings about files as errors")
      .withPlugins();
  addResourceOptions(line);
  line.epilog(
      "Prints the type, counts, bounds, area, and for closed surfaces the volume; for meshes also whether they are\n"
      "closed, edges not shared by two triangles, pieces that share no vertex, and triangles without area.\n"
      "Lengths are in the unit of the file, which should be the meter.\n");
  if (!line.parse(arguments)) return 0;
  const std::string& file = line.positionals().front();
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  const GeometryPtr geometry = read(line, loader, file, diagnostics);
  if (line.json()) {
    Value info = Value::map();
    info.set("file", file);
    const Value report = geometryReport(*geometry);
    for (const Value::Entry& entry : report.entries()) info.set(entry.key, entry.value);
    print(toJson(info) + "\n");
  } else {
    print(geometryReportText(*geometry, file));
  }
  return 0;
}

void declareConvert(CommandLine& line) {
  line.positional("IN", "file to read")
      .positional("OUT", "file to write; its extension says how")
      .option("up", "AXIS", "the axis of IN that points up (x, y, z, -x, -y, -z) becomes z")
      .option("scale", "S|SX,SY,SZ", "then multiply: 0.001 makes meters of millimeters")
      .option("transform", "X,Y,Z|R,T", "then move: a shift, or 9 numbers of a matrix row by row and a shift")
      .option("as", "KIND", "before all that, make another kind of shape: " + nameList(kShapeKinds))
      .option("resolution", "LENGTH",
              "of facets, points and cells of --as, in the unit of IN; a fortieth of the extent")
      .values("up", {"x", "y", "z", "-x", "-y", "-z"})
      .values("as", kShapeKinds)
      .flag("strict", "treat warnings about files as errors")
      .withPlugins();
  addResourceOptions(line);
  line.epilog(
      "Kinds:\n"
      "  mesh              the surface as triangles\n"
      "  cloud             points on the surface; for .pcd\n"
      "  hull              the convex hull; for .group, and for mesh files as triangles\n"
      "  implicit_surface  signed distances on a grid; for .vol and .sdf\n"
      "  occupancy_grid    the cells of a grid that the shape touches or fills; for .occ\n"
      "  heightmap         the highest surface over x and y; for .json\n"
      "  box               the bounds; for .geom, and for mesh files as triangles\n"
      ".group holds every kind, heightmaps as meshes. The names that `geometry info` prints (TriangleMesh, "
      "PointCloud,\n"
      "ConvexHull, ImplicitSurface, OccupancyGrid, Heightmap) are known, too. With --json it prints {input, output, "
      "type,\n"
      "kind, warnings}: `type` as `geometry info` prints it, `kind` as above. See docs/geometry.md.\n\n"
      "Examples:\n"
      "  mortise geometry convert part.stl part.off --scale 0.001\n"
      "  mortise geometry convert scene.dae scene.group --up y\n"
      "  mortise geometry convert part.off moved.off --transform=-0.1,0,0\n"
      "  mortise geometry convert ball.geom ball.off --as mesh --resolution 0.01\n"
      "  mortise geometry convert part.off part_hull.stl --as hull\n"
      "  mortise geometry convert part.off part.sdf --as implicit_surface --resolution 0.005\n");
}

int geometryConvert(const Arguments& arguments) {
  CommandLine line("mortise geometry convert", "turn, scale and move a shape, and write it in another format");
  declareConvert(line);
  if (!line.parse(arguments)) return 0;
  const std::string kind = line.text("as");
  if (line.has("as")) checkKind(kind);
  const AffineMap map = placement(line);
  const double resolution = line.quantity("resolution", "m", 0);
  if (!(resolution >= 0)) throw UsageError("--resolution must not be negative");
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  const std::string &in = line.positionals()[0], &out = line.positionals()[1];
  Diagnostics diagnostics;
  GeometryPtr geometry = read(line, loader, in, diagnostics);
  try {
    if (!kind.empty()) geometry = asKind(geometry, kind, resolution);
    if (!map.isIdentity()) {
      geometry = transformed(*geometry, map);
      if (const AxisAlignedBounds bounds = geometry->bounds();
          !bounds.empty() && !(bounds.min.allFinite() && bounds.max.allFinite()))
        throw Error("its coordinates become too large for a number", {}, "give a smaller --scale or --transform");
    }
  } catch (const Error& error) {
    throw Error("'" + in + "' cannot be converted: " + error.message(), error.where(), error.hint());
  }
  const InterruptGuard interrupt;  // What is written is written whole.
  loader.write(geometry, out, diagnostics);
  if (line.json()) {
    Value done = Value::map();
    done.set("input", in);
    done.set("output", out);
    done.set("type", geometry->typeName());
    done.set("kind", kindOf(*geometry));
    done.set("warnings", diagnosticsValue(diagnostics));
    print(toJson(done) + "\n");
  }
  return interrupt.signal() != 0 ? interrupt.exitCode() : 0;
}

}  // namespace

int geometryCommand(const Arguments& arguments) {
  static const CommandGroup group(
      "mortise geometry", "look into a shape's file, scale, turn and convert it, query it",
      {{"info", geometryInfo, "FILE", "print type, counts, bounds, area, volume, and whether a mesh is closed"},
       {"convert", geometryConvert, "IN OUT", "turn, scale and move a shape, and write it in another format"},
       {"distance", geometryDistanceCommand, "A B", "how far two shapes are apart, and where"},
       {"collide", geometryCollideCommand, "A B", "whether two shapes collide, and which of their elements"},
       {"contains", geometryContainsCommand, "FILE", "whether points are inside a shape"},
       {"raycast", geometryRaycastCommand, "FILE", "where a ray meets a shape"}});
  return group.run(arguments);
}

}  // namespace mortise::app
