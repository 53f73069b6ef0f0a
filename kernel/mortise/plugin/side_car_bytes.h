#pragma once

/// A side-car as bytes, for `SideCarIndex`. What lists need of a component (kind, names, interface, roles) stands
/// before the rest, which can be read later: most commands need all of a few components.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/plugin/side_car.h"

namespace mortise {

void writeSideCarBytes(const SideCar& sideCar, ByteWriter& out);

/// Summary, documentation, settings and attributes, but for roles, of a component that are still to be read.
struct UnreadComponent {
  std::shared_ptr<const std::string> text;  ///< Holds the bytes.
  std::string_view bytes;                   ///< Empty: there is nothing to read.
};

struct SideCarOutline {
  SideCar sideCar;
  std::vector<UnreadComponent> unread;  ///< By component.
};

/// Reads what `writeSideCarBytes` wrote to `bytes`, which are part of `text`. Throws `Error` for damaged bytes.
SideCarOutline readSideCarOutline(const std::shared_ptr<const std::string>& text, std::string_view bytes);
/// Reads the rest, but for the positions of values. Throws `Error` for damaged bytes.
void readUnread(UnreadComponent& unread, ComponentInfo& info);

}  // namespace mortise
