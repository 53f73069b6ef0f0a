#include <algorithm>
#include <array>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

#include "mortise/base/random.h"
#include "mortise/base/value_text.h"
#include "mortise/collision/query.h"
#include "tests/support/reference.h"
#include "tests/toolbox/contacts/contact_scenes.h"

namespace mortise {
namespace {

TriangleMesh readOff(const std::string& file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  int vertices = 0, faces = 0, edges = 0;
  in >> vertices >> faces >> edges;
  TriangleMesh mesh;
  for (int i = 0; i < vertices; ++i) {
    Vector3d p;
    in >> p.x() >> p.y() >> p.z();
    mesh.vertices.push_back(p);
  }
  for (int i = 0; i < faces; ++i) {
    int n = 0;
    std::array<int, 3> t{};
    in >> n >> t[0] >> t[1] >> t[2];
    mesh.triangles.push_back(t);
    std::getline(in, word);
  }
  return mesh;
}

std::vector<RigidTransform> restingPoses(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  const Value run = parseYaml(text.str(), file);
  std::vector<RigidTransform> poses;
  for (const Value& item : run.at("final").at("objects").items()) {
    const std::vector<double> rows = item.asReals();
    RigidTransform X;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) X.R(r, c) = rows.at(3 * r + c);
    X.p = {rows.at(9), rows.at(10), rows.at(11)};
    poses.push_back(X);
  }
  return poses;
}

using Cell = std::array<int, 3>;

/// Points by place, to ask for those near another.
class Places {
 public:
  explicit Places(double size) : size_(size) {}
  void add(const Vector3d& p, int index) { cells_[cellOf(p)].push_back(index); }
  /// Whether `says(index)` for one in the cells around p.
  template <typename Says>
  bool anyAround(const Vector3d& p, const Says& says) const {
    const Cell at = cellOf(p);
    for (int x = at[0] - 1; x <= at[0] + 1; ++x)
      for (int y = at[1] - 1; y <= at[1] + 1; ++y)
        for (int z = at[2] - 1; z <= at[2] + 1; ++z) {
          const auto found = cells_.find({x, y, z});
          if (found == cells_.end()) continue;
          for (const int index : found->second)
            if (says(index)) return true;
        }
    return false;
  }

 private:
  Cell cellOf(const Vector3d& p) const {
    Cell cell{};
    for (int i = 0; i < 3; ++i) cell[i] = static_cast<int>(std::floor(p[i] / size_));
    return cell;
  }
  double size_;
  std::map<Cell, std::vector<int>> cells_;
};

struct Tally {
  int minima = 0, contacts = 0, missed = 0, wrong = 0;
};

/// Holds one pair's contacts against the distances of all pairs of triangles.
void compare(const CollisionShape& a, const RigidTransform& X_WA, const CollisionShape& b, const RigidTransform& X_WB,
             double reach, double paddings, std::span<const GeneratedContact> contacts, QueryWorkspace& workspace,
             Tally& tally) {
  constexpr double kApart = 0.007;     // Longer than edges: minima are those of the surroundings this far.
  constexpr double kTolerance = 6e-5;  // What fine meshes leave to their corners, on both sides.
  std::vector<ElementContact> all;
  mortise::contacts(a, X_WA, b, X_WB, reach - kTolerance, all, workspace);
  std::sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.gap < y.gap; });
  const auto middle = [&](int i) { return Vector3d(0.5 * (all[i].p_WA + all[i].p_WB)); };
  Places lower(kApart);
  for (int i = 0; i < static_cast<int>(all.size()); ++i) {
    const Vector3d p = middle(i);
    const bool minimum = !lower.anyAround(p, [&](int k) { return (middle(k) - p).norm() < kApart; });
    lower.add(p, i);
    if (!minimum) continue;
    ++tally.minima;
    const bool there = std::any_of(contacts.begin(), contacts.end(), [&](const GeneratedContact& contact) {
      return contact.gap + paddings <= all[i].gap + kTolerance && (contact.point - p).norm() < kApart &&
             contact.normal.dot(-all[i].normal_W) > 0.95;
    });
    if (!there) ++tally.missed;
  }
  for (const GeneratedContact& contact : contacts) {
    ++tally.contacts;
    // What is as near there must not be pushed nearer.
    const bool pushed = lower.anyAround(contact.point, [&](int k) {
      return (middle(k) - contact.point).norm() < 0.0025 && all[k].gap < contact.gap + paddings - 1e-4 &&
             contact.normal.dot(-all[k].normal_W) < 0;
    });
    if (pushed) ++tally.wrong;
  }
}

TEST(ContactTruth, CupsInAPileTouchWhereTheirTrianglesAreNearest) {
  MORTISE_NEEDS_REFERENCE();
  const std::string folder = test::referenceDir();
  const TriangleMesh mug = readOff(folder + "/klampt-data/objects/srimugsmooth.off");
  ASSERT_EQ(mug.triangles.size(), 22300u);
  const auto cup = test::shapeOf(mug);
  TriangleMesh top = test::boxMesh({0.6, 0.6, 0.03});
  test::transform(top, RigidTransform::translation({0.6, 0.125, 0.63}));
  const double padding = 0.0025;
  std::vector<ContactBody> bodies = {{test::shapeOf(top), 0}};
  const std::vector<RigidTransform> rest = restingPoses(folder + "/reference/klampt-oracle/sim_cuppile.json");
  for (std::size_t i = 0; i < rest.size(); ++i) bodies.push_back({cup, padding});
  ContactRules rules;
  rules.maxContacts = 100000;
  ContactGenerator generator = test::generatorOf(bodies, rules);
  RandomStream random(4, "pile");
  QueryWorkspace workspace;
  Tally tally;
  for (int sample = 0; sample < 2; ++sample) {
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const auto some = [&] { return Vector3d(random.gaussian(), random.gaussian(), random.gaussian()); };
      generator.setPose(static_cast<int>(i) + 1, {rotationFromMoment(0.003 * sample * some()) * rest[i].R,
                                                  rest[i].p + 0.0002 * sample * some()});
    }
    generator.update();
    int pairs = 0;
    for (const ContactPairReport& pair : generator.pairs()) {
      if (pair.crossing || (pair.a == 0 && pair.b % 5 != 0)) continue;
      ++pairs;
      const double paddings = bodies[pair.a].padding + bodies[pair.b].padding;
      compare(*bodies[pair.a].shape.kept(), generator.pose(pair.a), *bodies[pair.b].shape.kept(),
              generator.pose(pair.b), paddings + rules.margin, paddings,
              generator.contacts().subspan(pair.first, pair.count), workspace, tally);
    }
    EXPECT_GT(pairs, 8);
  }
  EXPECT_GT(tally.minima, 40);
  EXPECT_EQ(tally.missed, 0) << "of " << tally.minima;
  EXPECT_EQ(tally.wrong, 0) << "of " << tally.contacts;
}

}  // namespace
}  // namespace mortise
