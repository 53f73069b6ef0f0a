#include "urdf/urdf_format.h"

#include "urdf/urdf_builder.h"
#include "urdf/urdf_parser.h"
#include "urdf/urdf_writer.h"

namespace mortise::io {

RobotDescription UrdfFormat::readRobot(ReadContext& context) {
  const XmlFile file(context.path);
  const int errorsBefore = context.diagnostics.errorCount();
  const UrdfFile urdf = parseUrdf(file, context);
  // Parts that could not be read would only cause more errors.
  if (context.diagnostics.errorCount() > errorsBefore) return {};
  return buildUrdfRobot(urdf, context);
}

void UrdfFormat::writeRobot(const RobotDescription& robot, WriteContext& context) { writeUrdf(robot, context); }

}  // namespace mortise::io
