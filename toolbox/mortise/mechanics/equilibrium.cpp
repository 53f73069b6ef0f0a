#include "mortise/mechanics/equilibrium.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/math/rotation.h"
#include "mortise/mechanics/forces/contact_program.h"

namespace mortise {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

Vector3d middleOf(std::span<const ContactPoint> contacts) {
  Vector3d sum = Vector3d::Zero();
  for (const ContactPoint& contact : contacts) sum += contact.p_WC;
  return contacts.empty() ? sum : Vector3d(sum / static_cast<double>(contacts.size()));
}

/// Rows: torque about the middle in units of weight times length, then force in units of weight.
std::vector<Eigen::MatrixX3d> effects(std::span<const ContactPoint> contacts, const Vector3d& middle, double length) {
  std::vector<Eigen::MatrixX3d> effect;
  for (const ContactPoint& contact : contacts) {
    Eigen::MatrixX3d block(6, 3);
    block.topRows<3>() = crossMatrix(contact.p_WC - middle) / length;
    block.bottomRows<3>().setIdentity();
    effect.push_back(std::move(block));
  }
  return effect;
}

double lengthOf(std::span<const ContactPoint> contacts, const Vector3d& middle) {
  double length = 0;
  for (const ContactPoint& contact : contacts) length = std::max(length, (contact.p_WC - middle).norm());
  return length > 0 ? length : 1;
}

}  // namespace

struct EquilibriumTester::Setup {
  std::vector<ContactPoint> contacts;
  EquilibriumOptions options;
  Vector3d middle, down;
  double gravity = 0, length = 1;
  std::optional<ContactProgram> kept = {};
  double keptWeight = 0;

  /// For a body of this weight.
  ContactProgram program(double weight) const {
    ContactProgram program(6, contacts, effects(contacts, middle, length), options.coneEdges, options.limits, weight);
    program.setNormalCost(1);
    return program;
  }

  VectorXd rightSide(const Vector3d& com) const {
    VectorXd b(6);
    b.head<3>() = -(com - middle).cross(down) / length;
    b.tail<3>() = -down;
    return b;
  }

  /// The same, ready for a test that does not depend on earlier ones. That of pyramids stays from test to test: no
  /// edges are added to it.
  ContactProgram& fresh(double weight, std::optional<ContactProgram>& own) {
    if (options.coneEdges == 0) return own.emplace(program(weight));
    if (!kept || (options.limits.any() && keptWeight != weight)) {
      kept.emplace(program(weight));
      keptWeight = weight;
    }
    kept->program().restart();
    return *kept;
  }

  double weightOf(double mass) const {
    if (!(mass > 0) || !std::isfinite(mass)) throw Error("the mass must be above 0, not " + formatReal(mass));
    return mass * gravity;
  }
};

EquilibriumTester::EquilibriumTester(std::span<const ContactPoint> contacts, const EquilibriumOptions& options)
    : setup_(std::make_unique<Setup>()) {
  requireConeEdges(options.coneEdges);
  for (std::size_t i = 0; i < contacts.size(); ++i) requireContact(contacts[i], i);
  const double gravity = options.gravity_W.norm();
  if (!(gravity > 0) || !std::isfinite(gravity)) throw Error("without gravity every center of mass is as good");
  requireForceLimits(options.limits, contacts.size());
  *setup_ = {
      {contacts.begin(), contacts.end()}, options, middleOf(contacts), options.gravity_W / gravity, gravity, 1, {}, 0};
  setup_->length = lengthOf(contacts, setup_->middle);
}

EquilibriumTester::~EquilibriumTester() = default;
EquilibriumTester::EquilibriumTester(EquilibriumTester&&) noexcept = default;
EquilibriumTester& EquilibriumTester::operator=(EquilibriumTester&&) noexcept = default;

void EquilibriumTester::limitForces(const std::vector<int>& contacts, const Vector3d& direction_W, double maximum) {
  for (const int i : contacts)
    if (i < 0 || i >= static_cast<int>(setup_->contacts.size()))
      throw Error("there is no contact " + std::to_string(i), {},
                  "contacts run from 0 to " + std::to_string(static_cast<int>(setup_->contacts.size()) - 1));
  if (!direction_W.allFinite() || !std::isfinite(maximum)) throw Error("limits of forces must be finite");
  ForceBound bound;
  bound.a_W.assign(setup_->contacts.size(), Vector3d::Zero());
  for (const int i : contacts) bound.a_W[static_cast<std::size_t>(i)] = direction_W;
  bound.high = maximum;
  setup_->options.limits.bounds.push_back(std::move(bound));
  setup_->kept.reset();
}

bool EquilibriumTester::balances(const Vector3d& com_W, double mass, std::vector<Vector3d>* forces_W) {
  const double weight = setup_->weightOf(mass);
  if (!com_W.allFinite()) throw Error("the center of mass is at no finite point");
  if (forces_W != nullptr) forces_W->clear();
  std::optional<ContactProgram> own;
  ContactProgram& program = setup_->fresh(weight, own);
  program.setRightSide(setup_->rightSide(com_W));
  if (program.solve() != LinearProgramStatus::optimal) return false;
  if (forces_W != nullptr) {
    program.forces(*forces_W);
    for (Vector3d& force : *forces_W) force *= weight;
  }
  return true;
}

bool EquilibriumTester::balancesSomewhere(double mass, Vector3d* com_W) {
  const double weight = setup_->weightOf(mass);
  ContactProgram program = setup_->program(weight);
  program.setRightSide(setup_->rightSide(setup_->middle));
  int columns[3];
  for (int k = 0; k < 3; ++k) {
    VectorXd column = VectorXd::Zero(6);
    column.head<3>() = Vector3d::Unit(k).cross(setup_->down);
    columns[k] = program.program().addColumn(program.column(column), -kInf, kInf);
  }
  if (program.solve() != LinearProgramStatus::optimal) return false;
  if (com_W != nullptr)
    for (int k = 0; k < 3; ++k) (*com_W)[k] = setup_->middle[k] + setup_->length * program.program().value(columns[k]);
  return true;
}

Equilibrium testEquilibrium(std::span<const ContactPoint> contacts, double mass, const Vector3d& com_W,
                            const EquilibriumOptions& options) {
  Equilibrium result;
  result.balanced = EquilibriumTester(contacts, options).balances(com_W, mass, &result.forces_W);
  return result;
}

bool forceClosure(std::span<const ContactPoint> contacts, int coneEdges) {
  requireConeEdges(coneEdges);
  for (std::size_t i = 0; i < contacts.size(); ++i) requireContact(contacts[i], i);
  const Vector3d middle = middleOf(contacts);
  const std::vector<Eigen::MatrixX3d> effect = effects(contacts, middle, lengthOf(contacts, middle));
  // Edges span the same as the cones do.
  std::vector<Vector3d> edges;
  Eigen::MatrixXd wrenches(6, 0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    frictionEdges(contacts[i], std::max(coneEdges, 3), edges);
    for (const Vector3d& edge : edges) {
      wrenches.conservativeResize(6, wrenches.cols() + 1);
      wrenches.rightCols<1>() = effect[i] * edge.normalized();
    }
  }
  if (wrenches.cols() < 7) return false;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(1e-9);
  if (qr.compute(wrenches).rank() < 6) return false;
  // f = n + (anything in the cone) is strictly within.
  VectorXd b = VectorXd::Zero(6);
  for (std::size_t i = 0; i < contacts.size(); ++i) b -= effect[i] * contacts[i].n_W;
  ContactProgram program(6, contacts, effect, coneEdges);
  program.setRightSide(b);
  return program.solve() == LinearProgramStatus::optimal;
}

}  // namespace mortise
