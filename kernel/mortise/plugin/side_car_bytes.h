#pragma once

/// A side-car as bytes, for `SideCarIndex`.

#include "mortise/base/bytes.h"
#include "mortise/plugin/side_car.h"

namespace mortise {

void writeSideCarBytes(const SideCar& sideCar, ByteWriter& out);
/// What `writeSideCarBytes` wrote, but for the positions of values. Throws `Error` for damaged bytes.
SideCar readSideCarBytes(ByteReader& in);

}  // namespace mortise
