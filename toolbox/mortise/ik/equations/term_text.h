#pragma once

#include <string>

#include "mortise/ik/equations/ik_terms.h"
#include "mortise/model/robot.h"

namespace mortise {

/// For people: what a term asks about, as "link 'hand'" or "the center of mass".
std::string termText(const Robot& robot, const IKTerm& term);

/// |r| of a term's equations, not weighted, in m and rad.
double termResidual(const RobotPtr& robot, const IKTerm& term, const VectorXd& q);

/// Describes how far a configuration is from what a term asks for, as "0.21 m and 0.4 rad"; empty for functions, whose
/// units nobody knows.
std::string termErrorText(const RobotPtr& robot, const IKTerm& term, const VectorXd& q);

/// That a link cannot get to where a goal wants it, wherever its joints are within their limits, as "the target is 5 m
/// from link 'base', and link 'hand' reaches no more than 1.2 m"; empty where it may.
std::string reachText(const Robot& robot, const IKTerm& term);

}  // namespace mortise
