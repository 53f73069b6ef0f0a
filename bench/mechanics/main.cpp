/// Equilibrium tests beside GLPK, which Klamp't solves them with: the same pyramids of four edges, the same centers of
/// mass, GLPK's simplex method started from the last basis. Prints medians of the thread's processor time.

#include <Eigen/Geometry>
#include <cstdio>
#include <glpk.h>
#include <vector>

#include "mortise/base/random.h"
#include "mortise/mechanics/equilibrium.h"
#include "mortise/mechanics/forces/friction_cone.h"
#include "mortise/mechanics/support_polygon.h"
#include "shared/timing.h"

namespace mortise::bench {
namespace {

constexpr int kEdges = 4;
constexpr int kCenters = 200;
constexpr int kRounds = 15;

std::vector<ContactPoint> contactsOf(int count, double slope, RandomStream& random) {
  std::vector<ContactPoint> contacts;
  for (int i = 0; i < count; ++i)
    contacts.push_back({Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), slope * random.uniform(-0.5, 0.5)),
                        Vector3d(slope * random.gaussian(), slope * random.gaussian(), 1).normalized(), 0.5});
  return contacts;
}

/// One problem a set of contacts; only the right side changes.
class GlpkTester {
 public:
  explicit GlpkTester(const std::vector<ContactPoint>& contacts) : problem_(glp_create_prob()) {
    std::vector<int> rows = {0}, columns = {0};
    std::vector<double> values = {0};
    std::vector<Vector3d> edges;
    glp_add_rows(problem_, 6);
    int column = 0;
    for (const ContactPoint& contact : contacts) {
      frictionEdges(contact, kEdges, edges);
      for (const Vector3d& edge : edges) {
        glp_add_cols(problem_, 1);
        glp_set_col_bnds(problem_, ++column, GLP_LO, 0, 0);
        glp_set_obj_coef(problem_, column, contact.n_W.dot(edge));
        const Vector3d torque = contact.p_WC.cross(edge);
        for (int k = 0; k < 6; ++k) {
          rows.push_back(k + 1);
          columns.push_back(column);
          values.push_back(k < 3 ? torque[k] : edge[k - 3]);
        }
      }
    }
    glp_load_matrix(problem_, static_cast<int>(values.size()) - 1, rows.data(), columns.data(), values.data());
    glp_set_obj_dir(problem_, GLP_MIN);
    glp_init_smcp(&parameters_);
    parameters_.msg_lev = GLP_MSG_OFF;
  }
  ~GlpkTester() { glp_delete_prob(problem_); }
  GlpkTester(const GlpkTester&) = delete;
  GlpkTester& operator=(const GlpkTester&) = delete;

  bool balances(const Vector3d& com) {
    const Vector3d up = Vector3d::UnitZ(), torque = com.cross(up);
    for (int k = 0; k < 6; ++k) {
      const double b = k < 3 ? torque[k] : up[k - 3];
      glp_set_row_bnds(problem_, k + 1, GLP_FX, b, b);
    }
    return glp_simplex(problem_, &parameters_) == 0 && glp_get_status(problem_) == GLP_OPT;
  }

 private:
  glp_prob* problem_;
  glp_smcp parameters_;
};

void run(const char* name, const std::vector<ContactPoint>& contacts, RandomStream& random) {
  std::vector<Vector3d> centers;
  for (int i = 0; i < kCenters; ++i) centers.emplace_back(random.uniform(-1, 1), random.uniform(-1, 1), 0.5);
  EquilibriumTester ours(contacts, {.coneEdges = kEdges});
  GlpkTester theirs(contacts);
  int differ = 0, balanced = 0;
  for (const Vector3d& com : centers) {
    const bool answer = ours.balances(com);
    balanced += answer;
    differ += answer != theirs.balances(com);
  }
  std::vector<double> own, glpk, polygon;
  double sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    double start = threadSeconds();
    for (const Vector3d& com : centers) sum += ours.balances(com);
    own.push_back((threadSeconds() - start) / kCenters);
    start = threadSeconds();
    for (const Vector3d& com : centers) sum += theirs.balances(com);
    glpk.push_back((threadSeconds() - start) / kCenters);
    start = threadSeconds();
    const SupportPolygon support(contacts, {.coneEdges = kEdges});
    for (const Vector3d& com : centers) sum += support.contains(com);
    polygon.push_back((threadSeconds() - start) / kCenters);
  }
  std::printf(
      "%-22s %3zu contacts: %7.2f us a test, GLPK %7.2f us (%4.1f x), by one polygon %6.2f us; %d of %d "
      "balanced, %d answers differ%s\n",
      name, contacts.size(), 1e6 * median(own), 1e6 * median(glpk), median(glpk) / median(own), 1e6 * median(polygon),
      balanced, kCenters, differ, sum < 0 ? "!" : "");
}

}  // namespace
}  // namespace mortise::bench

int main() {
  using namespace mortise::bench;
  mortise::RandomStream random(1);
  run("level ground", contactsOf(4, 0, random), random);
  run("level ground", contactsOf(8, 0, random), random);
  run("level ground", contactsOf(40, 0, random), random);
  run("rough ground", contactsOf(4, 0.3, random), random);
  run("rough ground", contactsOf(8, 0.3, random), random);
  run("rough ground", contactsOf(40, 0.3, random), random);
  return 0;
}
