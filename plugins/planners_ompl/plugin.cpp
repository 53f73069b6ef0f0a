#include "mortise/plugin/plugin.h"

#include <utility>

#include "ompl_planner.h"

namespace {

using namespace mortise::ompl_planners;

/// A class of its own for each planner, as components are created by class.
template <std::size_t I>
class NamedPlanner final : public OmplPlanner {
 public:
  explicit NamedPlanner(const mortise::ComponentContext& context) : OmplPlanner(context, plannerTable()[I]) {}
};

template <std::size_t I>
void declarePlanner(mortise::PluginBuilder& plugin) {
  const PlannerEntry& entry = plannerTable()[I];
  mortise::ComponentBuilder component = plugin.planner<NamedPlanner<I>>("ompl." + std::string(entry.name))
                                            .alias(std::string(entry.name))
                                            .summary(std::string(entry.summary))
                                            .documentation(plannerPage(entry));
  for (const std::string_view alias : entry.aliases) component.alias(std::string(alias));
  for (PlannerParameter& parameter : plannerParameters(entry))
    component.parameter(std::move(parameter.name), std::move(parameter.defaultValue), std::move(parameter.summary),
                        std::move(parameter.options));
}

template <std::size_t... I>
void declareAll(mortise::PluginBuilder& plugin, std::index_sequence<I...>) {
  (declarePlanner<I>(plugin), ...);
}

}  // namespace

MORTISE_PLUGIN("mortise_planners_ompl", "0.1.0") { declareAll(plugin, std::make_index_sequence<kNumPlanners>()); }
