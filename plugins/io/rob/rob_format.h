#pragma once

#include "mortise/component/file_format.h"

namespace mortise::io {

/// Klamp't's robot files (.rob).
class RobFormat final : public FileFormat {
 public:
  Resource read(FileContent content, ReadContext& context) override;
  void write(const Resource& value, WriteContext& context) override;
};

}  // namespace mortise::io
