#include "mujoco_library.h"

#include <mutex>
#include <string_view>

#include "mortise/base/error.h"

namespace mortise::mujoco {

namespace {

thread_local Messages* currentMessages = nullptr;
thread_local const GeomFilter* currentFilter = nullptr;

void onWarning(const char* text) {
  if (currentMessages == nullptr) return;
  // After these MuJoCo goes on from the model's first state, or without controls, as if nothing had happened.
  for (const char* quantity : {"QPOS", "QVEL", "QACC", "CTRL"})
    if (std::string_view(text).find(quantity) != std::string_view::npos)
      throw Error("MuJoCo: " + std::string(text), {}, "shorten the time step, or lower gains and speeds");
  ++currentMessages->warnings;
  currentMessages->last = std::string(text).substr(0, 200);
}

// MuJoCo ends the process when this returns, so it must not.
void onError(const char* text) { throw Error("MuJoCo: " + std::string(text)); }

int onContactFilter(const mjModel*, mjData*, int geom1, int geom2) {
  return currentFilter != nullptr && !currentFilter->mayTouch(geom1, geom2) ? 1 : 0;
}

void initializeLibrary() {
  if (mj_version() != mjVERSION_HEADER)
    throw Error("MuJoCo " + std::string(mj_versionString()) +
                    " was loaded, but the plugin was built for version number " + std::to_string(mjVERSION_HEADER),
                {}, "build the plugin anew");
  mju_user_error = onError;
  mju_user_warning = onWarning;
  mjcb_contactfilter = onContactFilter;
}

}  // namespace

Session::Session(Messages& messages, const GeomFilter* filter)
    : previousMessages_(currentMessages), previousFilter_(currentFilter) {
  static std::once_flag once;
  std::call_once(once, initializeLibrary);
  currentMessages = &messages;
  currentFilter = filter;
}

Session::~Session() {
  currentMessages = previousMessages_;
  currentFilter = previousFilter_;
}

ModelPtr compileModel(const std::string& mjcf) {
  // The parser keeps the last file in a global variable.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  constexpr const char* kName = "scene.xml";
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  if (!addFile(files.get(), kName, mjcf.data(), mjcf.size()))
    throw Error("MuJoCo takes no file of " + std::to_string(mjcf.size()) + " bytes in memory");
  char message[1000] = "";
  ModelPtr model(mj_loadXML(kName, files.get(), message, sizeof(message)));
  mj_deleteVFS(files.get());
  mj_freeLastXML();
  if (!model) throw Error("MuJoCo does not take the scene: " + std::string(message));
  return model;
}

DataPtr makeData(mjModel& model, std::int64_t rows, std::int64_t contacts) {
  const Room before = roomOf(model);
  const auto refuse = [&](const std::string& why) {
    setRoom(model, before);
    throw Error("MuJoCo cannot hold " + std::to_string(rows) + " rows of constraints for " + std::to_string(model.nv) +
                    " degrees of freedom" + why,
                {}, "simulate fewer bodies in touch, or choose another backend");
  };
  setRoom(model, neededRoom(model, rows, contacts));
  try {
    if (DataPtr data{mj_makeData(&model)}) return data;
  } catch (const Error& error) {
    refuse(": " + error.message());
  }
  refuse("");
  return nullptr;
}

}  // namespace mortise::mujoco
