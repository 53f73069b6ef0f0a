#include "image_recorder.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>

#include "camera_image.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/text/suggest.h"

namespace mortise::recorders {

namespace {

/// Names of sensors may hold anything; names of files may not.
std::string asFileName(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    text += plain ? c : '_';
  }
  if (text.empty() || text[0] == '.') text.insert(0, "_");
  return text;
}

std::string padded(std::int64_t tick) {
  char text[32];
  std::snprintf(text, sizeof(text), "%08lld", static_cast<long long>(tick));
  return text;
}

RigidTransform poseOf(const CameraModel& camera, const RobotView& robot) {
  return camera.link < 0 ? camera.X_LS : robot.state->X_WL[static_cast<std::size_t>(camera.link)] * camera.X_LS;
}

}  // namespace

void ImageSettings::bind(SettingBinder& b) {
  b.add("outputs", outputs, "What is written of each image.", {.choices = {"color", "depth", "points"}});
  b.add("folder", folder, "Folder of the images, below the run directory, with the run's prefix.");
  b.add("depth_unit", depthUnit, "What a step of the depth images is.",
        {.min = 1e-9, .max = 1e3, .unit = "m", .aliases = {"depthUnit"}});
  b.choice("frame", inWorld, {{"camera", false}, {"world", true}}, "The frame that points are in.");
  b.add("every", every, "Writes every n-th image of a camera only.", {.min = 1, .max = 1e9});
  b.add("unchanged", unchanged, "Writes an image also when it is the same as the last one.");
}

void ImageSettings::check() const {
  if (outputs.empty())
    throw Error("'outputs' is empty, so no image would be written", settingPosition("outputs"),
                "give color, depth or points, or leave it out");
}

bool ImageSettings::writes(const std::string& output) const {
  return std::find(outputs.begin(), outputs.end(), output) != outputs.end();
}

void ImageRecorder::open(const RecorderSetup& setup) {
  recording_ = Recording(setup);
  directory_ = recordPath(setup, settings_->folder);
  found_ = warned_ = false;
  cameras_.clear();
  std::error_code code;
  std::filesystem::create_directories(directory_, code);
  if (!std::filesystem::is_directory(directory_))
    throw Error("the folder for images cannot be made: " + (code ? code.message() : "it is no folder"),
                inFile(directory_), "choose another folder, or remove what is in its way");
}

void ImageRecorder::findCameras(const SimulationView& view) {
  const SensorSelection named = selectSensors(recording_, view);
  std::vector<std::string> available;
  for (std::size_t r = 0; r < view.robots.size(); ++r) {
    for (std::size_t s = 0; s < view.robots[r].sensors.size(); ++s) {
      const SensorReading& reading = view.robots[r].sensors[s];
      const bool byName = named[r][s];
      if (reading.camera == nullptr) {
        if (byName)
          throw Error("sensor '" + std::string(reading.name) + "' is no camera, so it has no images", {},
                      "record it with the csv or jsonl recorder");
        continue;
      }
      available.emplace_back(reading.name);
      if (!byName && !recording_.sensors && !recording_.robots[r]) continue;
      const CameraModel& model = *reading.camera;
      if (!(settings_->writes("color") && model.color) && !(settings_->writes("depth") && model.depth) &&
          !(settings_->writes("points") && model.depth)) {
        const std::string has = model.color ? "colors" : "depths";
        if (byName)
          throw Error(
              "camera '" + std::string(reading.name) + "' measures " + has + " only, which 'outputs' leaves out", {},
              "change 'outputs', or the camera's settings rgb and depth");
        host_.log(LogLevel::warning, "camera '" + std::string(reading.name) + "' measures " + has +
                                         " only, which 'outputs' leaves out: it has no images");
        continue;
      }
      Camera camera;
      camera.robot = r;
      camera.sensor = s;
      cameras_.push_back(std::move(camera));
    }
  }
  if (cameras_.empty())
    throw Error("there is no camera whose images could be recorded", {},
                available.empty() ? "no robot has a camera: add a CameraSensor"
                                  : "record sensors, or one of these; " + listNames(available));

  std::multiset<std::string> names;
  for (const Camera& camera : cameras_) names.emplace(view.robots[camera.robot].sensors[camera.sensor].name);
  std::set<std::string> taken;
  for (Camera& camera : cameras_) {
    const std::string name(view.robots[camera.robot].sensors[camera.sensor].name);
    const std::string robot = view.world->robots[camera.robot].name;
    const std::string stem = asFileName(names.count(name) > 1 ? robot + "_" + name : name);
    camera.fileName = stem;
    for (int i = 2; !taken.insert(camera.fileName).second; ++i) camera.fileName = stem + "-" + std::to_string(i);
  }
}

void ImageRecorder::write(const SimulationView& view) {
  const bool first = !found_;
  if (first) findCameras(view);
  found_ = true;
  if (settings_->inWorld && settings_->writes("points") && !first && view.tick - lastTick_ > 1)
    throw Error("points in the world's frame need the camera's pose at every step, but this recorder runs every " +
                    std::to_string(view.tick - lastTick_) + " steps",
                {}, "leave out 'rate' and thin images out with 'every', or record points in the camera's frame");
  lastTick_ = view.tick;
  for (Camera& camera : cameras_) {
    const RobotView& robot = view.robots[camera.robot];
    const SensorReading& reading = robot.sensors[camera.sensor];
    // Sensors measure before a step and recorders run after it: what is new now was seen from where the camera was at
    // the last tick.
    const RigidTransform X_WC = poseOf(*reading.camera, robot);
    const RigidTransform X_WCSeen = first ? X_WC : camera.X_WC;
    camera.X_WC = X_WC;
    if (camera.last.empty()) {
      // Nothing but zeros is what is there before the first measurement, not an image.
      if (std::all_of(reading.values.begin(), reading.values.end(), [](double value) { return value == 0; })) continue;
      camera.last.assign(reading.values.begin(), reading.values.end());
    } else if (std::memcmp(camera.last.data(), reading.values.data(), reading.values.size_bytes()) != 0) {
      std::copy(reading.values.begin(), reading.values.end(), camera.last.begin());
    } else if (!settings_->unchanged) {
      continue;
    }
    if (camera.images++ % settings_->every == 0) writeImage(camera, view, X_WCSeen);
  }
}

void ImageRecorder::writeImage(Camera& camera, const SimulationView& view, const RigidTransform& X_WC) {
  const CameraModel& model = *view.robots[camera.robot].sensors[camera.sensor].camera;
  const CameraImage image(model, camera.last);
  const std::string path = directory_ + "/" + camera.fileName + "_" + padded(view.tick);
  if (settings_->writes("color") && model.color) writeFile(path + "_color.png", image.colorFile());
  if (settings_->writes("depth") && model.depth) {
    bool clipped = false;
    writeFile(path + "_depth.png", image.depthFile(settings_->depthUnit, clipped));
    if (clipped && !warned_)
      host_.log(LogLevel::warning, "depths of more than " + formatReal(65535 * settings_->depthUnit) +
                                       " m are written as 65535; a larger 'depthUnit' has room for them");
    warned_ = warned_ || clipped;
  }
  if (settings_->writes("points") && model.depth)
    writeFile(path + ".pcd", image.pointFile(settings_->inWorld ? std::optional(X_WC) : std::nullopt));
}

}  // namespace mortise::recorders
