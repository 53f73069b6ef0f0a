#pragma once

/// Pages of the planners.

namespace mortise::planners {

extern const char* const kAnyPage;
extern const char* const kRrtPage;
extern const char* const kRrtStarPage;
extern const char* const kPrmPage;
extern const char* const kPrmStarPage;
extern const char* const kLazyPrmPage;
extern const char* const kLazyPrmStarPage;
extern const char* const kLazyRrgStarPage;
extern const char* const kSblPage;
extern const char* const kSblPrtPage;
extern const char* const kEstPage;
extern const char* const kPerturbationPage;
extern const char* const kFmmPage;
extern const char* const kFmmStarPage;

}  // namespace mortise::planners
