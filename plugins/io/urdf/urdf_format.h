#pragma once

#include <string>

#include "mortise/component/file_format.h"
#include "mortise/settings/settings.h"
#include "urdf/urdf_file.h"

namespace mortise::io {

/// Settings that hold where a file's `<klampt>` does not say otherwise.
struct UrdfSettings {
  bool useVisuals = false;
  bool flipYz = false;
  std::string packageRoot;
  void bind(SettingBinder& b);
};

/// The robot of the file that the context names; `defaults` holds what its `<klampt>` does not say. Everything wrong
/// goes to the diagnostics.
RobotDescription readUrdf(ReadContext& context, const UrdfKlampt& defaults = {});

/// URDF robots with Klamp't's `<klampt>` element. Nothing is kept from one file to the next.
class UrdfFormat final : public FileFormat {
 public:
  explicit UrdfFormat(const ComponentContext& context) : settings_(context.settings) {}

  Resource read(FileContent content, ReadContext& context) override;
  void write(const Resource& value, WriteContext& context) override;

 private:
  Settings<UrdfSettings> settings_;
};

}  // namespace mortise::io
