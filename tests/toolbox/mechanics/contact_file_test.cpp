#include "mortise/mechanics/contact_file.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/loading/format_loader.h"
#include "mortise/mechanics/balance.h"
#include "tests/support/error_text.h"
#include "tests/support/folder_test.h"
#include "tests/support/plugins.h"

namespace mortise::test {
namespace {

const std::string kHumanoid = MORTISE_SOURCE_DIR "/data/robots/humanoid.urdf";
const std::string kFeet = MORTISE_SOURCE_DIR "/data/planning/humanoid/feet.stance";
const std::string kStand = MORTISE_SOURCE_DIR "/data/planning/humanoid/stand.config";

class ContactFiles : public FolderTest {
 protected:
  ContactFiles() : registry_(makeRegistry(log_)), loader_(*registry_, log_) {
    robot_ = Robot::compile(loader_.load<RobotDescription>(kHumanoid, {}, diagnostics_));
    q_ = loader_.load<VectorXd>(kStand, {}, diagnostics_);
    dynamics_ = std::make_unique<RobotDynamics>(robot_);
    dynamics_->setPosition(q_);
  }
  ContactFile read(const std::string& file, std::optional<double> friction = {}) {
    Diagnostics own;
    return readContactFile(loader_, file, *dynamics_, friction, own);
  }
  std::string refusal(const std::string& content) {
    return errorText([&] { read(write("c.yaml", content)); });
  }

  MemoryLog log_;
  std::unique_ptr<Registry> registry_;
  FormatLoader loader_;
  Diagnostics diagnostics_;
  RobotPtr robot_;
  VectorXd q_;
  std::unique_ptr<RobotDynamics> dynamics_;
};

TEST_F(ContactFiles, StancesHaveLinksAndGoals) {
  const ContactFile file = read(kFeet);
  ASSERT_EQ(file.contacts.size(), 8u);
  EXPECT_EQ(file.contacts[0].link, 11);
  EXPECT_EQ(file.contacts[4].link, 17);
  EXPECT_EQ(file.contacts[0].point.friction, 0.7);
  ASSERT_EQ(file.goals.size(), 2u);
  Diagnostics problems;
  checkGoals(robot_, file.goals, q_, 0.01, problems);
  EXPECT_TRUE(problems.all().empty());
  checkGoals(robot_, file.goals, robot_->initialConfiguration(), 0.01, problems);
  EXPECT_EQ(problems.warningCount(), 2);
  EXPECT_EQ(read(kFeet, 0.3).contacts[3].point.friction, 0.3);
}

TEST_F(ContactFiles, ListsInAllSpellings) {
  const ContactFile file =
      read(write("c.yaml",
                 "contacts:\n"
                 "- {point: [1, 2, 3], normal: [0, 0, 2], friction: 0.4, link: left_foot}\n"
                 "- {x: [1, 2, 3], n: [1, 0, 0], kFriction: inf, type: ContactPoint}\n"
                 "- [4, 5, 6, 0, 3, 4, 0]\n"
                 "- {point: [0, 0, 0], normal: [0, 1, 0], mu: 0, link: left_hand, target: head}\n"));
  ASSERT_EQ(file.contacts.size(), 4u);
  EXPECT_EQ(file.contacts[0].link, 11);
  EXPECT_EQ(file.contacts[0].point.n_W, Vector3d::UnitZ());
  EXPECT_EQ(file.contacts[1].link, -1);
  EXPECT_EQ(file.contacts[1].point.friction, kInfinity);
  EXPECT_NEAR((file.contacts[2].point.n_W - Vector3d(0, 0.6, 0.8)).norm(), 0, 1e-15);
  EXPECT_EQ(file.contacts[3].target, robot_->description().findLink("head"));
  const std::string json = R"([{"point": [0, 0, 0], "normal": [0, 0, 1], "friction": 0.5}])";
  EXPECT_EQ(read(write("c.json", json)).contacts.size(), 1u);
  EXPECT_EQ(read(write("list.json", "[[0, 0, 0, 0, 0, 1, 0.5], [1, 0, 0, 0, 0, 1, 0.5]]")).contacts.size(), 2u);
  EXPECT_EQ(read(write("point.json", R"({"type": "ContactPoint", "x": [1, 2, 3], "n": [0, 0, 1], "kFriction": 1})"))
                .contacts.size(),
            1u);
  EXPECT_TRUE(read(write("none.yaml", "[]")).contacts.empty());
}

TEST_F(ContactFiles, ContactsInTheFrameOfTheirLink) {
  const ContactFile file = read(
      write("c.yaml", "[{point: [0.15, 0, -0.065], normal: [0, 0, 1], friction: 1, link: left_foot, frame: link}]"));
  EXPECT_NEAR((file.contacts[0].point.p_WC - Vector3d(0.15, 0.09, 0)).norm(), 0, 1e-6);
}

TEST_F(ContactFiles, WhatIsWrongIsSaid) {
  EXPECT_NE(refusal("{a: 1}").find("expected a list of contacts"), std::string::npos);
  EXPECT_NE(refusal("[{point: [0, 0], normal: [0, 0, 1], friction: 1}]").find("c.yaml:1"), std::string::npos);
  EXPECT_NE(refusal("[{point: [0, 0, 0], normal: [0, 0, 0], friction: 1}]").find("no direction"), std::string::npos);
  EXPECT_NE(refusal("[{point: [0, 0, 0], normal: [0, 0, 1]}]").find("missing 'friction'"), std::string::npos);
  EXPECT_NE(refusal("[{point: [0, 0, 0], friction: 1}]").find("normal"), std::string::npos);
  EXPECT_NE(refusal("[{point: [0, 0, 0], normal: [0, 0, 1], friction: -1}]").find("friction"), std::string::npos);
  EXPECT_NE(refusal("[{point: [.nan, 0, 0], normal: [0, 0, 1], friction: 1}]").find("nan"), std::string::npos);
  EXPECT_NE(refusal("[{point: [0, 0, 0], normal: [0, 0, 1], friction: 1, link: left_fot}]").find("left_foot"),
            std::string::npos);
  EXPECT_NE(refusal("[[1, 2, 3]]").find("7 numbers"), std::string::npos);
  EXPECT_NE(refusal("[{point: [0, 0, 0], normal: [0, 0, 1], friction: 1, frame: link}]").find("add 'link'"),
            std::string::npos);
  EXPECT_NE(errorText([&] { read(kStand); }).find("configuration"), std::string::npos);
  EXPECT_THROW(read("nothing.stance"), Error);
}

TEST_F(ContactFiles, AHumanoidStandsOnItsFeet) {
  const ContactFile file = read(kFeet);
  const Balance balance = testBalance(*dynamics_, file.contacts);
  EXPECT_TRUE(balance.balanced);
  ASSERT_EQ(balance.polygon.corners().size(), 4u);
  EXPECT_NEAR(balance.polygon.area(), 0.24 * 0.29, 1e-8);
  EXPECT_NEAR(balance.margin,
              std::min({0.15 - balance.com_W.x(), balance.com_W.x() + 0.09, 0.145 - std::abs(balance.com_W.y())}),
              1e-8);
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& force : balance.forces_W) sum += force;
  EXPECT_NEAR((sum - Vector3d(0, 0, 9.8 * robot_->totalMass())).norm(), 0, 1e-6);

  const Balance outside = testBalance(*dynamics_, file.contacts, {.com_W = Vector3d(0.18, 0.185, 0)});
  EXPECT_FALSE(outside.balanced);
  EXPECT_NEAR(outside.margin, -0.05, 1e-8) << "the distance from the corner";
  EXPECT_TRUE(testBalance(*dynamics_, file.contacts, {.torques = true}).balanced);
  EXPECT_FALSE(testBalance(*dynamics_, file.contacts, {.torques = true, .torqueScale = 0.01}).balanced);
  const double weight = 9.8 * robot_->totalMass();
  EXPECT_TRUE(testBalance(*dynamics_, file.contacts, {.forceLimit = 0.2 * weight}).balanced);
  EXPECT_FALSE(testBalance(*dynamics_, file.contacts, {.forceLimit = 0.12 * weight}).balanced);
}

}  // namespace
}  // namespace mortise::test
