#include "integrated.h"

#include "mortise/base/error.h"
#include "state_bytes.h"

namespace mortise {

namespace {

JointEstimateSettings jointSettings(const Value& settings) {
  JointEstimateSettings result;
  result.positionSensor = settings.string("positionSensor", "");
  result.velocitySensor = settings.string("velocitySensor", "");
  result.velocityFilter = settings.real("velocityFilter", result.velocityFilter);
  result.baseFromJointSensors = settings.boolean("baseFromJointSensors", false);
  return result;
}

BaseEstimateSettings baseSettings(const Value& settings) {
  BaseEstimateSettings result;
  if (const Value* link = settings.find("inertialLink")) result.link = *link;
  result.gyroSensor = settings.string("gyroSensor", "");
  result.tiltSensor = settings.string("tiltSensor", "");
  result.imuSensor = settings.string("imuSensor", "");
  result.tiltTime = settings.real("tiltTime", result.tiltTime);
  result.velocityInLink = settings.string("angularVelocityFrame", "world") == "link";
  result.imuTranslation = settings.boolean("imuTranslation", true);
  const std::vector<double> rows = settings.at("Rsensor").asReals(), direction = settings.at("referenceDir").asReals();
  for (int i = 0; i < 9; ++i) result.R_LS(i / 3, i % 3) = rows[i];
  if (!(result.R_LS * result.R_LS.transpose()).isIdentity(1e-3) || result.R_LS.determinant() < 0)
    throw Error("'Rsensor' is not a rotation", settings.at("Rsensor").position(),
                "give its nine numbers row by row, such as [1, 0, 0, 0, 1, 0, 0, 0, 1]");
  result.reference = Vector3d(direction[0], direction[1], direction[2]);
  if (!(result.reference.norm() > 1e-9))
    throw Error("'referenceDir' has no direction", settings.at("referenceDir").position(), "[0, 0, 1] is up");
  return result;
}

}  // namespace

IntegratedStateEstimator::IntegratedStateEstimator(const ComponentContext& context)
    : joints_(jointSettings(context.settings)),
      base_(baseSettings(context.settings)),
      baseFromJointSensors_(context.settings.boolean("baseFromJointSensors", false)) {}

void IntegratedStateEstimator::start(const EstimatorSetup& setup) {
  joints_.start(setup);
  base_.start(setup, !baseFromJointSensors_);
  hasTime_ = false;
  time_ = 0;
}

void IntegratedStateEstimator::readSensors(const EstimatorInput& input) {
  const double dt = hasTime_ ? input.time - time_ : 0;
  joints_.readSensors(input.sensors, dt);
  base_.readSensors(input.sensors, dt, joints_.q(), joints_.dq());
  time_ = input.time;
  hasTime_ = true;
}

void IntegratedStateEstimator::estimate(VectorXd& q, VectorXd& dq) const {
  q = joints_.q();
  dq = joints_.dq();
}

void IntegratedStateEstimator::readCommand(std::span<const ActuatorCommand> commands) { joints_.readCommand(commands); }

void IntegratedStateEstimator::advance(double period) { joints_.advance(period); }

void IntegratedStateEstimator::save(ByteWriter& out) const {
  joints_.save(out);
  base_.save(out);
  out.put<std::uint8_t>(hasTime_ ? 1 : 0);
  out.put(time_);
}

void IntegratedStateEstimator::restore(ByteReader& in) {
  joints_.restore(in);
  base_.restore(in);
  hasTime_ = getFlag(in);
  time_ = getFinite(in);
}

}  // namespace mortise
