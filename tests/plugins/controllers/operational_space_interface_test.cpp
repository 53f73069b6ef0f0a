// Operational space control: settings, commands, snapshots, mistakes.

#include <filesystem>

#include "mortise/base/files.h"
#include "mortise/loading/format_loader.h"
#include "tests/plugins/controllers/operational_space_fixture.h"
#include "tests/support/allocation_counter.h"

namespace mortise {
namespace {

using namespace test::operational;

TEST_F(OperationalSpaceTest, RepeatsBitForBitFromASnapshot) {
  RobotDescription description = arm_;
  for (Driver& driver : description.drivers) {
    driver.torqueMin = -15;
    driver.torqueMax = 15;
  }
  const World world = worldOf(description);
  const char* settings = R"({tasks: [
    {type: link, name: tip, link: rod2, point: [0.5, 0, 0], axes: xz, kP: 400},
    {type: joint, name: posture, kP: 25, priority: 2}]})";
  auto simulation = simulate(world, "mortise", settings);
  simulation->advance(0.2);
  Controller& controller = *simulation->controller(0);
  controller.command("set_target", yaml("{task: tip, position: [0.8, 0, 1.9], velocity: [0.1, 0, 0]}"));
  controller.command("set_gains", yaml("{task: posture, kP: 70, priority: 3, weight: 2}"));
  controller.command("add_contact", yaml("{link: rod0, points: [[0.2, 0, 0]], normal: [0, 0, 1]}"));
  controller.command("disable", yaml("posture"));
  ASSERT_TRUE(controller.changeSetting("damping", Value(2.5)));
  simulation->advance(0.1);
  const std::vector<std::byte> snapshot = simulation->save();
  const Value before = controller.settings();
  simulation->advance(0.3);
  const std::uint64_t hash = simulation->stateHash();
  // In another simulation, which knows nothing of the commands.
  auto other = simulate(world, "mortise", settings);
  other->restore(snapshot);
  EXPECT_EQ(other->controller(0)->settings(), before);
  other->advance(0.3);
  EXPECT_EQ(other->stateHash(), hash);
}

TEST_F(OperationalSpaceTest, DamagedSnapshotsAreRefused) {
  const char* settings = R"({tasks: [{type: link, name: tip, link: rod2, control: pose}, {type: com, priority: 2}],
    contacts: [{link: rod0, points: [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0]]}]})";
  auto controller = started(settings);
  update(*controller, q_, VectorXd::Zero(3));
  ByteWriter out;
  controller->save(out);
  const std::vector<std::byte> good = out.bytes();
  {
    ByteReader in(good);
    controller->restore(in);
    EXPECT_TRUE(in.atEnd());
  }
  RandomStream random(13, "damage");
  int refused = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::vector<std::byte> bytes = good;
    if (trial % 3 == 0) bytes.resize(static_cast<std::size_t>(random.uniform(0, 1) * static_cast<double>(good.size())));
    for (int k = 0; k < 1 + trial % 4 && !bytes.empty(); ++k)
      bytes[static_cast<std::size_t>(random.uniform(0, 0.999) * static_cast<double>(bytes.size()))] =
          trial % 2 == 0 ? std::byte{0xff} : static_cast<std::byte>(random.uniform(0, 255.9));
    try {
      ByteReader in(bytes);
      controller->restore(in);
      update(*controller, q_, VectorXd::Zero(3));
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
  ByteReader in(good);
  controller->restore(in);
  update(*controller, q_, VectorXd::Zero(3));
  ByteWriter again;
  controller->save(again);
  EXPECT_EQ(again.bytes().size(), good.size());
}

/// A floating box of 10 kg on one leg of three joints with a flat foot.
RobotDescription hopper() {
  RobotDescription robot;
  robot.name = "hopper";
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  const Vector3d axes[] = {x, y, z, z, y, x, x, y, y};
  for (int i = 0; i < 9; ++i) {
    Link link;
    link.name = "link" + std::to_string(i);
    link.parent = i - 1;
    link.axis = axes[i];
    if (i < 3) link.motion = LinkMotion::prismatic;
    if (i == 5) link.inertia = test::boxInertia(10, Vector3d(0.3, 0.4, 0.2));
    if (i > 5) link.inertia = test::boxInertia(1, Vector3d(0.1, 0.1, 0.1));
    if (i == 7) link.X_PL0.p = Vector3d(0.25, 0, -0.25);
    if (i == 8) link.X_PL0.p = Vector3d(-0.25, 0, -0.25);
    robot.links.push_back(link);
  }
  robot.joints.push_back({JointType::floating, 5, -1});
  for (int i = 6; i < 9; ++i) {
    robot.joints.push_back({JointType::normal, i, -1});
    Driver driver;
    driver.name = robot.links[i].name;
    driver.links = {i};
    driver.torqueMin = -200;
    driver.torqueMax = 200;
    robot.drivers.push_back(driver);
  }
  return robot;
}

TEST_F(OperationalSpaceTest, ForcesOfThePlanPressAndStayInTheCone) {
  robot_ = Robot::compile(hopper());
  q_ = VectorXd::Zero(9);
  RobotDynamics dynamics(robot_);
  dynamics.setPosition(q_);
  const Vector3d com = dynamics.centerOfMass();
  auto controller = started(R"({contacts: [{link: 8, name: foot, friction: 0.4,
    points: [[0.1, 0.05, -0.05], [0.1, -0.05, -0.05], [-0.1, 0.05, -0.05], [-0.1, -0.05, -0.05]]}],
    tasks: [{type: com, kP: 50}]})");
  RandomStream random(21, "forces");
  int sliding = 0;
  for (int trial = 0; trial < 200; ++trial) {
    // Small steps can be had, large ones ask for more than friction and an upright foot can give.
    const double maximum = trial % 2 == 0 ? 0.01 : 1.0;
    Vector3d step(random.uniform(-maximum, maximum), random.uniform(-maximum, maximum),
                  random.uniform(-maximum, maximum));
    if (trial % 2 == 0) step.y() = 0;
    Value target = Value::map();
    target.set("task", "com");
    target.set("position", Value(std::vector<double>{com.x() + step.x(), com.y() + step.y(), com.z() + step.z()}));
    ASSERT_TRUE(controller->command("set_target", target));
    update(*controller, q_, VectorXd::Zero(9));
    const std::vector<double>& f = channels_.all().find("test/foot.force")->second;
    ASSERT_EQ(f.size(), 3u);
    EXPECT_GE(f[2], -1e-9);
    EXPECT_LE(std::hypot(f[0], f[1]), 0.4 * f[2] + 1e-9) << trial;
    sliding += std::hypot(f[0], f[1]) > 0.27 * f[2];
    for (const ActuatorCommand& command : commands_) ASSERT_LE(std::abs(command.torque), 200);
    if (trial % 2 != 0) continue;
    // Newton: the ground gives what the weight and the acceleration of the center of mass take.
    const Vector3d expected = robot_->totalMass() * (Vector3d(0, 0, 9.8) + 50 * step);
    EXPECT_LT((Vector3d(f[0], f[1], f[2]) - expected).norm(), 1e-6 * expected.norm()) << trial;
  }
  EXPECT_GT(sliding, 20) << "friction is all used";
}

TEST_F(OperationalSpaceTest, UpdateAllocatesNothing) {
  auto controller = started(R"({tasks: [{type: link, name: tip, link: rod2, control: pose, kP: 10000}, {type: com},
    {type: joint, priority: 2}, {type: torque, priority: 3}], contacts: [{link: rod0, points: [[0.2, 0, 0]]}]})");
  RobotState state(*robot_);
  ControllerInput input;
  input.estimate = &state;
  commands_.resize(3);
  RandomStream random(2, "allocation");
  std::size_t before = 0;
  for (int k = 0; k < 200; ++k) {
    for (int i = 0; i < 3; ++i) {
      state.q[i] = random.uniform(-1, 1);
      state.dq[i] = random.uniform(-1, 1);
    }
    updateFrames(*robot_, state);
    if (k == 20) before = test::allocationCount;
    controller->update(input, 1e-3, commands_);
  }
  EXPECT_EQ(test::allocationCount - before, 0u);
}

TEST_F(OperationalSpaceTest, MistakesAreNamedWithTheirPlace) {
  const auto expectAll = [&](const std::string& settings, std::initializer_list<const char*> words) {
    const std::string text = startError(settings);
    for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " in:\n" << text;
  };
  expectAll("tasks:\n  - {type: link, lnk: rod2}\n", {"test:2", "'lnk'", "link"});
  expectAll("tasks:\n  - {type: joint, kP: -3}\n", {"test:2:", "kP"});
  expectAll("tasks:\n  - {type: lnik}\n", {"test:2:", "lnik", "link"});
  expectAll("tasks:\n  - {name: posture}\n", {"test:2:", "type"});
  expectAll("tasks:\n  - {type: link, link: rod9}\n", {"test:2:", "rod9", "rod"});
  expectAll("tasks:\n  - {type: link, link: rod2, axes: xw}\n", {"test:2:", "xw"});
  expectAll("tasks:\n  - {type: link, link: rod2, orientation: [1, 2]}\n", {"test:2:", "orientation"});
  expectAll("tasks:\n  - {type: link, link: rod2, orientation: [1, 0, 0, 0, 1, 0, 0, 1, 0]}\n",
            {"test:2:", "rotation"});
  expectAll("tasks:\n  - {type: joint, position: [1, 2]}\n", {"test:2:", "position", "3"});
  expectAll("tasks:\n  - {type: joint, links: [rod0, rod0]}\n", {"test:2:", "twice"});
  expectAll("tasks:\n  - {type: com, name: a}\n  - {type: com, name: a}\n", {"test:3:", "already"});
  expectAll("tasks:\n  - {type: com, priority: 0}\n  - {type: link}\n", {"test:2:", "test:3:", "priority"});
  expectAll("contacts:\n  - {link: rod0, points: [[0, 0]]}\n", {"test:2:", "three numbers"});
  expectAll("contacts:\n  - {link: rod0, points: [[0, 0, 0]], fricton: 1}\n", {"test:2:", "friction"});
  expectAll("tasks: 3\n", {"tasks", "list"});
  expectAll("file: nothing.yaml\n", {"nothing.yaml"});
  EXPECT_EQ(startError("{}"), "");
  auto controller = create("{}");
  controller->start({*robot_, 1e-3, q_});
  EXPECT_THROW(controller->update({}, 1e-3, commands_), Error) << "no estimate";
}

TEST_F(OperationalSpaceTest, CommandsAndSettings) {
  auto controller = started("{tasks: [{type: link, name: tip, link: rod2, kP: 50}, {type: torque, name: bias}]}");
  const Value start = controller->settings();
  EXPECT_EQ(start.at("tip.kD").asReal(), 2 * std::sqrt(50.0)) << "critical damping";
  EXPECT_EQ(start.findPath("gravity.2")->asReal(), -9.8);
  const auto expectError = [&](const char* command, const char* arguments, const char* word) {
    try {
      controller->command(command, yaml(arguments));
      ADD_FAILURE() << command << arguments;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  expectError("set_target", "{task: tpi, position: [0, 0, 0]}", "tip");
  expectError("set_target", "{task: tip, postion: [0, 0, 0]}", "position");
  expectError("set_target", "{task: tip, position: [0, 0]}", "3");
  expectError("set_target", "{task: tip}", "nothing but the task");
  expectError("set_target", "tip", "nothing but the task");
  expectError("set_gains", "{task: bias}", "weight");
  expectError("set_target", "{task: tip, position: [0, 0, .nan]}", "nan");
  expectError("set_gains", "{task: tip, kP: -1}", "kP");
  expectError("set_gains", "{task: tip, priority: 1.5}", "priority");
  expectError("add_contact", "{link: rod0}", "points");
  expectError("remove_contact", "{contact: rod0}", "rod0");
  EXPECT_EQ(controller->settings(), start) << "what is refused changes nothing";
  EXPECT_TRUE(controller->command("disable", yaml("[tip]"))) << "as the command line has it";
  EXPECT_TRUE(controller->command("enable", yaml("tip")));
  EXPECT_EQ(controller->settings(), start);
  EXPECT_FALSE(controller->command("fly", Value()));
  EXPECT_FALSE(controller->changeSetting("height", Value(1)));
  EXPECT_FALSE(controller->changeSetting("tip.color", Value(1)));
  EXPECT_TRUE(controller->changeSetting("tip.kP", Value(81.0)));
  EXPECT_TRUE(controller->changeSetting("tip.position", yaml("[1, 2, 3]")));
  EXPECT_TRUE(controller->changeSetting("tip.enabled", Value(false)));
  EXPECT_TRUE(controller->changeSetting("gravity", Value("0 0 -1.6")));
  EXPECT_THROW(controller->changeSetting("singularity", Value(2.0)), Error);
  EXPECT_TRUE(controller->command("set_target", yaml("{task: bias, torque: [1, 2, 3]}")));
  const Value now = controller->settings();
  EXPECT_EQ(now.at("tip.kP").asReal(), 81);
  EXPECT_EQ(now.at("tip.position")[1].asReal(), 2);
  EXPECT_FALSE(now.at("tip.enabled").asBool());
  EXPECT_EQ(now.findPath("gravity.2")->asReal(), -1.6);
  update(*controller, q_, VectorXd::Zero(3));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(commands_[i].torque, 1 + i, 1e-9) << "the torque task, alone";
  for (const auto& [name, help] : controller->commands()) EXPECT_FALSE(help.empty()) << name;
  // From the start again: as the settings say.
  controller->start({*robot_, 1e-3, q_});
  EXPECT_EQ(controller->settings(), start);
}

TEST_F(OperationalSpaceTest, TasksFromAFile) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "operational_space";
  std::filesystem::create_directories(folder);
  writeFile(folder / "tasks.yaml", "- {type: com, name: balance}\n");
  writeFile(folder / "both.yaml", "tasks:\n  - {type: com}\ncontacts:\n  - {link: rod0, points: [[0, 0, 0]]}\n");
  writeFile(folder / "wrong.yaml", "tasks:\n  - {type: com, kp: 3}\n");
  FormatLoader loader(*registry_, log_);
  ComponentHost host("test", 1, log_, &loader, channels_, (folder / "world.xml").string(), {});
  const auto startWith = [&](const std::string& settings) {
    const ComponentInfo& info = registry_->require(Kind::controller, "OperationalSpaceController");
    Diagnostics diagnostics;
    const Value complete = registry_->completeSettings(info, yaml(settings), diagnostics);
    diagnostics.throwIfErrors();
    auto controller = registry_->create<Controller>(info, complete, host);
    controller->start({*robot_, 1e-3, q_});
    return controller->settings();
  };
  EXPECT_EQ(startWith("{file: tasks.yaml}").at("balance.type").asString(), "com");
  const Value both = startWith("{file: both.yaml, tasks: [{type: joint}]}");
  EXPECT_TRUE(both.contains("com.kP") && both.contains("joint.kP"));
  EXPECT_EQ(both.at("contacts").size(), 1u);
  try {
    startWith("{file: wrong.yaml}");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("wrong.yaml:2:"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace mortise
