#include "mortise/rigid_body/contact_newton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace mortise::rigid {
namespace {

/// An island of free bodies whose contacts have random rows, as it stands before and after Newton's method.
struct Island {
  struct Part {
    const double* rows;
    int first;
  };
  struct Row {
    ContactNewton::Contact contact;
    std::vector<Part> parts;
    std::array<double, 36> rows;
  };
  int numBodies = 0;
  std::vector<Row> contacts;

  Island(unsigned seed, int bodies, int count, bool soft) : numBodies(bodies) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    contacts.resize(count);
    for (Row& row : contacts) {
      for (double& y : row.rows) y = number(random);
      const int a = static_cast<int>(random() % bodies), b = static_cast<int>(random() % bodies);
      row.parts.push_back({row.rows.data(), 6 * std::min(a, b)});
      if (a != b) row.parts.push_back({row.rows.data() + 18, 6 * std::max(a, b)});
      ContactNewton::Contact& c = row.contact;
      c = {};
      c.free[0] = -std::abs(number(random));  // Closing.
      c.free[1] = number(random);
      c.free[2] = number(random);
      c.cfm = soft ? 0.1 : 0;
      c.friction = std::abs(number(random));
      for (const Part& part : row.parts)
        for (int r = 0; r < 3; ++r)
          for (int k = 0; k < 6; ++k) (r == 0 ? c.normal : c.tangent) += std::pow(part.rows[6 * r + k], 2);
    }
  }

  bool solve(ContactNewton& newton, int passes = 60) {
    newton.begin(6 * numBodies);
    for (const Row& row : contacts) {
      std::vector<ContactNewton::Part> places;
      for (const Part& part : row.parts) places.push_back({6, nullptr, part.first});
      double* rows = newton.openContact(places);
      const std::size_t count = row.parts.size();
      for (std::size_t k = 0; k < count; ++k)
        for (std::size_t r = 0; r < 3; ++r) std::copy_n(row.parts[k].rows + 6 * r, 6, rows + 6 * (r * count + k));
      newton.closeContact(row.contact);
    }
    return newton.solve(1e-9, passes);
  }

  /// Velocities that the impulses make.
  std::array<double, 3> velocity(const ContactNewton& newton, std::size_t contact) const {
    std::vector<double> w(6 * static_cast<std::size_t>(numBodies), 0.0);
    for (std::size_t i = 0; i < contacts.size(); ++i)
      for (const Part& part : contacts[i].parts)
        for (int r = 0; r < 3; ++r)
          for (int k = 0; k < 6; ++k)
            w[part.first + k] += part.rows[6 * r + k] * newton.impulse(static_cast<int>(i))[r];
    std::array<double, 3> u;
    for (int r = 0; r < 3; ++r) {
      u[r] = contacts[contact].contact.free[r];
      for (const Part& part : contacts[contact].parts)
        for (int k = 0; k < 6; ++k) u[r] += part.rows[6 * r + k] * w[part.first + k];
    }
    return u;
  }
};

/// Signorini's and Coulomb's conditions, contact by contact; impulses to a fraction of them.
void expectLaws(const Island& island, const ContactNewton& newton, double near) {
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    const ContactNewton::Contact& c = island.contacts[i].contact;
    const double* p = newton.impulse(static_cast<int>(i));
    const std::array<double, 3> u = island.velocity(newton, i);
    const double apart = u[0] + c.cfm * p[0] - c.target;
    EXPECT_GE(p[0], 0);
    EXPECT_GE(apart, -near);
    EXPECT_LE(std::min(p[0], apart), near);
    const double size = std::hypot(p[1], p[2]), limit = c.friction * p[0], speed = std::hypot(u[1], u[2]);
    const double nearSize = near * (1 + limit);
    EXPECT_LE(size, limit + nearSize);
    if (size < limit - 1e-3 * (1 + limit)) {
      EXPECT_LE(speed, near);
    }
    if (speed > 1e-3) {
      EXPECT_NEAR(p[1], -limit * u[1] / speed, nearSize);
      EXPECT_NEAR(p[2], -limit * u[2] / speed, nearSize);
    }
  }
}

TEST(ContactNewton, ImpulsesKeepTheLawsOfContactAndFriction) {
  int solved = 0;
  ContactNewton newton;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const int bodies = 1 + static_cast<int>(seed % 5);
    Island island(seed, bodies, 1 + static_cast<int>(seed % 7), seed % 2 == 0);
    if (!island.solve(newton)) continue;  // With random rows friction may have no solution at all.
    ++solved;
    // Random rows can ask for impulses of thousands, which leave their rounding in velocities.
    double largest = 1;
    for (std::size_t i = 0; i < island.contacts.size(); ++i)
      largest = std::max(largest, newton.impulse(static_cast<int>(i))[0]);
    expectLaws(island, newton, 1e-4 * largest);
  }
  EXPECT_GE(solved, 100);
}

TEST(ContactNewton, ASolutionIsWhereItStays) {
  ContactNewton newton;
  Island island(3, 4, 6, true);
  ASSERT_TRUE(island.solve(newton));
  for (std::size_t i = 0; i < island.contacts.size(); ++i)
    std::copy_n(newton.impulse(static_cast<int>(i)), 3, island.contacts[i].contact.impulse);
  std::vector<std::array<double, 3>> before;
  for (std::size_t i = 0; i < island.contacts.size(); ++i) before.push_back(island.velocity(newton, i));
  ASSERT_TRUE(island.solve(newton));
  EXPECT_LE(newton.passes(), 3);
  for (std::size_t i = 0; i < before.size(); ++i)
    for (int r = 0; r < 3; ++r) EXPECT_NEAR(island.velocity(newton, i)[r], before[i][r], 1e-6);
}

TEST(ContactNewton, SaysWhenPassesRunOut) {
  ContactNewton newton;
  int failed = 0;
  for (unsigned seed = 0; seed < 20; ++seed) failed += !Island(seed, 4, 6, false).solve(newton, 1);
  EXPECT_GT(failed, 0);
}

}  // namespace
}  // namespace mortise::rigid
