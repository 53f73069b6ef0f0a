#pragma once

#include "mortise/component/file_format.h"
#include "mortise/model/world_description.h"

namespace mortise::io {

/// Klamp't's world files (.xml with a root `<world>`), with `<simulation backend="...">` as our addition.
class WorldFormat final : public FileFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;
  World readWorld(ReadContext& context) override;
  WorldDescription readWorldDescription(ReadContext& context) override;
  void writeWorld(const WorldDescription& world, WriteContext& context) override;
};

}  // namespace mortise::io
