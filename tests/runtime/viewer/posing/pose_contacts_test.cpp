// Contacts that are picked on surfaces, and what they bear.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/viewer/posing/hold_edit.h"
#include "mortise/viewer/posing/pose_session.h"
#include "tests/support/plugins.h"

namespace mortise::viewer {
namespace {

class PoseContactsTest : public testing::Test {
 protected:
  std::shared_ptr<const World> load(const std::string& file) {
    Diagnostics diagnostics;
    auto world = std::make_shared<World>(assembleWorld(loader, {MORTISE_SOURCE_DIR "/data/" + file}, diagnostics));
    diagnostics.throwIfErrors();
    return world;
  }
  static Value ask(PoseSession& session, const std::string& yaml) {
    return parseYaml(session.answer(1, parseYaml(yaml, "message")), "answer");
  }

  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
  FormatLoader loader{*registry, log};
};

const Hold& holdAt(PoseSession& session, std::size_t i) {
  return std::get<Hold>(session.poser().document().resources.at(i)->value);
}

TEST_F(PoseContactsTest, APointAndAFaceOfATerrainAreHeldByTheSelectedLink) {
  PoseSession session(load("worlds/blocks.xml"), {}, {});
  session.join(1);
  const std::string down = "{type: contact, robot: 0, origin: [0.6, -0.3, 3], direction: [0, 0, -2]";
  EXPECT_TRUE(ask(session, down + "}").contains("problem")) << "which link?";
  const Value added = ask(session, down + ", link: 5}");
  ASSERT_FALSE(added.contains("problem")) << added.string("problem", "");
  EXPECT_EQ(added.at("added").asInteger(), 0);
  ASSERT_EQ(holdAt(session, 0).contacts.size(), 1u);
  const ContactPoint point = holdAt(session, 0).contacts[0];
  EXPECT_LT((point.n_W - Vector3d::UnitZ()).norm(), 1e-9) << "out of the table, into the link";
  EXPECT_NEAR(point.p_WC.x(), 0.6, 1e-12);
  EXPECT_DOUBLE_EQ(point.friction, 0.5);
  EXPECT_EQ(holdAt(session, 0).link, 5);

  ask(session, down + ", link: 5, face: true, friction: 0.3, resource: 0}");
  const std::vector<ContactPoint> all = holdAt(session, 0).contacts;
  ASSERT_EQ(all.size(), 5u);
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_NEAR(all[i].p_WC.z(), point.p_WC.z(), 1e-9);
    EXPECT_DOUBLE_EQ(all[i].friction, 0.3);
  }
  EXPECT_TRUE(ask(session, down + ", link: 4, resource: 0}").contains("problem")) << "a hold is of one link";

  const Value state = ask(session, "{type: contact_erase, resource: 0, hold: 0, contact: 0}");
  EXPECT_EQ(holdAt(session, 0).contacts, std::vector<ContactPoint>(all.begin() + 1, all.end()));
  EXPECT_EQ(state.at("resources")[0].at("holds")[0].at("contacts").size(), 4u);
  ask(session, "{type: friction, resource: 0, value: 0.8}");
  for (const ContactPoint& c : holdAt(session, 0).contacts) EXPECT_DOUBLE_EQ(c.friction, 0.8);
  for (int i = 0; i < 3; ++i) ask(session, "{type: undo}");
  EXPECT_EQ(holdAt(session, 0).contacts, std::vector<ContactPoint>{point});
}

TEST_F(PoseContactsTest, OnALinkTheNormalPointsIntoIt) {
  PoseSession session(load("worlds/blocks.xml"), {}, {});
  session.join(1);
  Poser& poser = session.poser();
  const int robot = 0, link = poser.world().robots[0].robot->numLinks() - 1;
  const Vector3d center = poser.linkPose(robot, link).p;
  // From outside toward the hand, whose own side is hit first.
  const PickedSurface hand = poser.pick({center + Vector3d(0, 0, 2), -Vector3d::UnitZ()}, false);
  const int held = hand.id - poser.world().linkId(robot, 0);
  ASSERT_GE(held, 0);
  EXPECT_GT(hand.normal_W.z(), 0) << "against the ray";
  char text[200];
  std::snprintf(text, sizeof text, "{type: contact, robot: 0, origin: [%.17g, %.17g, %.17g], direction: [0, 0, -1]}",
                center.x(), center.y(), center.z() + 2);
  ask(session, text);
  EXPECT_EQ(holdAt(session, 0).link, held);
  EXPECT_LT((holdAt(session, 0).contacts[0].n_W + hand.normal_W).norm(), 1e-12);
}

TEST_F(PoseContactsTest, BalanceTellsTorquesOfAStanceThatIsEdited) {
  PoseSession session(load("worlds/humanoid_beam.xml"), {}, {});
  session.join(1);
  const Robot& robot = *session.poser().world().robots[0].robot;
  const std::string stand = "{type: balance, robot: 0, resource: 0}";
  // A stance far to the side bears nothing; one around the center of mass does.
  Hold hold;
  hold.link = robot.numLinks() - 1;
  hold.contacts = {{Vector3d(50, 0, 0), Vector3d::UnitZ(), 0.5}};
  session.poser().add({"stance", "", Stance{{hold}}});
  Value balance = ask(session, stand).at("balance");
  EXPECT_FALSE(balance.at("balanced").asBool());
  EXPECT_FALSE(balance.at("torques").at("balanced").asBool());
  const std::vector<double> com = balance.at("com").asReals();
  hold.contacts.clear();
  for (const double x : {-0.1, 0.1})
    for (const double y : {-0.1, 0.1})
      hold.contacts.push_back({Vector3d(com[0] + x, com[1] + y, 0), Vector3d::UnitZ(), 0.5});
  session.poser().replace(0, {"stance", "", Stance{{hold}}});
  balance = ask(session, stand).at("balance");
  EXPECT_TRUE(balance.at("balanced").asBool());
  EXPECT_NEAR(balance.at("margin").asReal(), 0.1, 1e-3);
  const Value& torques = balance.at("torques");
  ASSERT_TRUE(torques.at("balanced").asBool());
  double largest = 0;
  ASSERT_EQ(static_cast<int>(torques.at("shares").size()), robot.numDrivers());
  for (std::size_t d = 0; d < torques.at("shares").size(); ++d)
    if (!torques.at("shares")[d].isNull()) largest = std::max(largest, torques.at("shares")[d].asReal());
  EXPECT_GT(largest, 0);
  EXPECT_NEAR(largest, torques.at("largest_share").asReal(), 1e-12);
  // Shown along with any other message.
  EXPECT_TRUE(
      ask(session, "{type: driver, robot: 0, driver: 0, value: 0.1, balance: true, held: 0}").contains("balance"));
  EXPECT_FALSE(ask(session, "{type: driver, robot: 0, driver: 0, value: 0.1}").contains("balance"));
  // What is edited meanwhile is another thing.
  const Value kept = ask(session, "{type: store, kind: configuration, robot: 0, balance: true, held: 0}");
  EXPECT_EQ(kept.at("added").asInteger(), 1);
  EXPECT_EQ(holdsOf(session.poser().resource(0).value).size(), 1u);
  const Value gone = ask(session, "{type: erase, resource: 0, robot: 0, balance: true, held: 1}");
  EXPECT_FALSE(gone.contains("problem"));
  EXPECT_TRUE(gone.contains("balance"));
}

TEST_F(PoseContactsTest, NonsenseIsRefused) {
  PoseSession session(load("worlds/blocks.xml"), {}, {});
  session.join(1);
  ask(session, "{type: store, kind: configuration, robot: 0}");
  const std::size_t steps = session.poser().undoCount();
  for (const char* text :
       {"{type: contact, robot: 0}", "{type: contact, robot: 0, origin: [0, 0, 3], direction: [0, 0, 0], link: 1}",
        "{type: contact, robot: 0, origin: [0, 0, .nan], direction: [0, 0, 1], link: 1}",
        "{type: contact, robot: 0, origin: [0, 0, 3], direction: [0, 0, 1], link: 1}",
        "{type: contact, robot: 0, id: 0, origin: [0.6, -0.3, 3], direction: [0, 1, 0], link: 1}",
        "{type: contact, robot: 0, id: 1000, origin: [0.6, -0.3, 3], direction: [0, 0, -1], link: 1}",
        "{type: contact, robot: 9, origin: [0.6, -0.3, 3], direction: [0, 0, -1], link: 1}",
        "{type: contact, robot: 0, origin: [0.6, -0.3, 3], direction: [0, 0, -1], link: 1000}",
        "{type: contact, robot: 0, origin: [0.6, -0.3, 3], direction: [0, 0, -1], link: 1, friction: -1}",
        "{type: contact, robot: 0, origin: [0.6, -0.3, 3], direction: [0, 0, -1], link: 1, resource: 0}",
        "{type: contact_erase, resource: 0, hold: 0, contact: 0}", "{type: friction, resource: 0, value: 1}",
        "{type: friction, resource: 7, value: 1}", "{type: balance, robot: 0, resource: 7}"})
    EXPECT_TRUE(ask(session, text).contains("problem")) << text;
  EXPECT_EQ(session.poser().undoCount(), steps);
}

TEST(HoldEdit, AStanceLosesAndGetsHolds) {
  const ContactPoint point{Vector3d(1, 2, 3), Vector3d::UnitZ(), 0.5};
  Hold hold;
  hold.link = 2;
  hold.contacts = {point};
  const Resource stance = Stance{{hold}};
  const Resource two = withContacts(stance, 4, {point, point}, {});
  ASSERT_EQ(holdsOf(two).size(), 2u);
  EXPECT_EQ(holdsOf(withoutContact(two, 0, 0)).front().link, 4) << "a hold without contacts is none";
  EXPECT_THROW(withoutContact(stance, 0, 0), Error);
  EXPECT_THROW(withoutContact(two, 1, 2), Error);
  EXPECT_THROW(withFriction(two, std::nan("")), Error);
  EXPECT_THROW(withFriction(Resource(VectorXd(VectorXd::Zero(2))), 1), Error);
  EXPECT_TRUE(holdsOf(Resource(VectorXd(VectorXd::Zero(2)))).empty());
}

}  // namespace
}  // namespace mortise::viewer
