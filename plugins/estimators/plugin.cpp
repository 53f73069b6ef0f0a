#include "mortise/plugin/plugin.h"

#include "documentation.h"
#include "integrated.h"
#include "omniscient.h"

MORTISE_PLUGIN("mortise_estimators", "0.1.0") {
  using namespace mortise::estimators;
  plugin.estimator<OmniscientStateEstimator>("mortise.OmniscientStateEstimator")
      .alias("OmniscientStateEstimator")
      .summary("The state that the simulator has: exact, and only where there is a simulator.")
      .documentation(documentation::omniscient_state_estimator);
  plugin.estimator<IntegratedStateEstimator>("mortise.IntegratedStateEstimator")
      .alias("IntegratedStateEstimator")
      .summary(
          "The state that the robot's joint and inertial sensors measure, completed by differences and integration.")
      .documentation(documentation::integrated_state_estimator)
      .settings<IntegratedSettings>();
}
