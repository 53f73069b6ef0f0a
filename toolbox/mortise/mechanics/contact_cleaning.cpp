#include "mortise/mechanics/contact_cleaning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "mortise/base/error.h"
#include "mortise/geometry/convex/convex_hull.h"

namespace mortise {

namespace {

/// One contact for each place. Middles may come near one another again, so this is done until nothing changes.
std::vector<ContactPoint> merged(std::vector<ContactPoint> contacts, const ContactCleaning& options) {
  for (std::size_t before = contacts.size() + 1; contacts.size() < before;) {
    before = contacts.size();
    std::vector<std::vector<ContactPoint>> places;
    for (const ContactPoint& contact : contacts) {
      const auto place = std::find_if(places.begin(), places.end(), [&](const std::vector<ContactPoint>& others) {
        return (others.front().p_WC - contact.p_WC).norm() <= options.distance &&
               (others.front().n_W - contact.n_W).norm() <= options.normal;
      });
      if (place == places.end())
        places.push_back({contact});
      else
        place->push_back(contact);
    }
    contacts.clear();
    for (const std::vector<ContactPoint>& place : places) {
      ContactPoint one = place.front();
      if (place.size() > 1) {
        one.p_WC.setZero();
        Vector3d normal = Vector3d::Zero();
        for (const ContactPoint& contact : place) {
          one.p_WC += contact.p_WC / static_cast<double>(place.size());
          normal += contact.n_W;
          one.friction = std::min(one.friction, contact.friction);
        }
        if (normal.norm() > 0.1) one.n_W = normal.normalized();
      }
      contacts.push_back(one);
    }
  }
  return contacts;
}

/// Indices of the corners of those of `contacts` that `group` names, which lie in one plane.
std::vector<int> corners(const std::vector<ContactPoint>& contacts, const std::vector<int>& group) {
  const ContactPoint& first = contacts[static_cast<std::size_t>(group.front())];
  const Vector3d across = first.n_W.unitOrthogonal(), other = first.n_W.cross(across);
  std::vector<Eigen::Vector2d> flat;
  double extent = 0;
  for (const int i : group) {
    const Vector3d p = contacts[static_cast<std::size_t>(i)].p_WC - first.p_WC;
    flat.push_back({across.dot(p), other.dot(p)});
    extent = std::max(extent, p.norm());
  }
  std::vector<int> kept;
  for (const int k : planarHull(flat, 1e-6 * extent)) kept.push_back(group[static_cast<std::size_t>(k)]);
  return kept;
}

}  // namespace

std::vector<ContactPoint> cleaned(const std::vector<ContactPoint>& contacts, const ContactCleaning& options) {
  for (const double tolerance : {options.distance, options.normal})
    if (!std::isfinite(tolerance) || tolerance < 0)
      throw Error("contacts are cleaned with tolerances of distance and normal that are not below 0");
  const std::vector<ContactPoint> places = merged(contacts, options);
  std::vector<std::vector<int>> planes;
  for (int i = 0; i < static_cast<int>(places.size()); ++i) {
    const ContactPoint& contact = places[static_cast<std::size_t>(i)];
    const auto plane = std::find_if(planes.begin(), planes.end(), [&](const std::vector<int>& others) {
      const ContactPoint& first = places[static_cast<std::size_t>(others.front())];
      return (first.n_W - contact.n_W).norm() <= options.normal &&
             std::abs(first.n_W.dot(contact.p_WC - first.p_WC)) <= options.distance;
    });
    if (plane == planes.end())
      planes.push_back({i});
    else
      plane->push_back(i);
  }
  std::set<int> kept;
  for (const std::vector<int>& plane : planes)
    for (const int i : plane.size() > 2 ? corners(places, plane) : plane) kept.insert(i);
  std::vector<ContactPoint> out;
  for (const int i : kept) out.push_back(places[static_cast<std::size_t>(i)]);
  return out;
}

std::vector<ContactPoint> spreadOut(const std::vector<ContactPoint>& contacts, std::size_t limit) {
  if (contacts.size() <= limit) return contacts;
  Vector3d middle = Vector3d::Zero();
  for (const ContactPoint& contact : contacts) middle += contact.p_WC / static_cast<double>(contacts.size());
  std::vector<double> gap(contacts.size(), std::numeric_limits<double>::infinity());
  std::set<std::size_t> kept;
  while (kept.size() < limit) {
    std::size_t next = 0;
    double farthest = -1;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const double distance = kept.empty() ? (contacts[i].p_WC - middle).norm() : gap[i];
      if (distance > farthest + 1e-12 && !kept.contains(i)) farthest = distance, next = i;
    }
    kept.insert(next);
    for (std::size_t i = 0; i < contacts.size(); ++i)
      gap[i] = std::min(gap[i], (contacts[i].p_WC - contacts[next].p_WC).norm());
  }
  std::vector<ContactPoint> out;
  for (const std::size_t i : kept) out.push_back(contacts[i]);
  return out;
}

}  // namespace mortise
