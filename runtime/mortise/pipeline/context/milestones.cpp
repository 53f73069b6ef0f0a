#include "mortise/pipeline/context/milestones.h"

#include "mortise/base/position.h"
#include "mortise/motion/hermite_trajectory.h"

namespace mortise {

Value milestonesFrom(ResourceLoader& loader, const std::string& file, const std::string& referringFile,
                     Diagnostics& diagnostics) {
  const auto path = loader.load<HermiteTrajectory>(file, referringFile, diagnostics);
  diagnostics.throwIfErrors();
  Value milestones = Value::list();
  for (std::size_t i = 0; i < path.configurations.size(); ++i) {
    const VectorXd &q = path.configurations[i], &v = path.velocities[i];
    Value milestone = Value::map();
    milestone.set("q", std::vector<double>(q.begin(), q.end()));
    milestone.set("v", std::vector<double>(v.begin(), v.end()));
    milestones.push_back(std::move(milestone));
  }
  milestones.setPosition(inFile(file));
  return milestones;
}

}  // namespace mortise
