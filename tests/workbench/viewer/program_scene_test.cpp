// Scenes of programs in pages: each page gets all of it once and then what changes; what cannot be shown, and what
// pages may not say, is refused.

#include "mortise/viewer/programs/program_scene.h"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/simulation/saving/saved_state.h"
#include "mortise/viewer/programs/program_session.h"
#include "tests/support/page_messages.h"

namespace mortise::viewer {
namespace {

template <typename Number>
std::string packed(const std::vector<Number>& numbers) {
  std::string bytes(sizeof(Number) * numbers.size(), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return toBase64(bytes);
}

message::Drawing points(const std::string& name, std::size_t count = 1) {
  message::Drawing drawing;
  drawing.name = name;
  drawing.points = packed(std::vector<float>(3 * count, 0.5f));
  return drawing;
}

message::ProgramControl slider(const std::string& id) {
  message::ProgramControl control;
  control.id = id;
  control.kind = ControlKind::slider;
  control.number = 1;
  control.min = 0;
  control.max = 2;
  return control;
}

/// The next message to a page; null: none.
Value nextOf(ProgramScene& scene, int page) {
  const std::optional<ViewPacket> packet = scene.next(page);
  return packet ? parseYaml(packet->bytes, "message") : Value();
}

/// Takes all messages of a page; their number.
int drain(ProgramScene& scene, int page) {
  int count = 0;
  while (scene.next(page)) ++count;
  return count;
}

TEST(ProgramScene, PagesGetAllOfItOnceAndThenWhatChanges) {
  ProgramScene scene;
  scene.draw(points("a"));
  scene.draw(points("b"));
  scene.setControl(slider("gain"));
  scene.join(1);
  EXPECT_EQ(nextOf(scene, 1).at("controls")[0].string("id", ""), "gain");
  EXPECT_EQ(nextOf(scene, 1).string("type", ""), "bodies");
  const Value all = nextOf(scene, 1);
  EXPECT_EQ(all.at("drawings").size(), 2u);
  EXPECT_TRUE(nextOf(scene, 1).isNull());
  scene.place("a", RigidTransform::translation({1, 2, 3}));
  const Value moved = nextOf(scene, 1);
  EXPECT_EQ(moved.at("drawings").size(), 0u) << "a pose alone";
  EXPECT_EQ(moved.at("poses")[0].at("T")[11].asReal(), 3);
  scene.place("a", RigidTransform::translation({1, 2, 3}));
  EXPECT_TRUE(nextOf(scene, 1).isNull()) << "it is there already";
  EXPECT_TRUE(scene.erase("b"));
  EXPECT_FALSE(scene.erase("b"));
  EXPECT_EQ(nextOf(scene, 1).at("removed")[0].asString(), "b");
  scene.erase("a");
  scene.draw(points("a"));
  const Value again = nextOf(scene, 1);
  EXPECT_EQ(again.at("drawings").size(), 1u);
  EXPECT_EQ(again.at("removed").size(), 0u) << "it is there again";
  scene.join(2);
  drain(scene, 1);
  EXPECT_GT(drain(scene, 2), 0);
  EXPECT_EQ(scene.pages(), 2);
  scene.leave(2);
  EXPECT_TRUE(nextOf(scene, 2).isNull());
}

TEST(ProgramScene, ManyLargeDrawingsComeInSeveralPackets) {
  ProgramScene scene;
  for (int i = 0; i < 8; ++i) scene.draw(points("cloud" + std::to_string(i), 200000));
  scene.join(1);
  std::size_t largest = 0, packets = 0, drawings = 0;
  while (const std::optional<ViewPacket> packet = scene.next(1)) {
    largest = std::max(largest, packet->bytes.size());
    ++packets;
    for (std::size_t at = 0; (at = packet->bytes.find("\"name\":", at)) != std::string::npos; ++at) ++drawings;
  }
  EXPECT_EQ(drawings, 8u) << "each once";
  EXPECT_GT(packets, 3u);
  EXPECT_LT(largest, 10u << 20);
}

TEST(ProgramScene, WhatCannotBeDrawnIsRefused) {
  ProgramScene scene;
  const auto refused = [&](const std::function<void(message::Drawing&)>& change) {
    message::Drawing drawing = points("a", 3);
    change(drawing);
    try {
      scene.draw(drawing);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  EXPECT_EQ(refused([](message::Drawing&) {}), "");
  EXPECT_NE(refused([](auto& d) { d.name.clear(); }), "");
  for (const char* color : {"", "red", "#12345", "#1234567", "#12345g", "url(x)"})
    EXPECT_NE(refused([&](auto& d) { d.color = color; }).find("#rrggbb"), std::string::npos) << color;
  EXPECT_NE(refused([](auto& d) { d.opacity = 2; }), "");
  EXPECT_NE(refused([](auto& d) { d.size = -1; }), "");
  EXPECT_NE(refused([](auto& d) { d.T[3] = std::numeric_limits<double>::quiet_NaN(); }), "");
  EXPECT_NE(refused([](auto& d) { d.points.reset(); }), "");
  EXPECT_NE(refused([](auto& d) { d.points = "AAAA"; }), "");
  EXPECT_NE(refused([](auto& d) { d.points = "no base64!"; }), "");
  EXPECT_NE(refused([](auto& d) { d.points = packed<float>({0, 0, std::numeric_limits<float>::infinity()}); }), "");
  EXPECT_NE(refused([](auto& d) { d.kind = DrawingKind::lines; }).find("two points"), std::string::npos);
  EXPECT_NE(refused([](auto& d) { d.kind = DrawingKind::mesh; }), "");
  EXPECT_NE(refused([](auto& d) {
              d.kind = DrawingKind::mesh;
              d.triangles = packed<std::uint32_t>({0, 1, 3});
            }).find("indices below 3"),
            std::string::npos);
  EXPECT_NE(refused([](auto& d) { d.colors = packed<std::uint32_t>({1, 2}); }).find("one color"), std::string::npos);
  EXPECT_NE(refused([](auto& d) { d.kind = DrawingKind::text; }), "");
  EXPECT_THROW(scene.place("none", RigidTransform()), Error);
  EXPECT_THROW(scene.lookAt(Vector3d::Zero(), Vector3d::Zero()), Error);
  message::BodyStyle style;
  style.color = "blue";
  EXPECT_THROW(scene.setBodies({style}), Error);
}

TEST(ProgramScene, PagesSetOnlyWhatControlsCanHave) {
  ProgramScene scene;
  scene.setControl(slider("gain"));
  message::ProgramControl label;
  label.id = "label";
  label.text = "words";
  scene.setControl(label);
  message::Control request;
  request.id = "gain";
  const auto refused = [&](std::optional<double> number, std::optional<std::string> text) {
    request.number = number;
    request.text = std::move(text);
    EXPECT_THROW(scene.take(request), Error);
    EXPECT_EQ(scene.control("gain").number, 1);
  };
  refused({}, {});
  refused(3, {});
  refused(-1, {});
  refused(1, "one");
  refused({}, "one");
  request.number = 1.5;
  request.text.reset();
  scene.take(request);
  EXPECT_EQ(scene.control("gain").number, 1.5);
  request.id = "label";
  EXPECT_THROW(scene.take(request), Error);
  request.id = "none";
  EXPECT_THROW(scene.take(request), Error);
  message::ProgramControl still = slider("gain");
  still.enabled = false;
  scene.setControl(still);
  request.id = "gain";
  EXPECT_THROW(scene.take(request), Error) << "nobody can use it now";
  for (const auto& change : std::vector<std::function<void(message::ProgramControl&)>>{
           [](auto& c) { c.id.clear(); }, [](auto& c) { c.number.reset(); }, [](auto& c) { c.max.reset(); },
           [](auto& c) { c.min = 3; }, [](auto& c) { c.step = 0; },
           [](auto& c) { c.number = std::numeric_limits<double>::infinity(); },
           [](auto& c) { c.kind = ControlKind::select; }, [](auto& c) { c.kind = ControlKind::checkbox; }}) {
    message::ProgramControl wrong = slider("wrong");
    change(wrong);
    EXPECT_THROW(scene.setControl(wrong), Error);
  }
  EXPECT_EQ(scene.controls(), (std::vector<std::string>{"gain", "label"}));
}

/// Says what it is asked, and nothing by itself.
class Below final : public ViewSession {
 public:
  SessionKind kind() const override { return SessionKind::live; }
  std::string join(int) override { return "joined"; }
  std::string answer(int, const PageMessage& message) override { return typeOf(message); }
  std::optional<ViewPacket> next(int) override { return std::nullopt; }
  void leave(int) override {}
};

TEST(ProgramSession, RequestsWaitForTheProgramAndTheRestGoesOn) {
  Below below;
  ProgramScene scene;
  ProgramSession session(below, scene);
  EXPECT_EQ(session.join(1), "joined");
  EXPECT_EQ(session.answer(1, test::pageMessage("{type: play}")), "play");
  scene.setControl(slider("gain"));
  message::ProgramControl button;
  button.id = "go";
  button.kind = ControlKind::button;
  scene.setControl(button);
  message::Drawing goal = points("goal");
  goal.drag = DragKind::pose;
  scene.draw(goal);
  for (const char* number : {"0.5", "1", "1.5"})
    session.answer(1, test::pageMessage("{type: control, id: gain, number: " + std::string(number) + "}"));
  session.answer(1, test::pageMessage("{type: control, id: go}"));
  session.answer(1, test::pageMessage("{type: control, id: go}"));
  for (const char* x : {"1", "2"})
    session.answer(1, test::pageMessage("{type: dragged, name: goal, T: [1, 0, 0, 0, 1, 0, 0, 0, 1, " + std::string(x) +
                                        ", 0, 0]}"));
  const auto taken = session.take(std::chrono::milliseconds(0));
  ASSERT_EQ(taken.size(), 4u) << "of values that are passed the last counts, and every press of a button";
  EXPECT_EQ(std::get<message::Control>(taken[0]).number, 1.5);
  EXPECT_EQ(std::get<message::Control>(taken[1]).id, "go");
  EXPECT_EQ(std::get<message::Dragged>(taken[3]).T.X.p.x(), 2);
  EXPECT_EQ(scene.poseOf("goal").p.x(), 2);
  EXPECT_TRUE(session.take(std::chrono::milliseconds(0)).empty());
  EXPECT_THROW(session.answer(1, test::pageMessage("{type: control, id: none}")), Error);
  EXPECT_TRUE(session.take(std::chrono::milliseconds(0)).empty()) << "what is refused does not wait";
  for (int i = 0; i < 1000; ++i) session.answer(1, test::pageMessage("{type: control, id: go}"));
  EXPECT_THROW(session.answer(1, test::pageMessage("{type: control, id: go}")), Error) << "the program takes nothing";
  session.leave(1);
  EXPECT_EQ(scene.pages(), 0);
}

}  // namespace
}  // namespace mortise::viewer
