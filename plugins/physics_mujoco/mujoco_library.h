#pragma once

/// MuJoCo's process-wide side: its handlers of errors and warnings, its contact filter and its compiler. MuJoCo ends
/// the process on errors by default, and writes a log file; here errors become `mortise::Error` and warnings are
/// counted.

#include <cstdint>
#include <memory>
#include <mujoco/mujoco.h>
#include <string>

#include "engine_versions.h"

namespace mortise::mujoco {

struct DeleteModel {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct DeleteData {
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using ModelPtr = std::unique_ptr<mjModel, DeleteModel>;
using DataPtr = std::unique_ptr<mjData, DeleteData>;

/// Decides which geoms may touch.
class GeomFilter {
 public:
  virtual ~GeomFilter() = default;
  virtual bool mayTouch(int geom1, int geom2) const = 0;
};

/// Messages of MuJoCo while a scene is being worked on.
struct Messages {
  std::uint64_t warnings = 0;
  std::string last;
};

/// While it lives, MuJoCo's warnings on this thread go to `messages`, its errors and the warnings after which it would
/// start the simulation anew (numbers that are not finite) throw `Error`, and `filter`, if given, decides about its
/// contacts. Nests.
class Session {
 public:
  explicit Session(Messages& messages, const GeomFilter* filter = nullptr);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  Messages* previousMessages_;
  const GeomFilter* previousFilter_;
};

/// Compiles MJCF text. Throws `Error` with what MuJoCo says is wrong. Call within a `Session`.
ModelPtr compileModel(const std::string& mjcf);

/// Room for `rows` rows of constraints and `contacts` contacts. Throws `Error` when MuJoCo cannot hold that many, and
/// leaves the model as it was: 2.2.2 keeps a dense matrix of them within 2 GB. Call within a `Session`.
DataPtr makeData(mjModel& model, std::int64_t rows, std::int64_t contacts);

}  // namespace mortise::mujoco
