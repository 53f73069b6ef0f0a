#pragma once

/// OMPL's planners, made one by one; what each header of OMPL costs to compile stays in the file that needs it.

#include <functional>
#include <ompl/base/Planner.h>

#include "mortise/component/planner.h"

namespace mortise::ompl_planners {

/// A planner of OMPL, and what its class alone knows.
struct MadePlanner {
  ompl::base::PlannerPtr planner;
  /// Cost of its best path while it works; empty for planners that end with their first path.
  std::function<double()> cost = {};
  /// Gets a planner that ends by itself ready for another, better run; empty for others.
  std::function<void()> again = {};
  /// Its roadmap, where OMPL's own way to it is none to go.
  std::function<bool(Roadmap&)> roadmap = {};
};

using MakePlanner = MadePlanner (*)(const ompl::base::SpaceInformationPtr&);

template <typename T>
MadePlanner makePlain(const ompl::base::SpaceInformationPtr& information) {
  return {std::make_shared<T>(information)};
}

MadePlanner makeRrt(const ompl::base::SpaceInformationPtr&);
MadePlanner makeRrtConnect(const ompl::base::SpaceInformationPtr&);
MadePlanner makeLazyRrt(const ompl::base::SpaceInformationPtr&);
MadePlanner makeTrrt(const ompl::base::SpaceInformationPtr&);
MadePlanner makeBiTrrt(const ompl::base::SpaceInformationPtr&);
MadePlanner makeRlrt(const ompl::base::SpaceInformationPtr&);
MadePlanner makeBiRlrt(const ompl::base::SpaceInformationPtr&);
MadePlanner makeEst(const ompl::base::SpaceInformationPtr&);
MadePlanner makeBiEst(const ompl::base::SpaceInformationPtr&);
MadePlanner makeProjEst(const ompl::base::SpaceInformationPtr&);
MadePlanner makeKpiece(const ompl::base::SpaceInformationPtr&);
MadePlanner makeBkpiece(const ompl::base::SpaceInformationPtr&);
MadePlanner makeLbkpiece(const ompl::base::SpaceInformationPtr&);
MadePlanner makePdst(const ompl::base::SpaceInformationPtr&);
MadePlanner makeStride(const ompl::base::SpaceInformationPtr&);
MadePlanner makeSbl(const ompl::base::SpaceInformationPtr&);
MadePlanner makeSst(const ompl::base::SpaceInformationPtr&);

MadePlanner makeRrtStar(const ompl::base::SpaceInformationPtr&);
MadePlanner makeInformedRrtStar(const ompl::base::SpaceInformationPtr&);
MadePlanner makeSorrtStar(const ompl::base::SpaceInformationPtr&);
MadePlanner makeRrtSharp(const ompl::base::SpaceInformationPtr&);
MadePlanner makeRrtX(const ompl::base::SpaceInformationPtr&);
MadePlanner makeLazyLbtRrt(const ompl::base::SpaceInformationPtr&);
MadePlanner makeFmt(const ompl::base::SpaceInformationPtr&);
MadePlanner makeBfmt(const ompl::base::SpaceInformationPtr&);
MadePlanner makeBitStar(const ompl::base::SpaceInformationPtr&);
MadePlanner makeAbitStar(const ompl::base::SpaceInformationPtr&);
MadePlanner makeAitStar(const ompl::base::SpaceInformationPtr&);

MadePlanner makePrm(const ompl::base::SpaceInformationPtr&);
MadePlanner makePrmStar(const ompl::base::SpaceInformationPtr&);
MadePlanner makeLazyPrm(const ompl::base::SpaceInformationPtr&);
MadePlanner makeLazyPrmStar(const ompl::base::SpaceInformationPtr&);
MadePlanner makeSpars(const ompl::base::SpaceInformationPtr&);
MadePlanner makeSparsTwo(const ompl::base::SpaceInformationPtr&);

}  // namespace mortise::ompl_planners
