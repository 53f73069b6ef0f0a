#pragma once

namespace mortise::sight {

extern const char* const kLaserDocumentation;
extern const char* const kCameraDocumentation;

}  // namespace mortise::sight
