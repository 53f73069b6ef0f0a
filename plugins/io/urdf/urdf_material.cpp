#include "urdf/urdf_material.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "urdf/urdf_parser.h"

namespace mortise::io {

namespace {

std::optional<std::array<double, 4>> colorOf(const XmlFile& file, const tinyxml2::XMLElement& xml,
                                             Diagnostics& diagnostics) {
  Diagnostics found;
  XmlElement element(file, xml, found);
  element.allowCommas();
  std::optional<std::vector<double>> numbers = element.reals("rgba");
  finishUrdfElement(element);
  const bool good = numbers && (numbers->size() == 3 || numbers->size() == 4) &&
                    std::all_of(numbers->begin(), numbers->end(), [](double x) { return std::isfinite(x); });
  if (!good) {
    diagnostics.warning("<color> is not a color: expected rgba=\"RED GREEN BLUE OPACITY\", from 0 to 1; it is not used",
                        file.position(xml));
    return std::nullopt;
  }
  for (const Diagnostic& said : found.all()) diagnostics.add(said);
  numbers->resize(4, 1.0);
  std::array<double, 4> color;
  for (std::size_t k = 0; k < 4; ++k) color[k] = std::clamp((*numbers)[k], 0.0, 1.0);
  if (!std::equal(color.begin(), color.end(), numbers->begin()))
    diagnostics.warning("a color has numbers that are not from 0 to 1; the nearest that are are taken",
                        file.position(xml));
  return color;
}

}  // namespace

UrdfMaterial parseUrdfMaterial(const XmlFile& file, const tinyxml2::XMLElement& xml, ReadContext& context) {
  UrdfMaterial material;
  XmlElement element(file, xml, context.diagnostics);
  material.position = element.position();
  material.name = element.text("name").value_or("");
  finishUrdfElement(element);
  if (const auto* color = xml.FirstChildElement("color")) material.color = colorOf(file, *color, context.diagnostics);
  if (const auto* texture = xml.FirstChildElement("texture")) {
    XmlElement image(file, *texture, context.diagnostics);
    material.texture = image.text("filename").value_or("");
    finishUrdfElement(image);
    if (material.texture.empty())
      context.diagnostics.warning("<texture> names no file; it is not used", file.position(*texture),
                                  "write <texture filename=\"...\">");
  }
  return material;
}

void resolveUrdfMaterials(UrdfFile& urdf, Diagnostics& diagnostics) {
  std::set<std::string> missing;
  for (UrdfLink& link : urdf.links)
    for (UrdfShape& shape : link.visuals) {
      if (!shape.material || shape.material->defined() || shape.material->name.empty()) continue;
      const auto known = urdf.materials.find(shape.material->name);
      if (known != urdf.materials.end())
        shape.material = known->second;
      else if (missing.insert(shape.material->name).second)
        diagnostics.note(
            "no material is called '" + shape.material->name + "'; what has it is drawn in the default color",
            shape.material->position,
            "define it: <material name=\"" + shape.material->name + "\"><color rgba=\"...\"/></material>");
    }
}

}  // namespace mortise::io
