#include "world/rigid_object_format.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "common/pose_xml.h"
#include "common/references.h"
#include "common/statements.h"
#include "mesh/shape_reference.h"
#include "mesh/wavefront_format.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/geometry/klampt_automass.h"
#include "mortise/geometry/mass_assumptions.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/text/normalize.h"
#include "mortise/text/suggest.h"

namespace mortise::io {

namespace {

const std::vector<std::string> kObjectKeys = {
    "mesh",    "geomscale", "geomtranslate", "T",          "position", "velocity", "angularVelocity", "mass", "com",
    "inertia", "kFriction", "kRestitution",  "kStiffness", "kDamping", "kRolling", "autoMass"};
/// "friction" is what Klamp't writes and then does not read.
const std::vector<std::string> kTerrainKeys = {"mesh", "kFriction", "friction"};

/// Says whether the key is one of `keys`. Klamp't passes over a key in the wrong case; so do we, and say so.
bool knownKey(const TextFile& file, const Statement& statement, const std::vector<std::string>& keys,
              Diagnostics& diagnostics) {
  const std::string& key = statement.keyword.text;
  if (std::find(keys.begin(), keys.end(), key) != keys.end()) return true;
  for (const std::string& candidate : keys) {
    if (lowerCase(candidate) != lowerCase(key)) continue;
    diagnostics.warning("'" + key + "' is ignored, because this key is written '" + candidate + "'",
                        file.position(statement.keyword.offset));
    return false;
  }
  std::string hint = didYouMean(key, keys);
  hint += (hint.empty() ? "" : " ") + listNames(keys);
  diagnostics.error("unknown key '" + key.substr(0, 40) + "'", file.position(statement.keyword.offset), hint);
  return false;
}

struct ObjectReader {
  const TextFile& file;
  ReadContext& context;
  RigidObject object = {};
  std::string mesh = {};
  SourcePosition meshPosition = {};
  AffineMap map = {};
  bool hasCom = false, autoMass = false;
  SourcePosition autoMassPosition = {};
  double surfaceFraction = 1;

  void positive(const char* what, double value, const SourcePosition& where) {
    if (value < 0) context.diagnostics.error(std::string(what) + " must not be negative", where);
  }

  void read(const Statement& statement) {
    const std::string& key = statement.keyword.text;
    WordReader words(file, statement, context.diagnostics);
    const SourcePosition where = words.position();
    const auto coefficient = [&](double& target) {
      if (const auto v = words.real(WordReader::Range::infinite)) positive(key.c_str(), target = *v, where);
    };
    if (key == "mesh") {
      meshPosition = where;
      if (auto text = words.text()) mesh = *text;
    } else if (key == "geomscale") {
      const std::vector<double> s = words.reals();
      if (s.size() == 1)
        map.A *= s[0];
      else if (s.size() == 3)
        map.A = Vector3d(s[0], s[1], s[2]).asDiagonal();
      else
        words.fail("expected one number or three, found " + std::to_string(s.size()));
    } else if (key == "geomtranslate") {
      if (const auto v = words.vector3()) map.t = *v;
    } else if (key == "T") {
      readPose(words);
    } else if (key == "position") {
      if (const auto v = words.vector3()) object.X_WO.p = *v;
    } else if (key == "velocity") {
      if (const auto v = words.vector3()) object.v_WO = *v;
    } else if (key == "angularVelocity") {
      if (const auto v = words.vector3()) object.w_WO = *v;
    } else if (key == "mass") {
      if (const auto v = words.real()) positive("mass", object.inertia.mass = *v, where);
    } else if (key == "com") {
      hasCom = true;
      if (const auto v = words.vector3()) object.inertia.com = *v;
    } else if (key == "inertia") {
      if (words.remaining() == 3) {
        if (const auto v = words.vector3()) object.inertia.inertia = v->asDiagonal();
      } else if (const auto m = words.matrix3()) {
        object.inertia.inertia = *m;
      }
    } else if (key == "kFriction") {
      coefficient(object.surface.friction);
    } else if (key == "kRestitution") {
      coefficient(object.surface.restitution);
    } else if (key == "kStiffness") {
      coefficient(object.surface.stiffness);
    } else if (key == "kDamping") {
      coefficient(object.surface.damping);
    } else if (key == "kRolling") {
      if (const auto v = words.real()) positive("kRolling", object.surface.rolling = *v, where);
    } else if (key == "autoMass") {
      autoMass = true;
      autoMassPosition = file.position(statement.keyword.offset);
      if (!words.atEnd()) surfaceFraction = words.real().value_or(1);
    }
    words.expectEnd();
  }

  void readPose(WordReader& words) {
    if (words.remaining() != 16) {
      if (const auto X = words.transform()) object.X_WO = *X;
      return;
    }
    const std::vector<double> m = words.reals();
    if (m.size() != 16) return;
    object.X_WO.R << m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10];
    object.X_WO.p << m[3], m[7], m[11];
    if (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1)
      words.fail("the last row of a 4x4 transform must be 0 0 0 1");
  }

  void finish() {
    Diagnostics& diagnostics = context.diagnostics;
    if (mesh.empty()) {
      diagnostics.error("the object has no mesh", inFile(context.path), "add a line 'mesh FILE'");
      return;
    }
    loadReference(diagnostics, meshPosition, [&] {
      object.geometryFile = context.loader.find(mesh, context.path);
      GeometryPtr geometry = context.loader.load<GeometryPtr>(mesh, context.path, diagnostics);
      object.geometry = map.isIdentity() ? geometry : transformed(*geometry, map);
      object.geometryTransform = map;
      return true;
    });
    if (!autoMass || !object.geometry) return;
    loadReference(diagnostics, autoMassPosition, [&] {
      const double mass = object.inertia.mass;
      object.inertia = hasCom ? klamptMassPropertiesAbout(*object.geometry, mass, object.inertia.com, surfaceFraction)
                              : klamptMassProperties(*object.geometry, mass, surfaceFraction);
      warnOfMassAssumptions(massAssumptions(*object.geometry, surfaceFraction), autoMassPosition, diagnostics);
      return true;
    });
  }
};

}  // namespace

std::string stemOf(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

namespace {

/// Lines of a keyword and its values; these files know no continuation lines.
class Lines {
 public:
  explicit Lines(const std::string& path) { where_.file = path; }
  void name(const char* keyword, const std::string& value) {
    if (value.find_first_of("#\n\r") != std::string::npos)
      throw Error("'" + value + "' cannot be written: '#' begins a comment wherever it stands", where_, "rename it");
    std::string quoted;
    for (const char c : value) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    text_ += std::string(keyword) + " \"" + quoted + "\"\n";
  }
  void reals(const char* keyword, const double* values, int count) {
    text_ += std::string(keyword) + " " + realsText(values, count) + "\n";
  }
  void real(const char* keyword, double value) { reals(keyword, &value, 1); }
  void vector(const char* keyword, const Vector3d& v) { reals(keyword, v.data(), 3); }
  const std::string& text() const { return text_; }

 private:
  SourcePosition where_;
  std::string text_;
};

/// Writes the shape unless `file` holds it once it is mapped. Returns the reference; `placed` says which it was.
std::string shapeReference(const Geometry& geometry, const std::string& file, const AffineMap& map,
                           WriteContext& context, bool& placed) {
  placed = fileHolds(context.loader, file, 1, map, geometry);
  if (geometry.margin() != 0)
    context.diagnostics.warning("this format cannot hold a margin around a shape", inFile(context.path),
                                "give it in the world file");
  if (placed) return referenceFrom(context.path, file);
  std::set<std::string> taken = {resolvedPath(context.path)};
  if (!file.empty()) taken.insert(resolvedPath(file));
  const std::filesystem::path folder = std::filesystem::path(context.path).parent_path();
  const std::string base = (folder / plainFileName(stemOf(context.path))).string();
  return std::filesystem::path(writeShape(geometry, base, taken)).filename().string();
}

/// Colors and textures, which world files hold alone.
void reportLostDisplay(const std::vector<Value>& display, WriteContext& context) {
  if (!display.empty())
    context.diagnostics.warning("this format cannot hold colors and textures", inFile(context.path),
                                "give them in <display> of the world file");
}

}  // namespace

RigidObject rigidObjectFromGeometry(GeometryPtr geometry) {
  RigidObject object;
  object.name = stemOf(geometry->file());
  object.file = object.geometryFile = geometry->file();
  object.inertia = klamptMassProperties(*geometry, 1);
  object.geometry = std::move(geometry);
  return object;
}

Terrain terrainFromGeometry(GeometryPtr geometry) {
  Terrain terrain;
  terrain.name = stemOf(geometry->file());
  terrain.file = terrain.geometryFile = geometry->file();
  terrain.geometry = std::move(geometry);
  return terrain;
}

double RigidObjectFormat::probe(std::string_view, std::string_view head) const {
  return resemblesWavefront(head) ? 0.05 : 0.8;
}

Resource RigidObjectFormat::read(FileContent, ReadContext& context) {
  const TextFile file(context.path);
  // The two kinds of .obj meet here when a world names a Wavefront mesh as an object.
  if (resemblesWavefront(std::string_view(file.text()).substr(0, 4096)))
    return rigidObjectFromGeometry(context.loader.load<GeometryPtr>(context.path, {}, context.diagnostics));
  ObjectReader reader{.file = file, .context = context};
  reader.object.name = stemOf(context.path);
  reader.object.file = context.path;
  reader.object.inertia = {.mass = 1, .com = Vector3d::Zero(), .inertia = Matrix3d::Identity()};
  for (const Statement& statement : splitStatements(file, false, context.diagnostics))
    if (knownKey(file, statement, kObjectKeys, context.diagnostics)) reader.read(statement);
  reader.finish();
  return std::move(reader.object);
}

void RigidObjectFormat::write(const Resource& value, WriteContext& context) {
  const auto& object = std::get<RigidObject>(value);
  if (!object.geometry || object.geometry->empty())
    throw Error("a rigid object without a shape cannot be written", inFile(context.path));
  Lines lines(context.path);
  const AffineMap& map = object.geometryTransform;
  const bool diagonal = Matrix3d(map.A.diagonal().asDiagonal()) == map.A;
  bool placed = false;
  lines.name("mesh",
             shapeReference(*object.geometry, diagonal ? object.geometryFile : std::string(), map, context, placed));
  if (placed && map.A != Matrix3d::Identity()) lines.vector("geomscale", map.A.diagonal());
  if (placed && !map.t.isZero(0)) lines.vector("geomtranslate", map.t);
  double X[12];
  object.X_WO.toRows(X);
  lines.reals("T", X, 12);
  if (!object.v_WO.isZero(0)) lines.vector("velocity", object.v_WO);
  if (!object.w_WO.isZero(0)) lines.vector("angularVelocity", object.w_WO);
  lines.real("mass", object.inertia.mass);
  lines.vector("com", object.inertia.com);
  const Matrix3d rows = object.inertia.inertia.transpose();
  lines.reals("inertia", rows.data(), 9);
  // Klamp't cannot read "inf" here, which is what absence means for stiffness and damping.
  const Surface& surface = object.surface;
  lines.real("kFriction", surface.friction);
  lines.real("kRestitution", surface.restitution);
  if (std::isfinite(surface.stiffness)) lines.real("kStiffness", surface.stiffness);
  if (std::isfinite(surface.damping)) lines.real("kDamping", surface.damping);
  if (surface.rolling != 0) lines.real("kRolling", surface.rolling);
  if (surface.padding || surface.preshrink != 0)
    context.diagnostics.warning("this format cannot hold padding", inFile(context.path),
                                "give it in <simulation> of the world file");
  reportLostDisplay(object.display, context);
  writeFile(context.path, lines.text());
}

void TerrainFormat::write(const Resource& value, WriteContext& context) {
  const auto& terrain = std::get<Terrain>(value);
  if (!terrain.geometry || terrain.geometry->empty())
    throw Error("a terrain without a shape cannot be written", inFile(context.path));
  Lines lines(context.path);
  bool placed = false;
  lines.name("mesh", shapeReference(*terrain.geometry, terrain.geometryFile, AffineMap(), context, placed));
  lines.real("kFriction", terrain.surface.friction);
  Surface usual = terrainSurface();
  usual.friction = terrain.surface.friction;
  if (!(usual == terrain.surface))
    context.diagnostics.warning("a terrain file holds friction alone of a surface", inFile(context.path),
                                "give the rest in <simulation> of the world file");
  reportLostDisplay(terrain.display, context);
  writeFile(context.path, lines.text());
}

Resource TerrainFormat::read(FileContent, ReadContext& context) {
  const TextFile file(context.path);
  std::string mesh;
  SourcePosition meshPosition, frictionPosition;
  std::vector<double> friction;
  for (const Statement& statement : splitStatements(file, false, context.diagnostics)) {
    if (!knownKey(file, statement, kTerrainKeys, context.diagnostics)) continue;
    WordReader words(file, statement, context.diagnostics);
    if (statement.keyword.text == "mesh") {
      meshPosition = words.position();
      mesh = words.text().value_or("");
    } else {
      if (statement.keyword.text == "friction")
        context.diagnostics.warning("'friction' is read as 'kFriction'; Klamp't writes the one and reads the other",
                                    file.position(statement.keyword.offset));
      frictionPosition = words.position();
      friction = words.reals();
      if (friction.empty()) words.fail("expected a coefficient of friction, found nothing");
      for (const double f : friction)
        if (f < 0) context.diagnostics.error("kFriction must not be negative", frictionPosition);
    }
    words.expectEnd();
  }
  Terrain terrain;
  if (mesh.empty()) {
    context.diagnostics.error("the terrain has no mesh", inFile(context.path), "add a line 'mesh FILE'");
    return terrain;
  }
  loadReference(context.diagnostics, meshPosition, [&] {
    terrain = terrainFromGeometry(context.loader.load<GeometryPtr>(mesh, context.path, context.diagnostics));
    return true;
  });
  terrain.name = stemOf(context.path);
  terrain.file = context.path;
  if (!friction.empty()) {
    const int elements = terrain.geometry ? terrain.geometry->numTriangles() : 0;
    if (friction.size() != 1 && static_cast<int>(friction.size()) != elements && terrain.geometry)
      context.diagnostics.error("kFriction has " + std::to_string(friction.size()) +
                                    " values; give one, or one for each of the " + std::to_string(elements) +
                                    " triangles",
                                frictionPosition);
    else if (std::any_of(friction.begin(), friction.end(), [&](double f) { return f != friction[0]; }))
      context.diagnostics.warning("a terrain has one coefficient of friction: that of its first triangle, " +
                                      formatReal(friction[0]) + ", is that of all",
                                  frictionPosition, "make a terrain of each part that has its own");
    terrain.surface.friction = friction[0];
  }
  return terrain;
}

}  // namespace mortise::io
