#include <arpa/inet.h>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <netinet/in.h>
#include <sstream>
#include <sys/socket.h>
#include <thread>
#include <tuple>
#include <unistd.h>

#include "mortise/hardware/drive_loop.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/loading/format_loader.h"
#include "sdk/examples/clients/mortise_client.h"
#include "serial_test.h"
#include "tests/support/run_program.h"

namespace mortise {
namespace {

const std::string kRobot = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";
const std::string kPath = MORTISE_SOURCE_DIR "/data/motions/reacher_sweep.path";

/// A port that nobody listens on and nobody else can take.
class DeadPort {
 public:
  DeadPort() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    if (::bind(socket_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      throw std::runtime_error("no port");
    port = ntohs(address.sin_port);
  }
  ~DeadPort() { ::close(socket_); }
  std::string address() const { return "tcp://127.0.0.1:" + std::to_string(port); }
  int port = 0;

 private:
  int socket_;
};

/// Something that listens, says these bytes to whoever comes, and others after an answer, and closes.
class Talker {
 public:
  explicit Talker(std::string bytes, std::string others = {}) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    if (::bind(socket_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(socket_, 1) != 0 ||
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      throw std::runtime_error("no port");
    port = ntohs(address.sin_port);
    thread_ = std::thread([this, text = std::move(bytes), more = std::move(others)] {
      const int client = ::accept(socket_, nullptr, nullptr);
      if (client < 0) return;
      ::send(client, text.data(), text.size(), MSG_NOSIGNAL);
      char ignored[1024];
      if (!more.empty() && ::recv(client, ignored, sizeof ignored, 0) > 0)
        ::send(client, more.data(), more.size(), MSG_NOSIGNAL);
      ::shutdown(client, SHUT_WR);
      while (::recv(client, ignored, sizeof ignored, 0) > 0) {
      }
      ::close(client);
    });
  }
  ~Talker() {
    ::shutdown(socket_, SHUT_RDWR);  // Nobody may have come.
    thread_.join();
    ::close(socket_);
  }
  std::string address() const { return "tcp://127.0.0.1:" + std::to_string(port); }
  int port = 0;

 private:
  int socket_;
  std::thread thread_;
};

class Drive : public test::SerialTest {
 protected:
  Drive() {
    Diagnostics diagnostics;
    reacher = assembleWorld(loader, {kRobot}, diagnostics);
    diagnostics.throwIfErrors();
  }
  ~Drive() override { std::filesystem::remove_all(folder); }

  std::unique_ptr<Simulation> simulate(const World& simulated, const std::string& controllerType,
                                       const std::string& settings) {
    SimulationOptions options;
    ComponentOptions component;
    component.type = controllerType;
    component.settings = parseYaml(settings, "test");
    options.components.push_back(component);
    options.stopRequested = [this] { return stop.load(); };
    return std::make_unique<Simulation>(simulated, *registry, &loader, log, options);
  }
  std::unique_ptr<Simulation> simulateRemote(int rate = 100) {
    return simulate(reacher, "SerialController",
                    "{servAddr: ':0', lockstep: true, writeRate: " + std::to_string(rate) + "}");
  }
  static std::string addressOfSimulation(Simulation& simulation) { return addressOf(*simulation.controller(0)).text(); }
  /// `mortise drive` at the same time as `seconds` of simulation; then the connection is closed.
  test::Ran runDrive(Simulation& simulation, double seconds, std::vector<std::string> words) {
    const std::string at = addressOfSimulation(simulation);
    words.insert(words.begin(),
                 {"drive", kRobot, "--plugin-path", MORTISE_BINARY_DIR "/lib/mortise/plugins", "--connect", at});
    test::Ran ran;
    std::thread program([&] {
      ran = test::runMortise(words);
      // Whatever went wrong there, the simulation must not wait for it for ever.
      if (ran.exitCode != 0) stop = true;
    });
    simulation.advance(seconds, [this] { return !stop.load(); });
    simulation.controller(0)->changeSetting("servAddr", Value(""));
    program.join();
    return ran;
  }
  std::string file(const std::string& name) const {
    std::filesystem::create_directories(folder);
    return (folder / name).string();
  }

  FormatLoader loader{*registry, log};
  World reacher;
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("mortise_drive_" + std::to_string(::getpid()));
};

/// The same controller, the same bits: it cannot tell whether the robot is behind a socket.
TEST_F(Drive, IsTheMirrorImageOfTheSimulation) {
  for (const auto& [type, settings] :
       {std::pair<std::string, std::string>("PathFollowingController", "{path: '" + kPath + "'}"),
        std::pair<std::string, std::string>("JointTrackingController", "{enableGravityCompensation: true}")}) {
    SCOPED_TRACE(type);
    const auto direct = simulate(reacher, type, settings);
    direct->advance(2);
    ASSERT_EQ(direct->fault(), "");

    const auto remote = simulateRemote();
    DriveOptions options;
    options.hardware = "serial";
    options.hardwareSettings =
        parseYaml("{address: '" + addressOfSimulation(*remote) + "', wait: 1, timeout: 20}", "test");
    options.controller = type;
    options.settings = parseYaml(settings, "test");
    DriveResult result;
    std::string fault;
    std::thread other([&] {
      test::MemoryLog itsLog;
      const auto itsRegistry = test::makeRegistry(itsLog);
      FormatLoader itsLoader(*itsRegistry, itsLog);
      try {
        result =
            drive(*reacher.robots[0].robot, *itsRegistry, &itsLoader, itsLog, options, [this] { return stop.load(); });
      } catch (const Error& error) {
        fault = error.what();
        stop = true;
      }
    });
    remote->advance(2);
    remote->controller(0)->changeSetting("servAddr", Value(""));
    other.join();
    EXPECT_EQ(fault, "");
    EXPECT_EQ(remote->fault(), "");
    EXPECT_EQ(result.states, 200);
    EXPECT_EQ(result.updates, 200);
    EXPECT_EQ(result.skipped, 0);
    EXPECT_EQ(result.refused, 0);
    EXPECT_EQ(result.ended, "the robot's end of the connection was closed");
    for (int i = 0; i < direct->configuration(0).size(); ++i)
      EXPECT_EQ(direct->configuration(0)[i], remote->configuration(0)[i]) << i;
    if (type == "PathFollowingController") {
      EXPECT_GT((direct->configuration(0) - reacher.robots[0].q).norm(), 0.1);
    }
  }
}

TEST_F(Drive, TheProgramDrives) {
  const auto simulation = simulateRemote(50);
  const test::Ran ran = runDrive(
      *simulation, 2,
      {"--controller", "PathFollowingController", "--set", "path=" + kPath, "--json", "--log", file("log.csv")});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  const Value result = parseYaml(ran.out, "output");
  EXPECT_NE(result.at("controller").asString().find("Path"), std::string::npos);
  EXPECT_EQ(result.at("updates").asInteger(), 100);
  EXPECT_NEAR(result.at("time").asReal(), 1.98, 1e-9);
  EXPECT_EQ(simulation->fault(), "");
  EXPECT_GT((simulation->configuration(0) - reacher.robots[0].q).norm(), 0.1);
  std::ifstream rows(file("log.csv"));
  std::string row;
  int count = 0;
  std::getline(rows, row);
  EXPECT_TRUE(row.starts_with("time,q.q[shoulder_yaw],")) << row;
  EXPECT_TRUE(row.ends_with(",torquecmd[tool]")) << row;
  while (std::getline(rows, row)) ++count;
  EXPECT_EQ(count, 100);
}

TEST_F(Drive, RateAndDuration) {
  const auto simulation = simulateRemote(100);
  stop = false;
  const test::Ran ran = runDrive(
      *simulation, 0.5, {"--controller", "JointTrackingController", "--rate", "20", "--json", "--duration", "10"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_EQ(parseYaml(ran.out, "output").at("messages").asInteger(), 50);
  EXPECT_EQ(parseYaml(ran.out, "output").at("updates").asInteger(), 10);
}

TEST_F(Drive, SaysWhatIsWrong) {
  const DeadPort dead;
  const auto fails = [&](std::vector<std::string> words, int code, const std::string& message) {
    words.insert(words.begin(), {"drive", "--plugin-path", MORTISE_BINARY_DIR "/lib/mortise/plugins"});
    const test::Ran ran = test::runMortise(words);
    EXPECT_EQ(ran.exitCode, code) << message;
    EXPECT_NE(ran.err.find(message), std::string::npos) << ran.err;
  };
  const std::string at = dead.address();
  fails({kRobot, "--connect", at, "--controller", "JointTrackingController"}, 1,
        "cannot connect to " + at + ": Connection refused\n  hint: start the simulation");
  fails({kRobot, "--connect", at, "--controller", "JointTrackingController", "--wait", "200ms"}, 1, "cannot connect");
  fails({kRobot, "--connect", at, "--controller", "JointTrakingController"}, 1, "JointTrackingController");
  fails({kRobot, "--connect", at, "--controller", "JointTrackingController", "--set", "color=red"}, 1, "color");
  fails({kRobot, "--connect", "udp://here", "--controller", "JointTrackingController"}, 1, "only tcp");
  fails({kRobot, "--connect", at}, 2, "--controller");
  fails({kRobot, "--connect", at, "--controller", "X", "--rate", "0"}, 2, "--rate");
  fails({kRobot, "--connect", at, "--controller", "X", "--sensor", "=Y"}, 2, "--sensor");
  fails({kRobot, "--connect", at, "--controller", "JointTrackingController", "--sensor", "q=JointPositonSensor"}, 1,
        "did you mean 'JointPositionSensor'");
  fails({kRobot, "--connect", at, "--controller", "JointTrackingController", "--set", "velocityscale"}, 2,
        "--set takes NAME=VALUE, a setting of the controller such as path=wave.path, not 'velocityscale'");
  fails({"/nonexistent.rob", "--controller", "JointTrackingController"}, 1, "/nonexistent.rob");
}

TEST_F(Drive, AnotherRobotThanExpected) {
  const auto simulation = simulate(world, "SerialController", "{servAddr: ':0', lockstep: true}");
  const test::Ran ran = runDrive(*simulation, 1, {"--controller", "JointTrackingController"});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("the robot says that it has 2 links, but 'reacher' has 6"), std::string::npos) << ran.err;
}

TEST_F(Drive, WhatIsNoRobotIsAnError) {
  const std::string state = test::frameOf(R"({"t":0,"dt":0.01,"q":[0,0,0,0,0,0],"dq":[0,0,0,0,0,0]})");
  const std::vector<std::tuple<std::string, std::string, std::string>> cases = {
      {"garbage", std::string(20, '\xff'), "no state came from ADDRESS, but '\\xff\\xff"},
      {"HTTP", "HTTP/1.1 400 Bad Request\r\n\r\n", "but 'HTTP/1.1 400 Bad Request\\x0d"},
      {"half a message", state.substr(0, 20), "it closed the connection in the middle of a message, after '"},
      {"nothing", "", "no state came from ADDRESS: it closed the connection without a word"},
      {"no time", test::frameOf(R"({"q":[0,0,0,0,0,0]})"), "but '{\"q\":[0,0,0,0,0,0]}', which says no time"},
      {"a time that is none", test::frameOf(R"({"t":"x"})"), "which says no time"},
      {"an error that is none", test::frameOf(R"({"error":5})"), "which says no time"},
      {"no JSON", test::frameOf("hello there"), "the message is 'hello there'"},
      {"a refusal", test::frameOf(R"({"error":"busy","message":"another drives"})"), "it said: busy: another drives"},
      {"no q", test::frameOf(R"({"t":0,"dt":0.01})"), "they have no 'q' of 6 numbers, nor any other sensor"},
      {"only qcmd", test::frameOf(R"({"t":0,"dt":0.01,"qcmd":[0,0,0,0,0,0],"dq":[0,0,0,0,0,0]})"), "there is 'dq'"},
      {"short q", test::frameOf(R"({"t":0,"dt":0.01,"q":[0,0]})"), "2 links, but 'reacher' has 6"},
      {"infinite q", test::frameOf(R"({"t":0,"dt":0.01,"q":[0,1e999,0,0,0,0]})"), "sensor 'q' says inf for q["},
      {"no period", test::frameOf(R"({"t":0,"dt":0,"q":[0,0,0,0,0,0]})"), "'dt' of its states is a time above 0"},
      {"half a message after a state", state + state.substr(0, 20),
       "the connection to ADDRESS was lost in the middle of a message, after '"},
      {"garbage after a state", state + std::string(20, '\xff'), "after the last state came from ADDRESS '\\xff"},
  };
  for (const auto& [name, bytes, message] : cases) {
    SCOPED_TRACE(name);
    const Talker talker(bytes);
    std::string expected = message;
    if (const auto at = expected.find("ADDRESS"); at != std::string::npos) expected.replace(at, 7, talker.address());
    const test::Ran ran = test::runMortise({"drive", kRobot, "--plugin-path", MORTISE_BINARY_DIR "/lib/mortise/plugins",
                                            "--connect", talker.address(), "--controller", "JointTrackingController"});
    EXPECT_EQ(ran.exitCode, 1) << ran.out;
    EXPECT_NE(ran.err.find(expected), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("hint: "), std::string::npos) << ran.err;
  }
  {
    // A controller is not updated on where the robot was.
    const Talker talker(state, test::frameOf(R"({"t":0.01,"dt":0.01,"dq":[0,0,0,0,0,0]})"));
    const test::Ran ran = test::runMortise({"drive", kRobot, "--plugin-path", MORTISE_BINARY_DIR "/lib/mortise/plugins",
                                            "--connect", talker.address(), "--controller", "JointTrackingController"});
    EXPECT_EQ(ran.exitCode, 1) << ran.out;
    EXPECT_NE(ran.err.find("the state at t = 0.01 s has no 'q'"), std::string::npos) << ran.err;
  }
  {
    const Talker talker(state, test::frameOf(R"({"error":"wrong_size","message":"qcmd takes 2 numbers"})"));
    const test::Ran ran = test::runMortise({"drive", kRobot, "--plugin-path", MORTISE_BINARY_DIR "/lib/mortise/plugins",
                                            "--connect", talker.address(), "--controller", "JointTrackingController"});
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    EXPECT_NE(ran.err.find("the robot refuses (wrong_size): qcmd takes 2 numbers"), std::string::npos) << ran.err;
    EXPECT_NE(ran.out.find("1 updates, 1 refused"), std::string::npos) << ran.out;
  }
  // One state, and then an end, is a robot.
  const Talker talker(state);
  EXPECT_EQ(test::runMortise({"drive", kRobot, "--plugin-path", MORTISE_BINARY_DIR "/lib/mortise/plugins", "--connect",
                              talker.address(), "--controller", "JointTrackingController", "--sensor",
                              "q=mortise.JointPositionSensor"})
                .exitCode,
            0);
}

TEST_F(Drive, AFullDiskIsNamed) {
  const Talker talker(test::frameOf(R"({"t":0,"dt":0.01,"q":[0,0,0,0,0,0],"dq":[0,0,0,0,0,0]})"));
  const test::Ran ran =
      test::runMortise({"drive", kRobot, "--plugin-path", MORTISE_BINARY_DIR "/lib/mortise/plugins", "--connect",
                        talker.address(), "--controller", "JointTrackingController", "--log", "/dev/full"});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("the log '/dev/full' could not be written to its end: No space left on device"),
            std::string::npos)
      << ran.err;
}

TEST_F(Drive, ARobotThatFallsSilent) {
  start();  // Nobody updates it, so it says nothing.
  const test::Ran ran =
      test::runMortise({"drive", kRobot, "--plugin-path", MORTISE_BINARY_DIR "/lib/mortise/plugins", "--connect",
                        address().text(), "--controller", "JointTrackingController", "--timeout", "0.3"});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("the robot sent nothing for 0.3 s"), std::string::npos) << ran.err;
}

TEST_F(Drive, CtrlCStops) {
  start();
  const test::Ran ran = test::runProgram({"/usr/bin/env", "timeout", "--preserve-status", "--signal=INT", "1",
                                          MORTISE_BINARY_DIR "/bin/mortise", "drive", kRobot, "--plugin-path",
                                          MORTISE_BINARY_DIR "/lib/mortise/plugins", "--connect", address().text(),
                                          "--controller", "JointTrackingController", "--timeout", "60"});
  EXPECT_EQ(ran.exitCode, 130) << ran.err;
}

TEST_F(Drive, TheClientInOneHeader) {
  start("{servAddr: ':0', lockstep: true, writeRate: 0}");
  const std::string at = address().text();
  std::string lastFault;
  int states = 0;
  std::thread client([&] {
    mortise_client::Connection arm(at, test::kPatience);
    while (const auto state = arm.receive()) {
      if (!state->error.empty()) {
        lastFault = state->error;
        arm.unchanged();
        continue;
      }
      EXPECT_EQ(state->values.at("q"), sensedQ);
      EXPECT_NEAR(state->t, states * period, 1e-12);
      switch (states++) {
        case 0:
          arm.position({0.5, -1.0 / 3}, {1, 2}, {3, 4});
          break;
        case 1:
          arm.velocity({1, 2}, 0.25);
          break;
        case 2:
          arm.torque({5, 6});
          break;
        case 3:
          arm.position({1});
          break;
        default:
          arm.unchanged();
      }
    }
  });
  update();
  EXPECT_EQ(commands[1].position, -1.0 / 3);
  EXPECT_EQ(commands[1].torque, 4);
  update();
  EXPECT_EQ(commands[1].velocity, 2);
  update();
  EXPECT_EQ(commands[1].torque, 6);
  update();
  update();
  controller.reset();
  client.join();
  EXPECT_EQ(states, 5);
  EXPECT_EQ(lastFault, "wrong_size");
}

}  // namespace
}  // namespace mortise
