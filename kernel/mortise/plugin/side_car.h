#pragma once

/// The side-car manifest of a plugin library (`libacme.mortise.yaml` beside `libacme.so`): what the library says about
/// itself, written after linking, so that listing, documenting and checking need not open it.

#include <cstdint>
#include <string>
#include <vector>

#include "mortise/plugin/manifest.h"
#include "mortise/plugin/registry.h"

namespace mortise {

class Library;
struct ComponentDeclaration;

/// Build of a library that a side-car describes.
struct LibraryIdentity {
  std::string file;  ///< Name without folder.
  std::uint64_t size = 0;
  /// The linker's own name for the build. Survives `strip` and the change of RPATH that installing makes, unlike size
  /// and hash, which count only where one of the two has no build id.
  std::string buildId;
  std::string hash;  ///< Hash of all bytes, hexadecimal.
};

struct SideCar {
  std::string package;
  std::string version;
  std::string license;
  MortiseAbiTag abi = {};
  LibraryIdentity library;
  std::vector<ComponentInfo> components;  ///< `library` and `origin` are left empty; they depend on where it was found.
};

/// Returns the path of a library's side-car: the library's name with `.so` replaced by `.mortise.yaml`.
std::string sideCarPath(const std::string& library);

/// Throws `Error` with the system's reason when the library cannot be read.
LibraryIdentity identify(const std::string& library);
/// Empty when `library` (a path) is the build that the side-car describes; otherwise what differs.
std::string staleness(const SideCar& sideCar, const std::string& library);

/// Describes an opened library by what it says about itself.
SideCar describe(const Library& library);
/// Throws `Error` for declarations that cannot be meant (`declarationFaults`).
void requireSound(const SideCar& sideCar);
/// A component as listed, of the library at `path`.
ComponentInfo componentInfo(const ComponentDeclaration& declaration, const MortisePluginManifest& manifest);

std::string sideCarText(const SideCar& sideCar);
/// Throws `Error` with file, line and column for anything that is not a side-car.
SideCar readSideCar(const std::string& path);

}  // namespace mortise
