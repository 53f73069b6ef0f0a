#include "mortise/modeling/resource_packing.h"

#include <gtest/gtest.h>

#include "tests/support/equality/resource_equality.h"
#include "tests/support/error_text.h"

namespace mortise {
namespace {

using test::errorText;

ResourceLibrary items(std::vector<Resource> values) {
  ResourceLibrary library;
  for (std::size_t i = 0; i < values.size(); ++i)
    library.items.push_back({"item" + std::to_string(i), {}, std::move(values[i])});
  return library;
}

VectorXd vector(double a, double b) { return (VectorXd(2) << a, b).finished(); }

Hold hold(int link) {
  Hold hold;
  hold.link = link;
  hold.goal.link = link;
  hold.goal.position = IKGoal::Position::point;
  hold.contacts = {{Vector3d(1, 2, 3), Vector3d::UnitX(), 0.4}, {Vector3d(4, 5, 6), Vector3d::UnitZ(), 0.5}};
  return hold;
}

TEST(ResourcePacking, PartsMakeUpTheWholeAgain) {
  Diagnostics diagnostics;
  const ConfigurationList list = {{vector(1, 2), vector(3, 4)}};
  Resource back = packed(unpacked(list, diagnostics), diagnostics);
  EXPECT_EQ(std::get<ConfigurationList>(back).configurations, list.configurations);

  const Trajectory path = {{0, 0.5}, list.configurations};
  back = packed(unpacked(path, diagnostics), diagnostics);
  EXPECT_EQ(std::get<Trajectory>(back).times, path.times);

  back = packed(unpacked(hold(3), diagnostics), diagnostics);
  EXPECT_EQ(std::get<Hold>(back), hold(3));

  const Stance stance = {{hold(3), hold(7)}};
  const ResourceLibrary parts = unpacked(stance, diagnostics);
  EXPECT_EQ(parts.items[1].name, "hold[7]");
  EXPECT_EQ(std::get<Stance>(packed(parts, diagnostics)), stance);
  EXPECT_TRUE(diagnostics.all().empty());
}

MultiPath twoSections(bool timed, bool moving) {
  MultiPath path;
  for (int s = 0; s < 2; ++s) {
    MultiPath::Section section;
    section.milestones = {vector(s, 0), vector(s + 1, 1)};
    if (timed) section.times = {1.0 * s, s + 1.0};
    if (moving) section.velocities = {vector(1, 1), vector(1, 2)};
    section.holds = {hold(s)};
    path.sections.push_back(section);
  }
  return path;
}

TEST(ResourcePacking, MultiPathsKeepTimesVelocitiesAndHolds) {
  Diagnostics diagnostics;
  for (const bool timed : {false, true})
    for (const bool moving : {false, true}) {
      if (moving && !timed) continue;
      const MultiPath path = twoSections(timed, moving);
      const ResourceLibrary parts = unpacked(path, diagnostics);
      ASSERT_EQ(parts.items.size(), 4u);
      EXPECT_EQ(parts.items[0].name, timed ? "section[0]" : "configs[0]");
      EXPECT_EQ(parts.items[3].name, "stance[1]");
      const MultiPath back = std::get<MultiPath>(packed(parts, diagnostics));
      ASSERT_EQ(back.sections.size(), 2u);
      for (std::size_t s = 0; s < 2; ++s) {
        EXPECT_EQ(back.sections[s].milestones, path.sections[s].milestones);
        EXPECT_EQ(back.sections[s].times, path.sections[s].times);
        EXPECT_EQ(back.sections[s].velocities, path.sections[s].velocities);
        EXPECT_EQ(back.sections[s].holds, path.sections[s].holds);
      }
    }
  const MultiPath twice =
      std::get<MultiPath>(packed(items({twoSections(false, false), twoSections(false, false)}), diagnostics));
  EXPECT_EQ(twice.sections.size(), 4u);
}

TEST(ResourcePacking, KlamptsTypesAreTriedInTheirOrder) {
  Diagnostics diagnostics;
  IKGoal goal;
  goal.link = 2;
  IKGoal other = goal;
  other.link = 4;
  EXPECT_EQ(contentOf(packed(items({goal}), diagnostics)), FileContent::hold);
  EXPECT_EQ(contentOf(packed(items({goal, other}), diagnostics)), FileContent::stance);
  EXPECT_EQ(contentOf(packed(items({std::vector<double>{0, 1}, vector(0, 1), vector(1, 2)}), diagnostics)),
            FileContent::trajectory);
  EXPECT_EQ(contentOf(packed(items({ConfigurationList{{vector(0, 1), vector(1, 2)}}}), diagnostics)),
            FileContent::multipath);
  EXPECT_EQ(contentOf(packed(items({vector(0, 1)}), FileContent::library, diagnostics)), FileContent::library);
}

TEST(ResourcePacking, SaysWhatDoesNotFit) {
  Diagnostics diagnostics;
  const auto says = [&](const ResourceLibrary& library, FileContent kind) {
    return errorText([&] { (void)packed(library, kind, diagnostics); });
  };
  EXPECT_NE(says(items({std::vector<double>{0}, vector(0, 1), vector(1, 2)}), FileContent::trajectory)
                .find("1 times for 2 configurations"),
            std::string::npos);
  EXPECT_NE(says(items({hold(3), hold(3)}), FileContent::stance).find("link 3 has two holds"), std::string::npos);
  EXPECT_NE(says(items({IKGoal(), std::vector<double>{1, 2}}), FileContent::hold).find("7 numbers"), std::string::npos);
  EXPECT_NE(says(items({twoSections(false, false), Stance{{hold(1)}}}), FileContent::multipath)
                .find("1 stances for 2 sections"),
            std::string::npos);
  EXPECT_NE(errorText([&] { (void)packed(items({Vector3d(1, 2, 3)}), diagnostics); }).find("do not make up"),
            std::string::npos);
  EXPECT_NE(errorText([&] { (void)unpacked(vector(1, 2), diagnostics); }).find("nothing to unpack"), std::string::npos);
}

TEST(ResourcePacking, NumbersInNamesCountAsNumbers) {
  ResourceLibrary library;
  for (const char* name : {"config[10]", "config[9]", "a", "config[010]", "config[1]"})
    library.items.push_back({name, {}, vector(0, 0)});
  sortByName(library);
  std::vector<std::string> names;
  for (const ResourceItem& item : library.items) names.push_back(item.name);
  EXPECT_EQ(names, std::vector<std::string>({"a", "config[1]", "config[9]", "config[10]", "config[010]"}));
}

}  // namespace
}  // namespace mortise
