#pragma once

#include "mortise/component/file_format.h"

namespace mortise::io {

/// Klamp't's world files (.xml with a root `<world>`), with `<simulation backend="...">` as our addition.
class WorldFormat final : public FileFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;
  Resource read(FileContent content, ReadContext& context) override;
  void write(const Resource& value, WriteContext& context) override;
};

}  // namespace mortise::io
