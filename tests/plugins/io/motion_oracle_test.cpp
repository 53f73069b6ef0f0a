#include <map>

#include "io_test.h"
#include "tests/support/equality/resource_equality.h"

namespace mortise::test {
namespace {

namespace fs = std::filesystem;

/// Every motion and resource of Klamp't's data: it loads, evaluates as Klamp't does, and survives being written.
class RealMotions : public IoTest {
 protected:
  void expectNear(const Value& expected, const VectorXd& found, const std::string& what) {
    ASSERT_EQ(std::ssize(expected.items()), found.size()) << what;
    for (Eigen::Index i = 0; i < found.size(); ++i)
      ASSERT_NEAR(expected[static_cast<std::size_t>(i)].asReal(), found[i], 1e-9) << what << ", coordinate " << i;
  }

  void compareMultiPath(const std::string& name, const Value& expected, const MultiPath& path) {
    EXPECT_EQ(expected.at("sections").asInteger(), std::ssize(path.sections)) << name;
    EXPECT_EQ(expected.at("continuous").asBool(), path.continuous()) << name;
    EXPECT_EQ(expected.at("valid").asBool(), path.problem().empty()) << name << path.problem();
    EXPECT_NEAR(expected.at("start_time").asReal(), path.startTime(), 1e-12) << name;
    EXPECT_NEAR(expected.at("end_time").asReal(), path.endTime(), 1e-12) << name;
    EXPECT_NEAR(expected.at("duration").asReal(), path.duration(), 1e-12) << name;
    EXPECT_EQ(expected.at("num_global_holds").asInteger(), std::ssize(path.holds)) << name;
    ASSERT_EQ(expected.at("settings").entries().size(), path.settings.size()) << name;
    for (const auto& [key, value] : path.settings) EXPECT_EQ(expected.at("settings").at(key).text(), value) << name;
    for (std::size_t i = 0; i < path.sections.size(); ++i) {
      const Value& info = expected.at("section_info")[i];
      const MultiPath::Section& section = path.sections[i];
      const std::map<std::string, std::size_t> sizes = {
          {"milestones", section.milestones.size()}, {"times", section.times.size()},
          {"velocities", section.velocities.size()}, {"ikGoals", section.goals.size()},
          {"holds", section.holds.size()},           {"holdIndices", section.holdIndices.size()},
          {"holdNames", section.holdNames.size()}};
      for (const auto& [key, size] : sizes)
        EXPECT_EQ(info.at(key).asInteger(), static_cast<std::int64_t>(size)) << name << " section " << i << " " << key;
    }
    expectNear(expected.at("start"), path.sections[0].milestones[0], name + " start");
    VectorXd q(path.dimension()), dq(path.dimension());
    for (const Value& sample : expected.at("eval").items()) {
      const bool cubic = sample.at("policy").asString() == "cubic";
      const double t = sample.at("t").asReal();
      const int section =
          path.evaluate(t, cubic ? MultiPath::Interpolation::cubic : MultiPath::Interpolation::linear, q, dq);
      EXPECT_EQ(sample.at("section").asInteger(), section) << name << " at " << t;
      expectNear(sample.at("q"), q, name + (cubic ? " cubic" : " linear") + " at " + std::to_string(t));
    }
  }

  /// Writes the resource, reads it again and expects the same.
  void expectSurvives(const Resource& resource, const std::string& file) {
    loader.write(resource, path(file), diagnostics);
    const Resource back = loader.load(contentOf(resource), path(file), {}, diagnostics);
    EXPECT_TRUE(test::equal(resource, back)) << file;
  }
};

TEST_F(RealMotions, AgreeWithTheReference) {
  MORTISE_NEEDS_REFERENCE();
  const Value oracle = loadYaml(referenceDir() + "/reference/klampt-oracle/motions.json");
  const fs::path folder = referenceDir() + "/klampt-data/motions";
  int compared = 0;
  for (const auto& [name, motion, position] : oracle.entries()) {
    const std::string type = motion.string("type", "");
    const std::string file = (folder / name).string();
    if (type == "config") {
      expectNear(motion.at("q"), loader.load<VectorXd>(file, {}, diagnostics), name);
    } else if (type == "LinearPath") {
      const Trajectory path = loader.load<Trajectory>(file, {}, diagnostics);
      EXPECT_EQ(motion.at("n").asInteger(), std::ssize(path.times));
      EXPECT_EQ(motion.at("start_time").asReal(), path.startTime());
      EXPECT_EQ(motion.at("end_time").asReal(), path.endTime());
      expectNear(motion.at("start"), path.configurations.front(), name);
      VectorXd q(path.configurations[0].size()), dq(q.size());
      for (const Value& sample : motion.at("eval").items()) {
        path.evaluate(sample.at("t").asReal(), q, dq);
        expectNear(sample.at("q"), q, name);
        expectNear(sample.at("dq"), dq, name);
      }
    } else if (type == "milestones") {
      const auto path = loader.load<HermiteTrajectory>(file, {}, diagnostics);
      EXPECT_EQ(motion.at("n").asInteger(), 2 * std::ssize(path.times));
      EXPECT_EQ(motion.at("first_fields")[0].asInteger(), path.configurations[0].size());
      expectNear(motion.at("first"), path.configurations.front(), name);
      expectNear(motion.at("last"), path.velocities.back(), name);
    } else if (type == "MultiPath") {
      EXPECT_EQ(loader.contentOf(file), FileContent::multipath) << name;
      compareMultiPath(name, motion, loader.load<MultiPath>(file, {}, diagnostics));
    } else {
      ADD_FAILURE() << "unknown type " << type << " of " << name;
    }
    ++compared;
  }
  EXPECT_EQ(compared, std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
}

TEST_F(RealMotions, SurviveBeingWritten) {
  MORTISE_NEEDS_REFERENCE();
  const std::map<FileContent, std::string> extensions = {{FileContent::configuration, ".config"},
                                                         {FileContent::trajectory, ".path"},
                                                         {FileContent::hermiteTrajectory, ".milestones"},
                                                         {FileContent::multipath, ".xml"}};
  int written = 0;
  for (const auto& entry : fs::directory_iterator(referenceDir() + "/klampt-data/motions")) {
    const std::string file = entry.path().string();
    const Resource resource = loader.load(loader.contentOf(file).value(), file, {}, diagnostics);
    expectSurvives(resource, "copy" + extensions.at(contentOf(resource)));
    expectSurvives(resource, "copy.json");
    ++written;
  }
  EXPECT_EQ(written, 13);
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
}

TEST_F(RealMotions, ALibrarySurvivesAsFolderXmlAndJson) {
  MORTISE_NEEDS_REFERENCE();
  const std::string folder = referenceDir() + "/klampt-data/resources/hubo_stair_climb";
  const ResourceLibrary original = loader.load<ResourceLibrary>(folder, {}, diagnostics);
  EXPECT_EQ(std::ssize(original.items), std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  std::map<std::string_view, int> kinds;
  for (const ResourceItem& item : original.items) ++kinds[contentName(contentOf(item.value))];
  EXPECT_EQ(kinds,
            (std::map<std::string_view, int>{
                {"configuration", 10}, {"configurations", 2}, {"multipath", 10}, {"stance", 4}, {"trajectory", 1}}));
  ResourceLibrary before = original;
  for (const char* name : {"library.xml", "library.json", "library/", "again.xml"}) {
    loader.write(before, path(name), diagnostics);
    EXPECT_EQ(loader.contentOf(path(name)), FileContent::library) << name;
    const ResourceLibrary after = loader.load<ResourceLibrary>(path(name), {}, diagnostics);
    ASSERT_EQ(after.items.size(), original.items.size()) << name;
    for (std::size_t i = 0; i < after.items.size(); ++i) {
      EXPECT_EQ(after.items[i].name, original.items[i].name) << name;
      EXPECT_TRUE(test::equal(after.items[i].value, original.items[i].value)) << name << " " << after.items[i].name;
    }
    before = after;
  }
  EXPECT_TRUE(diagnostics.all().empty()) << problems();
}

}  // namespace
}  // namespace mortise::test
