#include "rob/rob_format.h"

#include "rob/rob_builder.h"
#include "rob/rob_parser.h"
#include "rob/rob_writer.h"

namespace mortise::io {

RobotDescription RobFormat::readRobot(ReadContext& context) {
  const TextFile file(context.path);
  const int errorsBefore = context.diagnostics.errorCount();
  const RobFile rob = parseRob(file, context);
  // Lists that could not be read would only cause more errors.
  if (context.diagnostics.errorCount() > errorsBefore) return {};
  return buildRobot(rob, context);
}

void RobFormat::writeRobot(const RobotDescription& robot, WriteContext& context) { writeRob(robot, context); }

}  // namespace mortise::io
