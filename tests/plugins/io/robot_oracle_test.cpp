#include <algorithm>
#include <filesystem>

#include "io_test.h"
#include "mortise/model/robot_state.h"
#include "oracle.h"

// Every robot of the reference, .rob and URDF, against the numbers that Klamp't computes from it.

namespace mortise::test {
namespace {

/// Klamp't's mesh reader rounds vertices to single precision, ours keeps what the file says: bounds differ by about
/// 1e-7 of their size.
constexpr double kVertexTolerance = 3e-7;
constexpr double kTolerance = 1e-9;

std::vector<std::string> oracleFiles() {
  std::vector<std::string> names;
  if (referenceDir().empty()) return names;
  for (const auto& entry : std::filesystem::directory_iterator(referenceDir() + "/reference/klampt-oracle")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".json") continue;
    const auto starts = [&name](const char* prefix) { return name.rfind(prefix, 0) == 0; };
    if (!starts("world_") && !starts("sim_") && !starts("plan_") && !starts("planshort_") && name != "motions")
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

class RobotOracle : public IoTest, public testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    IoTest::SetUp();
    oracle = loadYaml(referenceDir() + "/reference/klampt-oracle/" + GetParam() + ".json");
    robot = Robot::compile(IoTest::robot(referenceDir() + "/klampt-data/" + oracle.at("file").asString()));
    ASSERT_FALSE(diagnostics.hasErrors()) << problems();
  }

  template <typename Get>
  VectorXd perLink(Get get) const {
    VectorXd v(robot->numLinks());
    for (int i = 0; i < robot->numLinks(); ++i) v[i] = get(robot->link(i));
    return v;
  }

  void checkLinksAndLimits();
  void checkMassesAndShapes();
  void checkJoints();
  void checkDrivers();
  void checkSelfCollisionPairs();
  void checkFramesOfTheSamples();

  Value oracle;
  RobotPtr robot;
};

void RobotOracle::checkLinksAndLimits() {
  ASSERT_EQ(oracle.at("num_links").asInteger(), robot->numLinks());
  const Value& names = oracle.at("link_names");
  for (int i = 0; i < robot->numLinks(); ++i) {
    const Link& link = robot->link(i);
    EXPECT_EQ(names[i].text(), link.name);
    EXPECT_EQ(oracle.at("parents")[i].asInteger(), link.parent);
    EXPECT_EQ(oracle.at("joint_types")[i].asString(), link.motion == LinkMotion::revolute ? "r" : "p");
  }
  const auto check = [&](const char* key, auto get) {
    EXPECT_TRUE(allNear(oracle.at(key), perLink(get), kTolerance)) << key;
  };
  check("q_initial", [](const Link& l) { return l.q; });
  check("qmin", [](const Link& l) { return l.qMin; });
  check("qmax", [](const Link& l) { return l.qMax; });
  check("velmin", [](const Link& l) { return l.velocityMin; });
  check("velmax", [](const Link& l) { return l.velocityMax; });
  check("accmax", [](const Link& l) { return l.accelerationMax; });
  check("torquemax", [](const Link& l) { return l.torqueMax; });
  check("powermax", [](const Link& l) { return l.powerMax; });
  EXPECT_TRUE(near(oracle.at("total_mass"), robot->totalMass(), kTolerance));
}

void RobotOracle::checkMassesAndShapes() {
  for (int i = 0; i < robot->numLinks(); ++i) {
    const Link& link = robot->link(i);
    const Value& theirs = oracle.at("links")[i];
    SCOPED_TRACE(link.name);
    EXPECT_TRUE(near(theirs.at("mass"), link.inertia.mass, kTolerance));
    EXPECT_TRUE(allNear(theirs.at("T0_parent"), rows(link.X_PL0), kTolerance));
    EXPECT_TRUE(allNear(theirs.at("axis"), link.axis, kTolerance));
    const Value& com = theirs.at("com");
    const Value& inertia = theirs.at("inertia");
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(com[k].asReal(), link.inertia.com[k], kTolerance * std::max(0.1, link.inertia.com.norm()));
    for (int k = 0; k < 9; ++k)
      EXPECT_NEAR(inertia[k].asReal(), link.inertia.inertia(k / 3, k % 3),
                  kTolerance * link.inertia.inertia.cwiseAbs().maxCoeff());
    const Value& geometry = theirs.at("geometry");
    ASSERT_EQ(geometry.isNull(), !link.geometry || link.geometry->empty());
    if (geometry.isNull()) continue;
    if (GetParam().ends_with("_urdf") && theirs.at("geom_file").text().empty()) {
      // Klamp't keeps the first shape of a link alone and turns it into a mesh whose corners lie on it.
      for (int k = 0; k < 3; ++k) {
        EXPECT_LE(link.geometry->bounds().min[k], geometry.at("bmin")[k].asReal() + kVertexTolerance);
        EXPECT_GE(link.geometry->bounds().max[k], geometry.at("bmax")[k].asReal() - kVertexTolerance);
      }
      continue;
    }
    EXPECT_EQ(geometry.at("type").asString(), link.geometry->typeName());
    // Klamp't reads STL through Assimp, which joins vertices only in part.
    const bool stl = GetParam().ends_with("_urdf") && !theirs.at("geom_file").text().ends_with(".off");
    if (!stl) {
      EXPECT_EQ(geometry.at("verts").asInteger(), link.geometry->numVertices());
    }
    EXPECT_EQ(geometry.at("tris").asInteger(), link.geometry->numTriangles());
    EXPECT_TRUE(near(geometry.at("margin"), link.geometry->margin(), kTolerance));
    EXPECT_TRUE(allNear(geometry.at("bmin"), link.geometry->bounds().min, kVertexTolerance));
    EXPECT_TRUE(allNear(geometry.at("bmax"), link.geometry->bounds().max, kVertexTolerance));
  }
}

void RobotOracle::checkJoints() {
  const Value& joints = oracle.at("joints");
  ASSERT_EQ(joints.size(), robot->joints().size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Joint& joint = robot->joints()[i];
    std::string type(jointTypeName(joint.type));
    std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::tolower(c); });
    EXPECT_EQ(joints[i].at("type").asString(), type);
    EXPECT_EQ(joints[i].at("link").asInteger(), joint.link);
    if (joints[i].contains("base")) {
      EXPECT_EQ(joints[i].at("base").asInteger(), joint.base);
    }
  }
}

void RobotOracle::checkDrivers() {
  const Value& drivers = oracle.at("drivers");
  ASSERT_EQ(drivers.size(), static_cast<std::size_t>(robot->numDrivers()));
  for (int i = 0; i < robot->numDrivers(); ++i) {
    const Driver& d = robot->driver(i);
    const Value& theirs = drivers[i];
    SCOPED_TRACE(d.name);
    EXPECT_EQ(oracle.at("driver_names")[i].text(), d.name);
    EXPECT_EQ(theirs.at("type").asString(), driverTypeName(d.type));
    ASSERT_EQ(theirs.at("links").size(), d.links.size());
    for (std::size_t k = 0; k < d.links.size(); ++k) EXPECT_EQ(theirs.at("links")[k].asInteger(), d.links[k]);
    if (d.type == DriverType::affine)
      for (std::size_t k = 0; k < d.links.size(); ++k) {
        EXPECT_TRUE(near(theirs.at("scaling")[k], d.scale[k], kTolerance));
        EXPECT_TRUE(near(theirs.at("offset")[k], d.offset[k], kTolerance));
      }
    const auto check = [&](const char* key, double ours) {
      EXPECT_TRUE(near(theirs.at(key), ours, kTolerance)) << key << ": " << theirs.at(key).text() << ", ours " << ours;
    };
    check("qmin", d.qMin);
    check("qmax", d.qMax);
    check("vmin", d.velocityMin);
    check("vmax", d.velocityMax);
    check("tmin", d.torqueMin);
    check("tmax", d.torqueMax);
    // Klamp't slips where an affine driver has only negative scales.
    const bool slip = d.type == DriverType::affine && *std::max_element(d.scale.begin(), d.scale.end()) < 0;
    if (!slip) {
      check("amin", d.accelerationMin);
      check("amax", d.accelerationMax);
    }
    check("servoP", d.servoP);
    check("servoI", d.servoI);
    check("servoD", d.servoD);
    check("dryFriction", d.dryFriction);
    check("viscousFriction", d.viscousFriction);
  }
}

void RobotOracle::checkSelfCollisionPairs() {
  std::vector<std::pair<int, int>> theirs;
  for (const Value& pair : oracle.at("self_collision_pairs").items())
    theirs.emplace_back(pair[0].asInteger(), pair[1].asInteger());
  std::sort(theirs.begin(), theirs.end());
  EXPECT_EQ(theirs, robot->description().selfCollisionPairs);
}

void RobotOracle::checkFramesOfTheSamples() {
  RobotState state(*robot);
  for (const Value& sample : oracle.at("samples").items()) {
    const std::vector<double> q = sample.at("q").asReals();
    state.q = Eigen::Map<const VectorXd>(q.data(), std::ssize(q));
    updateFrames(*robot, state);
    Vector3d moment = Vector3d::Zero();
    for (int i = 0; i < robot->numLinks(); ++i) {
      EXPECT_TRUE(allNear(sample.at("link_T")[i], rows(state.X_WL[i]), kTolerance)) << robot->link(i).name;
      moment += robot->link(i).inertia.mass * (state.X_WL[i] * robot->link(i).inertia.com);
    }
    if (robot->totalMass() > 0) {
      const Vector3d com = moment / robot->totalMass();
      EXPECT_TRUE(allNear(sample.at("com"), com, kTolerance)) << com.transpose();
    }
    const Value& values = sample.at("driver_values");
    for (int d = 0; d < robot->numDrivers(); ++d)
      EXPECT_TRUE(near(values[d], driverValue(*robot, d, state.q), kTolerance)) << robot->driver(d).name;
  }
}

TEST_P(RobotOracle, Agrees) {
  checkLinksAndLimits();
  checkMassesAndShapes();
  checkJoints();
  checkDrivers();
  checkSelfCollisionPairs();
  checkFramesOfTheSamples();
}

INSTANTIATE_TEST_SUITE_P(Robots, RobotOracle, testing::ValuesIn(oracleFiles()),
                         [](const auto& test) { return test.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RobotOracle);

}  // namespace
}  // namespace mortise::test
