#pragma once

#include <map>
#include <span>
#include <vector>

#include "mortise/component/simulation_view.h"

namespace mortise {

/// An instant of an edited world, as a recorder that was opened with another version of it writes it: with that one's
/// objects in its order, and with its ids.
class RecordedView {
 public:
  /// Numbers of the objects in one version of a world, as of `EditedWorld`.
  struct Version {
    const World& world;
    std::span<const int> objects;
  };
  /// Returns a view of `as`, valid until the next call. Objects that went are where `gone` has them; what came is left
  /// out: contacts with it are contacts with id -1.
  const SimulationView& of(const SimulationView& view, const Version& now, const Version& as,
                           const std::map<int, BodyState>& gone);

 private:
  SimulationView view_;
  std::vector<BodyState> objects_;
  std::vector<ContactForce> contacts_, weighted_;
  std::vector<AppliedWrench> wrenches_;
};

/// Returns the id in `as` of what has `id` in `now`; -1: it is not there.
int idIn(const RecordedView::Version& as, const RecordedView::Version& now, int id);

}  // namespace mortise
