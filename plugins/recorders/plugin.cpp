#include "mortise/plugin/plugin.h"

#include "csv_recorder.h"
#include "image_recorder.h"
#include "json_lines_recorder.h"
#include "path_recorder.h"

namespace {

constexpr const char* kLogDocumentation = R"(
`record` says what goes into the log: `robots`, `objects`, `sensors`, `contacts`, `wrenches`, or robots, objects and
sensors by name (a sensor also as `robot/sensor`).

`sensors` leaves cameras out, whose hundreds of thousands of values a row would bury everything else; a camera that is
recorded by its name is in the log with every pixel. An `ImageRecorder` writes what cameras see as images.

```yaml
components:
  - {recorder: csv, record: [robots, sensors], rate: 100 Hz}
  - {recorder: jsonl, record: [eye, arm/wrist_force]}
```

Files go below the folder of the run; absolute names and names with `..` are refused unless the run is started with
`--allow-outside`.

Infinite values (a range sensor that meets nothing) are `inf` in CSV and `null` in JSON, which has no other word for
them. The row of the start shows sensors that have not measured yet as 0.
)";

constexpr const char* kImageDocumentation = R"(
Writes the images of cameras to files, one for each reading:

| output | file | holds |
|---|---|---|
| `color` | `CAMERA_TICK_color.png` | colours, 8 bits a channel |
| `depth` | `CAMERA_TICK_depth.png` | depths, 16 bits, in steps of `depthUnit` (default 1 mm); 0: nothing seen |
| `points` | `CAMERA_TICK.pcd` | points: x, y, z in m and, of cameras with colours, rgb; NaN where nothing is seen |

Depths of more than 65535 steps are written as 65535, with a warning. Point clouds are organised (a point a pixel) and
binary PCD 0.7, which PCL and `mortise geometry` read.

A depth is along the optical axis, in the range of the camera (`zmin` to `zmax`); what is outside was not seen. Pixel
(i, j) of the depth image is the point `((i - cx) / fx, (j - cy) / fy, 1)` times the depth.

`record` says which cameras: `sensors` (part of the default) for all of them, a robot's name for those of the robot, or
names of sensors, also as `robot/sensor`. Wrappers of cameras, such as a TimeDelayedSensor, are cameras. Names of robots
are put in front where several cameras share a name.

The files go to a folder in the run directory whose name starts with the run's prefix. TICK is the physics step after
which the image was written; it was taken one step before, at the start of that step. A new image is one that differs
from the last: a camera that looks at a scene where nothing moves is written once, unless `unchanged` is set. Every file
is written under another name first, then renamed: when the disk is full the run stops with an error, and every image
that has its name is whole.

Without `rate` the recorder looks at every step and misses no image; `every` thins them out. With a `rate` it writes
what is newest at that rate, if it is new.

`frame: world` puts points where the camera stood when it was read, for which the recorder has to see every step: it
takes no `rate`. Points of a delayed camera stand where the camera is when they arrive.

```yaml
components:
  - {sensor: CameraSensor, name: eye, link: wrist, rate: 30 Hz, xres: 320, yres: 240}
  - {recorder: ImageRecorder, record: [eye], outputs: [color, depth, points], every: 3}
```

On the command line, `mortise sim WORLD --images DIR` writes the images of all cameras.
)";

}  // namespace

MORTISE_PLUGIN("mortise_recorders", "0.2.0") {
  plugin.recorder<mortise::CsvRecorder>("mortise.CsvRecorder")
      .alias("csv")
      .summary("Comma-separated values with the column names of Klamp't's SimLogger and SimTest.")
      .documentation(kLogDocumentation)
      .parameter("file", "state.csv",
                 "File for robots, objects and sensors, below the run directory, with the run's prefix.")
      .attribute("outputs", std::vector<std::string>{"file", "contactFile", "wrenchFile"})
      .parameter("contactFile", "contacts.csv",
                 "File for contacts: one row for each pair of ids in contact, with means over their contacts.")
      .parameter("wrenchFile", "wrenches.csv",
                 "File for wrenches: one row for each pair of ids in contact, with the centre of pressure, the whole "
                 "force on the first and the torque about that centre.");
  plugin.recorder<mortise::JsonLinesRecorder>("mortise.JsonLinesRecorder")
      .alias("jsonl")
      .summary("One JSON object a line, a line a recorded tick: robots, objects, sensors, contacts, wrenches.")
      .documentation(kLogDocumentation)
      .parameter("file", "log.jsonl", "Name of the file, below the run directory, with the run's prefix.")
      .attribute("outputs", std::vector<std::string>{"file"});
  plugin.recorder<mortise::PathRecorder>("mortise.PathRecorder")
      .alias("path")
      .summary("The motion of one robot as a .path file, which a robot can follow.")
      .parameter("file", "motion.path", "Name of the file, below the run directory, with the run's prefix.")
      .attribute("outputs", std::vector<std::string>{"file"})
      .parameter("of", "state", "What is written: where the robot is, or what is commanded.",
                 {.choices = {"state", "command"}});
  plugin.recorder<mortise::ImageRecorder>("mortise.ImageRecorder")
      .alias("ImageRecorder")
      .alias("images")
      .summary("What cameras see: colours and depths as PNG, point clouds as PCD.")
      .documentation(kImageDocumentation)
      .parameter("outputs", std::vector<std::string>{"color", "depth"}, "What is written of each image.",
                 {.choices = {"color", "depth", "points"}})
      .parameter("folder", "images", "Folder of the images, below the run directory, with the run's prefix.")
      .attribute("outputs", std::vector<std::string>{"folder"})
      .parameter("depthUnit", 0.001, "What a step of the depth images is.", {.min = 1e-9, .max = 1e3, .unit = "m"})
      .parameter("frame", "camera", "The frame that points are in.", {.choices = {"camera", "world"}})
      .parameter("every", 1, "Writes every n-th image of a camera only.", {.min = 1, .max = 1e9})
      .parameter("unchanged", false, "Writes an image also when it is the same as the last one.");
}
