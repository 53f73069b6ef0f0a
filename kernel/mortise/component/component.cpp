#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/log.h"
#include "mortise/base/progress.h"
#include "mortise/component/controller.h"
#include "mortise/component/estimator.h"
#include "mortise/component/file_format.h"
#include "mortise/component/hardware.h"
#include "mortise/component/host.h"
#include "mortise/component/kind.h"
#include "mortise/component/metric.h"
#include "mortise/component/physics.h"
#include "mortise/component/recorder.h"
#include "mortise/component/sensor.h"
#include "mortise/component/stage.h"
#include "mortise/text/article.h"

// The key functions of the interfaces live here, in the kernel library, so that every plugin shares one vtable and one
// type_info for each.

namespace mortise {

namespace {

constexpr std::string_view kKindNames[kNumKinds] = {"physics", "controller", "sensor",   "planner",  "format",
                                                    "stage",   "estimator",  "recorder", "hardware", "metric"};

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
Estimator::~Estimator() = default;
Recorder::~Recorder() = default;
Hardware::~Hardware() = default;
Metric::~Metric() = default;
void Metric::save(ByteWriter&) const {}
void Metric::restore(ByteReader&) {}
double Recorder::snapshotPeriod() const { return 0; }
void Recorder::writeSnapshot(const SimulationView&, std::span<const std::byte>) {}
void Recorder::finish(const Value&) {}
void Recorder::note(double, LogLevel, const std::string&) {}
StageContext::~StageContext() = default;

const void* StageContext::extension(std::string_view) const { return nullptr; }

const StageOutput* StageContext::findOutput(std::string_view name) const {
  for (const StageOutput& output : outputs())
    if (output.name == name) return &output;
  return nullptr;
}
Stage::~Stage() = default;

bool Controller::command(std::string_view, const Value&) { return false; }
std::vector<std::pair<std::string, std::string>> Controller::commands() const { return {}; }
Value Controller::settings() const { return Value::map(); }
bool Controller::hasSetting(std::string_view name) const { return settings().contains(name); }
bool Controller::changeSetting(std::string_view, const Value&) { return false; }
void Controller::save(ByteWriter&) const {}
void Controller::restore(ByteReader&) {}
bool Sensor::observesSteps() const { return false; }
void Sensor::observe(const SimulationView&, double) {}
const CameraModel* Sensor::camera() const { return nullptr; }
const ScanModel* Sensor::scan() const { return nullptr; }
Value Sensor::settings() const { return Value::map(); }
bool Sensor::hasSetting(std::string_view name) const { return settings().contains(name); }
bool Sensor::changeSetting(std::string_view, const Value&) { return false; }
void Sensor::save(ByteWriter&) const {}
void Sensor::restore(ByteReader&) {}
void Estimator::readCommand(std::span<const ActuatorCommand>) {}
void Estimator::advance(double) {}
void Estimator::save(ByteWriter&) const {}
void Estimator::restore(ByteReader&) {}
void Stage::check(StageContext&, Diagnostics&) {}
void Hardware::confirm() {}
std::string Hardware::fault() const { return {}; }
std::string Hardware::ending() const { return "the hardware has no more states"; }
HardwareCounts Hardware::counts() const { return {}; }

std::shared_ptr<const std::string> ReadContext::content() const {
  return bytes ? bytes : std::make_shared<const std::string>(readFile(path));
}

double FileFormat::probe(std::string_view, std::string_view) const { return 0.5; }
std::optional<FileContent> FileFormat::contentOf(const std::string&) { return std::nullopt; }
Resource FileFormat::read(FileContent content, ReadContext&) {
  throw Error("this file format cannot read " + withArticle(contentName(content)));
}
void FileFormat::write(const Resource& value, WriteContext&) {
  throw Error("this file format cannot write " + withArticle(contentName(mortise::contentOf(value))));
}

}  // namespace mortise
