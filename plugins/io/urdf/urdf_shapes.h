#pragma once

#include "mortise/component/file_format.h"
#include "urdf/urdf_file.h"

namespace mortise::io {

/// Loads the shapes of a link and sets its geometry to their union. A mesh that cannot be found or read goes to the
/// diagnostics with the place that names it.
void loadUrdfShapes(const std::vector<UrdfShape>& shapes, const UrdfKlampt& klampt, ReadContext& context, Link& link);

}  // namespace mortise::io
