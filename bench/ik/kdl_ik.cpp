#include <kdl/chain.hpp>
#include <kdl/chainiksolverpos_lma.hpp>

#include "ik/peer.h"

namespace mortise::bench {

namespace {

KDL::Vector vectorOf(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
KDL::Rotation rotationOf(const Matrix3d& R) {
  return {R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)};
}

class KdlIk final : public IKPeer {
 public:
  KdlIk(const Robot& robot, int link, const std::vector<IKVariable>& variables)
      : chain_(chainOf(robot, link, variables)), solver_(chain_, Eigen::Matrix<double, 6, 1>::Ones()) {
    q_.resize(chain_.getNrOfJoints());
    out_.resize(chain_.getNrOfJoints());
  }

  bool solve(const RigidTransform& X, std::vector<double>& x) override {
    for (std::size_t i = 0; i < x.size(); ++i) q_(static_cast<unsigned>(i)) = x[i];
    const int result = solver_.CartToJnt(q_, KDL::Frame(rotationOf(X.R), vectorOf(X.p)), out_);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = out_(static_cast<unsigned>(i));
    return result >= 0;
  }

 private:
  static KDL::Chain chainOf(const Robot& robot, int tip, const std::vector<IKVariable>& variables) {
    std::vector<int> path;
    for (int i = tip; i >= 0; i = robot.link(i).parent) path.insert(path.begin(), i);
    KDL::Chain chain;
    for (const int i : path) {
      const Link& link = robot.link(i);
      bool moves = false;
      for (const IKVariable& variable : variables) moves = moves || variable.moves[0].link == i;
      const KDL::Frame pose(rotationOf(link.X_PL0.R), vectorOf(link.X_PL0.p));
      const KDL::Vector axis = vectorOf(Vector3d(link.X_PL0.R * link.axis));
      const KDL::Joint joint =
          moves ? KDL::Joint(link.name, pose.p, axis,
                             link.motion == LinkMotion::revolute ? KDL::Joint::RotAxis : KDL::Joint::TransAxis)
                : KDL::Joint(KDL::Joint::None);
      chain.addSegment(KDL::Segment(link.name, joint, pose));
    }
    return chain;
  }

  KDL::Chain chain_;
  KDL::ChainIkSolverPos_LMA solver_;
  KDL::JntArray q_, out_;
};

}  // namespace

std::unique_ptr<IKPeer> makeKdlIk(const Robot& robot, int link, const std::vector<IKVariable>& variables) {
  return std::make_unique<KdlIk>(robot, link, variables);
}

}  // namespace mortise::bench
