#include "mortise/simulation/actuation/motor_model.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/settings/settings.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

double positive(double value, const char* what) {
  if (!(value > 0) || !std::isfinite(value))
    throw Error("the " + std::string(what) + " of a motor must be positive and finite, not " + formatReal(value));
  return value;
}

double friction(double value, const char* what) {
  if (!(value >= 0) || !std::isfinite(value))
    throw Error("the " + std::string(what) + " of a motor must be zero or positive, not " + formatReal(value));
  return value;
}

}  // namespace

MotorModel::~MotorModel() = default;
void MotorModel::save(ByteWriter&) const {}
void MotorModel::restore(ByteReader&) {}

DcMotor::DcMotor(const Parameters& p) {
  const double gear = positive(p.gear, "gear ratio");
  const double efficiency = positive(p.efficiency, "gear's efficiency");
  if (efficiency > 1) throw Error("the efficiency of a gear is at most 1, not " + formatReal(efficiency));
  stall_ = positive(positive(p.stallTorque, "stall torque") * gear * efficiency, "stall torque at the output");
  fastest_ = positive(positive(p.noLoadSpeed, "no-load speed") / gear, "no-load speed at the output");
  dry_ = friction(p.dryFriction, "dry friction");
  viscous_ = friction(p.viscousFriction, "viscous friction");
}

MotorAnswer DcMotor::answer(const MotorRequest& request) {
  MotorAnswer answer;
  const double v = request.rate;
  const double back = stall_ / fastest_ * v;  // What the voltage that the motor induces takes away.
  answer.maxEffort = std::min(stall_, stall_ - back);
  answer.minEffort = std::max(-stall_, -stall_ - back);
  // Down to nothing at the speed without load; from the other direction that is below what the motor can do.
  if (v < fastest_) answer.maxSlope = answer.maxEffort / (fastest_ - v);
  if (v > -fastest_) answer.minSlope = -answer.minEffort / (fastest_ + v);
  answer.dryFriction = dry_;
  answer.viscousFriction = viscous_;
  return answer;
}

const std::vector<std::string>& motorModelNames() {
  static const std::vector<std::string> names = {"dc"};
  return names;
}

void DcMotor::Parameters::bind(SettingBinder& b) {
  b.add("stall_torque", stallTorque, "Torque at standstill, of the motor's shaft.",
        {.min = 1e-12, .max = 1e12, .unit = "N*m", .required = true});
  b.add("no_load_speed", noLoadSpeed, "Speed without load, of the motor's shaft.",
        {.min = 1e-12, .max = 1e12, .unit = "rad/s", .required = true});
  b.add("gear", gear, "Turns of the motor for one of the driver (for a driver that slides: radians a meter).",
        {.min = 1e-9, .max = 1e9});
  b.add("efficiency", efficiency, "Fraction of the torque that the gear passes on.", {.min = 1e-6, .max = 1});
  b.add("dry_friction", dryFriction, "Of motor and gear, at the driver.", {.min = 0, .max = 1e12, .unit = "N*m"});
  b.add("viscous_friction", viscousFriction, "Of motor and gear, at the driver: torque for each rad/s.",
        {.min = 0, .max = 1e12});
}

std::unique_ptr<MotorModel> makeMotorModel(const MotorOptions& options) {
  if (options.model != "dc")
    throw Error("there is no model of motors '" + options.model + "'", {},
                suggestFrom(options.model, motorModelNames()));
  return std::make_unique<DcMotor>(
      readSettings<DcMotor::Parameters>(options.settings, "motor model '" + options.model + "'"));
}

}  // namespace mortise
