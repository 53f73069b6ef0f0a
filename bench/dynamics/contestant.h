#pragma once

/// The interface that the benchmark asks of every library: the same robot, the same states, the same results.

#include <memory>
#include <string>
#include <vector>

#include "mortise/model/robot.h"

namespace mortise::bench {

/// One state of the robot with the arguments of inverse and forward dynamics.
struct Sample {
  VectorXd q, dq, ddq, tau;
};

struct Problem {
  RobotPtr robot;
  std::vector<int> tips;  ///< Links without children: their Jacobians are asked for.
  std::vector<Sample> samples;
  Vector3d gravity{0, 0, -9.8};
  bool serial = false;  ///< One chain, every link carries the next.
};

/// Each from q (and dq) anew, forward kinematics included.
enum class Task { frames, jacobians, inverseDynamics, massMatrix, forwardDynamics };
constexpr int kTasks = 5;

/// To be compared; rows and columns in our link order.
struct Results {
  Eigen::MatrixXd positions;               ///< 3 x links: origins.
  std::vector<Eigen::MatrixXd> jacobians;  ///< 6 x links for each tip, angular first, of the tip's origin.
  VectorXd tau, ddq;
  Eigen::MatrixXd B;
};

class Contestant {
 public:
  virtual ~Contestant() = default;
  virtual void run(Task task, int sample) = 0;
  /// All tasks on one sample.
  virtual Results results(int sample) = 0;
};

std::unique_ptr<Contestant> makeMortise(const Problem& problem);
std::unique_ptr<Contestant> makeKdl(const Problem& problem);
std::unique_ptr<Contestant> makeMujoco(const Problem& problem);

}  // namespace mortise::bench
