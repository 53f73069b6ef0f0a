#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/log.h"
#include "mortise/base/progress.h"
#include "mortise/component/controller.h"
#include "mortise/component/estimator.h"
#include "mortise/component/file_format.h"
#include "mortise/component/host.h"
#include "mortise/component/kind.h"
#include "mortise/component/physics.h"
#include "mortise/component/recorder.h"
#include "mortise/component/sensor.h"
#include "mortise/component/stage.h"
#include "mortise/model/world_description.h"

// The key functions of the interfaces live here, in the kernel library, so that every plugin shares one vtable and one
// type_info for each.

namespace mortise {

namespace {

constexpr std::string_view kKindNames[kNumKinds] = {"physics", "controller", "sensor",    "planner",
                                                    "format",  "stage",      "estimator", "recorder"};

[[noreturn]] void cannot(const char* action) { throw Error(std::string("this file format cannot ") + action); }

}  // namespace

std::string_view kindName(Kind kind) { return kKindNames[static_cast<int>(kind)]; }

std::optional<Kind> kindFromName(std::string_view name) {
  for (int i = 0; i < kNumKinds; ++i)
    if (kKindNames[i] == name) return static_cast<Kind>(i);
  return std::nullopt;
}

Host::~Host() = default;
Trajectory Host::loadTrajectory(std::string_view reference) const {
  throw Error("this host loads no motion files, so '" + std::string(reference) + "' cannot be read");
}
ComponentPtr<Controller> Host::createController(std::string_view type, const Value&, std::string_view,
                                                const SourcePosition& where) const {
  throw Error("this host creates no other components, so controller '" + std::string(type) + "' cannot be had", where);
}
bool Host::stopRequested() const { return false; }
Scene::~Scene() = default;
Physics::~Physics() = default;
Controller::~Controller() = default;
Sensor::~Sensor() = default;
FileFormat::~FileFormat() = default;
ResourceLoader::~ResourceLoader() = default;
Resource ResourceLoader::resource(std::string_view kind, std::string_view reference, std::string_view, Diagnostics&) {
  throw Error("this loader reads no " + std::string(kind) + ", so '" + std::string(reference) + "' cannot be read");
}
std::string ResourceLoader::contentOf(const std::string&) { return {}; }
Estimator::~Estimator() = default;
Recorder::~Recorder() = default;
StageContext::~StageContext() = default;
Stage::~Stage() = default;

bool Controller::command(std::string_view, const Value&) { return false; }
std::vector<std::pair<std::string, std::string>> Controller::commands() const { return {}; }
Value Controller::settings() const { return Value::map(); }
bool Controller::changeSetting(std::string_view, const Value&) { return false; }
void Controller::save(ByteWriter&) const {}
void Controller::restore(ByteReader&) {}
bool Sensor::observesSteps() const { return false; }
void Sensor::observe(const SimulationView&, double) {}
const CameraModel* Sensor::camera() const { return nullptr; }
Value Sensor::settings() const { return Value::map(); }
bool Sensor::changeSetting(std::string_view, const Value&) { return false; }
void Sensor::save(ByteWriter&) const {}
void Sensor::restore(ByteReader&) {}
void Estimator::readCommand(std::span<const ActuatorCommand>) {}
void Estimator::advance(double) {}
void Estimator::save(ByteWriter&) const {}
void Estimator::restore(ByteReader&) {}
void Stage::check(StageContext&, Diagnostics&) {}

std::shared_ptr<const std::string> ReadContext::content() const {
  return bytes ? bytes : std::make_shared<const std::string>(readFile(path));
}

double FileFormat::probe(std::string_view, std::string_view) const { return 0.5; }
GeometryPtr FileFormat::readGeometry(ReadContext&) { cannot("read geometry"); }
RobotDescription FileFormat::readRobot(ReadContext&) { cannot("read robots"); }
RigidObject FileFormat::readRigidObject(ReadContext&) { cannot("read rigid objects"); }
Terrain FileFormat::readTerrain(ReadContext&) { cannot("read terrains"); }
World FileFormat::readWorld(ReadContext&) { cannot("read worlds"); }
VectorXd FileFormat::readConfiguration(ReadContext&) { cannot("read configurations"); }
Trajectory FileFormat::readTrajectory(ReadContext&) { cannot("read trajectories"); }
void FileFormat::writeGeometry(const Geometry&, const std::string&) { cannot("write geometry"); }
void FileFormat::writeConfiguration(const VectorXd&, const std::string&) { cannot("write configurations"); }
void FileFormat::writeTrajectory(const Trajectory&, const std::string&) { cannot("write trajectories"); }
void FileFormat::writeRobot(const RobotDescription&, WriteContext&) { cannot("write robots"); }
WorldDescription FileFormat::readWorldDescription(ReadContext&) { cannot("read worlds for editing"); }
void FileFormat::writeWorld(const WorldDescription&, WriteContext&) { cannot("write worlds"); }
void FileFormat::writeRigidObject(const RigidObject&, WriteContext&) { cannot("write rigid objects"); }
void FileFormat::writeTerrain(const Terrain&, WriteContext&) { cannot("write terrains"); }

std::string FileFormat::contentOf(const std::string&) { return {}; }
Resource FileFormat::readResource(std::string_view kind, ReadContext& context) {
  if (kind == "configuration") return readConfiguration(context);
  if (kind == "trajectory") return readTrajectory(context);
  cannot(("read " + std::string(kind)).c_str());
}
void FileFormat::writeResource(const Resource& resource, WriteContext& context) {
  if (const auto* q = std::get_if<VectorXd>(&resource)) return writeConfiguration(*q, context.path);
  if (const auto* path = std::get_if<Trajectory>(&resource)) return writeTrajectory(*path, context.path);
  cannot(("write " + kindOf(resource)).c_str());
}
ResourceLibrary FileFormat::readLibrary(ReadContext&) { cannot("read resource libraries"); }
void FileFormat::writeLibrary(const ResourceLibrary&, WriteContext&) { cannot("write resource libraries"); }

}  // namespace mortise
