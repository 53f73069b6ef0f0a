#include "engine_parameters.h"

#include <condition_variable>
#include <mutex>

#include "engine.h"
#include "lcp_messages.h"

namespace mortise::dart {

namespace {

EngineParameters readFromDart() {
  EngineParameters p;
  p.errorAllowance = con::ContactConstraint::getErrorAllowance();
  p.errorReduction = con::ContactConstraint::getErrorReductionParameter();
  p.maxErrorReductionVelocity = con::ContactConstraint::getMaxErrorReductionVelocity();
  p.constraintForceMixing = con::ContactConstraint::getConstraintForceMixing();
  p.jointErrorReduction = con::DynamicJointConstraint::getErrorReductionParameter();
  p.jointConstraintForceMixing = con::DynamicJointConstraint::getConstraintForceMixing();
  return p;
}

void writeToDart(const EngineParameters& p) {
  con::ContactConstraint::setErrorAllowance(p.errorAllowance);
  con::ContactConstraint::setErrorReductionParameter(p.errorReduction);
  con::ContactConstraint::setMaxErrorReductionVelocity(p.maxErrorReductionVelocity);
  con::ContactConstraint::setConstraintForceMixing(p.constraintForceMixing);
  con::DynamicJointConstraint::setErrorReductionParameter(p.jointErrorReduction);
  con::DynamicJointConstraint::setConstraintForceMixing(p.jointConstraintForceMixing);
  con::JointConstraint::setConstraintForceMixing(p.jointConstraintForceMixing);
  con::JointCoulombFrictionConstraint::setConstraintForceMixing(p.jointConstraintForceMixing);
}

/// Who steps, and with what. Part of the process because DART's parameters are.
struct Gate {
  std::mutex mutex;
  std::condition_variable freed;
  int users = 0;
  EngineParameters inForce = EngineParameters::defaults();
};

Gate& gate() {
  static Gate instance;
  return instance;
}

}  // namespace

const EngineParameters& EngineParameters::defaults() {
  static const EngineParameters read = readFromDart();
  return read;
}

ParametersInForce::ParametersInForce(const EngineParameters& parameters) {
  Gate& g = gate();
  std::unique_lock lock(g.mutex);
  g.freed.wait(lock, [&] { return g.users == 0 || g.inForce == parameters; });
  catchLcpMessages();
  if (!(g.inForce == parameters)) {
    writeToDart(parameters);
    g.inForce = parameters;
  }
  ++g.users;
}

ParametersInForce::~ParametersInForce() {
  Gate& g = gate();
  {
    const std::lock_guard lock(g.mutex);
    --g.users;
  }
  g.freed.notify_all();
}

}  // namespace mortise::dart
