#include <random>
#include <tuple>

#include "io_test.h"
#include "tests/support/equality/resource_equality.h"

namespace mortise::test {
namespace {

class ResourceFormats : public IoTest {
 protected:
  Resource read(const std::string& kind, const std::string& file, const std::string& content) {
    return loader.load(contentFromName(kind).value(), write(file, content), {}, diagnostics);
  }
  template <typename T>
  T as(const std::string& kind, const std::string& file, const std::string& content) {
    return std::get<T>(read(kind, file, content));
  }
  void expectSurvives(const Resource& resource, const std::string& file) {
    loader.write(resource, path(file), diagnostics);
    EXPECT_TRUE(test::equal(resource, loader.load(contentOf(resource), path(file), {}, diagnostics))) << file;
  }
  std::string text(const std::string& file) const {
    std::ostringstream out;
    out << std::ifstream(path(file)).rdbuf();
    return out.str();
  }
  /// Reading that fails with these words, among them the place.
  void refused(const std::string& kind, const std::string& file, const std::string& content,
               const std::string& message) {
    const std::string found = errorText([&] { read(kind, file, content); });
    EXPECT_NE(found.find(message), std::string::npos) << file << ": " << content << "\n" << found;
  }
};

const char* const kHold = R"(begin hold
  link = 5  # the left foot
  destLink = 2
  contacts = 1 2 3  0 0 1  0.5 \
             4 5 6  0 1 0  0.25
  position = 0.1 0.2 0.3 \
             1 2 3
  axis = 1 0 0  0 0 1
end
)";

TEST_F(ResourceFormats, Goals) {
  IKGoal goal = as<IKGoal>("ik_goal", "a.ikgoal", "41 -1\nF 0.184 0 0   0.4 -0.7 0.1\nF 0.8 1.4 -0.8\n");
  EXPECT_EQ(goal.link, 41);
  EXPECT_EQ(goal.destination, -1);
  EXPECT_EQ(goal.position, IKGoal::Position::point);
  EXPECT_EQ(goal.p_LP, Vector3d(0.184, 0, 0));
  EXPECT_EQ(goal.p_DP, Vector3d(0.4, -0.7, 0.1));
  EXPECT_EQ(goal.rotation, IKGoal::Rotation::fixed);
  EXPECT_EQ(goal.rotationVector_DL, Vector3d(0.8, 1.4, -0.8));
  for (const char* content : {"1 2 N N", "1 2 P 1 2 3 4 5 6 0 0 1 A 1 0 0 0 1 0",
                              "1 -1 L 1 2 3 4 5 6 0 0 1 T 1 0 0 0 1 0", "1 -1 F 1 2 3 4 5 6 N"}) {
    const Resource resource = read("ik_goal", "b.ikgoal", content);
    expectSurvives(resource, "c.ikgoal");
    expectSurvives(resource, "c.json");
  }
  goal = as<IKGoal>("ik_goal", "b.ikgoal", "1 2 P 1 2 3 4 5 6 0 0 1 A 1 0 0 0 1 0");
  EXPECT_EQ(goal.position, IKGoal::Position::plane);
  EXPECT_EQ(goal.direction_D, Vector3d(0, 0, 1));
  EXPECT_EQ(goal.axis_L, Vector3d(1, 0, 0));
  EXPECT_EQ(goal.axis_D, Vector3d(0, 1, 0));
  EXPECT_EQ(problems(), "");
  refused("ik_goal", "a.ikgoal", "1 -1\nX", "a.ikgoal:2:1: expected a position constraint (N, P, L, F), found 'X'");
  refused("ik_goal", "a.ikgoal", "1 -1 F 0 0",
          "a.ikgoal:1:11: expected a coordinate of the link's point, found the end");
  refused("ik_goal", "a.ikgoal", "one", "a.ikgoal:1:1: expected the index of a link");
}

TEST_F(ResourceFormats, HoldsAndStances) {
  const Hold hold = as<Hold>("hold", "a.hold", kHold);
  EXPECT_EQ(hold.link, 5);
  EXPECT_EQ(hold.goal.link, 5);
  EXPECT_EQ(hold.goal.destination, 2);
  ASSERT_EQ(hold.contacts.size(), 2u);
  EXPECT_EQ(hold.contacts[1].p_WC, Vector3d(4, 5, 6));
  EXPECT_EQ(hold.contacts[1].friction, 0.25);
  EXPECT_EQ(hold.goal.p_DP, Vector3d(1, 2, 3));
  EXPECT_EQ(hold.goal.rotation, IKGoal::Rotation::axis);
  EXPECT_EQ(hold.goal.axis_D, Vector3d(0, 0, 1));
  expectSurvives(hold, "b.hold");
  expectSurvives(hold, "b.json");
  Hold other = hold;
  other.link = other.goal.link = 6;
  other.goal.rotation = IKGoal::Rotation::fixed;
  other.goal.axis_L = other.goal.axis_D = Vector3d::Zero();
  other.goal.rotationVector_DL = Vector3d(0, 0, 1);
  const Stance stance{{hold, other}};
  expectSurvives(stance, "b.stance");
  expectSurvives(stance, "b.json");
  EXPECT_EQ(problems(), "");
  // Of two holds of one link the first counts.
  EXPECT_EQ(as<Stance>("stance", "c.stance", std::string("begin stance\n") + kHold + kHold + "end").holds.size(), 1u);
  EXPECT_EQ(problems(), "c.stance:11:1: warning: link 5 has a hold already; this one is ignored\n");
}

TEST_F(ResourceFormats, ParametersOfHoldsFollowTheirContacts) {
  const auto hold = [&](const std::string& contacts) {
    return as<Hold>(
        "hold", "a.hold",
        "begin hold\nlink = 1\ncontacts = " + contacts + "\nikparams = 1 2 3  0 0 1.5707963267948966\nend\n");
  };
  EXPECT_EQ(hold("1 1 1 0 0 1 0").goal.rotation, IKGoal::Rotation::free);
  EXPECT_EQ(hold("1 1 1 0 0 1 0").goal.p_DP, Vector3d(1, 1, 1));
  const Hold edge = hold("0 0 0 0 0 1 0 2 0 0 0 0 1 0");
  EXPECT_EQ(edge.goal.rotation, IKGoal::Rotation::axis);
  EXPECT_EQ(edge.goal.axis_D, Vector3d(1, 0, 0));
  EXPECT_NEAR((edge.goal.axis_L - Vector3d(0, -1, 0)).norm(), 0, 1e-12);
  EXPECT_EQ(hold("0 0 0 0 0 1 0 2 0 0 0 0 1 0 0 2 0 0 0 1 0").goal.rotation, IKGoal::Rotation::fixed);
  refused("hold", "a.hold", "begin hold\nlink = 1\nikparams = 1 2 3 0 0 0\nend\n",
          "a.hold:3:1: 'ikparams' needs contacts");
}

TEST_F(ResourceFormats, BadHoldsAreRefused) {
  refused("hold", "a.hold", "", "expected 'begin hold', found the end of the text");
  refused("hold", "a.hold", "begin hold\nlink = 1\n", "a.hold:3:1: expected 'end' of the hold");
  refused("hold", "a.hold", "begin hold\nlinks = 1\nend\n", "a.hold:2:1: a hold has no 'links'");
  refused("hold", "a.hold", "begin hold\nlinks = 1\nend\n", "link");
  refused("hold", "a.hold", "begin hold\nlink 1\nend\n", "a.hold:2:1: expected a line 'key = numbers' or 'end'");
  refused("hold", "a.hold", "begin hold\nlink = -2\nend\n", "a.hold:2:1: the index of a link is not negative");
  refused("hold", "a.hold", "begin hold\nend\n", "a.hold:1:1: the hold names no link");
  refused("hold", "a.hold", "begin hold\nlink = 1\ncontacts = 1 2 3 0 0 1\nend\n",
          "a.hold:3:23: expected a coefficient of friction, found the end of the line");
  refused("hold", "a.hold", "begin hold\nlink = 1\nposition = 1 2 3 4 5 6 7\nend\n",
          "a.hold:3:24: expected the end of the line, found '7'");
  refused("stance", "a.stance", "begin stance\nbegin holds\n", "a.stance:2:1: expected 'begin hold' or 'end'");
  Hold plane;
  plane.link = plane.goal.link = 1;
  plane.goal.position = IKGoal::Position::plane;
  EXPECT_NE(errorText([&] { loader.write(plane, path("b.hold"), diagnostics); }).find("write it as JSON"),
            std::string::npos);
  expectSurvives(plane, "b.json");
}

TEST_F(ResourceFormats, Grasps) {
  const char* const xml = R"(<Grasp object="2" robot="1" fixed="3 0.5  4 -1">
  <IKGoal data="1 -1&#x0A;N&#x0A;N"/>
  <contact link="7" x="1 2 3" n="0 0 1" kFriction="0.5" force="0 0 -9"/>
  <contact link="8" x="1 2 3" n="0 0 1" kFriction="0.5"/>
</Grasp>)";
  const Grasp grasp = as<Grasp>("grasp", "a.xml", xml);
  EXPECT_EQ(loader.contentOf(path("a.xml")), FileContent::grasp);
  EXPECT_EQ(grasp.object, 2);
  EXPECT_EQ(grasp.robot, 1);
  EXPECT_EQ(grasp.fixed, (std::vector<std::pair<int, double>>{{3, 0.5}, {4, -1}}));
  ASSERT_EQ(grasp.contacts.size(), 2u);
  EXPECT_EQ(*grasp.contacts[0].force_W, Vector3d(0, 0, -9));
  EXPECT_FALSE(grasp.contacts[1].force_W.has_value());
  EXPECT_EQ(grasp.goals[0].link, 1);
  for (const char* file : {"b.grasp", "b.xml", "b.json"}) expectSurvives(grasp, file);
  EXPECT_EQ(problems(), "");
  EXPECT_EQ(as<Grasp>("grasp", "c.grasp", kHold).contacts.size(), 2u);
  refused("grasp", "a.xml", "<Grasp><contact link='1' x='1 2' n='0 0 1' kFriction='1'/></Grasp>",
          "a.xml:1:26: error: <contact> x: expected 3 numbers, found 2");
  refused("grasp", "a.xml", "<Grasp fixed='1 2 3'/>", "expected pairs");
  refused("grasp", "a.xml", "<Grasp><IKGoal data='1 -1 F'/></Grasp>", "(line 1, column 7 of this text)");
}

TEST_F(ResourceFormats, SmallThings) {
  EXPECT_EQ(as<Vector3d>("vector3", "a.vector3", "1 2.5 -3\n"), Vector3d(1, 2.5, -3));
  const Matrix3d M = as<Matrix3d>("matrix3", "a.matrix3", "1 2 3\n4 5 6\n7 8 9\n");
  EXPECT_EQ(M(0, 1), 2);
  const RigidTransform X = as<RigidTransform>("transform", "a.xform", "0 -1 0 1 0 0 0 0 1 \t 7 8 9\n");
  EXPECT_EQ(X.R(0, 1), -1);
  EXPECT_EQ(X.p, Vector3d(7, 8, 9));
  const Eigen::MatrixXd wide = as<Eigen::MatrixXd>("matrix", "a.matrix", "2 3\n1 2 3\n4 5 6\n");
  EXPECT_EQ(wide(1, 0), 4);
  EXPECT_EQ(as<std::vector<int>>("integers", "a.ints", "2 4 -5"), (std::vector<int>{4, -5}));
  for (const Resource& resource : std::initializer_list<Resource>{
           Vector3d(0.1, 1e-300, -0.0), M, X, wide, std::vector<int>{1, -2}, std::vector<double>{0.1, 2},
           std::vector<double>{}, Eigen::MatrixXd(0, 0), ContactPoint{{1, 2, 3}, {0, 0, 1}, 0.5}})
    expectSurvives(resource, "b.json");
  expectSurvives(M, "b.matrix3");
  expectSurvives(X, "b.xform");
  expectSurvives(wide, "b.matrix");
  expectSurvives(std::vector<int>{1, -2}, "b.ints");
  expectSurvives(std::vector<double>{0.1, 2}, "b.floats");
  EXPECT_EQ(problems(), "");
  refused("vector3", "a.vector3", "1 2", "a.vector3:1:4: expected one of three numbers, found the end of the file");
  refused("matrix", "a.matrix", "100000 100000 1", "a.matrix:1:1: a matrix of 100000 by 100000 numbers does not fit");
  refused("integers", "a.ints", "2 1 1.5", "a.ints:1:5: expected an integer of the list, found '1.5'");
  refused("integers", "a.ints", "2000000000 1", "does not fit");
}

TEST_F(ResourceFormats, JsonAsKlamptWritesIt) {
  EXPECT_EQ(as<VectorXd>("configuration", "a.json", "[1, 2.5, -3e-1]"), Vector3d(1, 2.5, -0.3));
  EXPECT_EQ(as<ConfigurationList>("configurations", "a.json", "[[1],\n\t[2, 3]]").configurations[1].size(), 2);
  // Klamp't's Python: rotations are columns.
  const auto X = as<RigidTransform>("transform", "a.json", "[[0,1,0,-1,0,0,0,0,1],[7,8,9]]");
  EXPECT_EQ(X.R(1, 0), 1);
  EXPECT_EQ(X.R(0, 1), -1);
  // Its C++: a text under "data", rows.
  EXPECT_EQ(
      as<RigidTransform>("transform", "a.json", R"({"type":"RigidTransform","data":"0 -1 0 1 0 0 0 0 1 7 8 9"})").R,
      X.R);
  EXPECT_EQ(as<VectorXd>("configuration", "a.json", R"({"type":"Config","data":"2\t1 2"})").size(), 2);
  EXPECT_EQ(as<Trajectory>("trajectory", "a.json", R"({"times":[0,1],"milestones":[[1],[2]]})").times.size(), 2u);
  const auto hermite = as<HermiteTrajectory>(
      "hermite_trajectory", "a.json", R"({"type":"HermiteTrajectory","times":[0,2],"milestones":[[1,3],[2,4]]})");
  EXPECT_EQ(hermite.configurations[1][0], 2);
  EXPECT_EQ(hermite.velocities[1][0], 4);
  const auto goal = as<IKGoal>("ik_goal", "a.json",
                               R"({"type":"IKObjective","link":3,"posConstraint":"fixed","localPosition":[0,0,1],
                                   "endPosition":[1,2,3],"rotConstraint":"fixed","endRotation":[0,0,0.5]})");
  EXPECT_EQ(goal.p_DP, Vector3d(1, 2, 3));
  EXPECT_EQ(goal.rotation, IKGoal::Rotation::fixed);
  EXPECT_EQ(as<Hold>("hold", "a.json",
                     "{\"type\":\"Hold\",\"data\":\"begin hold\\nlink = 3\\nposition = 1 2 3 4 5 6\\nend\"}")
                .goal.p_LP,
            Vector3d(1, 2, 3));
  EXPECT_EQ(problems(), "");
  expectSurvives(ConfigurationList{{VectorXd::Zero(9), VectorXd::Zero(3)}}, "b.json");
  expectSurvives(VectorXd(), "b.json");
  expectSurvives(ConfigurationList{}, "b.json");
}

TEST_F(ResourceFormats, BadJsonIsRefused) {
  const auto bad = [&](const std::string& content, const std::string& message) {
    refused("configuration", "a.json", content, message);
  };
  bad("", "a.json:1:1: not JSON: expected a value, found the end of the file");
  bad("[1, 2", "a.json:1:6: not JSON: expected ',' or ']', found the end of the file");
  bad("[1,\n  01]", "a.json:2:3: not JSON");
  bad("[1, 2,]", "a.json:1:7: not JSON: expected a value, found ']'");
  bad("[1] 2", "a.json:1:5: not JSON: expected the end of the file");
  bad("[NaN]", "a.json:1:2: expected a finite number");
  bad("[1e999]", "a.json:1:2: this number is too large");
  bad("{\"type\": \"Config\", \"type\": \"x\"}", "the key 'type' is there twice");
  bad("{\"a\": \"\\ud800\"}", "half of a surrogate pair");
  bad("{\"a\": \"x", "this string has no end");
  bad(std::string(100000, '['), "nested too deeply");
  bad("{\"type\": \"Spoon\"}", "a.json:1:1: expected a resource of Klamp't's, found an object");
  refused("ik_goal", "a.json", R"({"type":"IKGoal","link":1,"posConstraint":"fix"})", "there is no constraint 'fix'");
  refused("ik_goal", "a.json", R"({"type":"IKGoal","link":1.5})", "a.json:1:25: expected an integer");
  refused("trajectory", "a.json", R"({"times":[0,1],"milestones":[[1]]})", "expected 2 milestones");
  refused("trajectory", "a.json", R"({"times":[1,0],"milestones":[[1],[2]]})", "a.json:1:13: this time lies before");
  refused("multipath", "a.json", R"({"type":"MultiPath","sections":[{"milestones":[[1]]}]})", "needs two at least");
  read("hold", "a.json", R"({"type":"Hold","ik":{"link":1},"contact":[]})");
  EXPECT_EQ(problems(),
            "a.json:1:42: warning: 'contact' means nothing here; it is ignored\n  hint: did you mean "
            "'contacts'?\n");
}

TEST_F(ResourceFormats, MultiPaths) {
  const char* const xml = R"(<multipath program="x &amp; y">
  <hold name="left">begin hold
link = 3
position = 0 0 0 1 1 1
end</hold>
  <section weight="2">
    <hold name="left"/>
    <hold index="0"/>
    <milestone config="1 0" time="0" velocity="1 0"/>
    <milestone config="1 2" time="1.5" velocity="1 1"/>
  </section>
</multipath>)";
  const MultiPath multi = as<MultiPath>("multipath", "a.xml", xml);
  EXPECT_EQ(problems(), "");
  EXPECT_EQ(multi.settings, (MultiPath::Settings{{"program", "x & y"}}));
  EXPECT_EQ(multi.sections[0].settings, (MultiPath::Settings{{"weight", "2"}}));
  EXPECT_EQ(multi.holdsOf(0).size(), 2u);
  for (const char* file : {"b.xml", "b.multipath", "b.json"}) expectSurvives(multi, file);
  // Whoever wants a trajectory gets one, and hears what that costs.
  EXPECT_EQ(loader.load<Trajectory>(path("a.xml"), {}, diagnostics).times, (std::vector<double>{0, 1.5}));
  EXPECT_NE(problems().find("a.xml: warning: goals and holds of the path are lost"), std::string::npos) << problems();
  diagnostics = Diagnostics();
  loader.load(FileContent::configurations, path("a.xml"), {}, diagnostics);
  EXPECT_NE(problems().find("a.xml: warning: times are lost"), std::string::npos) << problems();
}

TEST_F(ResourceFormats, BadMultiPathsAreRefused) {
  const auto section = [](const std::string& content) {
    return "<multipath>\n<section>\n" + content + "\n</section>\n</multipath>\n";
  };
  const auto bad = [&](const std::string& content, const std::string& message) {
    refused("multipath", "a.xml", content, message);
    diagnostics = Diagnostics();
  };
  bad("<multipath/>", "a.xml:1:1: error: the path has no sections");
  bad("<multipath>", "not well-formed XML");
  bad("<path/>", "a.xml:1:1: expected <multipath>, found <path>");
  bad(section("<milestone config='1 0'/>"), "a.xml:2:1: error: a section needs two milestones at least");
  bad(section("<milestone config='1 0'/><milestone config='2 0 1'/>"),
      "a.xml:3:37: error: <milestone> config: has 2 numbers, the first milestone 1");
  bad(section("<milestone config='2 0'/><milestone config='1 0'/>"), "a.xml:3:12: error: <milestone> config");
  bad(section("<milestone time='0' config='1 0'/><milestone config='1 0'/>"),
      "a.xml:3:35: error: milestones above have a time, this one has none");
  bad(section("<milestone config='1 0'/><milestone config='1 0' velocity='1 0'/>"), "milestones above have none");
  bad(section("<milestone time='1' config='1 0'/><milestone time='0' config='1 0'/>"), "lies before the time");
  bad(section("<ikgoal>1 -1 Q</ikgoal><milestone config='1 0'/><milestone config='1 0'/>"),
      "a.xml:3:1: error: expected a position constraint (N, P, L, F), found 'Q' (line 1, column 6 of this text)");
  bad(section("<hold index='3'/><milestone config='1 0'/><milestone config='1 0'/>"), "refers to hold 3");
  bad(section("<milestone config='1 0'/><milestone config='1 0'/>") + "x", "a.xml");
}

TEST_F(ResourceFormats, Libraries) {
  const char* const xml = R"(<resource_library>
  <Config name="home"><![CDATA[2	1 2]]></Config>
  <Vector3 name="up">0 0 1</Vector3>
  <Stance name="s"><Hold>begin hold
link = 3
position = 0 0 0 1 1 1
end</Hold></Stance>
  <MultiPath name="p"><section><milestone config="1 0"/><milestone config="1 1"/></section></MultiPath>
  <GeometricPrimitive3D name="ball">Sphere 0 0 0 1</GeometricPrimitive3D>
  <TriMesh name="cube" file="cube.off"/>
  <Hold name="h" file="sub/a.hold"/>
  <Viewport name="v">1 2 3</Viewport>
</resource_library>)";
  write("cube.off", kCubeOff);
  write("sub/a.hold", kHold);
  const std::string file = write("a.xml", xml);
  EXPECT_EQ(loader.contentOf(file), FileContent::library);
  const ResourceLibrary library = loader.load<ResourceLibrary>(file, {}, diagnostics);
  ASSERT_EQ(library.items.size(), 7u) << problems();
  EXPECT_EQ(problems(), "a.xml:12:3: warning: there is no resource of type <Viewport>; it is passed over\n");
  EXPECT_EQ(library.items[0].name, "home");
  EXPECT_TRUE(test::equal(library.items[0].value, VectorXd(Eigen::Vector2d(1, 2))));
  EXPECT_TRUE(std::get<MultiPath>(library.items[3].value).settings.empty());
  EXPECT_EQ(std::get<Hold>(library.items[6].value).link, 5);
  diagnostics = Diagnostics();
  // A library elsewhere still finds the mesh; shapes without a file of their own stay inside.
  std::filesystem::create_directories(path("other"));
  for (const char* name : {"other/b.xml", "other/folder/"}) {
    loader.write(library, path(name), diagnostics);
    const ResourceLibrary back = loader.load<ResourceLibrary>(path(name), {}, diagnostics);
    ASSERT_EQ(back.items.size(), 7u) << problems();
    for (const ResourceItem& item : library.items) {
      const auto same = std::find_if(back.items.begin(), back.items.end(),
                                     [&](const ResourceItem& other) { return other.name == item.name; });
      ASSERT_NE(same, back.items.end()) << item.name;
      EXPECT_EQ(contentOf(same->value), contentOf(item.value));
      if (contentOf(item.value) != FileContent::geometry) {
        EXPECT_TRUE(test::equal(same->value, item.value)) << item.name;
      }
    }
  }
  EXPECT_EQ(problems(), "");
  EXPECT_NE(text("other/b.xml").find("file=\"../cube.off\""), std::string::npos) << text("other/b.xml");
}

TEST_F(ResourceFormats, LibrariesReadWhatTheyCan) {
  const ResourceLibrary library = loader.load<ResourceLibrary>(
      write("a.xml",
            "<resource_library>\n<Config name='a'>1 x</Config>\n<Hold file='no.hold'/>\n<Config>1 2</Config>\n"
            "</resource_library>\n"),
      {}, diagnostics);
  EXPECT_EQ(library.items.size(), 1u);
  EXPECT_EQ(diagnostics.errorCount(), 2) << problems();
  EXPECT_NE(problems().find("a.xml:2:1: error: expected a number of the vector, found 'x'"), std::string::npos)
      << problems();
  diagnostics = Diagnostics();
  write("folder/a.config", "1 5");
  write("folder/notes.md", "hello");
  write("folder/.hidden", "x");
  EXPECT_EQ(loader.load<ResourceLibrary>(path("folder"), {}, diagnostics).items.size(), 1u);
  EXPECT_EQ(problems(), "notes.md: warning: no format reads this file; it is passed over\n");
  // Nothing is written outside the folder.
  ResourceLibrary bad;
  bad.items.push_back({"../escape", "", VectorXd()});
  EXPECT_NE(errorText([&] { loader.write(bad, path("out/"), diagnostics); }).find("cannot become a file"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path("escape.config")));
}

/// Cuts, changed bytes and doubled parts of good files: reading ends with a resource or an `Error`, never otherwise,
/// and what was read can be written and read again.
TEST_F(ResourceFormats, DamagedFilesEndWellOrInAnError) {
  const std::vector<std::tuple<std::string, std::string, std::string>> seeds = {
      {"configurations", "a.configs", "2 1 2\n3 1 2 3e5\n"},
      {"trajectory", "a.path", "0 2 1 2\n1.5 2 1 -2e3\n"},
      {"hermite_trajectory", "a.milestones", "1 5 1 0\n1 6 1 0\n"},
      {"ik_goal", "a.ikgoal", "1 2 P 1 2 3 4 5 6 0 0 1 A 1 0 0 0 1 0"},
      {"hold", "a.hold", kHold},
      {"stance", "a.stance", std::string("begin stance\n") + kHold + "end\n"},
      {"grasp", "a.grasp",
       "<Grasp object='1' fixed='3 0.5'><IKGoal data='1 -1&#x0A;N N'/><contact link='7' x='1 2 3' n='0 0 1' "
       "kFriction='0.5' force='0 0 9'/></Grasp>"},
      {"multipath", "a.multipath",
       "<multipath a='b'><section><ikgoal>1 -1 N N</ikgoal><hold index='0'/><milestone config='1 0' time='0'/>"
       "<milestone config='1 0' time='1'/></section><hold>begin hold\nlink = 1\nend</hold></multipath>"},
      {"matrix", "a.matrix", "2 2 1 2 3 4"},
      {"transform", "a.xform", "1 0 0 0 1 0 0 0 1 2 3 4"},
      {"multipath", "a.json",
       R"({"type":"MultiPath","sections":[{"milestones":[[1],[2]],"times":[0,1],"holds":[{"ik":{"link":1}}]}]})"},
      {"grasp", "a.json",
       R"({"type":"Grasp","constraints":[{"link":1}],"contacts":[{"x":[1,2,3],"n":[0,0,1],"kFriction":1}],)"
       R"("contactLinks":[2],"forces":[null],"fixedDofs":[1],"fixedValues":[2]})"}};
  std::mt19937 random(7);
  int read = 0, bad = 0;
  for (const auto& [kind, name, seed] : seeds) {
    for (int round = 0; round < 50; ++round) {
      std::string content = seed;
      const auto at = [&] { return random() % content.size(); };
      for (unsigned change = random() % 3 + (round > 0 ? 1 : 0); change > 0 && !content.empty(); --change) {
        const unsigned what = random() % 4;
        if (what == 0)
          content[at()] = static_cast<char>(random() % 256);
        else if (what == 1)
          content.resize(at());
        else if (what == 2)
          content.insert(at(), content.substr(at(), 9));
        else
          content[at()] = "0189-+.eE<>=\"'#\\ \n"[random() % 20];
      }
      diagnostics = Diagnostics();
      try {
        const Resource resource = loader.load(contentFromName(kind).value(), write(name, content), {}, diagnostics);
        if (diagnostics.hasErrors()) continue;
        ++read;
        expectSurvives(resource, "again.json");
      } catch (const Error&) {
        ++bad;
      }
    }
  }
  EXPECT_GT(read, 20);
  EXPECT_GT(bad, 100);
}

}  // namespace
}  // namespace mortise::test
