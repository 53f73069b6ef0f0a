#pragma once

/// The ABI tag of the code that includes this header, as a constant: it must need no code to run at load.

#include <Eigen/Core>
#include <string>

#include "mortise/component/kind.h"
#include "mortise/plugin/manifest.h"

// Clang says by feature what GCC says by macro.
#if defined(__has_feature)
#define MORTISE_HAS_FEATURE(name) __has_feature(name)
#else
#define MORTISE_HAS_FEATURE(name) 0
#endif

namespace mortise {

namespace detail {

template <std::size_t N>
constexpr void copyText(char (&to)[N], const char* from) {
  for (std::size_t i = 0; i < N; ++i) to[i] = 0;
  for (std::size_t i = 0; i + 1 < N && from[i] != 0; ++i) to[i] = from[i];
}

}  // namespace detail

/// Interface versions as of the headers a plugin was compiled with, by Kind.
constexpr InterfaceVersion kInterfaceVersions[kNumKinds] = {{3, 0}, {3, 0}, {2, 1}, {1, 1}, {2, 0},
                                                            {3, 0}, {1, 0}, {3, 1}, {1, 0}, {1, 0}};
constexpr std::uint32_t kKernelMajor = 6;

constexpr MortiseAbiTag currentAbiTag() {
  MortiseAbiTag tag = {};
  tag.size = sizeof(MortiseAbiTag);
  detail::copyText(tag.cxxAbi, "itanium");
#if defined(_LIBCPP_VERSION)
  detail::copyText(tag.standardLibrary, "libc++");
#elif defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI
  detail::copyText(tag.standardLibrary, "libstdc++ cxx11");
#else
  detail::copyText(tag.standardLibrary, "libstdc++ old");
#endif
  tag.pointerSize = sizeof(void*);
  tag.scalarSize = sizeof(double);
  tag.eigenMaxAlign = EIGEN_MAX_ALIGN_BYTES;
  tag.eigenVersion = EIGEN_WORLD_VERSION * 10000 + EIGEN_MAJOR_VERSION * 100 + EIGEN_MINOR_VERSION;
#if defined(__SANITIZE_ADDRESS__) || MORTISE_HAS_FEATURE(address_sanitizer)
  detail::copyText(tag.sanitizers, "address");
#elif defined(__SANITIZE_THREAD__) || MORTISE_HAS_FEATURE(thread_sanitizer)
  detail::copyText(tag.sanitizers, "thread");
#else
  detail::copyText(tag.sanitizers, "none");
#endif
  tag.kernelMajor = kKernelMajor;
  for (int i = 0; i < kNumKinds; ++i) {
    tag.interfaces[i].major = kInterfaceVersions[i].major;
    tag.interfaces[i].minor = kInterfaceVersions[i].minor;
  }
  return tag;
}

/// Empty when a plugin with this tag can be called; otherwise which fields differ, both values, and what to rebuild.
/// Interface versions are left out: they are compared for each component with `compareInterfaces`, so that a new
/// physics interface does not turn away plugins that hold controllers.
std::string compareAbiTags(const MortiseAbiTag& kernel, const MortiseAbiTag& plugin);

/// Empty when a component of this kind, built for interface `plugin`, runs in a program that offers `kernel`.
std::string compareInterfaces(Kind kind, InterfaceVersion kernel, InterfaceVersion plugin);

}  // namespace mortise
