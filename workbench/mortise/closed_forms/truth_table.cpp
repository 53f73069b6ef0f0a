#include "mortise/closed_forms/truth_table.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/simulation/context/component_host.h"

namespace mortise::truth {

namespace {

/// Returns the message of an engine in one line, without the hint.
std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

std::vector<EngineLimit> limitsOf(const TruthEngine& engine, Registry& registry, LogSink& log) {
  ChannelTable channels;
  ComponentHost host(engine.name, 0, log, nullptr, channels, {}, {});
  try {
    return registry.create<Physics>(*engine.info, engine.settings, host)->capabilities().limits;
  } catch (const Error&) {
    return {};  // Its cells say why.
  }
}

}  // namespace

TruthResult runTruthCase(const TruthCase& each, const TruthEngine& engine, double step, Registry& registry,
                         LogSink& log, const std::function<bool()>& stopRequested) {
  TruthResult result;
  ChannelTable channels;
  ComponentHost host(engine.name, 0, log, nullptr, channels, {}, {});
  const auto failed = [&](const std::string& why) {
    result.state = TruthResult::State::failed;
    result.note = firstLine(why);
  };
  try {
    const ComponentPtr<Physics> physics = registry.create<Physics>(*engine.info, engine.settings, host);
    result.note = refusal(each, physics->capabilities());
    if (!result.note.empty()) {
      result.state = TruthResult::State::refused;
      return result;
    }
    Trial trial(*physics, step, stopRequested);
    result.error = each.error(trial);
    result.cost = trial.cost();
    result.state = TruthResult::State::done;
    if (!std::isfinite(result.error)) failed("what is measured does not happen");
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    failed(error.message());
  } catch (const std::exception& error) {
    failed(error.what());
  } catch (...) {
    failed("it threw something that is not a std::exception");
  }
  return result;
}

TruthTable makeTruthTable(std::vector<const TruthCase*> cases, std::vector<TruthEngine> engines, Registry& registry,
                          LogSink& log, const TruthOptions& options) {
  TruthTable table;
  table.step = options.step;
  table.cases = std::move(cases);
  table.engines = std::move(engines);
  for (const TruthEngine& engine : table.engines) table.limits.push_back(limitsOf(engine, registry, log));
  const std::vector<TruthResult> row(table.engines.size());
  table.coarse.assign(table.cases.size(), row);
  table.fine = table.coarse;
  const double total = static_cast<double>(table.cases.size() * table.engines.size());
  double done = 0;
  try {
    for (std::size_t e = 0; e < table.engines.size(); ++e)
      for (std::size_t c = 0; c < table.cases.size(); ++c, ++done) {
        const TruthCase& each = *table.cases[c];
        if (options.progress != nullptr) {
          options.progress->begin(table.engines[e].name + ", " + each.name, total);
          options.progress->advanceTo(done);
        }
        const auto run = [&](double step) {
          return runTruthCase(each, table.engines[e], step, registry, log, options.stopRequested);
        };
        table.coarse[c][e] = run(options.step);
        table.fine[c][e] = run(0.1 * options.step);
      }
  } catch (const Interrupted&) {
    table.interrupted = true;
  }
  if (options.progress != nullptr) options.progress->end();
  return table;
}

}  // namespace mortise::truth
