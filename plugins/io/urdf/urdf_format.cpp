#include "urdf/urdf_format.h"

#include "mortise/settings/setting_binder.h"
#include "urdf/urdf_builder.h"
#include "urdf/urdf_parser.h"
#include "urdf/urdf_writer.h"

namespace mortise::io {

void UrdfSettings::bind(SettingBinder& b) {
  b.add("use_vis_geom", useVisuals, "Shapes are those of <visual>, not of <collision>.", {.aliases = {"useVisGeom"}});
  b.add("flip_yz", flipYz, "Meshes have their y axis upwards.", {.aliases = {"flipYZ"}});
  b.add("package_root", packageRoot, "Folder in which package:// references are looked for first.",
        {.aliases = {"packageRootPath"}});
}

RobotDescription readUrdf(ReadContext& context, const UrdfKlampt& defaults) {
  const XmlFile file(context.path);
  const int errorsBefore = context.diagnostics.errorCount();
  const UrdfFile urdf = parseUrdf(file, context, defaults);
  // Parts that could not be read would only cause more errors.
  if (context.diagnostics.errorCount() > errorsBefore) return {};
  return buildUrdfRobot(urdf, context);
}

Resource UrdfFormat::read(FileContent, ReadContext& context) {
  UrdfKlampt defaults;
  defaults.useVisuals = settings_->useVisuals;
  defaults.flipYz = settings_->flipYz;
  defaults.packageRoot = settings_->packageRoot;
  return readUrdf(context, defaults);
}

void UrdfFormat::write(const Resource& value, WriteContext& context) {
  writeUrdf(std::get<RobotDescription>(value), context);
}

}  // namespace mortise::io
