#pragma once

#include <atomic>
#include <barrier>
#include <embree3/rtcore.h>
#include <thread>
#include <vector>

#include "mortise/component/sensor_reading.h"
#include "mortise/geometry/geometry.h"

namespace mortise::bench {

/// The program of somebody who wants the same image from Embree alone: float rays in packets of 16, squares of 4 x 4
/// pixels, a thread for every second strip. Keeps distances in `depths`; colors nothing.
class PlainEmbree {
 public:
  /// `instanced`: a scene for each mesh and one of instances, as a world that moves has it; else one scene of all
  /// triangles.
  PlainEmbree(const std::vector<const mortise::TriangleMesh*>& meshes,
              const std::vector<mortise::RigidTransform>& poses, const mortise::CameraModel& camera,
              const mortise::RigidTransform& X_WC, float near, bool instanced);
  ~PlainEmbree();
  PlainEmbree(const PlainEmbree&) = delete;
  PlainEmbree& operator=(const PlainEmbree&) = delete;

  void render();
  const std::vector<float>& depths() const { return depths_; }

 private:
  void work();
  void attachMesh(RTCScene scene, const mortise::TriangleMesh& mesh, const mortise::RigidTransform& X);

  RTCDevice device_;
  RTCScene scene_;
  std::vector<RTCScene> parts_;
  mortise::CameraModel camera_;
  float origin_[3], near_;
  struct alignas(64) Directions {
    float x[16], y[16], z[16];
  };
  std::vector<Directions> directions_;  ///< One a packet.
  std::vector<float> depths_;
  std::atomic<int> next_ = 0;
  bool closing_ = false;
  std::barrier<> begin_{2}, end_{2};
  std::thread other_;
};

}  // namespace mortise::bench
