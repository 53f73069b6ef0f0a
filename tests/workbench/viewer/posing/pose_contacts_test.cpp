// Contacts that are picked on surfaces, and what they bear.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/viewer/posing/hold_edit.h"
#include "mortise/viewer/posing/pose_session.h"
#include "tests/support/page_messages.h"
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
  static Value ask(PoseSession& session, const std::string& yaml) { return test::askSession(session, yaml); }

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
  EXPECT_GT(hand.normals_W[0].z(), 0) << "against the ray";
  char text[200];
  std::snprintf(text, sizeof text, "{type: contact, robot: 0, origin: [%.17g, %.17g, %.17g], direction: [0, 0, -1]}",
                center.x(), center.y(), center.z() + 2);
  ask(session, text);
  EXPECT_EQ(holdAt(session, 0).link, held);
  EXPECT_LT((holdAt(session, 0).contacts[0].n_W + hand.normals_W[0]).norm(), 1e-12);
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
  ASSERT_EQ(static_cast<int>(torques.at("utilization").size()), robot.numDrivers());
  for (std::size_t d = 0; d < torques.at("utilization").size(); ++d)
    if (!torques.at("utilization")[d].isNull()) largest = std::max(largest, torques.at("utilization")[d].asReal());
  EXPECT_GT(largest, 0);
  EXPECT_NEAR(largest, torques.at("largest_utilization").asReal(), 1e-12);
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

TEST_F(PoseContactsTest, APatchGivesTheCornersOfWhatIsSeenOfIt) {
  PoseSession session(load("worlds/blocks.xml"), {}, {});
  session.join(1);
  const World& world = session.poser().world();
  const auto patch = [](double x, double y, double size) {
    char text[400];
    std::snprintf(text, sizeof text,
                  "origin: [%g, %g, 3], patch: [[%g, %g, -2], [%g, %g, -2], [%g, %g, -2], [%g, %g, -2]]", x, y, -size,
                  -size, size, -size, size, size, -size, size);
    return std::string(text);
  };
  const Value picked =
      ask(session, "{type: contact, robot: 0, origin: [0.6, -0.3, 3], direction: [0, 0, -2], link: 5}");
  ASSERT_FALSE(picked.contains("problem")) << picked.string("problem", "");
  const double top = holdAt(session, 0).contacts[0].p_WC.z();
  int table = -1;
  for (std::size_t i = 0; i < world.terrains.size(); ++i)
    if (world.terrains[i].name == "table") table = static_cast<int>(i);
  ASSERT_GE(table, 0);
  const std::string id = ", id: " + std::to_string(table);
  const Value answer =
      ask(session, "{type: contact, robot: 0, link: 5, friction: 0.4" + id + ", " + patch(0.6, -0.3, 0.05) + "}");
  ASSERT_FALSE(answer.contains("problem")) << answer.string("problem", "");
  const std::vector<ContactPoint>& corners = holdAt(session, 1).contacts;
  ASSERT_EQ(corners.size(), 4u);
  const double reach = 0.05 * (3 - top) / 2;
  for (const ContactPoint& corner : corners) {
    EXPECT_NEAR(std::abs(corner.p_WC.x() - 0.6), reach, 1e-9);
    EXPECT_NEAR(std::abs(corner.p_WC.y() + 0.3), reach, 1e-9);
    EXPECT_NEAR(corner.p_WC.z(), top, 1e-9);
    EXPECT_LT((corner.n_W - Vector3d::UnitZ()).norm(), 1e-9);
    EXPECT_DOUBLE_EQ(corner.friction, 0.4);
  }
  // Around a corner it does not go: a block, seen across its edge, from where its top begins.
  const int block = world.objectId(0);
  const RigidTransform X = world.objects[0].X_WO;
  const AxisAlignedBounds bounds = session.poser().collider()->shape(block)->geometry()->bounds();
  const Vector3d edge = X * Vector3d(bounds.max.x(), bounds.max.y() / 2 + bounds.min.y() / 2, bounds.max.z());
  const Vector3d eye = edge + Vector3d(0.5, 0, 0.5);
  const Vector3d around[] = {{-0.01, -0.01, 0}, {-0.01, 0.01, 0}, {0, 0.01, -0.01}, {0, -0.01, -0.01}};
  std::string directions;
  for (const Vector3d& corner : around) {
    const Vector3d d = edge + corner - eye;
    char one[100];
    std::snprintf(one, sizeof one, "%s[%.17g, %.17g, %.17g]", directions.empty() ? "" : ", ", d.x(), d.y(), d.z());
    directions += one;
  }
  char place[100];
  std::snprintf(place, sizeof place, "%.17g, %.17g, %.17g", eye.x(), eye.y(), eye.z());
  const Value over = ask(session, "{type: contact, robot: 0, link: 5, id: " + std::to_string(block) + ", origin: [" +
                                      place + "], patch: [" + directions + "]}");
  ASSERT_FALSE(over.contains("problem")) << over.string("problem", "");
  EXPECT_GE(holdAt(session, 2).contacts.size(), 3u);
  for (const ContactPoint& contact : holdAt(session, 2).contacts) {
    EXPECT_LT((contact.n_W - Vector3d::UnitZ()).norm(), 1e-6);
    EXPECT_NEAR(contact.p_WC.z(), edge.z(), 1e-6);
  }
  // Beside it there is nothing to hold, and a patch over its edge ends there.
  EXPECT_TRUE(
      ask(session, "{type: contact, robot: 0, link: 5" + id + ", " + patch(60, 60, 0.05) + "}").contains("problem"));
  EXPECT_TRUE(ask(session, "{type: contact, robot: 0, link: 5" + id + ", origin: [0, 0, 3], patch: [[0, 0, 1]]}")
                  .contains("problem"));
  EXPECT_FALSE(
      ask(session, "{type: contact, robot: 0, link: 5" + id + ", " + patch(0.6, -0.3, 1) + "}").contains("problem"));
  EXPECT_LE(holdAt(session, 3).contacts.size(), 8u);
  EXPECT_GE(holdAt(session, 3).contacts.size(), 4u);
}

TEST_F(PoseContactsTest, StancesOnFlatGroundAndCleanOnes) {
  PoseSession session(load("worlds/humanoid_beam.xml"), {}, {});
  session.join(1);
  const Value flat = ask(session, "{type: store, kind: stance, robot: 0, flat: 0.001, friction: 0.7}");
  ASSERT_FALSE(flat.contains("problem")) << flat.string("problem", "");
  const auto stance = [&](std::size_t i) { return std::get<Stance>(session.poser().resource(i).value); };
  ASSERT_EQ(stance(0).holds.size(), 2u) << "both feet";
  const double ground = stance(0).holds[0].contacts.at(0).p_WC.z();
  for (const Hold& hold : stance(0).holds) {
    EXPECT_EQ(hold.contacts.size(), 4u);
    EXPECT_EQ(hold.goal.rotation, IKGoal::Rotation::fixed);
    for (const ContactPoint& contact : hold.contacts) {
      EXPECT_NEAR(contact.p_WC.z(), ground, 1e-3);
      EXPECT_EQ(contact.n_W, Vector3d::UnitZ());
      EXPECT_DOUBLE_EQ(contact.friction, 0.7);
    }
  }
  EXPECT_TRUE(ask(session, "{type: balance, robot: 0, resource: 0}").at("balance").at("balanced").asBool());

  Stance dirty = stance(0);
  for (Hold& hold : dirty.holds) {
    ContactPoint middle = hold.contacts[0];
    middle.p_WC = (hold.contacts[0].p_WC + hold.contacts[1].p_WC + hold.contacts[2].p_WC) / 3;
    hold.contacts.push_back(middle);
    hold.contacts.push_back(hold.contacts[0]);
    hold.contacts.back().p_WC.x() += 0.002;
  }
  session.poser().add({"dirty", "", dirty});
  const Value clean = ask(session, "{type: clean, resource: 1, distance: 0.005, normal: 0.01}");
  EXPECT_EQ(clean.string("text", ""), "8 of 12 contacts are left");
  ask(session, "{type: undo}");
  EXPECT_EQ(stance(1), dirty);
  for (const char* wrong :
       {"{type: clean, resource: 1, distance: -1}", "{type: clean, resource: 7}",
        "{type: store, kind: stance, robot: 0, flat: 0}", "{type: store, kind: stance, robot: 0, flat: .nan}"})
    EXPECT_TRUE(ask(session, wrong).contains("problem")) << wrong;
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
