#pragma once

/// The subcommands of `mortise plugins`, each in the file of its name.

#include "commands.h"

namespace mortise::app {

int pluginsDescribe(const Arguments& arguments);  // plugins_describe.cpp

}  // namespace mortise::app
