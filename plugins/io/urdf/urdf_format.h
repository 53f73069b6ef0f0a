#pragma once

#include "mortise/component/file_format.h"

namespace mortise::io {

/// URDF robots with Klamp't's `<klampt>` element. Nothing is kept from one file to the next.
class UrdfFormat final : public FileFormat {
 public:
  Resource read(FileContent content, ReadContext& context) override;
  void write(const Resource& value, WriteContext& context) override;
};

}  // namespace mortise::io
