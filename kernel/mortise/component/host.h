#pragma once

/// Services of the program for the components that it runs.

#include <span>
#include <string>
#include <string_view>

#include "mortise/base/log.h"
#include "mortise/base/random.h"
#include "mortise/base/value.h"
#include "mortise/component/component_ptr.h"
#include "mortise/motion/trajectory.h"

namespace mortise {

class Controller;

class Host {
 public:
  virtual ~Host();

  /// The name this component goes by in the run.
  virtual std::string_view name() const = 0;
  virtual void log(LogLevel level, std::string_view message) = 0;
  /// Full path of a file that a setting refers to. Throws `Error` listing every path tried.
  virtual std::string findResource(std::string_view reference) const = 0;
  /// A motion file, read by whatever format can. Throws `Error` with the reader's words.
  virtual Trajectory loadTrajectory(std::string_view reference) const;
  /// This component's own stream, derived from the run's seed and the component's name.
  virtual RandomStream& random() = 0;
  /// Folder of the run's results; empty when nothing is recorded.
  virtual std::string runDirectory() const = 0;
  /// Puts numbers where recorders and other components see them under `name`/channel. Allocates only the first time a
  /// channel is used.
  virtual void publish(std::string_view channel, std::span<const double> values) = 0;
  /// Another controller, which this one hands its updates on to: as a pipeline names it, `settings` not yet completed.
  /// The caller owns it and calls all of its functions; it goes by this component's name, a slash and `name`. Throws
  /// `Error` for what is not registered and for wrong settings.
  virtual ComponentPtr<Controller> createController(std::string_view type, const Value& settings, std::string_view name,
                                                    const SourcePosition& where) const;
  /// True once the user wants the program to end (Ctrl-C). Components that wait for something ask this often.
  virtual bool stopRequested() const;
};

/// Arguments that a component is created with: `class MyController : public Controller { MyController(const
/// ComponentContext&);
/// }`.
struct ComponentContext {
  const Value& settings;  ///< Complete: checked against the schema, defaults filled in.
  Host& host;             ///< Outlives the component.
};

/// Outcome of a call into a running component.
enum class ComponentStatus { ok, fault };

}  // namespace mortise
