#include "image_check.h"

#include <string>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/value.h"
#include "mortise/settings/settings.h"

namespace mortise::sensors_embree {

namespace {

constexpr double kMaxPixels = 4096.0 * 2304;

}  // namespace

void checkImage(int width, int height, double fx, double fy) {
  if (static_cast<double>(width) * height > kMaxPixels)
    throw Error("an image of " + std::to_string(width) + " x " + std::to_string(height) +
                    " pixels is too large: at most 4096 x 2304 pixels in all",
                settingPosition("xres"), "make 'xres' and 'yres' smaller");
  for (const auto& [name, focal] : {std::pair("fx", fx), std::pair("fy", fy)})
    if (!(focal > 0) && focal != -1)
      throw Error("'" + std::string(name) + "' must be above 0, found " + Value(focal).text(), settingPosition(name),
                  "leave it out, or give -1, which follows from the angle of view");
}

}  // namespace mortise::sensors_embree
