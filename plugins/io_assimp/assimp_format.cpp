#include "assimp_format.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <atomic>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <new>
#include <span>
#include <string_view>
#include <unordered_map>

#include "child_process.h"
#include "file_system.h"
#include "mortise/base/bytes.h"
#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/text/normalize.h"
#include "mortise/text/suggest.h"
#include "scene_appearance.h"
#include "scene_meshes.h"

namespace mortise::io_assimp {

namespace {

/// The memory that reading a file may take besides what its size explains.
constexpr std::size_t kMemory = std::size_t{256} << 20;
/// The same of time: for any file, for each megabyte, and at most.
constexpr int kSeconds = 30, kSecondsOfAMegabyte = 1, kMaxSeconds = 120;
/// Once files of a process have taken this long without success, each further one has `kSecondsInHaste`.
constexpr int kMaxTimeouts = 120, kSecondsInHaste = 5;
std::string extensionOf(const std::string& path) {
  return lowerCase(path.substr(std::min(path.size(), path.find_last_of('.') + 1)));
}

/// Formats that make Assimp 5.2 end the whole process, some of them on files that are in order.
const std::vector<std::string> kUnsafe = {"3mf", "amf", "ase", "cob", "x"};
constexpr const char* kAllow = "MORTISE_ASSIMP_ALLOW";

/// Says whether the variable names the extension, in a list with commas, or says "all".
bool isAllowed(std::string_view extension) {
  const char* value = std::getenv(kAllow);
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view word = rest.substr(0, comma);
    word.remove_prefix(std::min(word.find_first_not_of(" ."), word.size()));
    word = word.substr(0, word.find(' '));
    if (word == extension || word == "all") return true;
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return false;
}

void refuseUnsafe(const std::string& extension, const SourcePosition& where) {
  if (std::find(std::begin(kUnsafe), std::end(kUnsafe), extension) == std::end(kUnsafe) || isAllowed(extension)) return;
  throw Error(
      "." + extension + " files are not read unless asked for: the library that reads them, Assimp, crashes on some",
      where,
      "convert the file to .stl, .obj or .glb with another program, or set " + std::string(kAllow) + "=" + extension +
          " in the environment to try all the same");
}

struct PlaceHash {
  std::size_t operator()(const std::array<double, 3>& place) const {
    std::uint64_t hash = 0;
    for (const double x : place) hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15ULL;
    return static_cast<std::size_t>(hash ^ (hash >> 32));
  }
};

class SceneReader {
 public:
  SceneReader(const aiScene& scene, const std::string& path) : scene_(scene), path_(path) {}

  std::vector<TriangleMesh> read(const AffineMap& toOurs) {
    forEachMesh(scene_, path_, toOurs, [this](const aiMesh& from, const AffineMap& map) {
      TriangleMesh mesh = meshOf(from, map);
      if (!mesh.triangles.empty()) meshes_.push_back(std::move(mesh));
    });
    return std::move(meshes_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw Error(message, inFile(path_)); }

  TriangleMesh meshOf(const aiMesh& from, const AffineMap& map) const {
    TriangleMesh mesh;
    const bool mirrored = map.A.determinant() < 0;
    // Equal places become one vertex, found by value in file order: the same file gives the same mesh.
    std::unordered_map<std::array<double, 3>, int, PlaceHash> known;
    known.reserve(from.mNumVertices);
    std::vector<int> index(from.mNumVertices, -1);
    for (unsigned i = 0; i < from.mNumFaces; ++i) {
      const aiFace& face = from.mFaces[i];
      if (face.mNumIndices != 3) continue;  // Points and lines.
      std::array<int, 3> corners;
      for (unsigned k = 0; k < 3; ++k) {
        const unsigned vertex = face.mIndices[k];
        if (vertex >= from.mNumVertices) fail("a triangle names a vertex that does not exist");
        if (index[vertex] < 0) {
          const aiVector3D& v = from.mVertices[vertex];
          const Vector3d p =
              map * Vector3d(static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)) +
              Vector3d::Zero();  // Turns -0 into 0.
          if (!p.allFinite()) fail("a vertex has a coordinate that is not finite");
          const auto [at, isNew] = known.try_emplace({p[0], p[1], p[2]}, static_cast<int>(mesh.vertices.size()));
          if (isNew) mesh.vertices.push_back(p);
          index[vertex] = at->second;
        }
        corners[k] = index[vertex];
      }
      if (mirrored) std::swap(corners[1], corners[2]);
      if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
        mesh.triangles.push_back(corners);
    }
    return mesh;
  }

  const aiScene& scene_;
  const std::string& path_;
  std::vector<TriangleMesh> meshes_;
};

/// The findings of the child process.
struct Loaded {
  std::vector<TriangleMesh> meshes;
  std::vector<VisualPart> appearances;      ///< In place of meshes, where those are wanted.
  std::vector<std::string> requestedFiles;  ///< Files that the file refers to, as Assimp asked for them.
  int up = 2;                               ///< The axis that an FBX file says is up.
  bool otherUnit = false;                   ///< True if an FBX file says that its unit is not the meter.
};

void readFbxConventions(const aiScene& scene, Loaded& loaded) {
  if (scene.mMetaData == nullptr) return;
  scene.mMetaData->Get("UpAxis", loaded.up);
  double unit = 100;  // In centimeters.
  loaded.otherUnit = scene.mMetaData->Get("UnitScaleFactor", unit) && unit != 100;
}

void noteFbxConventions(const Loaded& loaded, ReadContext& context) {
  const SourcePosition where = inFile(context.path);
  if (loaded.up != 2)
    context.diagnostics.note(loaded.up == 0 ? "the file says that X is up; its coordinates are taken as they stand"
                                            : "the file says that Y is up; its coordinates are taken as they stand",
                             where);
  if (loaded.otherUnit)
    context.diagnostics.note("the file says that its unit is not the meter; its coordinates are taken as they stand",
                             where, "scale it where it is used");
}

std::vector<std::byte> bytesOf(const Loaded& loaded) {
  ByteWriter out;
  out.put(loaded.up);
  out.put(loaded.otherUnit);
  out.put(static_cast<std::uint64_t>(loaded.requestedFiles.size()));
  for (const std::string& file : loaded.requestedFiles) out.put(std::string_view(file));
  out.put(static_cast<std::uint64_t>(loaded.meshes.size()));
  for (const TriangleMesh& mesh : loaded.meshes) {
    out.put(static_cast<std::uint64_t>(mesh.vertices.size()));
    out.append(mesh.vertices.data(), mesh.vertices.size() * sizeof(Vector3d));
    out.put(static_cast<std::uint64_t>(mesh.triangles.size()));
    out.append(mesh.triangles.data(), mesh.triangles.size() * sizeof(mesh.triangles[0]));
  }
  putAppearances(loaded.appearances, out);
  return std::move(out.bytes());
}

/// Counts are those of our own code in the child, but the library may have written over anything there.
Loaded loadedFrom(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  const auto count = [&](std::size_t each) {
    const auto number = in.get<std::uint64_t>();
    if (number > (bytes.size() - in.position()) / each) throw Error("a count is larger than what follows");
    return static_cast<std::size_t>(number);
  };
  Loaded loaded;
  in.get(loaded.up);
  loaded.otherUnit = in.get<bool>();
  for (std::size_t left = count(sizeof(std::uint64_t)); left > 0; --left)
    loaded.requestedFiles.push_back(in.getString());
  loaded.meshes.resize(count(2 * sizeof(std::uint64_t)));
  for (TriangleMesh& mesh : loaded.meshes) {
    mesh.vertices.resize(count(sizeof(Vector3d)));
    for (Vector3d& v : mesh.vertices)
      for (int axis = 0; axis < 3; ++axis) v[axis] = in.get<double>();
    mesh.triangles.resize(count(sizeof(mesh.triangles[0])));
    const int vertices = static_cast<int>(mesh.vertices.size());
    for (auto& triangle : mesh.triangles) {
      in.get(triangle);
      for (const int v : triangle)
        if (v < 0 || v >= vertices) throw Error("a triangle names a vertex that does not exist");
    }
  }
  loaded.appearances = getAppearances(in, bytes.size());
  return loaded;
}

/// Reads the file with Assimp, here in this process.
Loaded load(ReadContext& context, const std::string& extension, bool appearances) {
  const SourcePosition where = inFile(context.path);
  Assimp::Importer importer;
  auto files = std::make_unique<FileSystem>(context);
  FileSystem& fileSystem = *files;
  importer.SetIOHandler(files.release());  // The importer owns it from here on.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  const aiScene* scene = nullptr;
  std::string reason;
  try {
    scene = importer.ReadFile(context.path, aiProcess_Triangulate | aiProcess_ValidateDataStructure);
    if (scene == nullptr) reason = importer.GetErrorString();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    reason = e.what();
  }
  if (reason.find("bad_alloc") != std::string::npos) throw std::bad_alloc();
  if (scene == nullptr) {
    std::string hint;
    if (!fileSystem.missing().empty()) hint = "not found: " + fileSystem.missing().front();
    throw Error("cannot read: " + (reason.empty() ? std::string("Assimp gives no reason") : reason), where, hint);
  }
  Loaded loaded;
  AffineMap toOurs;
  const bool gltf = extension == "gltf" || extension == "glb";
  if (gltf) toOurs.A << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  if (extension == "fbx") readFbxConventions(*scene, loaded);
  if (appearances)
    loaded.appearances = appearancesOf(*scene, context.path, toOurs, gltf);
  else
    loaded.meshes = SceneReader(*scene, context.path).read(toOurs);
  loaded.requestedFiles = fileSystem.requestedFiles();
  return loaded;
}

/// Reads the file in a child process.
Loaded loadInChild(ReadContext& context, bool appearances) {
  const SourcePosition where = inFile(context.path);
  const std::string extension = extensionOf(context.path);
  refuseUnsafe(extension, where);
  const std::size_t size = context.content()->size();
  static std::atomic<int> timeouts = 0;  // Seconds of this process; only one who waits that long ever gets there.
  int seconds = static_cast<int>(std::min<std::size_t>(kSeconds + kSecondsOfAMegabyte * (size >> 20), kMaxSeconds));
  if (timeouts >= kMaxTimeouts) seconds = kSecondsInHaste;
  const ChildLimits limits{kMemory + kMemoryOfAByte * size, seconds};
  const auto onTimeout = [&] { timeouts += seconds; };
  const auto work = [&] { return bytesOf(load(context, extension, appearances)); };
  Loaded loaded = loadedFrom(runInChild(work, limits, where, onTimeout));
  // The loader of this process has to know, too, what the shape follows from.
  FileSystem files(context);
  for (const std::string& file : loaded.requestedFiles) (void)files.Exists(file.c_str());
  return loaded;
}

/// Exporters write places as addresses: "file:///a%20b.png", with backslashes.
std::string plainReference(std::string_view reference) {
  constexpr std::string_view kFile = "file://";
  if (reference.starts_with(kFile)) reference.remove_prefix(kFile.size());
  std::string plain;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    int code = 0;
    if (reference[i] == '%' && i + 2 < reference.size() &&
        std::from_chars(&reference[i + 1], &reference[i + 1] + 2, code, 16).ptr == &reference[i + 1] + 2 && code > 0) {
      plain += static_cast<char>(code);
      i += 2;
    } else {
      plain += reference[i] == '\\' ? '/' : reference[i];
    }
  }
  return plain;
}

/// The place in the file where a reference stands, which Assimp does not tell.
SourcePosition placeOf(const std::string& reference, ReadContext& context) {
  SourcePosition where = inFile(context.path);
  const std::shared_ptr<const std::string> content = context.content();
  const std::string& text = *content;
  const std::size_t at = text.find(reference);
  if (at == std::string::npos || text.find('\0') < at) return where;
  where.line = 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  return where;
}

/// Finds the images that the meshes refer to; what is missing is warned of.
void findTextures(std::vector<VisualPart>& parts, ReadContext& context) {
  std::map<std::string, std::string> found;
  for (VisualPart& part : parts) {
    if (part.textureFile.empty()) continue;
    const auto [at, isNew] = found.try_emplace(part.textureFile);
    if (isNew) {
      try {
        at->second = context.loader.find(plainReference(part.textureFile), context.path);
      } catch (const Error& error) {
        context.diagnostics.warning("the texture '" + part.textureFile + "' is not drawn: " + error.message(),
                                    placeOf(part.textureFile, context), error.hint());
      }
    }
    part.textureFile = at->second;
  }
}

}  // namespace

std::vector<std::string> unsafeExtensions() { return kUnsafe; }

Resource AssimpFormat::read(FileContent content, ReadContext& context) {
  Loaded loaded = loadInChild(context, content == FileContent::library);
  if (content == FileContent::library) {
    findTextures(loaded.appearances, context);
    return libraryOf(loaded.appearances);
  }
  noteFbxConventions(loaded, context);
  std::vector<TriangleMesh>& meshes = loaded.meshes;
  if (meshes.empty()) throw Error("the file holds no triangles", inFile(context.path));
  if (meshes.size() == 1) return std::make_shared<Geometry>(std::move(meshes.front()), 0, context.path);
  GeometryGroup group;
  for (TriangleMesh& mesh : meshes) group.parts.push_back(std::make_shared<Geometry>(std::move(mesh), 0, context.path));
  return std::make_shared<Geometry>(std::move(group), 0, context.path);
}

}  // namespace mortise::io_assimp
