#include "srdf.h"

#include "problem_test.h"

namespace mortise::test {
namespace {

using namespace io_moveit;

class SrdfTest : public ProblemTest {
 protected:
  Srdf read(const std::string& inside) {
    return readSrdf("<robot name='slider'>" + inside + "</robot>", "r.srdf", diagnostics);
  }
  std::vector<std::string> joints(const Srdf& srdf, const std::string& group, bool* withVirtual = nullptr) {
    const NamedJoints named = readNamedJoints(kUrdf, "r.urdf");
    std::vector<std::string> out;
    for (const int joint : jointsOfGroup(srdf, group, named, diagnostics, withVirtual))
      out.push_back(named.joints[static_cast<std::size_t>(joint)].name);
    return out;
  }
};

TEST_F(SrdfTest, GroupsAreJointsLinksChainsAndGroups) {
  const Srdf srdf = readSrdf(kSrdf, "r.srdf", diagnostics);
  using Names = std::vector<std::string>;
  EXPECT_EQ(joints(srdf, "arm"), (Names{"turn", "reach"}));
  EXPECT_EQ(joints(srdf, "gripper"), (Names{"grip", "follow"}));
  EXPECT_EQ(joints(srdf, "all"), (Names{"turn", "reach", "grip", "follow"}));
  EXPECT_TRUE(srdf.disables("hand", "arm"));
  EXPECT_FALSE(srdf.disables("left", "arm"));
  ASSERT_EQ(srdf.virtualJoints.size(), 1u);
  EXPECT_EQ(srdf.virtualJoints[0].type, "planar");
  EXPECT_FALSE(diagnostics.hasErrors()) << problems();
}

TEST_F(SrdfTest, AChainMayGoUpAndDown) {
  const Srdf srdf = read(
      "<group name='g'><chain base_link='left' tip_link='right'/></group>"
      "<group name='h'><joint name='v'/><joint name='turn'/></group>"
      "<virtual_joint name='v' type='floating' parent_frame='w' child_link='base'/>");
  EXPECT_EQ(joints(srdf, "g"), (std::vector<std::string>{"grip", "follow"}));
  bool withVirtual = false;
  EXPECT_EQ(joints(srdf, "h", &withVirtual), (std::vector<std::string>{"turn"}));
  EXPECT_TRUE(withVirtual);
}

TEST_F(SrdfTest, StatesPassiveJointsAndDefaults) {
  const Srdf srdf = read(
      "<group name='g'><joint name='turn'/><passive_joint name='grip'/></group><passive_joint name='reach'/>"
      "<group_state name='s' group='g'><joint name='turn' value='1.5'/><joint name='v' value=' 1 2  3 '/></group_state>"
      "<disable_default_collisions link='hand'/><enable_collisions link1='hand' link2='left'/>"
      "<end_effector name='e' parent_link='hand' group='g'/>");
  ASSERT_EQ(srdf.states.size(), 1u);
  EXPECT_EQ(srdf.states[0].joints[1].values, (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(srdf.passive("reach"));
  EXPECT_TRUE(srdf.passive("grip"));
  EXPECT_TRUE(srdf.disables("hand", "arm"));
  EXPECT_FALSE(srdf.disables("left", "hand"));
  EXPECT_EQ(srdf.endEffectors.at(0).parentLink, "hand");
  EXPECT_EQ(diagnostics.all().size(), 0u) << problems();
}

TEST_F(SrdfTest, AStateOfNoGroupIsIgnoredWithAWarning) {
  const Srdf srdf = read(
      "<group name='g'><joint name='turn'/></group>\n<group_state name='home'><joint name='turn' "
      "value='1'/></group_state>"
      "<group_state name='s' group='g'><joint name='turn' value='1.5'/></group_state>");
  ASSERT_EQ(srdf.states.size(), 1u) << problems();
  EXPECT_EQ(srdf.states[0].name, "s");
  EXPECT_NE(problems().find("warning: <group_state> 'home' names no group; it is ignored"), std::string::npos)
      << problems();
  EXPECT_FALSE(diagnostics.hasErrors());
}

TEST_F(SrdfTest, WhatIsNotXmlIsRefusedAtItsPlace) {
  const auto refusal = [&](const std::string& text) {
    return errorText([&] { readSrdf(text, "f.srdf", diagnostics); });
  };
  EXPECT_NE(refusal("").find("f.srdf"), std::string::npos);
  EXPECT_NE(refusal("<robot>\n<group></robot>").find("f.srdf:2:1: not well-formed XML: <group> is not closed"),
            std::string::npos);
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  EXPECT_NE(refusal(deep).find("not well-formed XML"), std::string::npos);
  readSrdf("<sdf/>", "f.srdf", diagnostics);
  EXPECT_NE(problems().find("expected <robot>, found <sdf>"), std::string::npos) << problems();
}

TEST_F(SrdfTest, WrongOnesAreSaid) {
  const Srdf srdf = read(
      "\n<group name='g'><joint name='trun'/><link name='hnad'/><group name='h'/></group>"
      "\n<group name='h'><group name='g'/></group>\n<group name='g'/>\n<groop name='x'/><groop/>"
      "\n<virtual_joint name='v' type='plana' parent_frame='w' child_link='base'/>"
      "\n<group_state name='s' group='g'><joint name='turn' value='nan'/></group_state>");
  joints(srdf, "g");
  const std::string text = problems();
  EXPECT_NE(text.find("r.srdf:4:1: error: there are two groups 'g'"), std::string::npos) << text;
  EXPECT_NE(text.find("r.srdf:5:1: warning: <groop> means nothing"), std::string::npos) << text;
  EXPECT_NE(text.find("did you mean 'group'?"), std::string::npos) << text;
  EXPECT_NE(text.find("'plana' is not a type of a virtual joint"), std::string::npos) << text;
  EXPECT_NE(text.find("'nan' is not a number"), std::string::npos) << text;
  EXPECT_NE(text.find("r.srdf:2:17: error: the robot has no joint 'trun'\n  hint: did you mean 'turn'?"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("no link 'hnad'"), std::string::npos) << text;
  EXPECT_NE(text.find("group 'g' is within itself"), std::string::npos) << text;
  EXPECT_EQ(diagnostics.warningCount(), 1) << "one warning a kind of element\n" << text;
}

}  // namespace
}  // namespace mortise::test
