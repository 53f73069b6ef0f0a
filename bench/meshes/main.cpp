/// A mesh of 100,000 triangles, read as binary STL and as OFF: by our loader as everyone uses it (format chosen,
/// content looked up in the cache, vertices joined) against Assimp, in one process, in turn. Medians of processor time.
/// Assimp is asked once to join vertices, as we do and Klamp't does (without the normals of STL, which would keep them
/// apart), and once for the bare triangles.

#include <algorithm>
#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <time.h>
#include <unistd.h>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/loading/format_loader.h"
#include "shared/plugins.h"
#include "shared/timing.h"

namespace {

using namespace mortise;
using namespace mortise::bench;

/// A closed, bumpy ball: rings of quadrilaterals, each two triangles.
TriangleMesh ball(int rings, int sides) {
  TriangleMesh mesh;
  for (int i = 0; i <= rings; ++i)
    for (int k = 0; k < sides; ++k) {
      const double a = M_PI * i / rings, b = 2 * M_PI * k / sides, r = 1 + 0.05 * std::sin(7 * a) * std::cos(5 * b);
      // Micrometres, as files have them.
      const auto rounded = [](double x) { return std::round(1e6 * x) / 1e6; };
      mesh.vertices.emplace_back(rounded(r * std::sin(a) * std::cos(b)), rounded(r * std::sin(a) * std::sin(b)),
                                 rounded(r * std::cos(a)));
    }
  for (int i = 0; i < rings; ++i)
    for (int k = 0; k < sides; ++k) {
      const int p = i * sides + k, q = i * sides + (k + 1) % sides;
      mesh.triangles.push_back({p, p + sides, q});
      mesh.triangles.push_back({q, p + sides, q + sides});
    }
  return mesh;
}

struct Reading {
  std::vector<double> seconds;
  std::size_t vertices = 0, triangles = 0;
};

template <typename Read>
void measure(Reading& reading, Read read) {
  const double start = processSeconds();
  read(reading);
  reading.seconds.push_back(processSeconds() - start);
}

void readWithAssimp(const std::string& path, unsigned flags, Reading& reading) {
  Assimp::Importer importer;
  importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_NORMALS);
  const aiScene* scene = importer.ReadFile(path, flags);
  if (scene == nullptr) throw Error(importer.GetErrorString());
  reading.vertices = reading.triangles = 0;
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
    reading.vertices += scene->mMeshes[i]->mNumVertices;
    reading.triangles += scene->mMeshes[i]->mNumFaces;
  }
}

int run(int rounds) {
  Registry registry(silentLog());
  discoverPlugins(registry);
  std::string folder = (std::filesystem::temp_directory_path() / "bench_meshes_XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) throw Error("cannot make a temporary folder");
  const Geometry shape{ball(200, 250)};
  std::printf("%-6s %-30s %10s %10s %10s %8s\n", "file", "reader", "vertices", "triangles", "ms", "ratio");
  for (const char* name : {"stl", "off"}) {
    const std::string path = folder + "/ball." + name;
    Diagnostics written;
    FormatLoader(registry, silentLog()).write(std::make_shared<const Geometry>(shape), path, written);
    Reading ours, joined, bare;
    for (int round = 0; round < rounds; ++round) {
      measure(ours, [&](Reading& reading) {
        FormatLoader loader(registry, silentLog());
        Diagnostics diagnostics;
        const GeometryPtr geometry = loader.load<GeometryPtr>(path, {}, diagnostics);
        reading.vertices = static_cast<std::size_t>(geometry->numVertices());
        reading.triangles = static_cast<std::size_t>(geometry->numTriangles());
      });
      measure(joined, [&](Reading& reading) {
        readWithAssimp(path, aiProcess_RemoveComponent | aiProcess_Triangulate | aiProcess_JoinIdenticalVertices,
                       reading);
      });
      measure(bare, [&](Reading& reading) { readWithAssimp(path, 0, reading); });
    }
    const double base = median(ours.seconds);
    const auto row = [&](const char* reader, const Reading& reading) {
      const double seconds = median(reading.seconds);
      std::printf("%-6s %-30s %10zu %10zu %10.2f %8.1f\n", name, reader, reading.vertices, reading.triangles,
                  1e3 * seconds, seconds / base);
    };
    row("mortise", ours);
    row("Assimp, vertices joined", joined);
    row("Assimp, as it stands", bare);
  }
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 15;
  if (argc == 3 && std::string_view(argv[1]) == "--rounds") rounds = std::atoi(argv[2]);
  if ((argc != 1 && argc != 3) || rounds < 1) {
    std::fputs("usage: bench_meshes [--rounds N]\n", stderr);
    return 2;
  }
  try {
    return run(rounds);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_meshes: %s\n", e.what());
    return 1;
  }
}
