#include "wrapper_sensors.h"

#include "wrapper_corrupted.h"
#include "wrapper_delayed.h"
#include "wrapper_filtered.h"
#include "wrapper_transformed.h"

namespace mortise {

namespace {

constexpr const char* kCommon = R"(
## The wrapped sensor

It is named by `of` in pipelines, where the key `sensor` says which component an entry is, and by `sensor` in world and
robot files. It belongs to the same robot and is declared before the wrapper; it may be a wrapper itself. It stays:
controllers and logs see both. The wrapper has its channels and, around a camera, its image.

The wrapper reads the latest values of the wrapped sensor, at its own `rate`. Give both the same rate, unless the wrapper
is meant to see some readings twice or not at all.

All settings but the wrapped sensor can be changed while the simulation runs.
)";

constexpr const char* kLists = R"(
Lists hold one number for all channels, or one a channel. The colours of a camera are passed on as they are; a list with
one number a channel has numbers for them all the same.
)";

template <typename T>
void declare(PluginBuilder& plugin, const char* name, const char* summary, const std::string& text) {
  ComponentBuilder component = plugin.sensor<T>(std::string("mortise.") + name);
  component.alias(name).summary(summary).documentation(text).parameter(
      "of", ParameterType::string, "Name of the wrapped sensor, which is declared before this one.",
      {.required = true, .aliases = {"sensor"}});
  declareSettings(component, T::table());
}

}  // namespace

void declareWrapperSensors(PluginBuilder& plugin) {
  declare<TransformedSensor>(plugin, "TransformedSensor", "Another sensor's values, scaled, shifted and limited.",
                             std::string(R"(
Each channel becomes `scale * value + bias`, then at least `minimum`, then at most `maximum`: an encoder that counts, a
sensor mounted the other way round, a gauge that saturates.

An infinite value stays infinite, with the sign of `scale`; a channel with a scale of 0 shows its bias.
)") + kLists + kCommon + R"(
## Examples

An encoder with 4096 counts a turn, in a pipeline:

```yaml
components:
  - {sensor: JointPositionSensor, name: encoders, rate: 200 Hz}
  - {sensor: TransformedSensor, name: counts, of: encoders, rate: 200 Hz, scale: 651.8986469}
```

and in a world or robot file:

```xml
<sensors>
  <JointPositionSensor name="encoders" rate="200"/>
  <TransformedSensor name="counts" sensor="encoders" rate="200" scale="651.8986469"/>
</sensors>
```
)");
  declare<CorruptedSensor>(plugin, "CorruptedSensor", "Another sensor's values with Gaussian noise, then rounded.",
                           std::string(R"(
Each channel becomes `value + sqrt(variance) * n`, with n from a standard normal distribution of this sensor's own random
stream, and is then rounded to a multiple of `resolution`. Zeros get noise like everything else, so axes that the wrapped
sensor has switched off are better given a variance of 0. Infinite values stay.
)") + kLists + kCommon + R"(
## Examples

Encoders with a standard deviation of 1 mrad, read out in steps of 0.5 mrad, next to the true ones:

```yaml
components:
  - {sensor: JointPositionSensor, name: truth}
  - {sensor: CorruptedSensor, name: encoders, of: truth, variance: 1e-6, resolution: 0.0005}
```

```xml
<sensors>
  <JointPositionSensor name="truth"/>
  <CorruptedSensor name="encoders" sensor="truth" variance="1e-6" resolution="0.0005"/>
</sensors>
```
)");
  declare<FilteredSensor>(plugin, "FilteredSensor", "Another sensor's values, exponentially smoothed.", std::string(R"(
With each reading x the smoothed value m of a channel becomes

    m = smoothing * m + (1 - smoothing) * x

so that n readings after a step the fraction `1 - smoothing^n` of it shows: a first-order low-pass with the time constant
`-1 / (rate * ln(smoothing))`. It starts at the first value measured, or at `initial` (Klamp't starts at 0).

An infinite value (a range sensor that sees nothing) takes the place of the smoothed one at once, and so does the next
finite value after it. The colours of a camera are passed on as they are.
)") + kCommon + R"(
## Examples

Velocities with a time constant of about 20 ms:

```yaml
components:
  - {sensor: JointVelocitySensor, name: dq, rate: 500 Hz}
  - {sensor: FilteredSensor, name: smooth, of: dq, rate: 500 Hz, smoothing: 0.9}
```

```xml
<sensors>
  <JointVelocitySensor name="dq" rate="500"/>
  <FilteredSensor name="smooth" sensor="dq" rate="500" smoothing="0.9"/>
</sensors>
```
)");
  declare<TimeDelayedSensor>(plugin, "TimeDelayedSensor", "Another sensor's values, as they arrive after a delay.",
                             std::string(R"(
Each reading sets out when this sensor makes it and arrives `delay` seconds later, give or take up to `jitter`, evenly
distributed. Readings arrive in the order in which they set out, so a late one holds up those behind it. What is shown is
the last reading that has arrived when this sensor is read; values are held, not interpolated, so a delay that is no
multiple of the period shows as the next greater one. Until the first reading arrives, the first values measured are
shown, or `initial`.

All channels are delayed, colours of a camera included. Readings in transit are kept in memory: at most 67,108,864
numbers (512 MiB).
)") + kCommon + R"(
## Examples

A camera whose images arrive after 80 to 120 ms:

```yaml
components:
  - {sensor: CameraSensor, name: eye, link: wrist, rate: 30 Hz}
  - {sensor: TimeDelayedSensor, name: late_eye, of: eye, rate: 30 Hz, delay: 100 ms, jitter: 20 ms}
```

```xml
<sensors>
  <CameraSensor name="eye" link="wrist" rate="30"/>
  <TimeDelayedSensor name="late_eye" sensor="eye" rate="30" delay="0.1" jitter="0.02"/>
</sensors>
```
)");
}

}  // namespace mortise
