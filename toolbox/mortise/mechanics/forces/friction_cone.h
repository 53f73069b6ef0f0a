#pragma once

/// Forces that contacts can bear, by Coulomb's law.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "mortise/contact/hold.h"
#include "mortise/dynamics/robot_dynamics.h"

namespace mortise {

/// Throws `Error`, naming contact `index`, for points that are not finite, normals that are not of unit length (to
/// 1e-6) and friction below 0.
void requireContact(const ContactPoint& contact, std::size_t index);
/// Throws `Error` unless it is 0 or at least 3.
void requireConeEdges(int coneEdges);

/// A normal, whose length is not 0, at length 1. One that has it to 1e-12 stays as it is, so that what is written reads
/// back the same.
Vector3d unitNormal(const Vector3d& n_W);

/// Directions whose sums with factors >= 0 are the forces that the contact can bear: the edges of a pyramid of
/// `coneEdges` (at least 3) edges on the friction cone, each with a part of 1 along the normal; the normal alone
/// without friction; with infinite friction the normal and four directions across.
void frictionEdges(const ContactPoint& contact, int coneEdges, std::vector<Vector3d>& edges);

/// The force of the contact's friction cone, with a part of 1 along the normal, that has most along `direction`.
/// `along`: how much. The friction must be finite.
Vector3d frictionEdge(const ContactPoint& contact, const Vector3d& direction, double* along = nullptr);

/// Normals of the planes that bound the pyramid, out of it: a force f is within when all products are <= 0. One row a
/// plane; unit length. Without friction, or with infinite friction: what bounds the line, or the half space.
Eigen::MatrixX3d frictionPlanes(const ContactPoint& contact, int coneEdges);

/// Returns how far along the normal a force lies at least that keeps `distance` (newton) from the sides of the cone, or
/// of the pyramid of `coneEdges` edges (0: the cone): forces that do are this much of the normal and any force of the
/// cone. Without friction, or with infinite friction: a normal force of `distance`.
double coneOffset(const ContactPoint& contact, int coneEdges, double distance);

/// Returns the matrix of wrenches about `p_W` by forces at the contacts, three numbers each: 6 x 3n, torque first.
Matrix6X wrenchMatrix(std::span<const ContactPoint> contacts, const Vector3d& p_W = Vector3d::Zero());

}  // namespace mortise
