#include <filesystem>

#include "mortise/loading/assemble_world.h"
#include "mortise/loading/format_loader.h"
#include "serial_test.h"
#include "tests/support/reference.h"
#include "tests/support/run_program.h"

namespace mortise {
namespace {

using test::Client;

class SerialLockstep : public test::SerialTest {
 protected:
  std::unique_ptr<Simulation> simulate(const std::string& settings, const char* backend = "mortise") {
    SimulationOptions options;
    options.backend = backend;
    options.stopRequested = [this] { return stop.load(); };
    ComponentOptions component;
    component.type = "SerialController";
    component.settings = parseYaml(settings, "test");
    options.components.push_back(component);
    return std::make_unique<Simulation>(world, *registry, nullptr, log, options);
  }
};

/// Pushes back and forth by what it senses, in all ways that there are, until the simulation ends.
void driveByFeedback(const remote::Address& address) {
  Client client(address);
  while (client.receive(test::kPatience)) {
    if (!client.report.t) continue;
    const double t = *client.report.t;
    const std::vector<double>& q = client.report.sensors[0].values;
    const auto pair = [](double a, double b) { return "[" + formatReal(a) + "," + formatReal(b) + "]"; };
    const int turn = static_cast<int>(t * 10 + 0.5) % 5;
    std::string command = "{\"qcmd\":" + pair(std::sin(t) - 0.1 * q[1], 0.5 * q[0]) + "}";
    if (turn == 1) command = "{\"torquecmd\":" + pair(-20 * q[0], 5 * q[1]) + "}";
    if (turn == 2) command = "{\"dqcmd\":" + pair(0.3 - q[0], q[1]) + ",\"tcmd\":0.05}";
    if (turn == 3) command = "{}";
    client.send(command);
  }
}

TEST_F(SerialLockstep, SameCommandsSameBits) {
  std::vector<std::uint64_t> hashes;
  for (int run = 0; run < 3; ++run) {
    const auto simulation = simulate("{servAddr: ':0', lockstep: true, writeRate: 20}");
    std::thread driver([&, at = addressOf(*simulation->controller(0))] { driveByFeedback(at); });
    simulation->advance(3);
    EXPECT_EQ(simulation->fault(), "");
    hashes.push_back(simulation->stateHash());
    if (run == 2) {  // And once more from the start, with the same client.
      simulation->reset();
      simulation->advance(3);
      hashes.push_back(simulation->stateHash());
    }
    EXPECT_GT(std::abs(simulation->configuration(0)[0] - q[0]), 0.01) << "nobody drove";
    simulation->controller(0)->changeSetting("servAddr", Value(""));
    driver.join();
  }
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]);
}

TEST_F(SerialLockstep, EveryCommandCountsInItsOrder) {
  start("{servAddr: ':0', lockstep: true, writeRate: 0}");
  Client client(address());
  // More than there is room for: the rest waits in the network.
  for (int i = 0; i < 200; ++i)
    ASSERT_TRUE(client.send("{\"setting\": \"port\", \"qcmd\": [" + std::to_string(i) + ", 0]}"));
  for (int i = 0; i < 200; ++i) {
    update();
    ASSERT_EQ(commands[0].position, i);
    while (client.receive(0)) {
    }
  }
}

TEST_F(SerialLockstep, WhatIsWrongIsNoAnswer) {
  start("{servAddr: ':0', lockstep: true}");
  Client client(address());
  for (const char* text : {"", "nonsense", R"({"qcmd": [1]})", R"({"setting": "writeRate"})", R"({"qcmd": [0.5, 0]})"})
    ASSERT_TRUE(client.send(text));
  update();
  EXPECT_EQ(commands[0].position, 0.5);
}

TEST_F(SerialLockstep, TheNextClientGoesOnWhereTheLastLeft) {
  start("{servAddr: ':0', lockstep: true, writeRate: 0}");
  auto first = std::make_unique<Client>(address());
  first->send(R"({"torquecmd": [1, 2]})");
  update();
  EXPECT_EQ(commands[0].mode, ActuatorCommand::Mode::torque);
  first.reset();
  std::thread later([&, at = address()] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    Client second(at);
    while (second.receive(test::kPatience) && !second.report.t) {
    }
    // It is told that the servos hold the place.
    EXPECT_EQ(second.report.qcmd, sensedQ);
    second.send("{}");
    second.receive(test::kPatience);
  });
  update();
  EXPECT_EQ(commands[0].mode, ActuatorCommand::Mode::pid);
  EXPECT_EQ(commands[0].position, sensedQ[0]);
  controller.reset();
  later.join();
}

TEST_F(SerialLockstep, WaitsAreBounded) {
  start("{servAddr: ':0', lockstep: true, timeout: 0.2, connectTimeout: 0.2}");
  try {
    update();
    FAIL() << "nobody is there";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("no client came within 0.2 s"), std::string::npos) << error.message();
    EXPECT_NE(error.hint().find(address().text()), std::string::npos) << error.hint();
  }
  Client client(address());
  input.tick = 1000;
  try {
    update();
    FAIL() << "it says nothing";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("the client sent no command within 0.2 s, at t = 10 s"), std::string::npos)
        << error.message();
  }
}

TEST_F(SerialLockstep, TheUserCanStopTheWait) {
  start("{servAddr: ':0', lockstep: true, connectTimeout: 1000}");
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  update();
  user.join();
  EXPECT_EQ(commands[0].position, q[0]);
}

TEST_F(SerialLockstep, AFaultOfTheClientIsOneOfTheRun) {
  const auto simulation = simulate("{servAddr: ':0', lockstep: true, connectTimeout: 0.1}");
  EXPECT_EQ(simulation->advance(1), StepStatus::error);
  EXPECT_NE(simulation->fault().find("no client came within"), std::string::npos) << simulation->fault();
}

TEST_F(SerialLockstep, WorldsWithoutClientsDoNotWait) {
  const auto simulation = simulate("{servAddr: ':0'}");
  simulation->advance(10);
  EXPECT_EQ(simulation->fault(), "");
  EXPECT_NEAR(simulation->configuration(0)[0], q[0], 1e-2);
}

TEST_F(SerialLockstep, WhetherAPortIsFreeDoesNotTell) {
  const auto first = simulate("{servAddr: ':0'}");
  const auto second = simulate("{servAddr: '" + addressOf(*first->controller(0)).text() + "'}");
  EXPECT_FALSE(second->controller(0)->settings().at("listening").asBool());
  const Value robot = second->controller(0)->settings();
  EXPECT_EQ(robot.at("links").size(), second->world().robots[0].robot->links().size());
  EXPECT_EQ(robot.at("drivers").size(), robot.at("driverLinks").size()) << "what a client needs to size its torques";
  EXPECT_EQ(robot.at("driverLinks")[0][0].asInteger(), second->world().robots[0].robot->driver(0).links[0]);
  // Clients that only listen do not tell, either.
  Client client(addressOf(*first->controller(0)));
  for (const auto& simulation : {first.get(), second.get()}) simulation->advance(1);
  EXPECT_EQ(first->stateHash(), second->stateHash());
}

TEST_F(SerialLockstep, ThePythonClientDrivesTx90) {
  MORTISE_NEEDS_REFERENCE();
  if (test::runProgram({"/usr/bin/env", "python3", "--version"}).exitCode != 0) GTEST_SKIP() << "there is no python3";
  const std::string file = test::referenceDir() + "/klampt-data/tx90serialinput.xml";
  std::vector<std::uint64_t> hashes;
  for (int run = 0; run < 2; ++run) {
    FormatLoader loader(*registry, log);
    Diagnostics diagnostics;
    world = assembleWorld(loader, {file}, diagnostics);
    auto& request = world.simulation.controllers.at(0).second;
    EXPECT_EQ(request.type, "SerialController");
    request.settings.set("servAddr", "tcp://127.0.0.1:0");
    request.settings.set("lockstep", "1");
    Simulation simulation(world, *registry, &loader, log, {});
    const std::string at = addressOf(*simulation.controller(0)).text();
    test::Ran ran;
    std::thread client([&] {
      ran = test::runProgram({"/usr/bin/env", "python3", MORTISE_SOURCE_DIR "/sdk/examples/clients/mortise_client.py",
                              "--connect", at, "--sway", "0.2"});
    });
    const VectorXd before = simulation.configuration(0);
    simulation.advance(10);
    EXPECT_EQ(simulation.fault(), "");
    hashes.push_back(simulation.stateHash());
    EXPECT_GT((simulation.configuration(0) - before).norm(), 0.01) << "nobody drove";
    simulation.controller(0)->changeSetting("servAddr", Value(""));
    client.join();
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    EXPECT_NE(ran.out.find("500 messages"), std::string::npos) << ran.out;
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace mortise
