#include "mortise/inspect/world_check.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/loading/script_host.h"
#include "mortise/loading/world_configuration.h"
#include "mortise/pipeline/simulate/component_check.h"
#include "mortise/simulation/components/component_names.h"
#include "mortise/simulation/scene/material_check.h"
#include "mortise/simulation/scene/scene_builder.h"

namespace mortise {

namespace {

class WorldChecker {
 public:
  WorldChecker(const World& world, const Registry& registry, Diagnostics& diagnostics)
      : world_(world), registry_(registry), diagnostics_(diagnostics) {}

  void run() {
    runContents();
    checkBackend();
    noteScripts(Kind::controller, world_.simulation.controllers);
    noteScripts(Kind::sensor, world_.simulation.sensors);
  }

  void runContents() {
    checkNames();
    for (const WorldRobot& robot : world_.robots) checkMasses(robot);
    warnOfStarts(world_, diagnostics_);
    for (const RigidObject& object : world_.objects) checkObject(object);
    checkMaterials(world_, diagnostics_);
  }

  StartOverlaps runOverlaps() { return checkOverlaps(); }

  void runNames() {
    checkNames();
    if (const std::string& name = world_.simulation.backend;
        !name.empty() && registry_.find(Kind::physics, name) == nullptr)
      diagnostics_.warning("no plugin has a physics backend '" + name + "'", placeOf({}),
                           componentNameHint(registry_, Kind::physics, name));
  }

 private:
  SourcePosition placeOf(const SourcePosition& position) const {
    return position.known() ? position : inFile(world_.file);
  }

  void checkNames() {
    const auto repeated = [](const auto& list, const auto& found) {
      std::map<std::string, int> first;
      for (std::size_t i = 0; i < list.size(); ++i) {
        const auto [at, isNew] = first.emplace(list[i].name, static_cast<int>(i));
        if (!isNew) found(static_cast<int>(i), at->second);
      }
    };
    repeated(world_.robots, [&](int i, int first) {
      diagnostics_.warning("robot " + std::to_string(world_.robotId(i)) + " has the name of robot " +
                               std::to_string(world_.robotId(first)) + ", '" + world_.robots[i].name +
                               "'; only their ids are unambiguous",
                           placeOf(world_.robots[i].position), "give each robot a name of its own");
    });
    repeated(world_.objects, [&](int i, int first) {
      diagnostics_.note("object " + std::to_string(world_.objectId(i)) + " has the name of object " +
                            std::to_string(world_.objectId(first)) + ", '" + world_.objects[i].name + "'",
                        placeOf(world_.objects[i].position));
    });
    repeated(world_.terrains, [&](int i, int first) {
      diagnostics_.note("terrain " + std::to_string(world_.terrainId(i)) + " has the name of terrain " +
                            std::to_string(world_.terrainId(first)) + ", '" + world_.terrains[i].name + "'",
                        placeOf(world_.terrains[i].position));
    });
  }

  /// The first few of a list.
  static std::string joined(const std::vector<std::string>& items) {
    constexpr std::size_t kListed = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(items.size(), kListed); ++i) text += (i > 0 ? ", " : "") + items[i];
    return items.size() > kListed ? text + " and " + std::to_string(items.size() - kListed) + " more" : text;
  }

  /// Links that are welded to one that has mass are part of its body. What in a floating base has none belongs to it.
  void checkMasses(const WorldRobot& robot) {
    const Robot& model = *robot.robot;
    std::vector<char> welded(static_cast<std::size_t>(model.numLinks())), carries(welded.size());
    for (int i = model.numLinks() - 1; i >= 0; --i) {
      const auto at = static_cast<std::size_t>(i);
      const int joint = model.jointOfLink(i), parent = model.link(i).parent;
      welded[at] = joint >= 0 ? model.joints()[static_cast<std::size_t>(joint)].type == JointType::weld
                              : model.link(i).qMin == model.link(i).qMax;
      if (parent >= 0 && (carries[at] || model.link(i).inertia.mass > 0)) carries[static_cast<std::size_t>(parent)] = 1;
    }
    std::vector<std::string> atEnds, between;
    for (int i = 0; i < model.numLinks(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const bool base = i < model.floatingBaseLink();
      if (model.link(i).inertia.mass > 0 || welded[at] || base || model.link(i).parent < 0) continue;
      (carries[at] ? between : atEnds).push_back("'" + model.link(i).name + "'");
    }
    if (!atEnds.empty())
      diagnostics_.warning("robot '" + robot.name + "': " + std::to_string(atEnds.size()) +
                               (atEnds.size() == 1 ? " link moves" : " links move") + " but " +
                               (atEnds.size() == 1 ? "has" : "have") +
                               " no mass, and the simulation takes 1 g: " + joined(atEnds),
                           placeOf(robot.position), "give each a mass and an inertia in the robot's file");
    if (!between.empty())
      diagnostics_.note("robot '" + robot.name + "': " + std::to_string(between.size()) +
                            (between.size() == 1 ? " link" : " links") +
                            " without mass between others; the simulation gives each a small fraction of what it "
                            "carries: " +
                            joined(between),
                        placeOf(robot.position));
  }

  void checkObject(const RigidObject& object) {
    const SourcePosition where = placeOf(object.position);
    if (!(object.inertia.mass > 0))
      diagnostics_.warning("object '" + object.name + "' has no mass, and the simulation takes 1 g", where,
                           "give it a mass: <physics mass=\"1\" automass=\"1\"/>");
    else if (object.inertia.inertia.isZero(0))
      diagnostics_.warning("object '" + object.name + "' has no inertia, and the simulation takes one of its own",
                           where, "give it one: <physics automass=\"1\"/>, or inertia=\"0.01 0.01 0.01\"");
    if (!object.geometry || object.geometry->empty())
      diagnostics_.warning("object '" + object.name + "' has no shape: it touches nothing", where);
  }

  void checkBackend() {
    const std::string& name = world_.simulation.backend;
    if (name.empty()) return;
    if (const ComponentInfo* info = registry_.find(Kind::physics, name))
      (void)registry_.completeSettings(
          *info, world_.simulation.backendSettings.isMap() ? world_.simulation.backendSettings : Value::map(),
          diagnostics_);
    else
      diagnostics_.error("no plugin has a physics backend '" + name + "'", placeOf({}),
                         componentNameHint(registry_, Kind::physics, name));
  }

  /// Files of Python are run when the world is simulated, not by a check of it.
  void noteScripts(Kind kind, const std::vector<std::pair<int, ComponentRequest>>& requests) {
    for (const auto& [robot, request] : requests)
      if (namesScript(request.type))
        noteClosedScript(kind, request.type, request.position.file, placeOf(request.position), diagnostics_);
  }

  StartOverlaps checkOverlaps() {
    StartOverlaps overlaps;
    try {
      overlaps = overlapsOf(buildScene(world_).description);
    } catch (const Error& error) {
      diagnostics_.error(error.message(), placeOf(error.where()), error.hint());
    }
    if (!overlaps.bodies.empty())
      diagnostics_.warning(overlapTitle(overlaps.bodies) + ":\n" + overlapTable(overlaps.bodies, world_, 50),
                           placeOf({}), "move them apart, or give the robot another configuration");
    if (const std::string more = unmeasuredText(overlaps); !more.empty())
      diagnostics_.warning(more, placeOf({}), "move bodies apart until fewer are near each other");
    if (!overlaps.paddings.empty()) diagnostics_.note(overlapText(overlaps.paddings, world_, 50), placeOf({}));
    return overlaps;
  }

  const World& world_;
  const Registry& registry_;
  Diagnostics& diagnostics_;
};

}  // namespace

StartOverlaps checkWorld(const World& world, Registry& registry, ResourceLoader* loader, Diagnostics& diagnostics) {
  WorldChecker checker(world, registry, diagnostics);
  checker.run();
  checkWorldComponents(world, registry, loader, diagnostics);
  return checker.runOverlaps();
}

void checkWorldContents(const World& world, const Registry& registry, Diagnostics& diagnostics) {
  WorldChecker(world, registry, diagnostics).runContents();
}

void checkWorldNames(const World& world, const Registry& registry, Diagnostics& diagnostics) {
  WorldChecker(world, registry, diagnostics).runNames();
}

}  // namespace mortise
