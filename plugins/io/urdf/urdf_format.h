#pragma once

#include "mortise/component/file_format.h"

namespace mortise::io {

/// URDF robots with Klamp't's `<klampt>` element. Nothing is kept from one file to the next.
class UrdfFormat final : public FileFormat {
 public:
  RobotDescription readRobot(ReadContext& context) override;
  void writeRobot(const RobotDescription& robot, WriteContext& context) override;
};

}  // namespace mortise::io
