#include "io_test.h"
#include "mortise/base/files.h"

// Every file of the fuzzers' corpus is given to every reader: what was found once stays found, and a reader that meets
// the file of another says so in an `Error`.

namespace mortise::test {
namespace {

class FuzzCorpus : public IoTest {
 protected:
  void readAs(const std::string& extension, const std::string& content) {
    const std::string file = write("input." + extension, content);
    Diagnostics findings;
    FormatLoader reader(*registry, log);
    try {
      if (extension == "rob" || extension == "urdf") {
        RobotDescription description = reader.load<RobotDescription>(file, {}, findings);
        if (!findings.hasErrors()) Robot::compile(std::move(description));
      } else if (extension == "xml") {
        reader.world(file, {}, findings);
      } else if (extension == "env") {
        reader.load<Terrain>(file, {}, findings);
      } else if (extension == "config") {
        reader.load<VectorXd>(file, {}, findings);
      } else if (extension == "path" || extension == "milestones" || extension == "configs") {
        reader.load<Trajectory>(file, {}, findings);
      } else {
        if (extension == "obj") readObject(reader, file);
        const GeometryPtr geometry = reader.load<GeometryPtr>(file, {}, findings);
        ASSERT_NE(geometry, nullptr);
        ++read_;
        geometry->bounds();
        if (const auto* mesh = geometry->as<TriangleMesh>()) {
          for (const auto& t : mesh->triangles)
            for (const int vertex : t) ASSERT_LT(static_cast<std::size_t>(vertex), mesh->vertices.size());
        }
      }
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()), "");
    }
  }

  void readObject(FormatLoader& reader, const std::string& file) {
    try {
      Diagnostics findings;
      reader.load<RigidObject>(file, {}, findings);
    } catch (const Error&) {
    }
  }

  int read_ = 0;  ///< Shapes that were read.
};

TEST_F(FuzzCorpus, EveryReaderSurvivesEveryFile) {
  write("cube.off", kCubeOff);
  write("good.rob", "TParent 1 0 0 0 1 0 0 0 1 0 0 0\n");
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(MORTISE_SOURCE_DIR "/tests/fuzz/corpus")) {
    if (!entry.is_regular_file()) continue;
    SCOPED_TRACE(entry.path().string());
    ++files;
    const std::string content = readFile(entry.path().string());
    for (const char* extension : {"off", "obj", "stl", "ply", "tri", "geom", "group", "pcd", "vol", "occ", "json",
                                  "rob", "urdf", "xml", "env", "config", "configs", "milestones", "path"})
      readAs(extension, content);
  }
  EXPECT_GT(files, 20);
  EXPECT_GT(read_, 15);
}

}  // namespace
}  // namespace mortise::test
