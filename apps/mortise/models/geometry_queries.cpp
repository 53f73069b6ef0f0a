#include <sstream>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/resource_options.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/collision/query.h"
#include "mortise/inspect/values.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/format_loader.h"
#include "mortise/math/rotation.h"

namespace mortise::app {

namespace {

std::vector<double> numbers(const std::string& option, std::string text) {
  for (char& c : text) {
    if (c == ',') c = ' ';
  }
  std::istringstream in(text);
  std::vector<double> result;
  for (std::string word; in >> word;) {
    char* end = nullptr;
    const double x = std::strtod(word.c_str(), &end);
    if (*end != '\0' || !std::isfinite(x)) throw UsageError("--" + option + ": '" + word + "' is not a number");
    result.push_back(x);
  }
  return result;
}

Vector3d pointFrom(const std::string& option, const std::string& text) {
  const std::vector<double> v = numbers(option, text);
  if (v.size() != 3) throw UsageError("--" + option + " takes three numbers such as \"0 0 1\"");
  return {v[0], v[1], v[2]};
}

Vector3d pointOption(const CommandLine& line, const std::string& option) {
  return pointFrom(option, line.text(option));
}

RigidTransform poseOption(const CommandLine& line, const std::string& option) {
  if (!line.has(option)) return {};
  const std::vector<double> v = numbers(option, line.text(option));
  RigidTransform X;
  if (v.size() == 3) {
    X.p = Vector3d(v[0], v[1], v[2]);
  } else if (v.size() == 6) {
    X.p = Vector3d(v[0], v[1], v[2]);
    X.R = rotationFromRollPitchYaw(Vector3d(v[3], v[4], v[5]));
  } else if (v.size() == 12) {
    for (int i = 0; i < 9; ++i) X.R(i / 3, i % 3) = v[i];
    X.p = Vector3d(v[9], v[10], v[11]);
    if (!(X.R.transpose() * X.R).isIdentity(1e-6) || X.R.determinant() < 0)
      throw UsageError("--" + option + ": the first nine numbers are no rotation matrix");
  } else {
    throw UsageError("--" + option +
                     " takes 3 numbers (x y z), 6 (x y z roll pitch yaw, in radians) or 12 (R row by row, then t)");
  }
  return X;
}

const char* kPoseHelp = "pose of the second shape in the first: x y z, with roll pitch yaw, or R row by row and t";

CollisionShapePtr loadShape(const CommandLine& line, FormatLoader& loader, const std::string& file) {
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  GeometryPtr geometry = loader.load<GeometryPtr>(file, {}, diagnostics);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors("'" + file + "' cannot be used");
  if (line.has("margin")) geometry = geometry->withMargin(line.quantity("margin", "m", 0));
  return makeCollisionShape(geometry);
}

std::string pointText(const Vector3d& p) {
  return "(" + formatReal(p.x(), 9) + ", " + formatReal(p.y(), 9) + ", " + formatReal(p.z(), 9) + ")";
}

std::string_view featureName(FeatureKind kind) {
  switch (kind) {
    case FeatureKind::vertex:
      return "vertex";
    case FeatureKind::edge:
      return "edge";
    case FeatureKind::face:
      return "face";
  }
  return "";
}

Value featureJson(const ElementId& element, const ElementFeature& feature) {
  Value value = Value::map();
  value.set("part", std::int64_t{element.part});
  value.set("element", std::int64_t{element.index});
  value.set("kind", std::string(featureName(feature.kind)));
  value.set("index", std::int64_t{feature.index});
  return value;
}

std::string featureText(const ElementId& element, const ElementFeature& feature) {
  return "element " + std::to_string(element.index) +
         (element.part > 0 ? " of part " + std::to_string(element.part) : std::string()) + ", " +
         std::string(featureName(feature.kind)) + " " + std::to_string(feature.index);
}

void declareQueryOptions(CommandLine& line) {
  line.option("margin", "LENGTH", "thickness of a layer around each shape that counts as solid, instead of the file's")
      .flag("strict", "treat warnings about files as errors")
      .withPlugins();
  addResourceOptions(line);
}

}  // namespace

int geometryDistanceCommand(const Arguments& arguments) {
  CommandLine line("mortise geometry distance", "how far two shapes are apart");
  line.positional("A", "geometry file").positional("B", "geometry file").option("pose", "NUMBERS", kPoseHelp);
  declareQueryOptions(line);
  line.epilog("Example:\n  mortise geometry distance cup.off block.obj --pose \"0.3 0 0\"\n");
  if (!line.parse(arguments)) return 0;
  const RigidTransform X_AB = poseOption(line, "pose");
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  const CollisionShapePtr a = loadShape(line, loader, line.positionals()[0]);
  const CollisionShapePtr b = loadShape(line, loader, line.positionals()[1]);
  QueryWorkspace workspace;
  const DistanceResult result = distance(*a, {}, *b, X_AB, workspace);
  if (!result.found) throw Error("one of the shapes is empty, so there is no distance");
  if (line.json()) {
    Value value = Value::map();
    value.set("distance", result.distance);
    value.set("point_a", inspect::list(result.p_WA));
    value.set("point_b", inspect::list(result.p_WB));
    value.set("normal", inspect::list(result.normal_W));
    value.set("feature_a", featureJson(result.elements.a, result.featureA));
    value.set("feature_b", featureJson(result.elements.b, result.featureB));
    print(toJson(value) + "\n");
  } else {
    print(formatReal(result.distance, 9) + " m\n  from " + pointText(result.p_WA) + ", " +
          featureText(result.elements.a, result.featureA) + "\n  to   " + pointText(result.p_WB) + ", " +
          featureText(result.elements.b, result.featureB) + "\n");
  }
  return 0;
}

int geometryCollideCommand(const Arguments& arguments) {
  CommandLine line("mortise geometry collide",
                   "whether two shapes have a point in common, and which of their elements");
  line.positional("A", "geometry file")
      .positional("B", "geometry file")
      .option("pose", "NUMBERS", kPoseHelp)
      .option("tolerance", "LENGTH", "shapes this near count as colliding; default 0")
      .flag("all", "list every pair of elements");
  declareQueryOptions(line);
  if (!line.parse(arguments)) return 0;
  const RigidTransform X_AB = poseOption(line, "pose");
  const double tolerance = line.quantity("tolerance", "m", 0);
  if (!(tolerance >= 0)) throw UsageError("--tolerance is a length of at least 0");
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  const CollisionShapePtr a = loadShape(line, loader, line.positionals()[0]);
  const CollisionShapePtr b = loadShape(line, loader, line.positionals()[1]);
  QueryWorkspace workspace;
  std::vector<FeaturePair> pairs;
  bool colliding = false;
  if (tolerance > 0) {
    std::vector<ElementContact> found;
    colliding = withinDistance(*a, {}, *b, X_AB, tolerance, workspace);
    if (line.has("all")) contacts(*a, {}, *b, X_AB, tolerance, found, workspace);
    for (const ElementContact& contact : found) pairs.push_back(contact.elements);
  } else if (line.has("all")) {
    colliding = collideAll(*a, {}, *b, X_AB, std::numeric_limits<std::size_t>::max(), pairs, workspace);
  } else {
    FeaturePair found;
    colliding = collide(*a, {}, *b, X_AB, workspace, nullptr, &found);
    if (colliding) pairs.push_back(found);
  }
  if (line.json()) {
    Value value = Value::map(), list = Value::list();
    for (const FeaturePair& pair : pairs) {
      Value entry = Value::list();
      for (int x : {pair.a.part, pair.a.index, pair.b.part, pair.b.index}) entry.push_back(std::int64_t{x});
      list.push_back(std::move(entry));
    }
    value.set("colliding", colliding);
    value.set("element_pairs", std::move(list));  // [part of a, element of a, part of b, element of b]
    print(toJson(value) + "\n");
    return 0;
  }
  std::string text = colliding ? "they collide\n" : "they do not collide\n";
  for (const FeaturePair& pair : pairs)
    text += "  element " + std::to_string(pair.a.index) + " with element " + std::to_string(pair.b.index) + "\n";
  print(text);
  return 0;
}

int geometryRaycastCommand(const Arguments& arguments) {
  CommandLine line("mortise geometry raycast", "where a ray first meets a shape");
  line.positional("FILE", "geometry file")
      .option("origin", "NUMBERS", "start of the ray: x y z")
      .option("direction", "NUMBERS", "where it goes, of any length: x y z");
  declareQueryOptions(line);
  line.epilog("Example:\n  mortise geometry raycast cup.off --origin \"0 0 1\" --direction \"0 0 -1\"\n");
  if (!line.parse(arguments)) return 0;
  if (!line.has("origin") || !line.has("direction")) throw UsageError("a ray needs --origin and --direction");
  const Ray ray = {.origin = pointOption(line, "origin"), .direction = pointOption(line, "direction").normalized()};
  if (!ray.direction.allFinite() || ray.direction.isZero()) throw UsageError("--direction must not be zero");
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  const CollisionShapePtr shape = loadShape(line, loader, line.positionals()[0]);
  RayHit hit;
  rayCast(*shape, {}, ray, hit);
  if (line.json()) {
    Value value = Value::map();
    value.set("hit", hit.hit);
    if (hit.hit) {
      value.set("distance", hit.t);
      value.set("point", inspect::list(hit.p_W));
      value.set("normal", inspect::list(hit.normal_W));
      value.set("feature", featureJson(hit.element, hit.feature));
    }
    print(toJson(value) + "\n");
  } else if (hit.hit) {
    print("hit after " + formatReal(hit.t, 9) + " m at " + pointText(hit.p_W) + ", " +
          featureText(hit.element, hit.feature) + "\n");
  } else {
    print("no hit\n");
  }
  return 0;
}

int geometryContainsCommand(const Arguments& arguments) {
  CommandLine line("mortise geometry contains", "whether points are inside a shape");
  line.positional("FILE", "geometry file")
      .repeatedOption("point", "NUMBERS", "a point of the shape's frame: x y z; given several times, each is asked");
  declareQueryOptions(line);
  line.epilog(
      "Inside a mesh is where its triangles wind around a point, which is exact for closed meshes; a heightmap "
      "contains\nwhat lies below it. The exit code is 0 whatever the answer.\n\n"
      "Example:\n  mortise geometry contains cup.off --point \"0 0 0.002\" --point \"0 0 0.05\"\n");
  if (!line.parse(arguments)) return 0;
  std::vector<Vector3d> points;
  for (const std::string& text : line.texts("point")) points.push_back(pointFrom("point", text));
  if (points.empty()) throw UsageError("name points with --point \"X Y Z\"");
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  const CollisionShapePtr shape = loadShape(line, loader, line.positionals()[0]);
  Value list = Value::list();
  std::string text;
  for (const Vector3d& point : points) {
    const bool inside = contains(*shape, {}, point);
    Value entry = Value::map();
    entry.set("point", inspect::list(point));
    entry.set("inside", inside);
    list.push_back(std::move(entry));
    text += pointText(point) + (inside ? " is inside\n" : " is outside\n");
  }
  if (line.json()) {
    Value value = Value::map();
    value.set("points", std::move(list));
    text = toJson(value) + "\n";
  }
  print(text);
  return 0;
}

}  // namespace mortise::app
