#include "mortise/planning/problem_sets/srdf.h"
#include "mortise/planning/problem_sets/xml_reader.h"
#include "problem_test.h"

namespace mortise::test {
namespace {

std::string refusalOf(const std::string& text) {
  try {
    parseXml(text, "f.xml");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(XmlReader, ElementsAttributesAndPlaces) {
  const XmlNode root = parseXml(
      "<?xml version='1.0'?>\n<!-- a -- b -->\n<r a='1'>text<b  c=\"x &lt;&amp;&#65;&#x42;\ty\"/>\n  <![CDATA[<no>]]>"
      "<d:e-f></d:e-f ></r>\n<!-- end -->",
      "f.xml");
  EXPECT_EQ(root.name, "r");
  ASSERT_EQ(root.children.size(), 2u);
  const XmlNode& b = root.children[0];
  ASSERT_NE(b.find("c"), nullptr);
  EXPECT_EQ(b.find("c")->value, "x <&AB y");
  EXPECT_EQ(b.find("c")->position.describe(), "f.xml:3:18");
  EXPECT_EQ(b.find("d"), nullptr);
  EXPECT_EQ(root.children[1].name, "d:e-f");
  EXPECT_EQ(root.child("b"), &b);
}

TEST(XmlReader, WhatIsNoXmlIsRefusedAtItsPlace) {
  EXPECT_EQ(refusalOf(""), "f.xml:1:1: the file holds no element");
  EXPECT_NE(refusalOf("<a>\n<b></a>").find("f.xml:2:4: expected </b>, found </a>"), std::string::npos);
  EXPECT_NE(refusalOf("<a>\n<b>").find("</b> is missing"), std::string::npos);
  EXPECT_NE(refusalOf("<a x=1/>").find("f.xml:1:6: expected the value of 'x' in quotes"), std::string::npos);
  EXPECT_NE(refusalOf("<a x='1' x='2'/>").find("f.xml:1:10: <a> has 'x' twice"), std::string::npos);
  EXPECT_NE(refusalOf("<a x='&no;'/>").find("'&no;' is not known"), std::string::npos);
  EXPECT_NE(refusalOf("<a x='&#xD800;'/>").find("stands for no character"), std::string::npos);
  EXPECT_NE(refusalOf("<a x='1'y='2'/>").find("expected a space"), std::string::npos);
  EXPECT_NE(refusalOf("<a/><b/>").find("behind the root element"), std::string::npos);
  EXPECT_NE(refusalOf("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>").find("DTD"), std::string::npos);
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  EXPECT_NE(refusalOf(deep).find("deep"), std::string::npos);
}

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
  EXPECT_NE(text.find("'plana' is no type of a virtual joint"), std::string::npos) << text;
  EXPECT_NE(text.find("'nan' is no number"), std::string::npos) << text;
  EXPECT_NE(text.find("r.srdf:2:17: error: the robot has no joint 'trun'\n  hint: did you mean 'turn'?"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("no link 'hnad'"), std::string::npos) << text;
  EXPECT_NE(text.find("group 'g' is within itself"), std::string::npos) << text;
  EXPECT_EQ(diagnostics.warningCount(), 1) << "one warning a kind of element\n" << text;
}

}  // namespace
}  // namespace mortise::test
