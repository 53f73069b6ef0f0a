#include "mortise/planning/real_time/trials/real_time_obstacles.h"

#include "mortise/base/error.h"
#include "mortise/component/resource.h"
#include "mortise/planning/real_time/obstacle_motion.h"

namespace mortise {

KnownMotion movingBody(const std::string& text, const World& world, ResourceLoader& loader, Diagnostics& diagnostics) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    throw Error("'" + text + "' does not say what moves, and how", {}, "write BODY=FILE, such as ball=ball.path");
  return knownMotionOf(loader.load<Trajectory>(text.substr(at + 1), {}, diagnostics), text.substr(0, at), world);
}

}  // namespace mortise
