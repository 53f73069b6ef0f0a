#pragma once

namespace mortise::sensors_embree {

extern const char* const kLaserDocumentation;
extern const char* const kCameraDocumentation;

}  // namespace mortise::sensors_embree
