#include "mortise/geometry/mass_assumptions.h"

#include <algorithm>

#include "mortise/geometry/surface_defects.h"

namespace mortise {

namespace {

std::string countedEdges(std::size_t count, const char* kind) {
  return std::to_string(count) + " " + kind + (count == 1 ? " edge" : " edges");
}

std::string joinedClauses(const std::vector<std::string>& parts) {
  std::string text = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) text += (i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

std::string defectsText(const SurfaceDefects& defects) {
  std::vector<std::string> parts;
  if (defects.boundaryEdges > 0) parts.push_back(countedEdges(defects.boundaryEdges, "boundary"));
  if (defects.opposedEdges > 0)
    parts.push_back(countedEdges(defects.opposedEdges, "mis-wound") +
                    " (whose triangles are wound against each other)");
  if (defects.inward) parts.push_back("a negative volume (its triangles face inward)");
  return joinedClauses(parts);
}

std::string assumptionText(const SurfaceDefects& defects, double surfaceFraction) {
  if (surfaceFraction == 1) return "its mass is spread over its triangles, a thin shell, whichever way they face";
  std::vector<std::string> parts;
  if (defects.boundaryEdges > 0) parts.emplace_back("openings count as closed from the mean of its vertices");
  if (defects.opposedEdges > 0) parts.emplace_back("the volume under triangles wound the other way is subtracted");
  if (defects.inward) parts.emplace_back("it counts as if turned outward");
  return joinedClauses(parts) + ", as in Klamp't";
}

}  // namespace

std::vector<std::string> massAssumptions(const Geometry& geometry, double surfaceFraction) {
  std::vector<std::string> found;
  if (const auto* group = geometry.as<GeometryGroup>()) {
    for (const GeometryPtr& part : group->parts)
      for (std::string& text : massAssumptions(*part, surfaceFraction)) found.push_back(std::move(text));
    return found;
  }
  const auto* mesh = geometry.as<TriangleMesh>();
  if (mesh == nullptr || mesh->triangles.empty()) return found;
  const SurfaceDefects defects = surfaceDefects(*mesh);
  if (!defects.any()) return found;
  const std::string name = geometry.file().empty() ? "the mesh" : "the mesh '" + geometry.file() + "'";
  found.push_back(name + " has " + defectsText(defects) + "; for its mass properties, " +
                  assumptionText(defects, surfaceFraction));
  return found;
}

void warnOfMassAssumptions(const std::vector<std::string>& assumptions, const SourcePosition& where,
                           Diagnostics& diagnostics) {
  for (const std::string& text : assumptions) {
    const auto said = [&](const Diagnostic& d) { return d.message == text; };
    if (std::any_of(diagnostics.all().begin(), diagnostics.all().end(), said)) continue;
    diagnostics.warning(text, where,
                        "close the mesh and wind its triangles counter-clockwise seen from outside, or give the center "
                        "of mass and the inertia in numbers");
  }
}

}  // namespace mortise
