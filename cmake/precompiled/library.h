// What nearly every file of the kernel, the toolbox and the runtime includes.
#pragma once

#include "mortise/base/diagnostics.h"
#include "mortise/base/error.h"
#include "mortise/base/value.h"
#include "mortise/component/file_format.h"
#include "mortise/model/robot_state.h"
#include "mortise/model/world.h"
#include "mortise/motion/multipath.h"
