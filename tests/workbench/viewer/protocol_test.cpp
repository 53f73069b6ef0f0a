// Messages of the viewer: what pages say is read whole or refused by name, what they are told is written as ever, and
// the page's own declarations are those of the server.

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/viewer/protocol/page_message.h"
#include "mortise/viewer/protocol/write_message.h"
#include "tests/support/page_messages.h"
#include "tests/workbench/viewer/typescript_protocol.h"

namespace mortise::viewer {
namespace {

/// A value that a parameter takes.
Value exampleOf(const Parameter& parameter) {
  const double number = std::max(parameter.options.min, 1.0);
  switch (parameter.type) {
    case ParameterType::boolean:
      return true;
    case ParameterType::integer:
      return static_cast<int>(number);
    case ParameterType::real:
      return number;
    case ParameterType::string:
      return parameter.options.choices.empty() ? Value("words") : Value(parameter.options.choices.front());
    case ParameterType::realList:
      return parameter.options.size == 12 ? std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4}
                                          : std::vector<double>(std::max(parameter.options.size, 3), 0.5);
    default:
      return SettingType<message::Corners>::value(
          {Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ(), Vector3d(1, 1, 1)});
  }
}

/// Calls `visit` with the type and the parameters of every message of pages.
template <typename Visit>
void forEachRequest(const Visit& visit) {
  const auto one = [&]<typename Request>(const Request*, bool posing) {
    Request request;
    message::PoseCommon common;
    SettingBinder binder;
    request.bind(binder);
    if (posing) common.bind(binder);
    Schema schema;
    binder.declare(schema);
    visit(std::string(Request::type), schema.parameters());
  };
  one(static_cast<const message::Drawn*>(nullptr), false);
  [&]<typename... R>(const std::variant<R...>*) {
    (one(static_cast<const R*>(nullptr), false), ...);
  }(static_cast<const message::LiveRequest*>(nullptr));
  [&]<typename... R>(const std::variant<R...>*) {
    (one(static_cast<const R*>(nullptr), false), ...);
  }(static_cast<const message::ProgramRequest*>(nullptr));
  [&]<typename... R>(const std::variant<R...>*) {
    (one(static_cast<const R*>(nullptr), true), ...);
  }(static_cast<const message::PoseRequest*>(nullptr));
}

Value exampleMessage(const std::string& type, const std::vector<Parameter>& parameters) {
  Value message = Value::map();
  message.set("type", type);
  for (const Parameter& parameter : parameters) message.set(parameter.name, exampleOf(parameter));
  return message;
}

std::string refusal(const Value& message) {
  try {
    readPageMessage(message);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ViewerProtocol, EveryMessageIsReadWhole) {
  int count = 0;
  forEachRequest([&](const std::string& type, const std::vector<Parameter>& parameters) {
    const Value message = exampleMessage(type, parameters);
    EXPECT_EQ(refusal(message), "") << type;
    EXPECT_EQ(typeOf(readPageMessage(message)), type);
    ++count;
  });
  EXPECT_GT(count, 40);
  const PageMessage drag = test::pageMessage(
      "{type: drag, n: 5, gesture: 2, robot: 1, balance: true, held: 3, link: 4, point: [1, 2, 3], target: [4, 5, 6], "
      "hold: true}");
  const auto& pose = std::get<message::PoseMessage>(drag);
  EXPECT_EQ(pose.common.n, 5);
  EXPECT_EQ(pose.common.gesture, 2);
  EXPECT_EQ(pose.common.robot, 1);
  EXPECT_TRUE(pose.common.balance);
  EXPECT_EQ(pose.common.held, 3);
  const auto& request = std::get<message::Drag>(pose.request);
  EXPECT_EQ(request.link, 4);
  EXPECT_EQ(request.point, Vector3d(1, 2, 3));
  EXPECT_EQ(request.target, Vector3d(4, 5, 6));
  EXPECT_TRUE(request.hold);
  EXPECT_FALSE(request.base);
}

TEST(ViewerProtocol, WhatIsWrongIsNamedWithWhatWasExpected) {
  forEachRequest([&](const std::string& type, const std::vector<Parameter>& parameters) {
    for (const Parameter& parameter : parameters) {
      Value message = exampleMessage(type, parameters);
      message.set(parameter.name, Value::map());
      const std::string wrong = refusal(message);
      EXPECT_NE(wrong.find("'" + parameter.name + "'"), std::string::npos) << type << ": " << wrong;
      EXPECT_NE(wrong.find("expected "), std::string::npos) << type << ": " << wrong;
      if (!parameter.options.required) continue;
      std::erase_if(message.entries(), [&](const Value::Entry& entry) { return entry.key == parameter.name; });
      const std::string missing = refusal(message);
      EXPECT_NE(missing.find("'" + parameter.name + "'"), std::string::npos) << type << ": " << missing;
      EXPECT_NE(missing.find("missing"), std::string::npos) << type << ": " << missing;
    }
    Value message = exampleMessage(type, parameters);
    message.set("nonsense", 1);
    EXPECT_NE(refusal(message).find("unknown key 'nonsense'"), std::string::npos) << type;
  });
}

TEST(ViewerProtocol, RefusesWhatIsOutOfBoundsAndWhatIsNoMessage) {
  for (const char* text : {"[]",
                           "7",
                           "{}",
                           "{type: 5}",
                           "{type: fly}",
                           "{type: step, count: 0}",
                           "{type: step, count: 1e6}",
                           "{type: step, count: 1.5}",
                           "{type: speed, speed: -1}",
                           "{type: speed, speed: .inf}",
                           "{type: pull, id: -1, point: [0, 0, 0], target: [0, 0, 0]}",
                           "{type: pull, id: 1, point: [0, 0], target: [0, 0, 0]}",
                           "{type: pull, id: 1, point: [0, 0, .nan], target: [0, 0, 0]}",
                           "{type: go}",
                           "{type: driver, driver: -1, value: 0}",
                           "{type: driver, driver: 99999999999, value: 0}",
                           "{type: place, T: [1, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0]}",
                           "{type: store, kind: chair}",
                           "{type: milestone, resource: 0, action: move, at: 0}",
                           "{type: finger, resource: 0, link: 1}",
                           "{type: contact, origin: [0, 0, 0]}",
                           "{type: contact, origin: [0, 0, 0], direction: [0, 0, 0]}",
                           "{type: contact, origin: [0, 0, 0], patch: [[0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 0, 1]]}",
                           "{type: contact, origin: [0, 0, 0], id: 1, patch: [[0, 0, 1]]}",
                           "{type: friction, resource: 0, value: -1}",
                           "{type: control}",
                           "{type: control, id: gain, number: .nan}",
                           "{type: dragged, name: goal, T: [1, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0]}",
                           "{type: picked, origin: [0, 0, 0]}"})
    EXPECT_THROW(test::pageMessage(text), Error) << text;
  try {
    test::pageMessage("{type: pul}");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find("pull"), std::string::npos) << error.what();
  }
}

TEST(ViewerProtocol, PagesAreToldAsEver) {
  EXPECT_EQ(jsonOf(message::Hello{}), R"({"type":"hello","channels":[],"sensors":[]})");
  EXPECT_EQ(jsonOf(message::Cut{7}), R"({"type":"cut","tick":7})");
  EXPECT_EQ(jsonOf(message::Reload{}), R"({"type":"reload"})");
  EXPECT_EQ(jsonOf(message::Problem{"no \"way\"", {}}), R"({"type":"problem","text":"no \"way\""})");
  message::Status status;
  status.speed = 0.5;
  status.canStep = true;
  EXPECT_EQ(
      jsonOf(status),
      R"({"type":"status","paused":false,"over":false,"speed":0.5,"can_go_back":false,"can_step":true,"fault":""})");
  message::State state;
  state.q = {{1, 2.5}};
  state.collisions = {{3, 4}};
  state.robots.emplace().resize(1);
  state.robots->front().drivers = {{"a", {-1}, {HUGE_VAL}}};
  const Value read = parseYaml(jsonOf(state), "state");
  EXPECT_EQ(read.at("q")[0].asReals(), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(read.at("collisions")[0][1].asInteger(), 4);
  const Value& driver = read.at("robots")[0].at("drivers")[0];
  EXPECT_EQ(driver.at("min").asReal(), -1);
  EXPECT_TRUE(driver.contains("max") && driver.at("max").isNull()) << "no limit";
  for (const char* absent : {"n", "path", "mesh", "resources", "problem"})
    EXPECT_FALSE(read.contains(absent)) << absent;
  message::LogList list;
  list.session = SessionKind::pose;
  list.version = 2;
  list.logs = {{"a", "log/0", {}}};
  EXPECT_EQ(jsonOf(list), R"({"session":"pose","version":2,"logs":[{"name":"a","path":"log/0"}]})");
}

TEST(ViewerProtocol, ThePageDeclaresWhatTheServerDoes) {
  const std::string file = MORTISE_SOURCE_DIR "/viewer/src/data/protocol.ts", text = typescriptProtocol();
  if (std::getenv("MORTISE_UPDATE_PROTOCOL") != nullptr) writeFile(file, text);
  EXPECT_TRUE(readFile(file) == text) << "write viewer/src/data/protocol.ts anew: MORTISE_UPDATE_PROTOCOL=1 "
                                         "test_workbench_viewer --gtest_filter=ViewerProtocol.*";
}

}  // namespace
}  // namespace mortise::viewer
