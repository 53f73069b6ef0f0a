#pragma once

/// Finds plugin libraries in the places of the search order and reads what their side-cars say. Opens no library.

#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/plugin/registry.h"
#include "mortise/plugin/side_car_bytes.h"

namespace mortise {

class SideCarIndex;

/// A library as found in one place of the search order.
struct FoundLibrary {
  std::string path;     ///< Absolute, symbolic links resolved: what identifies it.
  std::string shownAs;  ///< Path that was found: a link keeps its own name here.
  std::string origin;
  int place = 0;            ///< Index of the place; libraries of one folder share it.
  bool explicitly = false;  ///< Named as a file by a person, so whatever is wrong with it is an error.
  bool described = false;   ///< `components` is known, from a fresh side-car or from the library itself.
  std::string sideCar;      ///< Path of the side-car; empty when there is none.
  std::string staleness;    ///< Why the side-car cannot be used; empty when it can.
  std::string unusable;     ///< Why none of it can be used (ABI, cannot be opened); empty when it can.
  std::vector<ComponentInfo> components;
  std::vector<UnreadComponent> unread;  ///< By component; empty where everything has been read.
  bool listed = false;                  ///< A registry's table took over the `components` that can be used.
};

/// One library, symbolic links resolved. Its side-car is looked for beside the name it was found by, then beside the
/// file itself, and what it says taken from `index` where there is one. Adds what is wrong to `diagnostics`. Throws
/// `Error` when there is no such file. `realFolder`: the folder that it is in, links resolved, for callers that know
/// it.
FoundLibrary examineLibrary(const std::string& path, const std::string& origin, int place, bool explicitly,
                            Diagnostics& diagnostics, SideCarIndex* index = nullptr,
                            const std::string& realFolder = {});

/// Every library of a folder, in the order of their file names: `*.so`, and libraries whose side-car is (a link) there.
/// Keeps what their side-cars say for the next command (`SideCarIndex`).
std::vector<FoundLibrary> examineFolder(const std::string& folder, const std::string& origin, int place,
                                        Diagnostics& diagnostics);

/// Opens a library and takes its description from it. Failures make it unusable and go to `diagnostics`.
void describeInProcess(FoundLibrary& found, Diagnostics& diagnostics);

/// `lib/mortise/plugins` beside the kernel library and beside the running program; folders that exist, each once.
std::vector<std::string> installFolders();
/// `$XDG_DATA_HOME/mortise/plugins`, or the same below `~/.local/share`; empty when neither is known.
std::string userFolder();

}  // namespace mortise
