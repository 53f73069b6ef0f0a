#include <gtest/gtest.h>
#include <sys/stat.h>

#include "mortise/base/value_text.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

const std::string kMark = "\xef\xbb\xbf";
const std::string kTriangle = "OFF\n3 1 0\n0 0 0\n10 0 0\n0 10 0\n3 0 1 2\n";
const std::string kArm = "links \"a\"\nparents -1\naxis 0 0 1\nTParent 1 0 0 0 1 0 0 0 1 0 0 0\nmass 1\n";

/// The text in UTF-16, low byte first, with its byte order mark.
std::string utf16(const std::string& text) {
  std::string wide = "\xff\xfe";
  for (const char c : text) wide += {c, '\0'};
  return wide;
}

/// What people meet when a file is not what its name says.
class HostileInput : public FolderTest {
 protected:
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return path(name);
  }
  std::string link(const std::string& target, const std::string& name) const {
    std::filesystem::create_symlink(target, path(name));
    return path(name);
  }
  static void fails(const std::vector<std::string>& arguments, const std::string& says) {
    const Ran ran = runMortise(arguments);
    EXPECT_EQ(ran.exitCode, 1) << ran.out << ran.err;
    EXPECT_NE((ran.out + ran.err).find(says), std::string::npos) << ran.out << ran.err;  // Checks print what they find.
  }
  static void says(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  static std::string prints(const std::vector<std::string>& arguments) {
    const Ran ran = runMortise(arguments);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return ran.out;
  }
};

TEST_F(HostileInput, AByteOrderMarkDoesNotMatter) {
  for (const auto& [name, kind, content] :
       {std::tuple("t.off", "geometry", kTriangle), std::tuple("a.rob", "robot", kArm),
        std::tuple("p.path", "path", std::string("0 1 1\n1 1 2\n")),
        std::tuple("t.obj", "geometry", std::string("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")),
        std::tuple("v.vol", "geometry", std::string("0 0 0 1 1 1 1 1 1\n-1\n")),
        std::tuple("m.xml", "path",
                   std::string("<multipath><section><milestone config='1 0'/><milestone config='1 2'/>"
                               "</section></multipath>"))}) {
    const std::string plain = prints({kind, "info", write(name, content), "--json"});
    EXPECT_EQ(prints({kind, "info", write(name, kMark + content), "--json"}), plain) << name;
  }
}

TEST_F(HostileInput, Utf16IsNamed) {
  fails({"geometry", "info", write("t.off", utf16(kTriangle))}, "t.off: this is UTF-16 text, not UTF-8");
  fails({"geometry", "info", write("t.obj", utf16("v 0 0 0\n"))}, "t.obj: this is UTF-16 text");
  fails({"robot", "info", write("a.rob", utf16(kArm))}, "hint: save the file as UTF-8");
  fails({"world", "info", write("w.xml", utf16("<world/>"))}, "w.xml: this is UTF-16 text");
}

TEST_F(HostileInput, DevicesThatNeverEndAreNotRead) {
  fails({"geometry", "info", link("/dev/zero", "t.stl")}, "t.stl: cannot read: it is a device, not a file");
}

TEST_F(HostileInput, PipesThatAFileRefersToAreNotWaitedFor) {
  ASSERT_EQ(::mkfifo(path("part.off").c_str(), 0600), 0);
  const std::string robot = write("r.urdf",
                                  "<robot name='r'><link name='l'><collision><geometry>\n<mesh "
                                  "filename='part.off'/></geometry></collision></link></robot>");
  fails({"robot", "info", robot}, "r.urdf:2:7: error: '" + path("part.off") + "' is a pipe, not a file");
}

TEST_F(HostileInput, NamedPipesAreNotWaitedFor) {
  for (const char* name : {"p.xml", "p.urdf", "p.rob", "p.off", "p.stl", "p.path", "p.yaml", "p.config", "p.json"})
    ASSERT_EQ(::mkfifo(path(name).c_str(), 0600), 0);
  const auto isPipe = [&](std::vector<std::string> arguments, const std::string& file) {
    fails(std::move(arguments), path(file) + "' is a pipe, not a file");
  };
  isPipe({"world", "info", path("p.xml")}, "p.xml");
  isPipe({"sim", path("p.xml")}, "p.xml");
  isPipe({"robot", "info", path("p.urdf")}, "p.urdf");
  isPipe({"robot", "check", path("p.rob")}, "p.rob");
  isPipe({"geometry", "info", path("p.off")}, "p.off");
  isPipe({"geometry", "info", path("p.stl")}, "p.stl");
  isPipe({"path", "info", path("p.path")}, "p.path");
  isPipe({"convert", path("p.xml"), path("out/")}, "p.xml");
  isPipe({"run", path("p.yaml")}, "p.yaml");
  isPipe({"config", "check", path("p.yaml")}, "p.yaml");
  isPipe({"plan", "benchmark", path("p.yaml")}, "p.yaml");
  const std::string world = MORTISE_SOURCE_DIR "/data/worlds/heron_shelf.xml";
  const std::string robot = MORTISE_SOURCE_DIR "/data/robots/heron.urdf";
  isPipe({"sim", world, "--config", path("p.config")}, "p.config");
  isPipe({"sim", world, "--path", path("p.path")}, "p.path");
  isPipe({"robot", "eval", robot, "--samples", path("p.json")}, "p.json");
  isPipe({"plan", world, "--goal", "0", "--settings", path("p.yaml")}, "p.yaml");
}

TEST_F(HostileInput, XmlThatEndsTooSoonSaysWhatIsMissing) {
  const auto world = [&](const std::string& content, const std::string& message, const std::string& hint) {
    fails({"world", "info", write("w.xml", content)}, "w.xml:" + message);
    fails({"world", "info", path("w.xml")}, "hint: " + hint);
  };
  const std::string rest = "write the rest of the file", where = "not well-formed XML: ";
  world("<world>\n  <robot name='a'\n", "2:3: " + where + "the file ends inside the tag <robot> that begins here",
        rest);
  world("<world>\n  <robot name=", "2:3: " + where + "the file ends inside the tag <robot> that begins here", rest);
  world("<world>\n<a/>\n<", "3:1: " + where + "the file ends inside the tag that begins here", rest);
  world("<world>\n<a></", "2:4: " + where + "the file ends inside the tag </> that begins here", rest);
  world("<world>\n<!-- a", "2:1: " + where + "the file ends inside the comment that begins here", "add '-->'");
  world("<world>\n  <robot name='a/>\n</world>",
        "2:10: " + where + "the value of attribute 'name' of <robot> has no closing quote", "add ' where it ends");
  world("<world>\n  <a b=3/></world>", "2:6: " + where + "the value of attribute 'b' of <a> is not in quotes",
        "write b=\"...\"");
  world("<world>\n  <a b/></world>", "2:6: " + where + "attribute 'b' of <a> has no value", "write b=\"...\"");
  world("<world>\n  <a\n  <b/></world>", "2:3: " + where + "the tag <a> that begins here has no '>'", "add '>'");
  world("<world>\n  <a></b></world>", "2:3: " + where + "<a> is not closed", "add </a> where it ends");
  world("", " the file holds no XML element", "it may have been emptied");
  fails({"robot", "info", write("r.urdf", "<robot name='r'>\n  <link name='b")},
        "r.urdf:2:9: " + where + "the value of attribute 'name' of <link> has no closing quote");
  fails({"path", "info", write("m.xml", "<multipath>\n <section")},
        "m.xml:2:2: " + where + "the file ends inside the tag <section> that begins here");
}

TEST_F(HostileInput, UrdfsWithMacrosAreSentToXacro) {
  const std::string file = write("a.urdf",
                                 "<robot name='a'>\n<link name='b'>\n<inertial><mass value='${m}'/></inertial>"
                                 "</link></robot>");
  fails({"robot", "info", file},
        "a.urdf:3:17: error: this file is a xacro template: its macros must be expanded first");
  fails({"robot", "check", file}, "hint: run `xacro " + file + " > robot.urdf`");
  const std::string nested = write("b.urdf",
                                   "<robot name='a' xmlns:xacro='http://ros.org/wiki/xacro'>\n<link name='b'>\n"
                                   "<xacro:box/><visual/></link><joint name='j'/></robot>");
  fails({"robot", "info", nested}, "b.urdf:3:1: error: this file is a xacro template");
  // Other programs' parts may say what they like.
  prints({"robot", "info", write("c.urdf", "<robot name='a'><link name='b'/><gazebo><x y='${z}'/></gazebo></robot>")});
}

TEST_F(HostileInput, ErrorsQuoteNoMoreThanABeginning) {
  const Ran ran = runMortise({"robot", "eval", MORTISE_SOURCE_DIR "/data/robots/heron.urdf", "--samples",
                              MORTISE_SOURCE_DIR "/data/robots/cart.urdf"});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("a map with the key 'samples', found the string '<?xml version"), std::string::npos)
      << ran.err;
  EXPECT_LT(ran.err.size(), 600u) << ran.err;
}

TEST_F(HostileInput, FormatsThatAreOffAreNotOffered) {
  const Ran ran = runMortise({"geometry", "info", write("a.xyz", "0 0 0\n")});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find(".glb"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find(".off"), std::string::npos) << ran.err;
  for (const char* off : {".3mf", ".amf", ".ase", ".cob", ".x,"})
    EXPECT_EQ(ran.err.find(off), std::string::npos) << off << ran.err;
}

TEST_F(HostileInput, PosesOfAstronomicDistanceAreErrorsOfTheirAttribute) {
  const std::string file = write("w.xml", "<world>\n<rigidObject name='thing' file='" MORTISE_SOURCE_DIR
                                          "/data/objects/cube.off' position='1e308 0 0'/>"
                                          "\n<terrain name='floor' file='" MORTISE_SOURCE_DIR
                                          "/data/objects/cube.off' translation='0 -1e70 0'/></world>");
  const std::string message = ": coordinates beyond 1e60 m are not possible";
  for (const char* command : {"info", "check"}) {
    fails({"world", command, file}, "w.xml:2:");
    fails({"world", command, file}, "<rigidObject> position" + message);
    fails({"world", command, file}, "<terrain> translation" + message);
  }
  fails({"sim", file, "--duration", "1ms"}, "<rigidObject> position" + message);
}

TEST_F(HostileInput, ListsThatDoubleAreRefusedEarly) {
  std::string aliases = "mortise: 1\nvariables:\n  a0: &a0 [1, 1]\n",
              variables = "mortise: 1\nvariables:\n  a0: [1, 1]\n";
  for (int i = 1; i < 40; ++i) {
    const std::string name = "a" + std::to_string(i), last = "a" + std::to_string(i - 1);
    aliases += "  " + name + ": &" + name + " [*" + last + ", *" + last + "]\n";
    variables += "  " + name + ": ['${" + last + "}', '${" + last + "}']\n";
  }
  const std::string rest = "world: w.xml\nstages: [{simulate: {duration: 1}}]\n";
  fails({"config", "check", write("a.yaml", aliases + rest)}, "aliases expand to more than 500000 values");
  fails({"config", "check", write("b.yaml", variables + rest)},
        "the copies of variables become more than 1048576 values");
}

TEST_F(HostileInput, ControlCharactersOfFilesDoNotReachTheTerminal) {
  const std::string red = "\x1b[31m";
  const std::vector<std::vector<std::string>> commands = {
      {"world", "info",
       write("w.xml", "<world><terrain name='" + red + "' file='a" + red + ".off'/><b" + red + "/></world>")},
      {"robot", "info",
       write("r.urdf", "<robot name='" + red + "'><link name='" + red + "'><inertial><mass value='" + red +
                           "'/></inertial></link></robot>")},
      {"robot", "info", write("n.urdf", "<robot name='r&#27;[31m'><link name='l&#27;[31m'/></robot>")},
      {"robot", "check", path("n.urdf")},
      {"robot", "info", write("r.rob", "links \"a" + red + "\"\nbad" + red + " 1\n")},
      {"config", "check", write("p.yaml", "mortise: 1\nworld: \"a\\e[31m.xml\"\nstages:\n  - \"sim\\e[31m\": {}\n")}};
  for (const auto& command : commands) {
    const Ran ran = runMortise(command);
    EXPECT_EQ((ran.out + ran.err).find('\x1b'), std::string::npos) << command[2];
  }
}

TEST_F(HostileInput, ElementsOfThousandsOfAttributesAreRefused) {
  std::string robot = "<robot name='r'>\n<link name='l'";
  for (int i = 0; i < 50000; ++i) robot += " a" + std::to_string(i) + "=''";
  fails({"robot", "info", write("r.urdf", robot + "/></robot>")},
        "r.urdf:2:1: an element has more than 250 attributes");
}

TEST_F(HostileInput, UnknownAttributesAndKeysAreNotToldWithoutEnd) {
  std::string object = "<world>\n<rigidObject";
  for (int i = 0; i < 200; ++i) object += " a" + std::to_string(i) + "='1'";
  const Ran world = runMortise({"world", "info", write("w.xml", object + "/></world>")});
  says(world.err, "<rigidObject> has no attribute 'a0'; it is ignored (and 19 more like it; --verbose lists them)");
  EXPECT_EQ(world.err.find("'a20'"), std::string::npos);
  says(world.err, "w.xml:2:1: <rigidObject> has 180 further attributes that it does not know");
  std::string pipeline = "mortise: 1\nworld: w.xml\nstages: [report]\n";
  for (int i = 0; i < 1000; ++i) pipeline += "k" + std::to_string(i) + ": 1\n";
  const Ran keys = runMortise({"config", "check", write("p.yaml", pipeline)});
  says(keys.err + keys.out, "900 further keys of the pipeline are unknown");
  EXPECT_EQ((keys.err + keys.out).find("'k100'"), std::string::npos);
}

TEST_F(HostileInput, ThickPaddingIsRefused) {
  for (const char* padding : {"1.5", "5", "1000", "1.8e19", "inf"})
    for (const char* of :
         {"<object index='0'><geometry padding='P'/></object>", "<robot index='0'><geometry padding='P'/></robot>",
          "<terrain index='0'><geometry padding='P'/></terrain>"}) {
      std::string world = of;
      world.replace(world.find('P', world.find("padding=")), 1, padding);
      const std::string data = MORTISE_SOURCE_DIR "/data/";
      const Ran ran =
          runMortise({"sim",
                      write("w.xml", "<world><robot file='" + data +
                                         "robots/reacher.rob'/><rigidObject>"
                                         "<geometry mesh='" +
                                         data +
                                         "objects/cube.off'/></rigidObject>"
                                         "<terrain file='" +
                                         data + "objects/cube.off'/><simulation>\n" + world + "</simulation></world>"),
                      "--duration", "0.001"});
      EXPECT_EQ(ran.exitCode, 1) << world;
      says(ran.err, "w.xml:2:");
      says(ran.err, "padding");
    }
}

TEST_F(HostileInput, WhereMemoryEndsTheFileIsNamed) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer needs more addresses than a limit leaves";
#endif
  constexpr int kCorners = 60000;
  std::string mesh = "OFF\n" + std::to_string(kCorners) + " " + std::to_string(kCorners - 2) + " 0\n";
  for (int i = 0; i < kCorners; ++i) mesh += std::to_string(i) + " " + std::to_string(i * 7 % 1000) + " 0\n";
  for (int i = 0; i + 2 < kCorners; ++i)
    mesh += "3 " + std::to_string(i) + " " + std::to_string(i + 1) + " " + std::to_string(i + 2) + "\n";
  write("big.off", mesh);
  const std::string world = write("big.xml", "<world><terrain file='big.off'/></world>");
  const std::string pipeline =
      write("big.yaml", "mortise: 1\nworld: big.xml\nstages:\n  - simulate: {duration: 1 ms}\n");
  int tooSmall = 0;
  for (const std::string& words : {"geometry info " + path("big.off"), "sim " + world + " --duration 0.001",
                                   "run " + pipeline + " -o " + path("out")})
    for (const int kilobytes : {24000, 32000, 48000, 64000, 96000, 128000}) {
      const Ran ran =
          runProgram({"/bin/sh", "-c",
                      "ulimit -v " + std::to_string(kilobytes) + "; exec " MORTISE_BINARY_DIR "/bin/mortise " + words});
      EXPECT_EQ(ran.signal, 0) << words << " with " << kilobytes << " kB";
      EXPECT_EQ(ran.err.find("bad_alloc"), std::string::npos) << ran.err;
      const bool libraries = ran.exitCode == 127 || ran.err.find("cannot be opened") != std::string::npos;
      if (ran.exitCode == 0 || libraries) continue;  // It suffices, or not even the libraries fit.
      ++tooSmall;
      says(ran.err, "memory");
      says(ran.err, "big.");
    }
  EXPECT_GT(tooSmall, 0);
}

TEST_F(HostileInput, ScenesThatShowOneMeshAgainAndAgainEnd) {
  const auto scene = [](const std::string& roots, const std::string& nodes) {
    return R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [)" + roots + R"(]}], "nodes": [)" +
           nodes +
           R"(], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "buffers": [{"byteLength": 36, "uri":
           "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
           "bufferViews": [{"buffer": 0, "byteLength": 36}], "accessors": [{"bufferView": 0, "componentType": 5126,
           "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}]})";
  };
  std::string roots, many, nested, chain;
  for (int i = 0; i < 4000; ++i) {
    roots += (i > 0 ? ", " : "") + std::to_string(i);
    many += (i > 0 ? ", " : "") + (R"({"mesh": 0, "translation": [)" + std::to_string(2 * i)) + ", 0, 0]}";
  }
  const Ran flat = runMortise({"geometry", "info", write("many.gltf", scene(roots, many))});
  if (flat.err.find("no plugin") != std::string::npos) GTEST_SKIP() << "the plugin io_assimp is not installed";
  EXPECT_EQ(flat.exitCode, 0) << flat.err;
  says(flat.out, "4000 parts, 12000 vertices, 4000 triangles");
  for (int i = 0; i < 30; ++i) {  // Each level shows the next one twice: a billion triangles.
    const std::string next = std::to_string(i + 1);
    nested += "{\"children\": [" + next + ", " + next + "]}, ";
  }
  fails({"geometry", "info", write("nested.gltf", scene("0", nested + "{\"mesh\": 0}"))}, "nested.gltf: ");
  for (int i = 0; i < 3000; ++i) chain += "{\"children\": [" + std::to_string(i + 1) + "]}, ";
  fails({"geometry", "info", write("chain.gltf", scene("0", chain + "{\"mesh\": 0}"))},
        "nested deeper than 1000 levels");
}

TEST_F(HostileInput, ImagesOfMoreHeightsThanFitAreRefused) {
  write("h.pgm", "P5\n30000 30000\n255\n");
  fails({"geometry", "info",
         write("h.json",
               "{\"type\": \"Heightmap\", \"xsize\": 1, \"ysize\": 1, \"height_range\": [0, 1], "
               "\"heights\": \"h.pgm\"}")},
        "h.pgm: an image of 30000 x 30000 pixels is too large for a heightmap");
}

TEST_F(HostileInput, ModelsOfOtherProgramsAreNamed) {
  const std::string sdf = "<?xml version='1.0'?>\n<!-- a box -->\n<sdf version='1.6'><model name='m'/></sdf>";
  for (const char* name : {"m.sdf", "m.world", "m.xml", "m.urdf"}) {
    fails({"sim", write(name, sdf), "--duration", "1ms"}, "this is an SDF file, the format of Gazebo");
    fails({"robot", "info", path(name)}, "sdf2urdf");
    fails({"convert", path(name), path("m.rob")}, "this is an SDF file");
  }
  fails({"sim", write("h.xml", "<mujoco model='h'/>"), "--duration", "1ms"},
        "this is an MJCF file, the format of MuJoCo");
  fails({"robot", "info", path("h.xml")}, "use the URDF of the robot");
  fails({"sim", write("r.urdf.xacro", "<robot/>"), "--duration", "1ms"}, "r.urdf` (package xacro of ROS");
  fails({"robot", "info", write("s.xacro", "<robot/>")}, "s.urdf` (package xacro of ROS");
  fails({"world", "info", write("w.usda", "#usda 1.0")}, "this is a USD scene");
  // A grid of distances has the same extension as a world of Gazebo.
  prints({"geometry", "info", write("g.sdf", "0 0 0\n1 1 1\n2 2 2\n1 1 1 1 1 1 1 -1\n")});
}

TEST_F(HostileInput, WorldsAndPipelinesAreSentToTheirCommand) {
  const std::string world = MORTISE_SOURCE_DIR "/data/worlds/blocks.xml";
  fails({"run", world}, "blocks.xml:1:1: this is a world, not a pipeline");
  fails({"run", world}, "`mortise sim " + world + "` simulates it");
  fails({"run", MORTISE_SOURCE_DIR "/data/robots/reacher.rob"}, "this is a robot, not a pipeline");
  fails({"run", MORTISE_SOURCE_DIR "/data/robots/heron.urdf"}, "this is a robot, not a pipeline");
  const std::string pipeline = MORTISE_SOURCE_DIR "/data/pipelines/first.yaml";
  fails({"sim", pipeline}, "`mortise run " + pipeline + "` runs a pipeline");
}

TEST_F(HostileInput, BrokenLinksAreNamed) {
  fails({"geometry", "info", link("t.off", "t.off")}, "t.off' is a link to 't.off', which leads to no file");
}

TEST_F(HostileInput, AFolderIsNoFile) {
  std::filesystem::create_directories(path("r.rob"));
  fails({"robot", "info", path("r.rob")}, "r.rob' is a folder, not a robot");
}

TEST_F(HostileInput, AGivenPackageIsNotAskedForAgain) {
  const std::string file = write("a.rob", kArm + "geometry \"package://things/x.off\"\n");
  fails({"robot", "info", file, "--package", "things=" + path("things")},
        "--package says that 'things' is '" + path("things") + "'");
}

TEST_F(HostileInput, MountsDoNotMultiplyWithoutEnd) {
  constexpr int kDepth = 40;  // 2^40 robots
  for (int i = 0; i < kDepth; ++i) {
    std::string content = kArm;
    for (int k = 0; k < 2 && i + 1 < kDepth; ++k)
      content += "mount 0 \"m" + std::to_string(i + 1) + ".rob\" 1 0 0 0 1 0 0 0 1 0 0 0\n";
    write("m" + std::to_string(i) + ".rob", content);
  }
  fails({"robot", "info", path("m0.rob")}, "the robot mounts more than 2000 others");
}

TEST_F(HostileInput, SimulationSaysWhatIsWrongWithARobot) {
  fails({"sim", write("a.rob", kArm + "mas 1\n")}, "a.rob:6:1: error: unknown keyword 'mas'");
  fails({"sim", write("b.rob", kArm + "property sensors <sensors><Joint\n")},
        "b.rob:6:27: error: not well-formed XML: the file ends inside the tag <Joint> that begins here");
}

TEST_F(HostileInput, CheckListsFilesThatCannotBeParsed) {
  const Ran ran = runMortise({"robot", "check", "--json", write("a.urdf", "<robot name='a'><link")});
  EXPECT_EQ(ran.exitCode, 1);
  const Value list = parseYaml(ran.out, "stdout");
  ASSERT_EQ(list.size(), 1u) << ran.out;
  EXPECT_EQ(list[0].at("severity").asString(), "error");
  EXPECT_NE(list[0].at("where").asString().find("a.urdf:1"), std::string::npos) << ran.out;
}

TEST_F(HostileInput, CheckNamesSensorsThatNoPluginHas) {
  const std::string file =
      write("a.rob", kArm + "property sensors <sensors><JointPositionSensr name=\"q\"/></sensors>\n");
  const std::string text = prints({"robot", "check", file});
  EXPECT_NE(text.find("a.rob:6:27"), std::string::npos) << text;
  EXPECT_NE(text.find("warning: no plugin has a sensor 'JointPositionSensr'"), std::string::npos) << text;
  EXPECT_NE(text.find("did you mean 'JointPositionSensor'?"), std::string::npos) << text;
}

TEST_F(HostileInput, CheckNamesControllersThatNoPluginHasAndLinksThatAreNotThere) {
  const std::string controller =
      write("a.rob", kArm + "property controller <controller type=\"JointTrakingController\"/>\n");
  const std::string text = prints({"robot", "check", controller});
  EXPECT_NE(text.find("no plugin has a controller 'JointTrakingController'"), std::string::npos) << text;
  const Ran ran = runMortise(
      {"robot", "check",
       write("b.rob", kArm + "property sensors <sensors><Accelerometer name=\"a\" link=\"nowhere\"/></sensors>\n")});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE((ran.out + ran.err).find("has no link 'nowhere'"), std::string::npos) << ran.out << ran.err;
}

TEST_F(HostileInput, NumbersThatOverflowAreNotWritten) {
  const std::string in = write("t.off", kTriangle);
  fails({"geometry", "convert", in, path("o.off"), "--scale", "1e308"}, "too large for a number");
  fails({"geometry", "convert", in, path("o.stl"), "--scale", "1e300"}, "too large for the single precision of STL");
  EXPECT_FALSE(std::filesystem::exists(path("o.off")));
  EXPECT_FALSE(std::filesystem::exists(path("o.stl")));
}

TEST_F(HostileInput, BoundsOfHugeShapesArePrinted) {
  const std::string file = write("t.off", "OFF\n3 1 0\n0 0 0\n1e200 0 0\n0 1e200 0\n3 0 1 2\n");
  const std::string text = prints({"geometry", "info", file});
  EXPECT_NE(text.find("(0, 0, 0) to (1e+200, 1e+200, 0)"), std::string::npos) << text;
}

TEST_F(HostileInput, UnevenConfigurationsAreNamed) {
  const std::string file = write("a.configs", "2 1 2\n3 3 4 5\n");
  fails({"path", "info", file}, "'" + file + "' is no motion: ");
  fails({"convert", file, path("a.config")}, file + ": this cannot be converted: ");
}

TEST_F(HostileInput, SamplesThatAreCutOffOrEmpty) {
  const std::string arm = write("a.rob", kArm);
  fails({"robot", "eval", arm, "--samples", write("s.json", "{\"samples\": [{\"q\": [0,")}, "the file is cut off");
  const std::string empty = write("e.json", "");
  fails({"robot", "eval", arm, "--samples", empty}, empty + ": the file is empty");
}

TEST_F(HostileInput, RoundingIsNotShown) {
  write("a.rob",
        "links \"a\" \"b\"\nparents -1 0\naxis 0 0 1 0 0 1\nmass 0.1 0.2\n"
        "TParent 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0\n");
  const std::string text = prints({"world", "info", write("w.xml", "<world><robot file='a.rob'/></world>")});
  EXPECT_NE(text.find(" 0.3 kg"), std::string::npos) << text;  // Not 0.30000000000000004.
}

TEST_F(HostileInput, WarningsOfASimulationSaySoOnce) {
  const Ran ran =
      runMortise({"sim", "--duration", "0.01",
                  write("a.rob", kArm + "property sensors <sensors><NobodysSensor name=\"q\"/></sensors>\n")});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NE(ran.err.find("simulation: warning: " + path("a.rob") + ":6:27: no plugin has a sensor"), std::string::npos)
      << ran.err;
}

TEST_F(HostileInput, AnEmptyWorldHasNoIds) {
  EXPECT_NE(prints({"world", "info", write("w.xml", "<world/>")}).find("0 terrains, no ids\n"), std::string::npos);
}

TEST_F(HostileInput, HelpOfACommand) {
  EXPECT_EQ(prints({"help", "robot", "eval"}), prints({"robot", "eval", "--help"}));
  EXPECT_NE(prints({"help"}).find("usage: mortise COMMAND"), std::string::npos);
}

}  // namespace
}  // namespace mortise::test
