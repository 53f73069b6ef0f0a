// mortise sim --mcap, mortise log and mortise render.

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "mortise/logs/log_world.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

const std::string kWatched = MORTISE_SOURCE_DIR "/data/worlds/watched_blocks.xml";
const std::string kBlocks = MORTISE_SOURCE_DIR "/data/worlds/blocks.xml";

class LogTest : public FolderTest {
 protected:
  Value json(std::vector<std::string> arguments) const {
    arguments.push_back("--json");
    const Ran ran = runMortise(arguments);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return parseYaml(ran.out, "output");
  }
  std::string record(const std::string& world, const std::string& name, const std::string& duration) const {
    const std::string file = path(name);
    const Ran ran = runMortise({"sim", world, "--duration", duration, "--mcap", file, "--quiet"});
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return file;
  }
  static std::int64_t messages(const Value& info, const std::string& topic) {
    for (const Value& channel : info.at("channels").items())
      if (channel.at("topic").asString() == topic) return channel.at("messages").asInteger();
    return -1;
  }
};

TEST_F(LogTest, InfoSaysWhatARunWrote) {
  const Value run = json({"sim", kWatched, "--duration", "0.5", "--mcap", path("run.mcap")});
  const Value info = json({"log", "info", path("run.mcap")});
  EXPECT_EQ(info.at("state_hash").asString(), run.at("state_hash").asString());
  EXPECT_EQ(info.at("start").asReal(), 0);
  EXPECT_EQ(info.at("end").asReal(), 0.5);
  EXPECT_EQ(info.at("ticks").asInteger(), 500);
  EXPECT_TRUE(info.at("damage").isNull());
  EXPECT_EQ(messages(info, "/tf"), 31) << "60 Hz and the start";
  EXPECT_GT(messages(info, "/mortise/state"), 0);
  EXPECT_EQ(messages(info, "/scene"), 1);
  EXPECT_GT(messages(info, "/camera/reacher/eye/image"), 2);
  EXPECT_EQ(messages(info, "/laser/reacher/scanner"), 31);
  EXPECT_GE(messages(info, "/log"), 0);
  const Value bare = json({"sim", kWatched, "--duration", "0.5"});
  EXPECT_EQ(bare.at("state_hash").asString(), run.at("state_hash").asString()) << "a log changes nothing";
}

TEST_F(LogTest, TheLogShowsTheWorldWhereItWas) {
  const Value run = json({"sim", kBlocks, "--duration", "0.5", "--mcap", path("run.mcap")});
  mcap::Reader reader(path("run.mcap"));
  const logs::LogWorld log(reader);
  EXPECT_EQ(log.times().size(), 51u);
  EXPECT_EQ(log.indexAt(-1), 0u);
  EXPECT_EQ(log.indexAt(0.255), 25u);
  EXPECT_EQ(log.indexAt(9), 50u);
  const std::vector<RigidTransform> poses = log.posesAt(50);
  int found = 0;
  for (const Value& object : run.at("objects").items())
    for (std::size_t i = 0; i < poses.size(); ++i)
      if (log.world().objects[i].name == object.at("name").asString()) {
        ++found;
        const std::vector<double> T = object.at("T").asReals();
        EXPECT_LT((poses[i].p - RigidTransform::fromRows(T.data()).p).norm(), 1e-6);
        EXPECT_LT((poses[i].R - RigidTransform::fromRows(T.data()).R).norm(), 1e-5);
      }
  EXPECT_EQ(found, static_cast<int>(run.at("objects").size()));
}

TEST_F(LogTest, ExportsSeriesImagesAndAttachments) {
  const std::string log = record(kWatched, "run.mcap", "0.3");
  const Value written = json({"log", "export", log, path("out")});
  EXPECT_GT(written.at("files").size(), 6u);
  const std::string csv = readFile(path("out/mortise/state.csv"));
  EXPECT_EQ(csv.substr(0, 10), "time,tick,");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 32);
  EXPECT_EQ(readFile(path("out/scene.glb")).substr(0, 4), "glTF");
  EXPECT_EQ(readFile(path("out/camera/reacher/eye/image/000000.png")).substr(1, 3), "PNG");
  const Ran wrong = runMortise({"log", "export", log, path("out"), "--topic", "/mortise/stat"});
  EXPECT_EQ(wrong.exitCode, 1);
  EXPECT_NE(wrong.err.find("did you mean '/mortise/state'?"), std::string::npos) << wrong.err;
  const Ran missing = runMortise({"log", "export", log, path("x"), "--attachment", "scene.gbl"});
  EXPECT_EQ(missing.exitCode, 1);
  EXPECT_NE(missing.err.find("did you mean 'scene.glb'?"), std::string::npos) << missing.err;
  const std::string before = readFile(log);
  for (const std::vector<std::string>& how : {std::vector<std::string>{"--attachment", "scene.glb"}, {"--to", "bag"}}) {
    const Ran over = runMortise({"log", "export", log, log, how[0], how[1]});
    EXPECT_EQ(over.exitCode, 1);
    EXPECT_NE(over.err.find("is the log that is read"), std::string::npos) << over.err;
    EXPECT_TRUE(readFile(log) == before);
  }
}

TEST_F(LogTest, PartsJoinToTheWhole) {
  const std::string log = record(kBlocks, "run.mcap", "0.6");
  json({"log", "cut", log, "--end", "0.295", "-o", path("first.mcap")});
  json({"log", "cut", log, "--start", "0.295", "-o", path("second.mcap")});
  json({"log", "join", path("first.mcap"), path("second.mcap"), "-o", path("both.mcap")});
  const Value full = json({"log", "info", log}), both = json({"log", "info", path("both.mcap")});
  EXPECT_EQ(messages(both, "/tf"), messages(full, "/tf"));
  EXPECT_EQ(messages(both, "/scene"), 1);
  EXPECT_EQ(both.at("state_hash").asString(), full.at("state_hash").asString());
  json({"log", "export", log, path("a"), "--topic", "/mortise/state"});
  json({"log", "export", path("both.mcap"), path("b"), "--topic", "/mortise/state"});
  EXPECT_EQ(readFile(path("a/mortise/state.csv")), readFile(path("b/mortise/state.csv")));
  const Ran overlap = runMortise({"log", "join", path("second.mcap"), path("first.mcap"), "-o", path("no.mcap")});
  EXPECT_EQ(overlap.exitCode, 1);
  EXPECT_NE(overlap.err.find("--shift"), std::string::npos) << overlap.err;
  const Value shifted =
      json({"log", "join", path("second.mcap"), path("first.mcap"), "--shift", "-o", path("shifted.mcap")});
  EXPECT_GT(shifted.at("end").asReal(), 0.8);
  EXPECT_EQ(runMortise({"log", "join", log, "-o", log}).exitCode, 1);
}

TEST_F(LogTest, ALogThatWasCutShortIsMended) {
  const std::string log = record(kBlocks, "run.mcap", "2");
  const std::string bytes = readFile(log);
  writeFile(path("cut.mcap"), bytes.substr(0, bytes.size() * 3 / 4));
  const Value info = json({"log", "info", path("cut.mcap")});
  EXPECT_FALSE(info.at("damage").isNull());
  EXPECT_TRUE(info.at("state_hash").isNull());
  json({"log", "join", path("cut.mcap"), "-o", path("mended.mcap")});
  EXPECT_TRUE(json({"log", "info", path("mended.mcap")}).at("damage").isNull());
  const Ran none = runMortise({"log", "info", kBlocks});
  EXPECT_EQ(none.exitCode, 1);
  EXPECT_NE(none.err.find("no MCAP file"), std::string::npos) << none.err;
}

TEST_F(LogTest, AStateOfTheLogContinuesTheRun) {
  const std::string log = record(kBlocks, "run.mcap", "0.2");
  json({"log", "export", log, path("start.state"), "--attachment", "states/0.state"});
  json({"log", "export", log, path("all")});
  EXPECT_EQ(readFile(path("all/states/0.state")), readFile(path("start.state")));
  const Value full = json({"sim", kBlocks, "--duration", "0.2"});
  const Value resumed = json({"sim", kBlocks, "--state", path("start.state"), "--duration", "0.2"});
  EXPECT_EQ(resumed.at("state_hash").asString(), full.at("state_hash").asString());
}

TEST_F(LogTest, RendersWorldsAndLogs) {
  json({"render", kBlocks, "-o", path("world.png"), "--size", "160x120"});
  const std::string log = record(kBlocks, "run.mcap", "0.2");
  json({"render", log, "-o", path("start.png"), "--size", "160x120", "--at", "0"});
  json({"render", log, "-o", path("again.png"), "--size", "160x120", "--at", "0"});
  EXPECT_EQ(readFile(path("start.png")).substr(1, 3), "PNG");
  EXPECT_EQ(readFile(path("start.png")), readFile(path("again.png"))) << "equal bytes for equal pictures";
  const Value pictures = json({"render", log, "-o", path("pictures"), "--size", "64x48", "--rate", "20"});
  EXPECT_EQ(pictures.at("pictures").asInteger(), 4);
  EXPECT_TRUE(std::filesystem::exists(path("pictures/000003.png")));
  EXPECT_EQ(runMortise({"render", kBlocks}).exitCode, 2);
  EXPECT_EQ(runMortise({"render", kBlocks, "-o", path("x.png"), "--size", "wide"}).exitCode, 2);
  EXPECT_EQ(runMortise({"render", kBlocks, "-o", path("x.gif")}).exitCode, 2);
  const Ran place = runMortise({"render", kBlocks, "-o", path("no/such/x.png")});
  EXPECT_EQ(place.exitCode, 1);
  EXPECT_NE(place.err.find("choose a folder"), std::string::npos) << place.err;
}

TEST_F(LogTest, PicturesHaveQualitiesBackgroundsAndViews) {
  const std::string log = record(kBlocks, "run.mcap", "0.1");
  const auto rendered = [&](const std::string& name, const std::vector<std::string>& more,
                            const std::string& file = kBlocks) {
    std::vector<std::string> words = {"render", file, "-o", path(name), "--size", "48x36"};
    words.insert(words.end(), more.begin(), more.end());
    json(words);
    return readFile(path(name));
  };
  const std::string plain = rendered("default.png", {});
  EXPECT_EQ(rendered("again.png", {"--quality", "default"}), plain);
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--quality", "draft"},
                                               {"--quality", "camera"},
                                               {"--theme", "dark"},
                                               {"--view", "top"},
                                               {"--background", "white"},
                                               {"--background", "transparent"},
                                               {"--no-grid"},
                                               {"--frames"},
                                               {"--names"},
                                               {"--view", "#view=2,-2,1.5,0,0,0,0.1,100"}})
    EXPECT_NE(rendered("other.png", more), plain) << more.front() << " " << more.back();
  EXPECT_EQ(static_cast<int>(rendered("t.png", {"--background", "transparent"})[25]), 6) << "with opacities";
  EXPECT_NE(rendered("forces.png", {"--contacts"}, log), rendered("bare.png", {}, log)) << "blocks rest on something";
  EXPECT_EQ(rendered("linked.png", {"--view", "http://localhost/#t=0"}, log), rendered("at.png", {"--at", "0"}, log));
}

TEST_F(LogTest, WrongPicturesAreSaid) {
  const auto refused = [&](const std::vector<std::string>& more, const std::string& said) {
    std::vector<std::string> words = {"render", kBlocks, "-o", path("x.png")};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = runMortise(words);
    EXPECT_EQ(ran.exitCode, 2) << ran.err;
    EXPECT_NE(ran.err.find(said), std::string::npos) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(path("x.png")));
  };
  refused({"--quality", "best"}, "takes draft, default, paper or camera, not 'best'");
  refused({"--theme", "blue"}, "takes light or dark, not 'blue'");
  refused({"--view", "behind"}, "is no view");
  refused({"--view", "#view=1,2,x,0,0,0"}, "'x' in the view's address is no number");
  refused({"--size", "100000x100000"}, "at most 268435456 pixels");
  refused({"--size", "-3x4"}, "--size takes width and height");
  refused({"--quality", "camera", "--theme", "dark"}, "does not go with --quality camera");
  refused({"--contacts"}, "--contacts goes with a log");
  const std::string log = record(kBlocks, "run.mcap", "0.1");
  const Ran late = runMortise({"render", log, "-o", path("x.png"), "--view", "#t=7&view=1,2,3,0,0,0"});
  EXPECT_EQ(late.exitCode, 2);
  EXPECT_NE(late.err.find("from 0 s to 0.1 s"), std::string::npos) << late.err;
  const Ran movie = runMortise({"render", log, "-o", path("x.webm"), "--background", "transparent"});
  EXPECT_EQ(movie.exitCode, 2);
  EXPECT_NE(movie.err.find("movies have no transparent background"), std::string::npos) << movie.err;
}

TEST_F(LogTest, RendersMotionsAndRunFolders) {
  const std::string robot = MORTISE_SOURCE_DIR "/data/robots/reacher.rob",
                    motion = MORTISE_SOURCE_DIR "/data/motions/reacher_sweep.path";
  const Value sweep =
      json({"render", robot, motion, "-o", path("sweep"), "--size", "64x48", "--rate", "2", "--end", "1.5"});
  EXPECT_EQ(sweep.at("pictures").asInteger(), 3);
  EXPECT_NE(readFile(path("sweep/000000.png")), readFile(path("sweep/000002.png"))) << "the arm moves";
  json({"render", robot, motion, "-o", path("later.png"), "--size", "64x48", "--at", "1"});
  std::filesystem::create_directories(path("run"));
  record(kBlocks, "run/only.mcap", "0.1");
  json({"render", path("run"), "-o", path("folder.png"), "--size", "64x48"});
  std::filesystem::copy_file(path("run/only.mcap"), path("run/other.mcap"));
  const Ran several = runMortise({"render", path("run"), "-o", path("first.png"), "--size", "64x48"});
  EXPECT_EQ(several.exitCode, 0) << several.err;
  EXPECT_NE(several.err.find("the first is drawn, " + path("run/only.mcap")), std::string::npos) << several.err;
  EXPECT_NE(several.err.find("draw it: " + path("run/other.mcap")), std::string::npos) << several.err;
  EXPECT_EQ(readFile(path("first.png")), readFile(path("folder.png")));
}

TEST_F(LogTest, RendersSeveralLogsOverEachOther) {
  std::filesystem::create_directories(path("run"));
  const std::string early = record(kBlocks, "run/a.mcap", "0.1");
  json({"render", early, "-o", path("alone.png"), "--size", "64x48"});
  std::filesystem::copy_file(early, path("run/b.mcap"));
  json({"render", path("run"), "--overlay", "-o", path("folder.png"), "--size", "64x48"});
  json({"render", early, path("run/b.mcap"), "--overlay", "-o", path("both.png"), "--size", "64x48"});
  EXPECT_EQ(readFile(path("folder.png")), readFile(path("both.png")));
  EXPECT_NE(readFile(path("alone.png")), readFile(path("both.png"))) << "the second one is tinted";
  const Ran two = runMortise({"render", early, path("run/b.mcap"), "-o", path("x.png")});
  EXPECT_EQ(two.exitCode, 2);
  EXPECT_NE(two.err.find("--overlay draws several"), std::string::npos) << two.err;
  const Ran world = runMortise({"render", kBlocks, "--overlay", "-o", path("x.png")});
  EXPECT_EQ(world.exitCode, 2);
  EXPECT_NE(world.err.find("--overlay goes with logs"), std::string::npos) << world.err;
}

TEST_F(LogTest, PicturesOfAnEarlierMotionAreNotTakenForNewOnes) {
  const std::string log = record(kBlocks, "run.mcap", "0.2");
  json({"render", log, "-o", path("pictures"), "--size", "64x48", "--rate", "20"});
  const Ran fewer = runMortise({"render", log, "-o", path("pictures"), "--size", "64x48", "--rate", "10"});
  EXPECT_EQ(fewer.exitCode, 0);
  EXPECT_NE(fewer.err.find("000002.png and what follows are from before"), std::string::npos) << fewer.err;
}

TEST_F(LogTest, TimesAndTopicsThatALogDoesNotHaveAreErrors) {
  const std::string log = record(kBlocks, "run.mcap", "0.2");
  for (const std::string name : {"--at", "--start", "--end"}) {
    const Ran ran = runMortise({"render", log, "-o", path(name == "--at" ? "x.png" : "x"), name, "0.3"});
    EXPECT_EQ(ran.exitCode, 2) << name;
    EXPECT_NE(ran.err.find("from 0 s to 0.2 s"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(runMortise({"render", log, "-o", path("x"), "--start", "0.2", "--end", "0.1"}).exitCode, 2);
  const Ran cut = runMortise({"log", "cut", log, "-o", path("cut.mcap"), "--start", "5"});
  EXPECT_EQ(cut.exitCode, 1);
  EXPECT_NE(cut.err.find("holds nothing from 5 s on: it lasts from 0 s to 0.2 s"), std::string::npos) << cut.err;
  EXPECT_FALSE(std::filesystem::exists(path("cut.mcap")));
  const Ran topic = runMortise({"log", "cut", log, "-o", path("cut.mcap"), "--topic", "/mortise/stat"});
  EXPECT_EQ(topic.exitCode, 1);
  EXPECT_NE(topic.err.find("did you mean '/mortise/state'?"), std::string::npos) << topic.err;
  EXPECT_EQ(runMortise({"log", "export", log, path("out"), "--start", "3"}).exitCode, 1);
}

TEST_F(LogTest, AMovieHasTheFramesOfItsTime) {
  if (runProgram({"/usr/bin/env", "ffprobe", "-version"}).exitCode != 0) GTEST_SKIP() << "ffmpeg is not installed";
  const std::string log = record(kBlocks, "run.mcap", "0.5");
  json({"render", log, "-o", path("x.mp4"), "--size", "64x48", "--rate", "20"});
  const Ran frames =
      runProgram({"/usr/bin/env", "ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
                  "stream=width,height,nb_read_frames", "-of", "csv=p=0", path("x.mp4")});
  EXPECT_EQ(frames.exitCode, 0) << frames.err;
  EXPECT_EQ(frames.out, "64,48,10\n") << "20 Hz for 0.5 s";
  json({"render", log, "-o", path("x.webm"), "--size", "64x48", "--rate", "20", "--quality", "draft"});
  const Ran codec = runProgram({"/usr/bin/env", "ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0",
                                "-show_entries", "stream=codec_name,nb_read_frames", "-of", "csv=p=0", path("x.webm")});
  EXPECT_EQ(codec.out, "vp9,10\n");
}

TEST_F(LogTest, WithoutFfmpegAMovieIsAnError) {
  const std::string log = record(kBlocks, "run.mcap", "0.1");
  const Ran ran = runProgram({MORTISE_BINARY_DIR "/bin/mortise", "render", log, "-o", path("x.mp4")},
                             {"PATH=/nonexistent", "XDG_DATA_HOME=/nonexistent"});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("apt install ffmpeg"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace mortise::test
