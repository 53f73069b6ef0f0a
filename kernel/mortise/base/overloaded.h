#pragma once

namespace mortise {

/// One function object of several lambdas, for `std::visit`.
template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace mortise
