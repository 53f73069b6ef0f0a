#pragma once

/// OMPL's planners, made one by one; what each header of OMPL costs to compile stays in the file that needs it.

#include <functional>
#include <ompl/base/Planner.h>

#include "mortise/component/planner.h"

namespace mortise::ompl_planners {

/// A planner of OMPL, and what its class alone knows.
struct OmplPlannerHandle {
  ompl::base::PlannerPtr planner;
  /// Cost of its best path while it works; empty for planners that end with their first path.
  std::function<double()> cost = {};
  /// Gets a planner that ends by itself ready for another, better run; empty for others.
  std::function<void()> again = {};
  /// Its roadmap, where OMPL's own way to it is none to go.
  std::function<bool(Roadmap&)> roadmap = {};
};

using MakePlanner = OmplPlannerHandle (*)(const ompl::base::SpaceInformationPtr&);

template <typename T>
OmplPlannerHandle makePlain(const ompl::base::SpaceInformationPtr& information) {
  return {std::make_shared<T>(information)};
}

OmplPlannerHandle makeRrt(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeRrtConnect(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeLazyRrt(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeTrrt(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeBiTrrt(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeRlrt(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeBiRlrt(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeEst(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeBiEst(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeProjEst(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeKpiece(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeBkpiece(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeLbkpiece(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makePdst(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeStride(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeSbl(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeSst(const ompl::base::SpaceInformationPtr&);

OmplPlannerHandle makeRrtStar(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeInformedRrtStar(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeSorrtStar(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeRrtSharp(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeRrtX(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeLazyLbtRrt(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeFmt(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeBfmt(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeBitStar(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeAbitStar(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeAitStar(const ompl::base::SpaceInformationPtr&);

OmplPlannerHandle makePrm(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makePrmStar(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeLazyPrm(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeLazyPrmStar(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeSpars(const ompl::base::SpaceInformationPtr&);
OmplPlannerHandle makeSparsTwo(const ompl::base::SpaceInformationPtr&);

}  // namespace mortise::ompl_planners
