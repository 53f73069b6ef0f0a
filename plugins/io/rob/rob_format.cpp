#include "rob/rob_format.h"

#include "rob/rob_builder.h"
#include "rob/rob_parser.h"
#include "rob/rob_writer.h"

namespace mortise::io {

Resource RobFormat::read(FileContent, ReadContext& context) {
  TextFile file(context.path);
  file.setOrigin(Origin::robot);
  const int errorsBefore = context.diagnostics.errorCount();
  const RobFile rob = parseRob(file, context);
  // Lists that could not be read would only cause more errors.
  if (context.diagnostics.errorCount() > errorsBefore) return RobotDescription();
  return buildRobot(rob, context);
}

void RobFormat::write(const Resource& value, WriteContext& context) {
  writeRob(std::get<RobotDescription>(value), context);
}

}  // namespace mortise::io
