#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace mortise {

/// A random stream of its own for each component: xoshiro256** (Blackman and Vigna, 2018), seeded from the
/// run's seed and the component's id, so adding a component never changes the numbers another one sees.
/// Bitwise the same on every machine.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed = 0, std::string_view id = {});

  std::uint64_t bits();
  double uniform();                          ///< In [0, 1).
  double uniform(double low, double high);   ///< In [low, high).
  std::uint64_t below(std::uint64_t bound);  ///< In [0, bound), without bias; bound > 0.
  double gaussian();                         ///< Mean 0, variance 1 (Box-Muller; two draws each call, no hidden state).

  using State = std::array<std::uint64_t, 4>;
  const State& state() const { return state_; }
  void setState(const State& state) { state_ = state; }

 private:
  State state_;
};

/// 64-bit FNV-1a followed by a mixing step; used for seeds, names and state hashes.
std::uint64_t hashBytes(const void* data, std::size_t size, std::uint64_t seed = 0);

}  // namespace mortise
