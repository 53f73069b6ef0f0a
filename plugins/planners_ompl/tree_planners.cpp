#include <ompl/datastructures/NearestNeighborsSqrtApprox.h>
#include <ompl/geometric/planners/est/BiEST.h>
#include <ompl/geometric/planners/est/EST.h>
#include <ompl/geometric/planners/est/ProjEST.h>
#include <ompl/geometric/planners/kpiece/BKPIECE1.h>
#include <ompl/geometric/planners/kpiece/KPIECE1.h>
#include <ompl/geometric/planners/kpiece/LBKPIECE1.h>
#include <ompl/geometric/planners/pdst/PDST.h>
#include <ompl/geometric/planners/rlrt/BiRLRT.h>
#include <ompl/geometric/planners/rlrt/RLRT.h>
#include <ompl/geometric/planners/rrt/BiTRRT.h>
#include <ompl/geometric/planners/rrt/LazyRRT.h>
#include <ompl/geometric/planners/rrt/RRT.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/geometric/planners/rrt/TRRT.h>
#include <ompl/geometric/planners/sbl/SBL.h>
#include <ompl/geometric/planners/sst/SST.h>
#include <ompl/geometric/planners/stride/STRIDE.h>

#include "planner_handle.h"

namespace mortise::ompl_planners {

namespace ob = ompl::base;
namespace og = ompl::geometric;

namespace {

class Sst final : public og::SST {
 public:
  using SST::SST;
  double cost() const { return prevSolutionCost_.value(); }
};

}  // namespace

OmplPlannerHandle makeRrt(const ob::SpaceInformationPtr& i) { return makePlain<og::RRT>(i); }
OmplPlannerHandle makeRrtConnect(const ob::SpaceInformationPtr& i) { return makePlain<og::RRTConnect>(i); }

/// It removes whole branches, which OMPL's usual index of neighbors takes seconds for: it is made anew for about every
/// tenth configuration that leaves. One that compares as many as the square root of all finds near ones as soon.
OmplPlannerHandle makeLazyRrt(const ob::SpaceInformationPtr& i) {
  const auto planner = std::make_shared<og::LazyRRT>(i);
  planner->setNearestNeighbors<ompl::NearestNeighborsSqrtApprox>();
  return {planner};
}

OmplPlannerHandle makeTrrt(const ob::SpaceInformationPtr& i) { return makePlain<og::TRRT>(i); }
OmplPlannerHandle makeBiTrrt(const ob::SpaceInformationPtr& i) { return makePlain<og::BiTRRT>(i); }
OmplPlannerHandle makeRlrt(const ob::SpaceInformationPtr& i) { return makePlain<og::RLRT>(i); }
OmplPlannerHandle makeBiRlrt(const ob::SpaceInformationPtr& i) { return makePlain<og::BiRLRT>(i); }
OmplPlannerHandle makeEst(const ob::SpaceInformationPtr& i) { return makePlain<og::EST>(i); }
OmplPlannerHandle makeBiEst(const ob::SpaceInformationPtr& i) { return makePlain<og::BiEST>(i); }
OmplPlannerHandle makeProjEst(const ob::SpaceInformationPtr& i) { return makePlain<og::ProjEST>(i); }
OmplPlannerHandle makeKpiece(const ob::SpaceInformationPtr& i) { return makePlain<og::KPIECE1>(i); }
OmplPlannerHandle makeBkpiece(const ob::SpaceInformationPtr& i) { return makePlain<og::BKPIECE1>(i); }
OmplPlannerHandle makeLbkpiece(const ob::SpaceInformationPtr& i) { return makePlain<og::LBKPIECE1>(i); }
OmplPlannerHandle makePdst(const ob::SpaceInformationPtr& i) { return makePlain<og::PDST>(i); }
OmplPlannerHandle makeStride(const ob::SpaceInformationPtr& i) { return makePlain<og::STRIDE>(i); }
OmplPlannerHandle makeSbl(const ob::SpaceInformationPtr& i) { return makePlain<og::SBL>(i); }

OmplPlannerHandle makeSst(const ob::SpaceInformationPtr& i) {
  const auto planner = std::make_shared<Sst>(i);
  return {planner, [p = planner.get()] { return p->cost(); }};
}

}  // namespace mortise::ompl_planners
