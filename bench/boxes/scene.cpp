#include "boxes/scene.h"

#include "mortise/base/random.h"
#include "mortise/math/rotation.h"

namespace mortise::bench {

BoxesScene::BoxesScene(int count) {
  constexpr int kColumns = 10;
  RandomStream random(1, "bench_boxes");
  for (int i = 0; i < count; ++i) {
    const int x = i % kColumns, y = i / kColumns % kColumns, z = i / (kColumns * kColumns);
    RigidTransform X;
    X.p = Vector3d(0.3 * (x - 0.5 * kColumns), 0.3 * (y - 0.5 * kColumns), 0.3 + 0.35 * z);
    X.R = rotationFromMoment(Vector3d(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)));
    poses.push_back(X);
  }
}

Vector3d BoxesScene::moments() const {
  const Vector3d s = size.cwiseProduct(size);
  return mass / 12 * Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
}

}  // namespace mortise::bench
