#include "mortise/model/robot.h"
