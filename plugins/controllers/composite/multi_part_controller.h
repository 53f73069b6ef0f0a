#pragma once

#include <optional>

#include "composite/forwarding_controller.h"
#include "composite/structure.h"

namespace mortise::controllers {

/// An entry of `parts`.
struct PartEntry : ChildEntry {
  Value drivers, links;                ///< One of them is null.
  Placed<std::optional<double>> rate;  ///< Hz; absent: with every update.
  void bind(SettingBinder& b);
};

struct PartsSettings {
  enum class Others { hold, off, refuse };
  Value parts;
  Others others = Others::hold;
  std::string file;
  void bind(SettingBinder& b);
};

/// Different controllers on different drivers of one robot. Each sees the whole robot and all of its sensors; of what
/// it asks for, its own drivers count.
class MultiPartController final : public ForwardingController {
 public:
  explicit MultiPartController(const ComponentContext& context);

  void start(const ControllerSetup& setup) override;
  void update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) override;
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;

 private:
  using Others = PartsSettings::Others;
  struct Part {
    Value drivers, links;                   ///< Parts as given; one of them is null.
    double rate = 0;                        ///< Hz; 0: with every update.
    SourcePosition ratePlace;               ///< Position of the rate.
    std::vector<int> indices;               ///< Indices of its drivers.
    std::vector<ActuatorCommand> commands;  ///< One a driver of the robot: what this part has asked for.
  };

  /// Hands a command to the only part, where there is one.
  bool ownCommand(std::string_view name, const Value& arguments) override;
  std::vector<int> driversOf(const Robot& robot, int part) const;

  std::vector<Part> parts_;  ///< In the order of the children.
  Others others_ = Others::hold;
  const Robot* robot_ = nullptr;
  double period_ = 0;
  std::vector<int> unnamed_;  ///< Drivers of no part.
  VectorXd held_;             ///< Values that they hold, in the order of `unnamed_`.
  std::int64_t updates_ = 0;
};

}  // namespace mortise::controllers
