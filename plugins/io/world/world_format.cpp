#include "world/world_format.h"

#include "mortise/modeling/world_compiler.h"
#include "world/world_reader.h"
#include "world/world_writer.h"

namespace mortise::io {

double WorldFormat::probe(std::string_view, std::string_view head) const {
  return head.find("<world") != std::string_view::npos ? 1 : 0;
}

World WorldFormat::readWorld(ReadContext& context) {
  const int errorsBefore = context.diagnostics.errorCount();
  const WorldDescription description = readWorldDescription(context);
  // Half a world would only cause more errors.
  if (context.diagnostics.errorCount() > errorsBefore) return {};
  return WorldCompiler().compile(description, context.diagnostics);
}

WorldDescription WorldFormat::readWorldDescription(ReadContext& context) {
  const XmlFile file(TextFile(context.path, context.content()));
  if (std::string_view(file.root().Name()) != "world")
    throw Error("expected <world>, found <" + std::string(file.root().Name()) + ">", file.position(file.root()));
  return readWorldFile(file, context);
}

void WorldFormat::writeWorld(const WorldDescription& world, WriteContext& context) { writeWorldFile(world, context); }

}  // namespace mortise::io
