#pragma once

#include "mortise/component/file_format.h"

namespace mortise::io {

/// Klamp't's robot files (.rob).
class RobFormat final : public FileFormat {
 public:
  RobotDescription readRobot(ReadContext& context) override;
  void writeRobot(const RobotDescription& robot, WriteContext& context) override;
};

}  // namespace mortise::io
