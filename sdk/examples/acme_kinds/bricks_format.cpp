// A file format: .bricks, one box a line, "x y z  width depth height" (its lowest corner and its size, in meters).

#include <sstream>

#include "mortise/plugin/plugin.h"

namespace acme {

class BricksFormat final : public mortise::FileFormat {
 public:
  mortise::Resource read(mortise::FileContent, mortise::ReadContext& context) override {
    mortise::GeometryGroup group;
    std::istringstream lines(*context.content());
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
      if (line.find_first_not_of(" \t\r") == std::string::npos || line.front() == '#') continue;
      std::istringstream words(line);
      mortise::AxisAlignedBoxShape box;
      mortise::Vector3d size;
      if (!(words >> box.min.x() >> box.min.y() >> box.min.z() >> size.x() >> size.y() >> size.z()) ||
          !(size.array() > 0).all()) {
        // An error with a position; reading goes on, so that all of them are told at once.
        context.diagnostics.error("expected six numbers, the last three above 0", {context.path, number, 1, {}},
                                  "write: x y z  width depth height");
        continue;
      }
      box.max = box.min + size;
      group.parts.push_back(std::make_shared<const mortise::Geometry>(box));
    }
    return std::make_shared<const mortise::Geometry>(std::move(group), 0.0, context.path);
  }
};

}  // namespace acme

MORTISE_PLUGIN("acme_format", "1.0.0") {
  plugin.format<acme::BricksFormat>("acme.Bricks")
      .summary("Boxes as text, one a line.")
      .extensions({"bricks"})
      .reads({mortise::FileContent::geometry});
}
