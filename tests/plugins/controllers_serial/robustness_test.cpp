#include <random>

#include "serial_test.h"

namespace mortise {
namespace {

using test::Client;
using Mode = ActuatorCommand::Mode;

class SerialRobustness : public test::SerialTest {
 protected:
  /// A new client gets the state and can command.
  void expectServing() {
    Client client(address());
    EXPECT_TRUE(reportTo(client)) << "no state for a new client";
    const double position = 0.001 * ++asked_;
    EXPECT_TRUE(client.send("{\"qcmd\": [" + formatReal(position) + ", 0]}"));
    EXPECT_TRUE(updateUntil([&] { return commands[0].position == position; })) << "a new client cannot command";
  }

 private:
  int asked_ = 0;
};

/// Something that is no command, or hardly one.
std::string hostileBytes(std::mt19937& random) {
  const std::string good = R"({"qcmd": [1.5, -2e-3], "dqcmd": [0, 0], "torquecmd": [1, 2]})";
  const auto number = [&](unsigned limit) { return static_cast<std::size_t>(random() % limit); };
  switch (random() % 12) {
    case 0: {  // Noise with a right length.
      std::string text(number(200), '\0');
      for (char& c : text) c = static_cast<char>(random());
      return test::frameOf(text);
    }
    case 1:
      return test::frameOf(good.substr(0, number(static_cast<unsigned>(good.size()))));  // Truncated text.
    case 2:
      return test::frameOf(good).substr(0, number(static_cast<unsigned>(good.size())));  // Truncated frame.
    case 3:
      return test::frameOf(std::string(2 + number(2000), '['));
    case 4:
      return test::frameOf(std::string(4097 + number(1000), ' '));  // Longer than allowed.
    case 5:
      return "\xff\xff\xff\xff" + good;
    case 6: {  // Noise instead of a length.
      std::string bytes(1 + number(12), '\0');
      for (char& c : bytes) c = static_cast<char>(random());
      return bytes;
    }
    case 7:
      return test::frameOf(R"({"qcmd": [1e999, NaN]})");
    case 8:
      return test::frameOf(R"({"qcmd": [1, 2, 3, 4, 5, 6]})");
    case 9:
      return test::frameOf(R"({"setting": ["servAddr", "tcp://0.0.0.0:1"]})");
    case 10:
      return test::frameOf("");
    default: {
      std::string text = good;
      text[number(static_cast<unsigned>(text.size()))] = static_cast<char>(random());
      return test::frameOf(text);
    }
  }
}

TEST_F(SerialRobustness, TenThousandHostileMessages) {
  start("{servAddr: ':0', maxMessageSize: 4096}");
  std::mt19937 random(2026);
  auto client = std::make_unique<Client>(address());
  int answers = 0, connections = 1;
  for (int i = 0; i < 10000; ++i) {
    if (client->connection.closed() || random() % 50 == 0) {
      client.reset();
      client = std::make_unique<Client>(address());
      ++connections;
    }
    client->connection.send(hostileBytes(random));
    while (client->receive(0)) answers += client->report.error.empty() ? 0 : 1;
    if (i % 10 == 0) update();
    for (const ActuatorCommand& command : commands)
      ASSERT_LE(std::abs(command.position), remote::kLargestCommand) << "after message " << i;
    if (i % 2500 == 2499) {
      client.reset();
      expectServing();
      client = std::make_unique<Client>(address());
    }
  }
  EXPECT_GT(answers, 0);  // Most are not waited for.
  EXPECT_GT(connections, 200);
  client.reset();
  expectServing();
}

TEST_F(SerialRobustness, WhatIsWrongIsAnsweredAndChangesNothing) {
  start();
  Client client(address());
  ASSERT_TRUE(client.send(R"({"qcmd": [0.5, 0]})"));
  ASSERT_TRUE(updateUntil([&] { return commands[0].position == 0.5; }));
  for (const auto& [text, code] :
       {std::pair("nonsense", "malformed"), std::pair(R"({"qcmd": [1]})", "wrong_size"),
        std::pair(R"({"qcmd": [1, 1e10]})", "out_of_range"), std::pair(R"({"dqcmd": [1, 1]})", "no_command")}) {
    ASSERT_TRUE(client.send(text));
    EXPECT_TRUE(client.receiveError(code)) << text;
    EXPECT_FALSE(client.report.message.empty());
    update();
    EXPECT_EQ(commands[0].position, 0.5);
  }
  ASSERT_TRUE(client.connection.send("\xff\xff\xff\x7f"));
  EXPECT_TRUE(client.receiveError("too_large"));
  EXPECT_FALSE(client.receive(test::kPatience));
  EXPECT_TRUE(client.connection.closed());
  expectServing();
}

TEST_F(SerialRobustness, TwoClientsFight) {
  start();
  auto first = std::make_unique<Client>(address());
  ASSERT_TRUE(reportTo(*first));
  Client second(address());
  ASSERT_TRUE(second.receiveError("busy"));
  ASSERT_TRUE(first->send(R"({"qcmd": [0.5, 0]})"));
  ASSERT_TRUE(updateUntil([&] { return commands[0].position == 0.5; }));
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(second.send(R"({"qcmd": [0.9, 0]})"));
    EXPECT_TRUE(second.receiveError("busy"));
    ASSERT_TRUE(first->send("{\"qcmd\": [" + formatReal(0.001 * i) + ", 0]}"));
    update();
    EXPECT_LT(commands[0].position, 0.6);
  }
  ASSERT_TRUE(updateUntil([&] { return commands[0].position == 0.199; }));
  first.reset();
  // The second one takes over without connecting anew.
  ASSERT_TRUE(reportTo(second));
  EXPECT_EQ(commands[0].position, 0.199);
  ASSERT_TRUE(second.send(R"({"qcmd": [0.9, 0]})"));
  EXPECT_TRUE(updateUntil([&] { return commands[0].position == 0.9; }));
}

TEST_F(SerialRobustness, ACrowdIsToldAndSentAway) {
  start();
  std::vector<std::unique_ptr<Client>> crowd;
  for (int i = 0; i < 40; ++i) crowd.push_back(std::make_unique<Client>(address()));
  EXPECT_TRUE(crowd.back()->receiveError("busy"));
  EXPECT_FALSE(crowd.back()->receive(test::kPatience));
  EXPECT_TRUE(crowd.back()->connection.closed());
  EXPECT_TRUE(reportTo(*crowd.front()));
  for (int i = 0; i < 500; ++i) {  // They keep their ends open.
    crowd.push_back(std::make_unique<Client>(address()));
    crowd.back()->send("{}");
  }
  crowd.clear();
  expectServing();
}

TEST_F(SerialRobustness, ClientsKilledMidMessage) {
  start();
  for (int i = 0; i < 100; ++i) {
    Client client(address());
    client.connection.send(test::frameOf(R"({"qcmd": [0.5, 0]})").substr(0, static_cast<std::size_t>(i) % 21));
    if (i % 7 == 0) update();
  }
  expectServing();
  EXPECT_NE(commands[0].position, 0.5);
}

TEST_F(SerialRobustness, AMessageThatIsNeverFinished) {
  start("{servAddr: ':0', timeout: 0.3}");
  Client client(address());
  ASSERT_TRUE(reportTo(client));
  ASSERT_TRUE(client.connection.send(std::string_view("\x10\0\0\0{", 5)));
  EXPECT_TRUE(client.receiveError("timeout"));
  EXPECT_FALSE(client.receive(test::kPatience));
  EXPECT_TRUE(client.connection.closed());
  expectServing();
}

TEST_F(SerialRobustness, ASlowClientGetsTheNewestState) {
  sensedQ.resize(20000, 0.125);
  qChannels.resize(sensedQ.size(), "c");
  readings[0] = {"q", "X", qChannels, sensedQ};
  start("{servAddr: ':0', writeRate: 0, timeout: 120}");  // However slow the machine is.
  Client client(address());
  ASSERT_TRUE(connectedWithin());
  const std::int64_t before = input.tick;
  const int sent = 2000;  // Of 120 kB each.
  for (int i = 0; i < sent; ++i) update();
  // Reads on, slowly at first, until it has the newest one.
  const double newest = static_cast<double>(input.tick - 1) * period;
  int received = 0;
  double last = -1;
  while (last < newest && client.receive(test::kPatience)) {
    EXPECT_GT(*client.report.t, last);
    last = *client.report.t;
    ++received;
  }
  EXPECT_EQ(last, newest);
  EXPECT_LT(received, sent / 2) << "of " << input.tick - before;
}

TEST_F(SerialRobustness, AClientThatNeverReadsCanCommand) {
  start("{servAddr: ':0', writeRate: 0, timeout: 0.5}");
  sensedQ.resize(20000, 0.125);
  qChannels.resize(sensedQ.size(), "c");
  readings[0] = {"q", "X", qChannels, sensedQ};
  controller->start(setup());
  Client client(address());
  ASSERT_TRUE(connectedWithin());
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1500);
  int i = 0;
  while (std::chrono::steady_clock::now() < end) {
    ASSERT_TRUE(client.send("{\"qcmd\": [" + formatReal(0.001 * ++i) + ", 0]}"));
    update();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_TRUE(updateUntil([&] { return commands[0].position == 0.001 * i; }));
}

TEST_F(SerialRobustness, AClientThatIsSilentAndTakesNothingIsSentAway) {
  sensedQ.resize(200000, 0.125);
  qChannels.resize(sensedQ.size(), "c");
  readings[0] = {"q", "X", qChannels, sensedQ};
  start("{servAddr: ':0', writeRate: 0, timeout: 0.3}");
  Client asleep(address());
  ASSERT_TRUE(connectedWithin());
  Client next(address());
  EXPECT_TRUE(reportTo(next));
}

TEST_F(SerialRobustness, FloodsDoNotPileUp) {
  start();
  Client client(address());
  ASSERT_TRUE(connectedWithin());
  for (int i = 1; i <= 50000; ++i) ASSERT_TRUE(client.send("{\"qcmd\": [" + std::to_string(i) + ", 0]}"));
  // The newest is there at once when it has arrived.
  EXPECT_TRUE(updateUntil([&] { return commands[0].position == 50000; }));
}

TEST_F(SerialRobustness, SettingsThatNobodyAnswersHoldTheClientUp) {
  start();
  Client client(address());
  ASSERT_TRUE(connectedWithin());
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(client.send(R"({"setting": "writeRate"})"));
  int answers = 0;
  EXPECT_TRUE(updateUntil([&] {
    while (client.receive(0)) answers += client.report.t ? 0 : 1;
    return answers == 1000;
  })) << answers;
}

TEST_F(SerialRobustness, Reconnecting) {
  start();
  for (int i = 0; i < 100; ++i) {
    SCOPED_TRACE(i);
    expectServing();
  }
}

TEST_F(SerialRobustness, APortInUse) {
  start();
  const std::string taken = address().text();
  ComponentPtr<Controller> other = create("{servAddr: '" + taken + "'}");
  other->start(setup());
  EXPECT_FALSE(other->settings().at("listening").asBool());
  EXPECT_TRUE(log.mentions("nothing can listen on " + taken + ": arm/serial, of this very program, listens there"));
  EXPECT_TRUE(log.mentions("the robot holds its configuration"));
  std::vector<ActuatorCommand> held(2);
  input.sensors = readings;
  other->update(input, period, held);
  EXPECT_EQ(held[0].position, q[0]);
  for (const char* how : {"lockstep: true", "mustListen: true"}) {
    ComponentPtr<Controller> needs = create("{servAddr: '" + taken + "', " + how + "}");
    try {
      needs->start(setup());
      FAIL() << how;
    } catch (const Error& error) {
      EXPECT_NE(error.message().find(taken), std::string::npos);
      EXPECT_NE(error.hint().find("port 0"), std::string::npos);
    }
  }
  // Free again at once, whatever connections there were.
  Client client(address());
  ASSERT_TRUE(reportTo(client));
  controller.reset();
  other = create("{servAddr: '" + taken + "', mustListen: true}");
  EXPECT_NO_THROW(other->start(setup()));
}

TEST_F(SerialRobustness, WrongAddresses) {
  for (const char* wrong : {"3456", "udp://127.0.0.1:3456", "tcp://127.0.0.1:99999", "tcp://127.0.0.1"})
    EXPECT_THROW(create(std::string("{servAddr: '") + wrong + "'}"), Error) << wrong;
  EXPECT_THROW(create("{servAddr: '', lockstep: true}"), Error);
  EXPECT_THROW(start("{servAddr: 'no-such-host.invalid:0', mustListen: true}"), Error);
  EXPECT_NO_THROW(start("{servAddr: 'no-such-host.invalid:0'}"));
  EXPECT_THROW(create("{writeRate: -1}"), Error);
  EXPECT_THROW(create("{maxMessageSize: 3}"), Error);
}

TEST_F(SerialRobustness, ResetKeepsTheClient) {
  start();
  Client client(address());
  ASSERT_TRUE(client.send(R"({"qcmd": [0.5, 0]})"));
  ASSERT_TRUE(updateUntil([&] { return commands[0].position == 0.5; }));
  controller->start(setup());
  input.tick = 0;
  update();
  EXPECT_EQ(commands[0].position, q[0]);
  ASSERT_TRUE(client.send(R"({"qcmd": [0.6, 0]})"));
  EXPECT_TRUE(updateUntil([&] { return commands[0].position == 0.6; }));
}

}  // namespace
}  // namespace mortise
