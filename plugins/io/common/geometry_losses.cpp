#include "common/geometry_losses.h"

#include <algorithm>

#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/text/article.h"

namespace mortise::io {

namespace {

double largestMargin(const Geometry& geometry) {
  double margin = geometry.margin();
  if (const auto* group = geometry.as<GeometryGroup>())
    for (const GeometryPtr& part : group->parts)
      if (part) margin = std::max(margin, largestMargin(*part));
  return margin;
}

}  // namespace

void reportLostMargins(const Geometry& geometry, WriteContext& context) {
  if (const double margin = largestMargin(geometry); margin > 0)
    context.diagnostics.warning(
        "a file of a shape holds no margin: the margin of " + formatReal(margin) + " m is left out",
        inFile(context.path), "give the margin where the file is used: 'margin' of <geometry>, 'geommargin' of robots");
}

void reportLostKind(const Geometry& geometry, WriteContext& context) {
  if (geometry.as<TriangleMesh>()) return;
  context.diagnostics.warning(
      "the file holds triangles: " + withArticle(geometry.typeName()) + " is read back as a mesh, which is hollow",
      inFile(context.path), "primitives are written to .geom, everything else to .group");
}

}  // namespace mortise::io
