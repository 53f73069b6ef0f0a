#include "mortise/component/resource.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/modeling/resource_conversion.h"
#include "tests/support/equality/resource_equality.h"

namespace mortise {
namespace {

using test::equal;

VectorXd two(double a, double b) { return Eigen::Vector2d(a, b); }

class Conversion : public testing::Test {
 protected:
  template <typename T>
  T to(const Resource& resource) {
    return std::get<T>(convertResource(resource, contentOfType<T>(), diagnostics));
  }
  std::string warnings() const {
    std::string text;
    for (const Diagnostic& entry : diagnostics.all()) text += entry.message + "\n";
    return text;
  }
  Diagnostics diagnostics;
};

TEST_F(Conversion, EveryListedConversionExists) {
  MultiPath path;
  path.sections.resize(1);
  path.sections[0].times = {0, 1};
  path.sections[0].milestones = {two(0, 1), two(1, 2)};
  path.sections[0].velocities = {two(0, 0), two(1, 1)};
  Hold hold;
  hold.link = hold.goal.link = 3;
  hold.contacts.resize(1);
  Grasp grasp;
  grasp.goals.resize(1);
  const std::vector<Resource> samples = {VectorXd(Vector3d(1, 2, 3)),
                                         ConfigurationList{{two(0, 1), two(1, 2)}},
                                         Trajectory{{0, 1}, {two(0, 1), two(1, 2)}},
                                         HermiteTrajectory{{0, 1}, {two(0, 1), two(1, 2)}, {two(0, 0), two(1, 1)}},
                                         path,
                                         IKGoal(),
                                         hold,
                                         Stance{{hold}},
                                         grasp,
                                         Vector3d(1, 2, 3),
                                         Matrix3d(Matrix3d::Identity()),
                                         RigidTransform(),
                                         Eigen::MatrixXd(Eigen::MatrixXd::Identity(3, 3)),
                                         std::vector<int>{1, 2},
                                         std::vector<double>{1, 2, 3}};
  for (const Resource& sample : samples) {
    const FileContent kind = contentOf(sample);
    const auto kinds = convertibleKinds(kind);
    EXPECT_EQ(kinds.front(), kind);
    for (const FileContent other : kinds) {
      // Two configurations are not one.
      const bool motion = kind == FileContent::configurations || kind == FileContent::trajectory ||
                          kind == FileContent::hermiteTrajectory || kind == FileContent::multipath;
      if (other == FileContent::configuration && motion) {
        EXPECT_THROW((void)convertResource(sample, other, diagnostics), Error) << contentName(kind);
        continue;
      }
      EXPECT_EQ(contentOf(convertResource(sample, other, diagnostics)), other) << contentName(kind);
    }
    EXPECT_TRUE(equal(sample, convertResource(sample, kind, diagnostics))) << contentName(kind);
  }
}

TEST_F(Conversion, MotionsThatStandStillAreOneConfiguration) {
  MultiPath path;
  path.sections.resize(1);
  path.sections[0].milestones = {two(1, 2), two(1, 2)};
  for (const Resource& still : {Resource(path), Resource(ConfigurationList{{two(1, 2), two(1, 2), two(1, 2)}}),
                                Resource(Trajectory{{0, 1}, {two(1, 2), two(1, 2)}}),
                                Resource(HermiteTrajectory{{0, 1}, {two(1, 2), two(1, 2)}, {two(0, 0), two(0, 0)}})})
    EXPECT_EQ(to<VectorXd>(still), two(1, 2)) << contentName(contentOf(still));
  EXPECT_THROW(
      (void)convertResource(ConfigurationList{{two(1, 2), VectorXd::Zero(3)}}, FileContent::configuration, diagnostics),
      Error);
}

TEST_F(Conversion, PathsWithoutTimesTakeOneSecond) {
  MultiPath path;
  path.sections.resize(2);
  path.sections[0].milestones = {two(0, 0), two(1, 0), two(2, 0), two(3, 0), two(4, 0)};
  path.sections[1].milestones = {two(4, 0), two(4, 1)};
  const Trajectory timed = to<Trajectory>(path);
  EXPECT_EQ(timed.times, (std::vector<double>{0, 0.125, 0.25, 0.375, 0.5, 1}));
  // As the path itself is evaluated.
  VectorXd q = two(0, 0), dq = q, expected = q, rate = q;
  for (const double t : {0.0, 0.1, 0.5, 0.7, 1.0}) {
    timed.evaluate(t, q, dq);
    path.evaluate(t, MultiPath::Interpolation::linear, expected, rate);
    EXPECT_TRUE(q.isApprox(expected, 1e-12)) << t;
  }
}

TEST_F(Conversion, PathsThereAndBack) {
  const HermiteTrajectory path{{0.5, 2}, {two(0, 1), two(1, 2)}, {two(0, 0), two(1, 1)}};
  const MultiPath multi = to<MultiPath>(path);
  EXPECT_TRUE(equal(to<HermiteTrajectory>(multi), path));
  EXPECT_TRUE(diagnostics.all().empty());
  const Trajectory linear = to<Trajectory>(multi);
  EXPECT_EQ(linear.times, path.times);
  EXPECT_EQ(warnings(), "velocities are lost\n");
}

TEST_F(Conversion, SectionsAreJoinedWhereTheyMeet) {
  MultiPath path;
  path.sections.resize(2);
  path.sections[0].milestones = {two(0, 0), two(1, 1)};
  path.sections[0].times = {0, 1};
  path.sections[1].milestones = {two(1, 1), two(2, 2)};
  path.sections[1].times = {1, 3};
  path.settings = {{"program", "x"}};
  path.sections[0].goals.resize(1);
  EXPECT_EQ(to<Trajectory>(path).times, (std::vector<double>{0, 1, 3}));
  EXPECT_EQ(
      warnings(),
      "goals and holds of the path are lost\nsettings of the path are lost\nbounds of the path's sections are lost\n");
  path.sections[1].milestones[0] = two(1, 1.5);  // A jump is kept.
  EXPECT_EQ(to<Trajectory>(path).times, (std::vector<double>{0, 1, 1, 3}));
}

TEST_F(Conversion, LossesAreSaid) {
  to<ConfigurationList>(Trajectory{{0, 1}, {two(0, 0), two(1, 1)}});
  EXPECT_EQ(warnings(), "");
  to<ConfigurationList>(Trajectory{{0, 1.5}, {two(0, 0), two(1, 1)}});
  EXPECT_EQ(warnings(), "times are lost\n");
  diagnostics = Diagnostics();
  Grasp grasp;
  grasp.object = 2;
  grasp.goals.resize(1);
  grasp.fixed = {{1, 0.5}};
  grasp.contacts.resize(1);
  grasp.contacts[0].link = 9;
  grasp.contacts[0].force_W = Vector3d(0, 0, 1);
  const Stance stance = to<Stance>(grasp);
  ASSERT_EQ(stance.holds.size(), 2u);
  EXPECT_EQ(stance.holds[1].link, 9);
  EXPECT_EQ(warnings(),
            "the grasp's fixed degrees of freedom are lost\nthe grasp's forces are lost\n"
            "the numbers of the grasp's robot and object are lost\n");
  diagnostics = Diagnostics();
  to<Matrix3d>(RigidTransform::translation({1, 0, 0}));
  EXPECT_EQ(warnings(), "the translation is lost\n");
}

TEST_F(Conversion, WhatCannotBeIsRefused) {
  EXPECT_THROW(convertResource(Vector3d(0, 0, 0), FileContent::multipath, diagnostics), Error);
  EXPECT_THROW(convertResource(ConfigurationList{{two(0, 0), VectorXd::Zero(3)}}, FileContent::trajectory, diagnostics),
               Error);
  EXPECT_THROW(convertResource(ConfigurationList{{two(0, 0)}}, FileContent::multipath, diagnostics), Error);
  EXPECT_THROW(convertResource(ConfigurationList{}, FileContent::trajectory, diagnostics), Error);
  EXPECT_THROW(convertResource(Stance(), FileContent::hold, diagnostics), Error);
  EXPECT_THROW(convertResource(MultiPath(), FileContent::trajectory, diagnostics), Error);
  EXPECT_THROW(convertResource(two(1, 2), FileContent::vector3, diagnostics), Error);
}

TEST(FileContents, HaveNamesThatReadBack) {
  for (std::size_t i = 0; i + 1 < std::variant_size_v<Resource>; ++i) {
    const auto content = static_cast<FileContent>(i);
    EXPECT_FALSE(contentName(content).empty()) << i;
    EXPECT_EQ(contentFromName(contentName(content)), content);
  }
  EXPECT_EQ(contentFromName("robots"), std::nullopt);
  EXPECT_EQ(contentFromName(""), std::nullopt);
}

TEST(FileContents, FollowTheTypeOfTheValue) {
  EXPECT_EQ(contentName(contentOf(VectorXd())), "configuration");
  EXPECT_EQ(contentName(contentOf(HermiteTrajectory())), "hermite_trajectory");
  EXPECT_EQ(contentName(contentOf(ContactPoint())), "contact_point");
  EXPECT_EQ(contentName(contentOf(std::vector<double>())), "numbers");
  EXPECT_EQ(contentName(contentOf(GeometryPtr())), "geometry");
  EXPECT_EQ(contentName(contentOf(RobotDescription())), "robot");
  EXPECT_EQ(contentName(contentOf(RigidObject())), "rigid_object");
  EXPECT_EQ(contentName(contentOf(WorldDescription())), "world");
  EXPECT_EQ(contentName(contentOf(ResourceLibrary())), "library");
  EXPECT_EQ(contentName(contentOf(FileResource{FileContent::world, "a.xml"})), "world");
}

TEST(ResourceEquality, ComparesSizesBeforeNumbers) {
  EXPECT_TRUE(equal(two(1, 2), two(1, 2)));
  EXPECT_FALSE(equal(two(1, 2), VectorXd(Vector3d(1, 2, 3))));
  EXPECT_FALSE(equal(two(1, 2), std::vector<double>{1, 2}));
  EXPECT_FALSE(equal(Eigen::MatrixXd(2, 3), Eigen::MatrixXd(3, 2)));
  MultiPath a, b;
  a.sections.resize(1);
  EXPECT_FALSE(equal(a, b));
  b.sections.resize(1);
  EXPECT_TRUE(equal(a, b));
  b.sections[0].holdNames = {"x"};
  EXPECT_FALSE(equal(a, b));
}

}  // namespace
}  // namespace mortise
