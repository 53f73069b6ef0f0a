#pragma once

#include "mortise/component/file_format.h"
#include "mortise/modeling/link_visuals.h"
#include "urdf/urdf_file.h"

namespace mortise::io {

/// The visual shapes of a link, as references: no file is read or looked up.
std::vector<LinkVisual> visualsOf(const UrdfLink& link, const UrdfKlampt& klampt, const std::string& file);

/// Loads the shapes of a link and sets its geometry to their union. A mesh that cannot be found or read goes to the
/// diagnostics with the place that names it.
void loadUrdfShapes(const std::vector<UrdfShape>& shapes, const UrdfKlampt& klampt, ReadContext& context, Link& link);

}  // namespace mortise::io
