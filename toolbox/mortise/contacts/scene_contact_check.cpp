#include "mortise/contacts/scene_contact_check.h"

#include <cmath>
#include <string>

#include "mortise/base/error.h"

namespace mortise {

namespace {

constexpr double kUnitTolerance = 1e-6;

void checkSceneContact(const SceneContact& contact, int numBodies, int numIds) {
  const auto fail = [&](const std::string& what) {
    throw Error("contact between ids " + std::to_string(contact.idA) + " and " + std::to_string(contact.idB) + ": " +
                what);
  };
  for (const int body : {contact.bodyA, contact.bodyB})
    if (body < 0 || body >= numBodies)
      fail("there is no body " + std::to_string(body) + "; the scene has " + std::to_string(numBodies));
  if (contact.bodyA == contact.bodyB) fail("both surfaces belong to body " + std::to_string(contact.bodyA));
  for (const int id : {contact.idA, contact.idB})
    if (id < 0 || id >= numIds)
      fail("there is no id " + std::to_string(id) + "; the scene has surfaces for " + std::to_string(numIds));
  if (!contact.point.allFinite() || !contact.normal.allFinite() || !std::isfinite(contact.gap))
    fail("point, normal or gap is not finite");
  if (std::abs(contact.normal.squaredNorm() - 1) > kUnitTolerance) fail("the normal is not of length 1");
  const ContactMaterial& m = contact.material;
  if (!(m.friction >= 0) || !(m.restitution >= 0) || !std::isfinite(m.restitution) || !(m.stiffness >= 0) ||
      !(m.damping >= 0))
    fail("friction, restitution, stiffness or damping is negative or not a number");
}

}  // namespace

void checkSceneContacts(std::span<const SceneContact> contacts, int numBodies, int numIds) {
  for (const SceneContact& contact : contacts) checkSceneContact(contact, numBodies, numIds);
}

}  // namespace mortise
