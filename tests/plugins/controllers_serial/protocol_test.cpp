#include <cmath>

#include "serial_test.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/biped.h"

namespace mortise {
namespace {

using test::Client;
using Mode = ActuatorCommand::Mode;

class SerialProtocol : public test::SerialTest {
 protected:
  bool commanded(double position0) {
    return updateUntil([&] { return commands[0].position == position0; });
  }
};

TEST_F(SerialProtocol, HoldsWithGravityCompensatedWhileNobodyDrives) {
  start();
  update();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(commands[i].mode, Mode::pid);
    EXPECT_EQ(commands[i].position, q[i]);
    EXPECT_EQ(commands[i].velocity, 0);
  }
  EXPECT_NEAR(commands[1].torque, -9.8 * 0.25 * std::cos(sensedQ[0] + sensedQ[1]), 1e-12);
  start("{servAddr: ':0', enableGravityCompensation: false}");
  update();
  EXPECT_EQ(commands[1].torque, 0);
}

TEST_F(SerialProtocol, TellsTheStateAtItsRate) {
  start("{servAddr: 'tcp://localhost:0', writeRate: 20 Hz}");
  EXPECT_EQ(controller->settings().at("port").asInteger(), address().port);
  EXPECT_NE(address().port, 0);
  EXPECT_TRUE(log.mentions("listens on " + address().text()));
  EXPECT_FALSE(controller->settings().at("connected").asBool());
  Client client(address());
  ASSERT_TRUE(connectedWithin());
  std::vector<double> times;
  while (times.size() < 5) {
    update();
    // Every message is waited for, so that no newer one takes its place.
    if (client.receive(0.02) && client.report.t) times.push_back(*client.report.t);
  }
  for (std::size_t i = 1; i < times.size(); ++i) EXPECT_NEAR(times[i] - times[i - 1], 0.05, 1e-9);
  EXPECT_EQ(client.report.dt, 0.05);
  EXPECT_EQ(client.report.qcmd, (std::vector<double>{q[0], q[1]}));
  EXPECT_EQ(client.report.dqcmd, (std::vector<double>{0, 0}));
  ASSERT_EQ(client.report.numSensors, 2u);
  EXPECT_EQ(client.report.sensors[0].name, "q");
  EXPECT_EQ(client.report.sensors[0].values, sensedQ);
  EXPECT_EQ(client.report.sensors[1].name, "dq");
}

TEST_F(SerialProtocol, SaysWhichSettingsHaveNoEffect) {
  start("{servAddr: ':0', writeRate: 300 Hz}");
  EXPECT_TRUE(
      log.mentions("messages are sent 100 times a second in place of 300: one an update of the controller at "
                   "most"));
  const RobotPtr floating = Robot::compile(test::bipedDescription());
  const VectorXd start = floating->initialConfiguration();
  const auto startFloating = [&](const char* settings) {
    log.lines.clear();
    create(settings)->start({*floating, period, start, Vector3d(0, 0, -9.8), {}});
    return log.mentions("'enable_gravity_compensation' has no effect: the base of the robot floats");
  };
  EXPECT_TRUE(startFloating("{servAddr: ':0', enableGravityCompensation: true}"));
  EXPECT_FALSE(startFloating("{servAddr: ':0'}")) << "nobody asked for it";
}

TEST_F(SerialProtocol, PositionsWithVelocitiesAndTorques) {
  start();
  Client client(address());
  ASSERT_TRUE(client.send(R"({"qcmd": [0.5, -0.25]})"));
  ASSERT_TRUE(commanded(0.5));
  EXPECT_EQ(commands[1].position, -0.25);
  EXPECT_EQ(commands[1].torque, 0);
  ASSERT_TRUE(client.send(R"({"qcmd": [0.6, -0.25], "dqcmd": [1, 2], "torquecmd": [3, 4]})"));
  ASSERT_TRUE(commanded(0.6));
  EXPECT_EQ(commands[0].mode, Mode::pid);
  EXPECT_EQ(commands[1].velocity, 2);
  EXPECT_EQ(commands[1].torque, 4);
}

TEST_F(SerialProtocol, VelocitiesForATime) {
  start();
  Client client(address());
  ASSERT_TRUE(client.send(R"({"dqcmd": [1, -2], "tcmd": 0.25})"));
  ASSERT_TRUE(updateUntil([&] { return commands[0].velocity == 1; }));
  EXPECT_EQ(commands[0].position, q[0]);
  for (int i = 0; i < 10; ++i) update();
  EXPECT_NEAR(commands[0].position, q[0] + 0.1, 1e-12);
  EXPECT_EQ(commands[1].velocity, -2);
  for (int i = 0; i < 20; ++i) update();
  EXPECT_NEAR(commands[0].position, q[0] + 0.25, 1e-12);
  EXPECT_NEAR(commands[1].position, q[1] - 0.5, 1e-12);
  EXPECT_EQ(commands[0].velocity, 0);
}

TEST_F(SerialProtocol, TorquesAndThenHoldingWhereTheRobotIs) {
  start();
  {
    Client client(address());
    ASSERT_TRUE(client.send(R"({"torquecmd": [3, 4]})"));
    ASSERT_TRUE(updateUntil([&] { return commands[0].mode == Mode::torque; }));
    EXPECT_EQ(commands[1].torque, 4);
    ASSERT_TRUE(reportTo(client));
    ASSERT_TRUE(reportTo(client));
    EXPECT_TRUE(client.report.qcmd.empty()) << client.last;
    sensedQ = {0.7, 0.8};
  }
  ASSERT_TRUE(updateUntil([&] { return commands[0].mode == Mode::pid; }));
  EXPECT_EQ(commands[0].position, 0.7);
  EXPECT_EQ(commands[1].position, 0.8);
}

TEST_F(SerialProtocol, ACommandOfAClientThatLeavesAtOnceCounts) {
  start();
  Client(address()).send(R"({"qcmd": [0.5, -0.25]})");
  ASSERT_TRUE(commanded(0.5));
  ASSERT_TRUE(updateUntil([&] { return !controller->settings().at("connected").asBool(); }));
  EXPECT_EQ(commands[1].position, -0.25);
}

TEST_F(SerialProtocol, Settings) {
  start();
  Client client(address());
  const auto answer = [&](std::string_view text) {
    EXPECT_TRUE(client.send(text));
    EXPECT_TRUE(updateUntil([&] {
      while (client.receive(0))
        if (!client.report.t) return true;
      return false;
    }));
    return client.last;
  };
  EXPECT_EQ(answer(R"({"setting": "writeRate"})"), R"({"setting":["writeRate",10]})");
  EXPECT_EQ(answer(R"({"setting": ["writeRate", 50]})"), R"({"setting":["writeRate",50]})");
  EXPECT_EQ(controller->settings().at("write_rate").asReal(), 50);
  EXPECT_EQ(answer(R"({"setting": "connected"})"), R"({"setting":["connected",true]})");
  answer(R"({"setting": ["servAddr", "tcp://0.0.0.0:1"]})");
  EXPECT_EQ(client.report.error, "not_allowed");
  answer(R"({"setting": "color"})");
  EXPECT_EQ(client.report.error, "unknown_setting");
  for (const char* wrong : {"-1", "\"fast\"", "1e300", "null", "[]"}) {
    answer(std::string(R"({"setting": ["writeRate", )") + wrong + "]}");
    EXPECT_EQ(client.report.error, "wrong_value") << wrong;
  }
  EXPECT_EQ(controller->settings().at("write_rate").asReal(), 50);
}

TEST_F(SerialProtocol, SensorsThatAreNamed) {
  start("{servAddr: ':0', sensors: [dq]}");
  Client client(address());
  ASSERT_TRUE(reportTo(client));
  ASSERT_EQ(client.report.numSensors, 1u);
  EXPECT_EQ(client.report.sensors[0].name, "dq");
  EXPECT_THROW(start("{servAddr: ':0', sensors: [camera]}"), Error);
}

TEST_F(SerialProtocol, SettingsOfTheProgram) {
  start();
  const int port = address().port;
  EXPECT_TRUE(controller->changeSetting("writeRate", Value(25.0)));
  EXPECT_TRUE(controller->changeSetting("servAddr", Value(":0")));
  EXPECT_NE(address().port, port);
  EXPECT_TRUE(controller->changeSetting("servAddr", Value("")));
  EXPECT_FALSE(controller->settings().at("listening").asBool());
  EXPECT_THROW(controller->changeSetting("lockstep", Value(true)), Error);
  EXPECT_THROW(controller->changeSetting("servAddr", Value("nowhere")), Error);
  EXPECT_THROW(controller->changeSetting("timeout", Value(0.0)), Error);
  EXPECT_FALSE(controller->changeSetting("port", Value(1)));
  update();
  EXPECT_EQ(commands[0].position, q[0]);
}

TEST_F(SerialProtocol, SavesAndRestoresTheLastCommand) {
  start();
  Client client(address());
  ASSERT_TRUE(client.send(R"({"dqcmd": [1, -2], "tcmd": 100})"));
  ASSERT_TRUE(updateUntil([&] { return commands[0].velocity == 1; }));
  ByteWriter saved;
  controller->save(saved);
  const std::int64_t tick = input.tick;
  for (int i = 0; i < 10; ++i) update();
  const std::vector<ActuatorCommand> then = commands;
  ByteReader reader(saved.bytes());
  controller->restore(reader);
  EXPECT_TRUE(reader.atEnd());
  ByteWriter again;
  controller->save(again);
  EXPECT_EQ(again.bytes(), saved.bytes());
  input.tick = tick;
  for (int i = 0; i < 10; ++i) update();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(commands[i].position, then[i].position);
    EXPECT_EQ(commands[i].velocity, then[i].velocity);
  }
  // Bytes that nobody saved either are refused or leave finite commands.
  for (std::size_t at = 0; at < saved.bytes().size(); ++at) {
    auto bytes = saved.bytes();
    bytes[at] = std::byte{0xff};
    ByteReader hostile(bytes);
    try {
      controller->restore(hostile);
    } catch (const Error&) {
    }
    update();
    EXPECT_TRUE(std::isfinite(commands[0].position) && std::isfinite(commands[0].velocity)) << at;
    ByteReader tooShort(std::span(saved.bytes()).first(at));
    EXPECT_THROW(controller->restore(tooShort), Error);
  }
}

TEST_F(SerialProtocol, UpdatesAllocateNothing) {
  start("{servAddr: ':0', writeRate: 0}");
  Client client(address());
  ASSERT_TRUE(connectedWithin());
  const std::string command = test::frameOf(R"({"qcmd": [0.5, -0.25], "dqcmd": [0.125, 3], "torquecmd": [3, 4]})");
  std::size_t before = 0;
  const int rounds = 600;
  for (int i = 0; i < rounds; ++i) {
    if (i == rounds / 2) before = test::allocationCount;
    client.connection.send(command);
    update();
    while (const auto text = client.connection.receive(i % 4 == 0 ? 0.002 : 0))
      remote::readReport(*text, client.report);
  }
  EXPECT_EQ(test::allocationCount, before) << "of both threads, in " << rounds / 2 << " updates";
  EXPECT_EQ(commands[0].position, 0.5);
}

}  // namespace
}  // namespace mortise
