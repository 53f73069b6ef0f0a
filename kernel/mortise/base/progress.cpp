#include "mortise/base/progress.h"

namespace mortise {

Progress::~Progress() = default;

}  // namespace mortise
