#pragma once

/// The one symbol that a plugin library exports: a constant table whose head is plain data. The head is compared before
/// any code of the plugin runs.

#include <stdint.h>

namespace mortise {
class PluginBuilder;
}

#define MORTISE_PLUGIN_SYMBOL "mortise_plugin"
#define MORTISE_MANIFEST_VERSION 1

extern "C" {

/// Properties that must agree between the kernel and a plugin for C++ calls to be safe. Plain data, compared field by
/// field.
struct MortiseAbiTag {
  uint32_t size;             ///< sizeof(MortiseAbiTag)
  char cxxAbi[16];           ///< "itanium"
  char standardLibrary[24];  ///< "libstdc++ cxx11"
  uint32_t pointerSize;      ///< 8
  uint32_t scalarSize;       ///< 8: double
  uint32_t eigenMaxAlign;    ///< EIGEN_MAX_ALIGN_BYTES
  uint32_t eigenVersion;     ///< world * 10000 + major * 100 + minor
  char sanitizers[24];       ///< "none", "address", "thread", ...
  uint32_t kernelMajor;      ///< Layout of kernel classes (Value, Robot, World, ...).
  struct {
    int16_t major, minor;
  } interfaces[16];  ///< By mortise::Kind; unused entries are 0.
};

struct MortisePluginManifest {
  char magic[8];             ///< "MORTISE" and a zero
  uint32_t size;             ///< sizeof(MortisePluginManifest)
  uint32_t manifestVersion;  ///< MORTISE_MANIFEST_VERSION
  struct MortiseAbiTag abi;
  const char* package;
  const char* version;
  const char* license;
  void (*describe)(mortise::PluginBuilder*);  ///< Names the components. Called only after the head was accepted.
};
}
