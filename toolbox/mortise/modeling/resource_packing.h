#pragma once

/// Compound resources taken apart into what they are made of, and put together again, as Klamp't's Unpack and Pack do.

#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/component/resource.h"

namespace mortise {

/// Kinds that `packed` makes, in the order in which they are tried.
const std::vector<FileContent>& packableKinds();

/// The parts of a compound resource, with Klamp't's names:
/// - configurations: config[0], ...;
/// - a path: times (numbers) and milestones (configurations);
/// - a MultiPath: section[0], ... (paths; with velocities MultiPaths of one section) or, without times, configs[0],
///   ... (configurations), and stance[0], ... where anything holds;
/// - a hold: ikConstraint, contact[0], ... (7 numbers: point, normal, friction);
/// - a stance or grasp: hold[LINK] for each link;
/// - a library: its items.
/// What the parts do not hold is said as a warning. Throws `Error` for everything else.
ResourceLibrary unpacked(const Resource& resource, Diagnostics& diagnostics);

/// The items as one resource of that kind, the reverse of `unpacked`; sections and stances in the order of the items.
/// MultiPaths are joined. Throws `Error` that says which items are missing or too many.
Resource packed(const ResourceLibrary& library, FileContent kind, Diagnostics& diagnostics);

/// The same as the first of `packableKinds` that takes all the items. Throws `Error` that says for each kind that comes
/// near why it does not.
Resource packed(const ResourceLibrary& library, Diagnostics& diagnostics);

/// Items in the order of their names, in which numbers count as numbers: config[2] before config[10].
void sortByName(ResourceLibrary& library);

}  // namespace mortise
