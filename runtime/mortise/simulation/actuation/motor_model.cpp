#include "mortise/simulation/actuation/motor_model.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
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

const Schema& motorSchema(std::string_view model) {
  static const Schema dc = [] {
    Schema s;
    s.parameter("stall_torque", ParameterType::real, "Torque at standstill, of the motor's shaft.",
                {.min = 1e-12, .max = 1e12, .unit = "N*m", .required = true})
        .parameter("no_load_speed", ParameterType::real, "Speed without load, of the motor's shaft.",
                   {.min = 1e-12, .max = 1e12, .unit = "rad/s", .required = true})
        .parameter("gear", 1.0, "Turns of the motor for one of the driver (for a driver that slides: radians a meter).",
                   {.min = 1e-9, .max = 1e9})
        .parameter("efficiency", 1.0, "Fraction of the torque that the gear passes on.", {.min = 1e-6, .max = 1})
        .parameter("dry_friction", 0.0, "Of motor and gear, at the driver.", {.min = 0, .max = 1e12, .unit = "N*m"})
        .parameter("viscous_friction", 0.0, "Of motor and gear, at the driver: torque for each rad/s.",
                   {.min = 0, .max = 1e12});
    return s;
  }();
  if (model == "dc") return dc;
  const std::string name(model);
  throw Error("there is no model of motors '" + name + "'", {}, suggestFrom(name, motorModelNames()));
}

std::unique_ptr<MotorModel> makeMotorModel(const MotorOptions& options) {
  Diagnostics diagnostics;
  const Value settings =
      motorSchema(options.model).complete(options.settings, "motor model '" + options.model + "'", diagnostics);
  diagnostics.throwIfErrors();
  DcMotor::Parameters p;
  p.stallTorque = settings.at("stall_torque").asReal();
  p.noLoadSpeed = settings.at("no_load_speed").asReal();
  p.gear = settings.at("gear").asReal();
  p.efficiency = settings.at("efficiency").asReal();
  p.dryFriction = settings.at("dry_friction").asReal();
  p.viscousFriction = settings.at("viscous_friction").asReal();
  return std::make_unique<DcMotor>(p);
}

}  // namespace mortise
