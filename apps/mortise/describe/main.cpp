/// Writes the side-car manifest of a plugin library: `mortise plugins describe LIBRARY --write`, for the build of this
/// tree. A program of its own, needing only the kernel, so that plugins are built beside the runtime and not after it.

#include <exception>
#include <iostream>

#include "mortise/base/files.h"
#include "mortise/plugin/library.h"
#include "mortise/plugin/side_car.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: mortise_describe LIBRARY\n";
    return 2;
  }
  try {
    const mortise::SideCar sideCar = describe(mortise::Library::open(argv[1]));
    mortise::requireSound(sideCar);
    mortise::writeFile(mortise::sideCarPath(argv[1]), sideCarText(sideCar));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "mortise_describe: error: " << error.what() << "\n";
    return 1;
  }
}
