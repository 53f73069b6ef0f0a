#include "mortise/mechanics/contact_cleaning.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"

namespace mortise {
namespace {

ContactPoint at(double x, double y, double z, const Vector3d& normal = Vector3d::UnitZ(), double friction = 0.5) {
  return {{x, y, z}, normal, friction};
}

TEST(ContactCleaning, KeepsTheCornersOfEachPlane) {
  std::vector<ContactPoint> contacts;
  for (int i = 0; i <= 4; ++i)
    for (int j = 0; j <= 4; ++j) contacts.push_back(at(0.05 * i, 0.05 * j, 0));
  // Another plane, and one that faces elsewhere.
  contacts.push_back(at(0.1, 0.1, 0.5));
  contacts.push_back(at(0.1, 0.1, 0, Vector3d::UnitX()));
  const std::vector<ContactPoint> clean = cleaned(contacts);
  const std::vector<ContactPoint> expected = {at(0, 0, 0),     at(0, 0.2, 0),     at(0.2, 0, 0),
                                              at(0.2, 0.2, 0), at(0.1, 0.1, 0.5), at(0.1, 0.1, 0, Vector3d::UnitX())};
  EXPECT_EQ(clean, expected);
  EXPECT_EQ(cleaned(clean), clean) << "cleaned once more, nothing changes";
}

TEST(ContactCleaning, ContactsInOnePlaceBecomeOne) {
  const std::vector<ContactPoint> clean =
      cleaned({at(0, 0, 0), at(0.008, 0, 0, Vector3d::UnitZ(), 0.3), at(0.5, 0, 0)}, {0.01, 0.01});
  ASSERT_EQ(clean.size(), 2u);
  EXPECT_NEAR(clean[0].p_WC.x(), 0.004, 1e-12);
  EXPECT_DOUBLE_EQ(clean[0].friction, 0.3) << "no more than either bears";
  EXPECT_EQ(cleaned({at(0, 0, 0), at(0.008, 0, 0)}, {0.001, 0.01}).size(), 2u);
  EXPECT_TRUE(cleaned({}).empty());
  EXPECT_THROW(cleaned({}, {-1, 0.01}), Error);
  EXPECT_THROW(cleaned({}, {0.01, std::nan("")}), Error);
}

TEST(ContactCleaning, SpreadsOut) {
  std::vector<ContactPoint> line;
  for (int i = 0; i <= 10; ++i) line.push_back(at(i, 0, 0));
  const std::vector<ContactPoint> three = spreadOut(line, 3);
  EXPECT_EQ(three, (std::vector<ContactPoint>{at(0, 0, 0), at(5, 0, 0), at(10, 0, 0)}));
  EXPECT_EQ(spreadOut(line, 20), line);
}

}  // namespace
}  // namespace mortise
