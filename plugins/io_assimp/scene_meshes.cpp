#include "scene_meshes.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/base/position.h"

namespace mortise::io_assimp {

namespace {

/// Scenes name meshes more than once: so many triangles may come of it, or this many times those of the meshes.
constexpr std::size_t kMaxTriangles = 2'000'000, kMaxCopies = 4;

/// Deeper scenes than this are damaged or made to exhaust the stack.
constexpr int kDeepest = 1000;

AffineMap mapOf(const aiMatrix4x4& m) {
  AffineMap map;
  map.A << static_cast<double>(m.a1), static_cast<double>(m.a2), static_cast<double>(m.a3), static_cast<double>(m.b1),
      static_cast<double>(m.b2), static_cast<double>(m.b3), static_cast<double>(m.c1), static_cast<double>(m.c2),
      static_cast<double>(m.c3);
  map.t << static_cast<double>(m.a4), static_cast<double>(m.b4), static_cast<double>(m.c4);
  return map;
}

class SceneWalk {
 public:
  SceneWalk(const aiScene& scene, const std::string& path,
            const std::function<void(const aiMesh&, const AffineMap&)>& take)
      : scene_(scene), path_(path), take_(take) {
    for (unsigned i = 0; i < scene_.mNumMeshes; ++i) inMeshes_ += scene_.mMeshes[i]->mNumFaces;
  }

  void visit(const aiNode& node, const AffineMap& toParent, int depth) {
    if (depth > kDeepest) fail("the nodes of the scene are nested deeper than " + std::to_string(kDeepest) + " levels");
    const AffineMap map = toParent * mapOf(node.mTransformation);
    for (unsigned i = 0; i < node.mNumMeshes; ++i) {
      if (node.mMeshes[i] >= scene_.mNumMeshes) fail("a node names a mesh that does not exist");
      triangles_ += scene_.mMeshes[node.mMeshes[i]]->mNumFaces;
      if (const std::size_t maximum = std::max(kMaxTriangles, kMaxCopies * inMeshes_); triangles_ > maximum)
        fail("the scene shows its " + std::to_string(inMeshes_) + " triangles again and again; more than " +
             std::to_string(maximum) + " are not made of them");
      take_(*scene_.mMeshes[node.mMeshes[i]], map);
    }
    for (unsigned i = 0; i < node.mNumChildren; ++i) visit(*node.mChildren[i], map, depth + 1);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw Error(message, inFile(path_)); }

  const aiScene& scene_;
  const std::string& path_;
  const std::function<void(const aiMesh&, const AffineMap&)>& take_;
  std::size_t inMeshes_ = 0, triangles_ = 0;
};

}  // namespace

void forEachMesh(const aiScene& scene, const std::string& path, const AffineMap& toOurs,
                 const std::function<void(const aiMesh&, const AffineMap&)>& take) {
  if (scene.mRootNode != nullptr) SceneWalk(scene, path, take).visit(*scene.mRootNode, toOurs, 0);
}

}  // namespace mortise::io_assimp
