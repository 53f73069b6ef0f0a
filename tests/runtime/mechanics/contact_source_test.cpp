#include "mortise/mechanics/contact_source.h"

#include <gtest/gtest.h>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/loading/format_loader.h"
#include "tests/support/plugins.h"

namespace mortise::test {
namespace {

const std::string kHumanoid = MORTISE_SOURCE_DIR "/data/planning/humanoid/";

ContactSourceSettings sourceOf(const std::string& yaml) {
  return readSettings<ContactSourceSettings>(parseYaml(yaml, "p.yaml"), "the contacts");
}

TEST(ContactSource, KnowsItsKeysAndTheirOtherNames) {
  const ContactSourceSettings source = sourceOf("{grasp: cup.grasp, kFriction: 0.3, touch: 7 mm}");
  EXPECT_EQ(source.stance, "cup.grasp");
  EXPECT_TRUE(source.inFile({}));
  EXPECT_EQ(source.inWorld().touch, 0.007);
  EXPECT_EQ(source.inWorld().friction, 0.3);
  const ContactSourceSettings none = sourceOf("{}");
  EXPECT_FALSE(none.inFile({}));
  EXPECT_EQ(none.inWorld().touch, WorldContactOptions().touch);
  EXPECT_FALSE(none.inWorld().friction);
  EXPECT_EQ(sourceOf("{friction: inf}").friction, std::numeric_limits<double>::infinity());
}

TEST(ContactSource, RefusesWhatMakesNoSense) {
  EXPECT_THROW(sourceOf("{touch: -1}"), Error);
  EXPECT_THROW(sourceOf("{friction: -0.1}"), Error);
  EXPECT_THROW(sourceOf("{touch: 1 kg}"), Error);
  EXPECT_THROW(sourceOf("{stanze: a}"), Error);
  const ContactSourceSettings both = sourceOf("{stance: a.stance, contacts: b.yaml}");
  SourcePosition where;
  where.file = "p.yaml";
  where.line = 3;
  try {
    (void)both.inFile(where);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where().line, 3);
    EXPECT_NE(std::string(error.what()).find("'stance' and 'contacts' exclude each other"), std::string::npos);
  }
}

TEST(ContactSource, ReadsItsFileWithItsFriction) {
  MemoryLog log;
  const auto registry = makeRegistry(log);
  FormatLoader loader(*registry, log);
  Diagnostics diagnostics;
  const RobotPtr robot =
      Robot::compile(loader.load<RobotDescription>(MORTISE_SOURCE_DIR "/data/robots/humanoid.urdf", {}, diagnostics));
  RobotDynamics dynamics(robot);
  dynamics.setPosition(loader.load<VectorXd>(kHumanoid + "stand.config", {}, diagnostics));
  for (const char* key : {"stance", "contacts"}) {
    const std::string file = std::string("{") + key + ": feet.stance";
    const ContactFile own = sourceOf(file + "}").read(loader, dynamics, diagnostics, kHumanoid + "p.yaml");
    const ContactFile rubber =
        sourceOf(file + ", friction: 2.5}").read(loader, dynamics, diagnostics, kHumanoid + "p.yaml");
    ASSERT_GT(own.contacts.size(), 0u);
    ASSERT_EQ(own.contacts.size(), rubber.contacts.size());
    for (std::size_t i = 0; i < own.contacts.size(); ++i) {
      EXPECT_EQ(rubber.contacts[i].point.friction, 2.5);
      EXPECT_EQ(rubber.contacts[i].point.p_WC, own.contacts[i].point.p_WC);
    }
  }
}

}  // namespace
}  // namespace mortise::test
