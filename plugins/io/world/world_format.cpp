#include "world/world_format.h"

#include "world/world_reader.h"
#include "world/world_writer.h"

namespace mortise::io {

double WorldFormat::probe(std::string_view, std::string_view head) const {
  return head.find("<world") != std::string_view::npos ? 1 : 0;
}

Resource WorldFormat::read(FileContent, ReadContext& context) {
  const XmlFile file(TextFile(context.path, context.content()));
  if (std::string_view(file.root().Name()) != "world")
    throw Error("expected <world>, found <" + std::string(file.root().Name()) + ">", file.position(file.root()));
  return readWorldFile(file, context);
}

void WorldFormat::write(const Resource& value, WriteContext& context) {
  writeWorldFile(std::get<WorldDescription>(value), context);
}

}  // namespace mortise::io
