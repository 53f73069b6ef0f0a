#pragma once

/// State of an `IKSolver`. For this folder.

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "mortise/base/random.h"
#include "mortise/ik/equations/ik_equations.h"
#include "mortise/ik/ik_solver.h"

namespace mortise {

/// The best of the tries that one thread made.
struct IKBest {
  DampedNewtonResult result;
  int index = -1;  ///< Index of the try; -1: none yet.
  double distance = 0;
  std::vector<double> x;
};

/// Workspace of one thread.
struct IKWorker {
  explicit IKWorker(IKEquations e) : equations(std::move(e)) {}
  IKEquations equations;
  DampedNewton newton;
  std::vector<double> x, other;
  IKBest best;
};

struct IKSolver::State {
  IKProblem problem;
  std::vector<IKVariable> variables;
  std::vector<IKTerm> hard;
  std::vector<std::vector<IKTerm>> levels;  ///< By priority, from 0; without gaps.
  std::unique_ptr<IKRefinement> refinement;
  std::vector<std::unique_ptr<IKWorker>> workers;
  std::vector<double> low, high;        ///< Without those of variables that turn.
  std::vector<double> noneBelow, none;  ///< Infinite.
  VectorXd start;
  std::vector<double> xStart, settled;
  std::vector<int> work;  ///< Iterations, by try.
  std::vector<std::thread> threads;
  // The closed form: where it is of use, and the frame that its goal is relative to.
  std::shared_ptr<const AnalyticIK> closed;
  RigidTransform X_WD;
  std::vector<JointAngles> angles;
  struct Candidate {
    double distance;
    std::vector<double> x;
  };
  std::vector<Candidate> candidates;  ///< The first `numCandidates` are in use.
  std::size_t numCandidates = 0;

  void chooseVariables();
  IKWorker& worker(std::size_t i);
  void begin(const IKOptions& options);
  void sample(RandomStream& random, std::vector<double>& x) const;
  void settle(std::vector<double>& x) const;
  double distance(const std::vector<double>& x) const;
  DampedNewtonResult attempt(IKWorker& worker, const IKOptions& options, int index) const;
  DampedNewtonResult aroundLimits(IKWorker& worker, const DampedNewtonOptions& newton, DampedNewtonResult first) const;
  bool better(const IKBest& a, const IKBest& b, bool nearest) const;
  void run(IKWorker& worker, const IKOptions& options, std::atomic<int>& next, std::atomic<int>& end);
  const IKGoal* onlyPose() const;
  void findClosedForm();
  void requireClosedForm() const;
  bool admit(const JointAngles& solution, std::vector<double>& x) const;
  bool collectCandidates();
  bool solveClosed(IKWorker& worker, const IKOptions& options);
  void answer(const IKBest& best, int iterations, IKSolution& solution);
  int budget(const IKOptions& options) const;
  void sortTerms();
  void refine(const IKOptions& options, IKSolution& solution);
};

}  // namespace mortise
