#include "mortise/mechanics/forces/friction_cone.h"

#include <cmath>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/math/rotation.h"

namespace mortise {

namespace {

/// Two unit vectors at right angles to n and to each other, u x v = n.
void across(const Vector3d& n, Vector3d& u, Vector3d& v) {
  int minimum = 0;
  n.cwiseAbs().minCoeff(&minimum);
  u = Vector3d::Unit(minimum).cross(n).normalized();
  v = n.cross(u);
}

}  // namespace

void requireContact(const ContactPoint& contact, std::size_t index) {
  const std::string which = "contact " + std::to_string(index);
  if (!contact.p_WC.allFinite()) throw Error(which + " is at no finite point");
  if (!(std::abs(contact.n_W.norm() - 1) <= 1e-6))
    throw Error(which + " has a normal of length " + formatReal(contact.n_W.norm()), {}, "normals have length 1");
  if (!(contact.friction >= 0))
    throw Error(which + " has friction " + formatReal(contact.friction), {}, "friction is at least 0");
}

void requireConeEdges(int coneEdges) {
  if (coneEdges != 0 && coneEdges < 3)
    throw Error("pyramids of " + std::to_string(coneEdges) + " edges cannot stand for friction cones", {},
                "give at least 3, or 0 for the cones themselves");
}

Vector3d unitNormal(const Vector3d& n_W) {
  const double length = n_W.norm();
  return std::abs(length - 1) > 1e-12 ? Vector3d(n_W / length) : n_W;
}

void frictionEdges(const ContactPoint& contact, int coneEdges, std::vector<Vector3d>& edges) {
  edges.clear();
  const Vector3d& n = contact.n_W;
  if (contact.friction == 0) {
    edges.push_back(n);
    return;
  }
  Vector3d u, v;
  across(n, u, v);
  if (std::isinf(contact.friction)) {
    edges = {n, u, v, -u, -v};
    return;
  }
  for (int k = 0; k < coneEdges; ++k) {
    const double angle = 2 * std::numbers::pi * k / coneEdges;
    edges.push_back(n + contact.friction * (std::cos(angle) * u + std::sin(angle) * v));
  }
}

Vector3d frictionEdge(const ContactPoint& contact, const Vector3d& direction, double* along) {
  const Vector3d& n = contact.n_W;
  const Vector3d sideways = direction - direction.dot(n) * n;
  const double length = sideways.norm();
  Vector3d f = n;
  if (length > 0) f += contact.friction / length * sideways;
  if (along != nullptr) *along = f.dot(direction);
  return f;
}

Eigen::MatrixX3d frictionPlanes(const ContactPoint& contact, int coneEdges) {
  const Vector3d& n = contact.n_W;
  if (std::isinf(contact.friction)) return -n.transpose();
  if (contact.friction == 0) {
    Vector3d u, v;
    across(n, u, v);
    Eigen::MatrixX3d planes(5, 3);
    planes << u.transpose(), -u.transpose(), v.transpose(), -v.transpose(), -n.transpose();
    return planes;
  }
  std::vector<Vector3d> edges;
  frictionEdges(contact, coneEdges, edges);
  Eigen::MatrixX3d planes(coneEdges, 3);
  for (int k = 0; k < coneEdges; ++k)
    planes.row(k) = -edges[static_cast<std::size_t>(k)]
                         .cross(edges[static_cast<std::size_t>((k + 1) % coneEdges)])
                         .normalized()
                         .transpose();
  return planes;
}

double coneOffset(const ContactPoint& contact, int coneEdges, double distance) {
  if (contact.friction == 0 || std::isinf(contact.friction)) return distance;
  // Of the circle inside the pyramid's base; a point of the axis at height h is h * radius / sqrt(1 + radius^2) away.
  const double radius = coneEdges == 0 ? contact.friction : contact.friction * std::cos(std::numbers::pi / coneEdges);
  return distance * std::sqrt(1 + radius * radius) / radius;
}

Matrix6X wrenchMatrix(std::span<const ContactPoint> contacts, const Vector3d& p_W) {
  Matrix6X matrix(6, 3 * static_cast<Eigen::Index>(contacts.size()));
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Eigen::Index column = 3 * static_cast<Eigen::Index>(i);
    matrix.block<3, 3>(0, column) = crossMatrix(contacts[i].p_WC - p_W);
    matrix.block<3, 3>(3, column).setIdentity();
  }
  return matrix;
}

}  // namespace mortise
