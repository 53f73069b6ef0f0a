#include "assimp_format.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <cctype>
#include <map>

#include "file_system.h"
#include "mortise/base/error.h"
#include "mortise/base/suggest.h"

namespace mortise::io_assimp {

namespace {

/// Deeper scenes than this are damaged or made to exhaust the stack.
constexpr int kDeepest = 1000;

std::string extensionOf(const std::string& path) {
  std::string extension = path.substr(std::min(path.size(), path.find_last_of('.') + 1));
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

AffineMap mapOf(const aiMatrix4x4& m) {
  AffineMap map;
  map.A << static_cast<double>(m.a1), static_cast<double>(m.a2), static_cast<double>(m.a3), static_cast<double>(m.b1),
      static_cast<double>(m.b2), static_cast<double>(m.b3), static_cast<double>(m.c1), static_cast<double>(m.c2),
      static_cast<double>(m.c3);
  map.t << static_cast<double>(m.a4), static_cast<double>(m.b4), static_cast<double>(m.c4);
  return map;
}

class SceneReader {
 public:
  SceneReader(const aiScene& scene, const std::string& path) : scene_(scene), path_(path) {}

  std::vector<TriangleMesh> read(const AffineMap& toOurs) {
    if (scene_.mRootNode != nullptr) visit(*scene_.mRootNode, toOurs, 0);
    return std::move(meshes_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw Error(message, {path_, 0, 0, {}}); }

  void visit(const aiNode& node, const AffineMap& toParent, int depth) {
    if (depth > kDeepest) fail("the nodes of the scene are nested deeper than " + std::to_string(kDeepest) + " levels");
    const AffineMap map = toParent * mapOf(node.mTransformation);
    for (unsigned i = 0; i < node.mNumMeshes; ++i) {
      if (node.mMeshes[i] >= scene_.mNumMeshes) fail("a node names a mesh that does not exist");
      TriangleMesh mesh = meshOf(*scene_.mMeshes[node.mMeshes[i]], map);
      if (!mesh.triangles.empty()) meshes_.push_back(std::move(mesh));
    }
    for (unsigned i = 0; i < node.mNumChildren; ++i) visit(*node.mChildren[i], map, depth + 1);
  }

  TriangleMesh meshOf(const aiMesh& from, const AffineMap& map) const {
    TriangleMesh mesh;
    const bool mirrored = map.A.determinant() < 0;
    // Equal places become one vertex, found by value in file order: the same file gives the same mesh.
    std::map<std::array<double, 3>, int> known;
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

void noteFbxConventions(const aiScene& scene, ReadContext& context) {
  const SourcePosition where{context.path, 0, 0, {}};
  if (scene.mMetaData == nullptr) return;
  int up = 2;
  if (scene.mMetaData->Get("UpAxis", up) && up != 2)
    context.diagnostics.note(
        std::string("the file says that ") + (up == 0 ? "X" : "Y") + " is up; its coordinates are taken as they stand",
        where);
  double unit = 100;  // In centimetres.
  if (scene.mMetaData->Get("UnitScaleFactor", unit) && unit != 100)
    context.diagnostics.note("the file says that its unit is not the metre; its coordinates are taken as they stand",
                             where, "scale it where it is used");
}

}  // namespace

GeometryPtr AssimpFormat::readGeometry(ReadContext& context) {
  const SourcePosition where{context.path, 0, 0, {}};
  const std::string extension = extensionOf(context.path);
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
  } catch (const std::exception& e) {
    reason = e.what();
  }
  if (scene == nullptr) {
    std::string hint;
    if (!fileSystem.missing().empty()) hint = "not found: " + fileSystem.missing().front();
    throw Error("cannot read: " + (reason.empty() ? std::string("Assimp gives no reason") : reason), where, hint);
  }
  AffineMap toOurs;
  if (extension == "gltf" || extension == "glb") toOurs.A << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  if (extension == "fbx") noteFbxConventions(*scene, context);
  std::vector<TriangleMesh> meshes = SceneReader(*scene, context.path).read(toOurs);
  if (meshes.empty()) throw Error("the file holds no triangles", where);
  if (meshes.size() == 1) return std::make_shared<Geometry>(std::move(meshes.front()), 0, context.path);
  GeometryGroup group;
  for (TriangleMesh& mesh : meshes) group.parts.push_back(std::make_shared<Geometry>(std::move(mesh), 0, context.path));
  return std::make_shared<Geometry>(std::move(group), 0, context.path);
}

}  // namespace mortise::io_assimp
