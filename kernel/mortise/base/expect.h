#pragma once

/// Preconditions of public functions (docs/preconditions.md). `MORTISE_REQUIRE...` always checks: sizes and indices,
/// where a wrong one would read or overwrite memory that belongs to something else. `MORTISE_EXPECT...` checks in Debug
/// builds, in tests, and where the environment variable MORTISE_CHECKS is 1: what costs more than comparing two
/// numbers, such as finiteness. All throw `PreconditionError`. For .cpp files: checks stand at the entry of public
/// functions, before anything is changed, and not in loops.

#include <atomic>
#include <cstddef>
#include <string>

#include "mortise/base/error.h"

namespace mortise {

/// An argument that a function cannot work with: a fault of the code that calls it, not of what a person wrote. The
/// message names the function, the argument, what was found and what was expected.
class PreconditionError : public Error {
 public:
  explicit PreconditionError(std::string message, std::string hint = {});
  ~PreconditionError() override;
};

/// Says whether `MORTISE_EXPECT` checks. At the start: in builds without NDEBUG, and where the environment variable
/// MORTISE_CHECKS is set to something other than 0.
bool preconditionChecks();
void setPreconditionChecks(bool on);

namespace detail {

extern std::atomic<bool> expectationsChecked;

// `function`: as __PRETTY_FUNCTION__ gives it.
[[noreturn, gnu::cold, gnu::noinline]] void failCondition(const char* function, const char* condition,
                                                          const char* message);
[[noreturn, gnu::cold, gnu::noinline]] void failSize(const char* function, const char* argument, std::ptrdiff_t found,
                                                     std::ptrdiff_t expected, const char* what);
[[noreturn, gnu::cold, gnu::noinline]] void failShape(const char* function, const char* argument, std::ptrdiff_t rows,
                                                      std::ptrdiff_t columns, std::ptrdiff_t expectedRows,
                                                      std::ptrdiff_t expectedColumns);
[[noreturn, gnu::cold, gnu::noinline]] void failIndex(const char* function, const char* argument, std::ptrdiff_t found,
                                                      std::ptrdiff_t count, const char* what);
/// Throws where one of the numbers is not finite.
[[gnu::cold, gnu::noinline]] void checkFinite(const char* function, const char* argument, const double* numbers,
                                              std::ptrdiff_t count);

}  // namespace detail
}  // namespace mortise

/// Throws unless `condition` holds. `message`: what must hold, as a sentence: "the robot must have a floating base".
#define MORTISE_REQUIRE(condition, message)                                                                 \
  do {                                                                                                      \
    if (!(condition)) [[unlikely]]                                                                          \
      ::mortise::detail::failCondition(static_cast<const char*>(__PRETTY_FUNCTION__), #condition, message); \
  } while (false)

/// Throws unless `vector` (anything with `size()`) has `expected` entries. `what`: what the entries are: "one for each
/// link".
#define MORTISE_REQUIRE_SIZE(vector, expected, what)                                                                   \
  do {                                                                                                                 \
    if (static_cast<std::ptrdiff_t>((vector).size()) != static_cast<std::ptrdiff_t>(expected)) [[unlikely]]            \
      ::mortise::detail::failSize(static_cast<const char*>(__PRETTY_FUNCTION__), #vector,                              \
                                  static_cast<std::ptrdiff_t>((vector).size()), static_cast<std::ptrdiff_t>(expected), \
                                  what);                                                                               \
  } while (false)

/// Throws unless `matrix` is `expectedRows` x `expectedColumns`.
#define MORTISE_REQUIRE_SHAPE(matrix, expectedRows, expectedColumns)                                        \
  do {                                                                                                      \
    if ((matrix).rows() != (expectedRows) || (matrix).cols() != (expectedColumns)) [[unlikely]]             \
      ::mortise::detail::failShape(static_cast<const char*>(__PRETTY_FUNCTION__), #matrix, (matrix).rows(), \
                                   (matrix).cols(), expectedRows, expectedColumns);                         \
  } while (false)

/// Throws unless 0 <= `index` < `count`. `what`: what the index counts, plural: "links".
#define MORTISE_REQUIRE_INDEX(index, count, what)                                                                 \
  do {                                                                                                            \
    if (static_cast<std::size_t>(index) >= static_cast<std::size_t>(count)) [[unlikely]]                          \
      ::mortise::detail::failIndex(static_cast<const char*>(__PRETTY_FUNCTION__), #index,                         \
                                   static_cast<std::ptrdiff_t>(index), static_cast<std::ptrdiff_t>(count), what); \
  } while (false)

/// Checks like `MORTISE_REQUIRE` where `preconditionChecks()`; elsewhere the condition is not evaluated.
#define MORTISE_EXPECT(condition, message)                                                                   \
  do {                                                                                                       \
    if (::mortise::detail::expectationsChecked.load(std::memory_order_relaxed) && !(condition)) [[unlikely]] \
      ::mortise::detail::failCondition(static_cast<const char*>(__PRETTY_FUNCTION__), #condition, message);  \
  } while (false)

/// Throws, where `preconditionChecks()`, unless all numbers of `vector` (contiguous, with `data()` and `size()`) are
/// finite.
#define MORTISE_EXPECT_FINITE(vector)                                                                         \
  do {                                                                                                        \
    if (::mortise::detail::expectationsChecked.load(std::memory_order_relaxed)) [[unlikely]]                  \
      ::mortise::detail::checkFinite(static_cast<const char*>(__PRETTY_FUNCTION__), #vector, (vector).data(), \
                                     static_cast<std::ptrdiff_t>((vector).size()));                           \
  } while (false)
