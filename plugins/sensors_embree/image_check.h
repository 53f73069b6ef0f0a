#pragma once

namespace mortise::sensors_embree {

/// Checks the settings `xres`, `yres`, `fx` and `fy` of a camera. Throws `Error` for images of more pixels than cameras
/// take, and for focal lengths that are neither positive nor -1.
void checkImage(int width, int height, double fx, double fy);

}  // namespace mortise::sensors_embree
