#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "mortise/contact/ik_goal.h"

namespace mortise::io {

// The constraints of a goal, as JSON calls them, in the order of the enumerations.
inline constexpr std::array<std::pair<std::string_view, IKGoal::Position>, 4> kPositionNames = {
    {{"free", IKGoal::Position::free},
     {"planar", IKGoal::Position::plane},
     {"linear", IKGoal::Position::line},
     {"fixed", IKGoal::Position::point}}};
inline constexpr std::array<std::pair<std::string_view, IKGoal::Rotation>, 4> kRotationNames = {
    {{"free", IKGoal::Rotation::free},
     {"twoaxis", IKGoal::Rotation::twoAxis},
     {"axis", IKGoal::Rotation::axis},
     {"fixed", IKGoal::Rotation::fixed}}};

}  // namespace mortise::io
