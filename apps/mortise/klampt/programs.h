#pragma once

/// Klamp't's programs, with their own names and options. Each also runs through a link of its name.

#include <string>
#include <vector>

#include "command_line/command_spec.h"

namespace mortise::app {

int simTestCommand(const Arguments& arguments);         // sim_programs.cpp
int simUtilCommand(const Arguments& arguments);         // sim_programs.cpp
int urdfToRobCommand(const Arguments& arguments);       // model_programs.cpp
int mergeCommand(const Arguments& arguments);           // model_programs.cpp
int packCommand(const Arguments& arguments);            // resource_programs.cpp
int unpackCommand(const Arguments& arguments);          // resource_programs.cpp
int motorCalibrateCommand(const Arguments& arguments);  // motor_calibrate.cpp
int trajOptCommand(const Arguments& arguments);         // traj_opt.cpp
int posMeasureCommand(const Arguments& arguments);      // model_programs.cpp
int cartpoleCommand(const Arguments& arguments);        // cartpole.cpp
int userTrialsCommand(const Arguments& arguments);      // user_trials.cpp
int robotTestCommand(const Arguments& arguments);       // posing_programs.cpp
int robotPoseCommand(const Arguments& arguments);       // posing_programs.cpp

/// In the order of the help.
const std::vector<Subcommand>& klamptPrograms();
bool isKlamptProgram(const std::string& name);

}  // namespace mortise::app
