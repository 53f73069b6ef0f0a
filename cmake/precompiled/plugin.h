// What nearly every file of a plugin includes.
#pragma once

#include "mortise/model/robot_state.h"
#include "mortise/model/world.h"
#include "mortise/motion/multipath.h"
#include "mortise/plugin/plugin.h"
