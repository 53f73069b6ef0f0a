#include "urdf/urdf_format.h"

#include "urdf/urdf_builder.h"
#include "urdf/urdf_parser.h"
#include "urdf/urdf_writer.h"

namespace mortise::io {

Resource UrdfFormat::read(FileContent, ReadContext& context) {
  const XmlFile file(context.path);
  const int errorsBefore = context.diagnostics.errorCount();
  const UrdfFile urdf = parseUrdf(file, context);
  // Parts that could not be read would only cause more errors.
  if (context.diagnostics.errorCount() > errorsBefore) return RobotDescription();
  return buildUrdfRobot(urdf, context);
}

void UrdfFormat::write(const Resource& value, WriteContext& context) {
  writeUrdf(std::get<RobotDescription>(value), context);
}

}  // namespace mortise::io
