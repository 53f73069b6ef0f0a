#pragma once

/// The contact scene of a world, and a motion of its bodies about where they rest.

#include <memory>
#include <string>
#include <vector>

#include "mortise/contacts/contact_generator.h"
#include "mortise/model/world.h"

namespace mortise::bench {

struct ContactWorld {
  World world;
  std::shared_ptr<const ContactScene> scene;
  std::size_t numPairs = 0;  ///< That are checked.
};

/// `folder` holds `klampt-data/` and `reference/`; `name` is that of a world and of the reference's run of it, whose
/// final state the bodies get. Throws `Error` when something cannot be read.
ContactWorld contactWorld(const std::string& folder, const std::string& name);

/// Poses of every id in step `step`: each body wanders smoothly about its place, by about `speed` meters a step and no
/// farther than `range`.
class Wandering {
 public:
  Wandering(const ContactWorld& world, double speed, double range);
  void apply(int step, ContactGenerator& generator);

 private:
  Vector3d wave(int id, int which, int step) const;

  const ContactWorld& world_;
  double speed_, range_;
  std::vector<Vector3d> phases_;
};

}  // namespace mortise::bench
