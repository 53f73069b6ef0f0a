#include "dynamics/contestant.h"
#include "mortise/dynamics/robot_dynamics.h"

namespace mortise::bench {
namespace {

class Ours final : public Contestant {
 public:
  explicit Ours(const Problem& problem)
      : problem_(problem), dynamics_(problem.robot), n_(problem.robot->numLinks()), B_(n_, n_), tau_(n_), ddq_(n_) {
    J_.assign(problem.tips.size(), Matrix6X(6, n_));
  }

  void run(Task task, int sample) override {
    const Sample& s = problem_.samples[sample];
    switch (task) {
      case Task::frames:
        dynamics_.setPosition(s.q);
        break;
      case Task::jacobians:
        dynamics_.setPosition(s.q);
        for (std::size_t i = 0; i < J_.size(); ++i) dynamics_.jacobian(problem_.tips[i], Vector3d::Zero(), J_[i]);
        break;
      case Task::inverseDynamics:
        dynamics_.setState(s.q, s.dq);
        dynamics_.inverseDynamics(s.ddq, problem_.gravity, tau_);
        break;
      case Task::massMatrix:
        dynamics_.setPosition(s.q);
        dynamics_.massMatrix(B_);
        break;
      case Task::forwardDynamics:
        dynamics_.setState(s.q, s.dq);
        dynamics_.forwardDynamics(s.tau, problem_.gravity, ddq_);
        break;
    }
  }

  Results results(int sample) override {
    for (int task = 0; task < kTasks; ++task) run(static_cast<Task>(task), sample);
    Results r;
    r.positions.resize(3, n_);
    for (int i = 0; i < n_; ++i) r.positions.col(i) = dynamics_.X_WL(i).p;
    r.jacobians.assign(J_.begin(), J_.end());
    r.tau = tau_;
    r.ddq = ddq_;
    r.B = B_;
    return r;
  }

 private:
  const Problem& problem_;
  RobotDynamics dynamics_;
  int n_;
  Eigen::MatrixXd B_;
  VectorXd tau_, ddq_;
  std::vector<Matrix6X> J_;
};

}  // namespace

std::unique_ptr<Contestant> makeMortise(const Problem& problem) { return std::make_unique<Ours>(problem); }

}  // namespace mortise::bench
