#include "mortise/plugin/abi.h"

#include <string_view>

namespace mortise {

namespace {

/// The fields are arrays of a foreign library: not trusted to end in a zero.
template <std::size_t N>
std::string text(const char (&field)[N]) {
  std::size_t length = 0;
  while (length < N && field[length] != 0) ++length;
  return std::string(field, length);
}

class Comparison {
 public:
  template <typename T>
  void field(std::string_view name, const T& kernel, const T& plugin, std::string_view remedy) {
    if (kernel == plugin) return;
    if (!text_.empty()) text_ += "; ";
    text_ += std::string(name) + ": this program has " + shown(kernel) + ", the plugin has " + shown(plugin) + " (" +
             std::string(remedy) + ")";
  }
  std::string take() { return std::move(text_); }

 private:
  static std::string shown(const std::string& value) { return "'" + value + "'"; }
  static std::string shown(std::uint32_t value) { return std::to_string(value); }
  std::string text_;
};

}  // namespace

std::string compareAbiTags(const MortiseAbiTag& kernel, const MortiseAbiTag& plugin) {
  Comparison result;
  if (kernel.size != plugin.size) {
    result.field("size of the ABI tag", kernel.size, plugin.size,
                 "rebuild the plugin with the Mortise package of this program");
    return result.take();  // What follows may lie elsewhere.
  }
  result.field("C++ ABI", text(kernel.cxxAbi), text(plugin.cxxAbi), "rebuild the plugin with g++ or clang++ on Linux");
  result.field("standard library", text(kernel.standardLibrary), text(plugin.standardLibrary),
               "rebuild the plugin with the same -stdlib and _GLIBCXX_USE_CXX11_ABI");
  result.field("pointer size", kernel.pointerSize, plugin.pointerSize, "rebuild the plugin for this machine");
  result.field("scalar size", kernel.scalarSize, plugin.scalarSize,
               "rebuild the plugin in double precision, which has 8 bytes");
  result.field("EIGEN_MAX_ALIGN_BYTES", kernel.eigenMaxAlign, plugin.eigenMaxAlign,
               "rebuild the plugin with the CMake target Mortise::kernel, which sets it");
  result.field("Eigen version", kernel.eigenVersion, plugin.eigenVersion,
               "rebuild the plugin with the Eigen that Mortise was built with");
  result.field("sanitizers", text(kernel.sanitizers), text(plugin.sanitizers),
               "rebuild the plugin with the same -fsanitize");
  result.field("kernel version", kernel.kernelMajor, plugin.kernelMajor,
               "rebuild the plugin with the Mortise package of this program");
  return result.take();
}

InterfaceVersion interfaceVersion(Kind kind) { return kInterfaceVersions[static_cast<int>(kind)]; }

std::string compareInterfaces(Kind kind, InterfaceVersion kernel, InterfaceVersion plugin) {
  if (kernel.major == plugin.major && plugin.minor <= kernel.minor) return {};
  const auto shown = [](InterfaceVersion version) {
    return std::to_string(version.major) + "." + std::to_string(version.minor);
  };
  std::string text = "interface '" + std::string(kindName(kind)) + "': this program offers " + shown(kernel) +
                     ", the plugin was built for " + shown(plugin);
  const bool pluginNewer = plugin.major > kernel.major || (plugin.major == kernel.major && plugin.minor > kernel.minor);
  text += pluginNewer ? " (update Mortise, or rebuild the plugin with this program's Mortise package)"
                      : " (rebuild the plugin with this program's Mortise package)";
  return text;
}

}  // namespace mortise
