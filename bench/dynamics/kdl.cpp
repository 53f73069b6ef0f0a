/// KDL (Orocos) on a tree made from our robot. Its solvers of mass matrix and forward dynamics know chains alone; for
/// trees, columns of the mass matrix come from its inverse dynamics with one acceleration of 1, and forward dynamics
/// from that matrix, its inverse dynamics and Eigen's LDLT: what its ChainFdSolver_RNE does with a chain.

#include <Eigen/Cholesky>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacsolver.hpp>
#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <optional>

#include "dynamics/contestant.h"
#include "mortise/base/error.h"

namespace mortise::bench {
namespace {

KDL::Vector kdl(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
KDL::Rotation kdl(const Matrix3d& R) {
  return {R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)};
}
std::string segmentName(int link) { return link < 0 ? "root" : "s" + std::to_string(link); }

KDL::Tree treeOf(const Robot& robot) {
  KDL::Tree tree("root");
  for (int i = 0; i < robot.numLinks(); ++i) {
    const Link& link = robot.link(i);
    const KDL::Frame pose(kdl(link.X_PL0.R), kdl(link.X_PL0.p));
    const KDL::Joint joint(segmentName(i), pose.p, kdl(Vector3d(link.X_PL0.R * link.axis)),
                           link.motion == LinkMotion::revolute ? KDL::Joint::RotAxis : KDL::Joint::TransAxis);
    const Matrix3d& I = link.inertia.inertia;
    const KDL::RigidBodyInertia inertia(link.inertia.mass, kdl(link.inertia.com),
                                        KDL::RotationalInertia(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)));
    const KDL::Segment segment(segmentName(i), joint, pose, inertia);
    if (!tree.addSegment(segment, segmentName(link.parent))) throw Error("KDL does not take link " + link.name);
  }
  return tree;
}

/// From the world to one tip.
struct Limb {
  Limb(const KDL::Tree& tree, const Robot& robot, int tip) {
    for (int i = tip; i >= 0; i = robot.link(i).parent) links.insert(links.begin(), i);
    if (!tree.getChain("root", segmentName(tip), chain)) throw Error("KDL finds no chain");
    fk.emplace(chain);
    jacobianSolver.emplace(chain);
    frames.resize(chain.getNrOfSegments());
    q.resize(chain.getNrOfJoints());
    jacobian.resize(chain.getNrOfJoints());
  }
  Limb(const Limb&) = delete;

  KDL::Chain chain;
  std::vector<int> links;
  std::optional<KDL::ChainFkSolverPos_recursive> fk;
  std::optional<KDL::ChainJntToJacSolver> jacobianSolver;
  std::vector<KDL::Frame> frames;
  KDL::JntArray q;
  KDL::Jacobian jacobian;
};

class Kdl final : public Contestant {
 public:
  explicit Kdl(const Problem& problem)
      : problem_(problem),
        n_(problem.robot->numLinks()),
        tree_(treeOf(*problem.robot)),
        treeInverse_(tree_, kdl(problem.gravity)),
        treeInertial_(tree_, KDL::Vector::Zero()),
        wrenches_(n_),
        tau_(n_),
        ddq_(n_),
        zero_(n_),
        unit_(n_),
        column_(n_),
        B_(n_),
        dense_(n_, n_),
        ldlt_(n_) {
    for (const int tip : problem.tips) limbs_.push_back(std::make_unique<Limb>(tree_, *problem.robot, tip));
    for (const Sample& s : problem.samples) samples_.push_back({array(s.q), array(s.dq), array(s.ddq), array(s.tau)});
    if (problem.serial) {
      const KDL::Chain& chain = limbs_.front()->chain;
      inverse_.emplace(chain, kdl(problem.gravity));
      parameters_.emplace(chain, kdl(problem.gravity));
      forward_.emplace(chain, kdl(problem.gravity));
    }
  }

  void run(Task task, int sample) override {
    const Arrays& s = samples_[sample];
    switch (task) {
      case Task::frames:
      case Task::jacobians:
        for (const auto& limb : limbs_) {
          for (std::size_t i = 0; i < limb->links.size(); ++i) limb->q(i) = s.q(limb->links[i]);
          check(limb->fk->JntToCart(limb->q, limb->frames));
          if (task == Task::jacobians) check(limb->jacobianSolver->JntToJac(limb->q, limb->jacobian));
        }
        break;
      case Task::inverseDynamics:
        if (inverse_)
          check(inverse_->CartToJnt(s.q, s.dq, s.ddq, wrenches_, tau_));
        else
          check(treeInverse_.CartToJnt(s.q, s.dq, s.ddq, {}, tau_));
        break;
      case Task::massMatrix:
        massMatrix(s);
        break;
      case Task::forwardDynamics:
        if (forward_) {
          check(forward_->CartToJnt(s.q, s.dq, s.tau, wrenches_, ddq_));
          break;
        }
        massMatrix(s);
        check(treeInverse_.CartToJnt(s.q, s.dq, zero_, {}, column_));
        ldlt_.compute(dense_);
        ddq_.data = s.tau.data - column_.data;
        ldlt_.solveInPlace(ddq_.data);
        break;
    }
  }

  Results results(int sample) override {
    Results r;
    run(Task::jacobians, sample);
    r.positions.resize(3, n_);
    for (const auto& limb : limbs_) {
      Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, n_);
      for (std::size_t i = 0; i < limb->links.size(); ++i) {
        const KDL::Vector& p = limb->frames[i].p;
        r.positions.col(limb->links[i]) << p.x(), p.y(), p.z();
        J.col(limb->links[i]) << limb->jacobian.data.col(i).tail<3>(), limb->jacobian.data.col(i).head<3>();
      }
      r.jacobians.push_back(J);
    }
    run(Task::inverseDynamics, sample);
    run(Task::massMatrix, sample);
    run(Task::forwardDynamics, sample);
    r.tau = tau_.data;
    r.ddq = ddq_.data;
    r.B = problem_.serial ? B_.data : dense_;
    return r;
  }

 private:
  struct Arrays {
    KDL::JntArray q, dq, ddq, tau;
  };

  static KDL::JntArray array(const VectorXd& v) {
    KDL::JntArray a(static_cast<unsigned>(v.size()));
    a.data = v;
    return a;
  }

  static void check(int status) {
    if (status != 0) throw Error("a solver of KDL failed with " + std::to_string(status));
  }

  void massMatrix(const Arrays& s) {
    if (parameters_) {
      check(parameters_->JntToMass(s.q, B_));
      return;
    }
    for (int i = 0; i < n_; ++i) {
      unit_(i) = 1;
      check(treeInertial_.CartToJnt(s.q, zero_, unit_, {}, column_));
      unit_(i) = 0;
      dense_.col(i) = column_.data;
    }
  }

  const Problem& problem_;
  int n_;
  KDL::Tree tree_;
  KDL::TreeIdSolver_RNE treeInverse_, treeInertial_;
  std::vector<std::unique_ptr<Limb>> limbs_;
  std::vector<Arrays> samples_;
  std::optional<KDL::ChainIdSolver_RNE> inverse_;
  std::optional<KDL::ChainDynParam> parameters_;
  std::optional<KDL::ChainFdSolver_RNE> forward_;
  KDL::Wrenches wrenches_;
  KDL::JntArray tau_, ddq_, zero_, unit_, column_;
  KDL::JntSpaceInertiaMatrix B_;
  Eigen::MatrixXd dense_;
  Eigen::LDLT<Eigen::MatrixXd> ldlt_;
};

}  // namespace

std::unique_ptr<Contestant> makeKdl(const Problem& problem) { return std::make_unique<Kdl>(problem); }

}  // namespace mortise::bench
