#include "documentation.h"

namespace mortise::sensors_embree {

const char* const kLaserDocumentation = R"(
A laser scanner, or a single beam. Each reading is `measurementCount` distances, channels `d[0]`, `d[1]`, ...,
in metres from the sensor's origin along the beam, all taken from where the sensor is at the time of the
reading.

**Frame.** The sensor's frame has z forward, x to the left and y up; `Tsensor` is its pose in the frame of
`link`, or in the world's when `link` is -1. With the angles a (x sweep) and b (y sweep), a beam's direction
is (sin a, cos a sin b, cos a cos b): positive a turns to the left, positive b up.

**Sweeps.** Both angles are `magnitude * f(u)` with f by `xSweepType` and `ySweepType`:

| type | f(u) |
|---|---|
| 0, sinusoid | sin(2 pi u) |
| 1, triangular | from -1 up to 1 as u goes from 0 to 1, and down again from 1 to 2 |
| 2, sawtooth | 2 (u mod 1) - 1 |

With a period of 0 each reading is one sweep: u goes evenly from 0 at beam 0 to 1 at the last beam (a sawtooth
ends at +1; the only beam of a sawtooth stands at -1, so give single beams a magnitude of 0). Otherwise u = (t
+ phase) / period, and the n beams of a reading stand for times spread evenly over the time since the reading
before: beam 0 at 1/(n-1) of it, the last one at the time of the reading. A scanner that turns all the time is
a sawtooth of magnitude pi.

**What is seen.** Robots, rigid objects and terrains where they are now, except the link that carries the
sensor. Distances up to `depthMinimum` are not seen at all. Triangles are seen from both sides; spheres,
ellipsoids, cylinders, capsules and signed distance fields are met exactly, and points are balls. Margins of
shapes are not seen. Distances are exact to rounding before noise, wherever in the world that is; only what a beam
meets is found in single precision, so one that passes within some 1e-7 of its length of an edge may miss it.

**Noise.** A distance d gets Gaussian noise of variance `depthVarianceLinear * d + depthVarianceConstant`, is
then rounded to `depthResolution`, and becomes `depthMaximum` (infinite by default) when it is not between the
two limits. Beams that meet nothing read `depthMaximum`. The settings of noise and sweeps can be changed while
running.

**Unlike Klamp't's.** Triangular sweeps keep to [-1, 1], as its documentation says; its program goes from 1 to 3.
Sawteeth have the period that they are given; in its program they are longer by one beam.

In a pipeline:

```yaml
components:
  - {sensor: LaserRangeSensor, name: lidar, robot: tx90, link: 6, rate: 20 Hz, measurementCount: 360, xSweepMagnitude: 135 deg,
     depthMaximum: 10 m, depthVarianceConstant: 1e-4}
```

In a world or robot file:

```xml
<sensors>
  <LaserRangeSensor name="lidar" rate="20" link="6" Tsensor="1 0 0  0 1 0  0 0 1  0 0 0.05" measurementCount="360"
    xSweepMagnitude="2.356" depthMaximum="10" depthVarianceConstant="0.0001"/>
</sensors>
```
)";

const char* const kCameraDocumentation = R"(
A pinhole camera that measures colours, depths, or both, by casting a ray through the centre of every pixel.
It needs no display and no graphics card, and never gives a blank image.

**Channels.** First, with `rgb`, one number a pixel: `rgb[i,j]` is 0xrrggbb (65536 red + 256 green + blue,
each from 0 to 255). Then, with `depth`, `d[i,j]`: the depth in metres along the optical axis, not the
distance. i counts columns from the left, j rows from the top; values go row by row from the top left, so
pixel (i, j) is value `j * xres + i` of each.

**Frame.** The sensor's frame has z forward (the optical axis), x to the right of the image and y down, as in
OpenCV and ROS; `Tsensor` is its pose in the frame of `link`, or in the world's when `link` is -1. A point (x,
y, z) of that frame is at column `fx x / z + cx` and row `fy y / z + cy`, where the centre of the top left
pixel is (0, 0). Without `fx` and `fy`, these are xres / 2 / tan(xfov / 2) and yres / 2 / tan(yfov / 2);
without `cx` and `cy` the axis is in the middle, at (xres - 1) / 2 and (yres - 1) / 2.

**What is seen.** Robots (the link that carries the camera too), rigid objects and terrains where they are
now, beyond a depth of 0.1 m, or `zmin` when that is less. Triangles are seen from both sides; spheres,
ellipsoids, cylinders, capsules and signed distance fields are met exactly, and points are balls. Margins of
shapes are not seen. What a ray meets is found in single precision: one that passes within some 1e-7 of its length
of an edge, or along the very seam between two bodies that touch, may miss it.

**Depth.** Exact to rounding before noise, wherever in the world that is. What is farther than `zmax`, and
where there is nothing, reads `zmax`. What is nearer than `zmin` reads its depth: whoever uses the image
passes over depths that are not from `zmin` to below `zmax`. A depth z gets Gaussian noise of variance
`zvarianceLinear * z + zvarianceConstant`, is then rounded to `zresolution`, and is no more than `zmax`.

**Colour.** What the world's `<display color="r g b">` or `faceColor` says of an object, terrain, robot or
link, the last one that applies; clouds of points have their own colours (`rgb`, or `r`, `g`, `b`). Where
nothing is said, Klamp't's: robots grey (0.5 0.5 0.5), objects violet (0.4 0.2 0.8), terrains yellow (0.8 0.6
0.2). Where nothing is hit, the world's `background`. A light at the camera gives a surface 0.2 + 0.8 |cos| of
its colour, with the angle between ray and surface normal; `shading: false` gives bare colours. Everything is
opaque; textures are not drawn.

The settings of noise and `shading` can be changed while running. `threads` share the rows; the image does not
depend on how many there are.

**Unlike Klamp't's.** `yfov` counts; its program takes pixels to be square. Names of channels stand in the order of
their values; its program lists them column by column. Numbers are doubles; its depths are floats.

In a pipeline:

```yaml
components:
  - {sensor: CameraSensor, name: eye, robot: tx90, link: 6, rate: 30 Hz, Tsensor: [1,0,0, 0,1,0, 0,0,1, 0,0,0.1],
     xres: 320, yres: 240, xfov: 60 deg, yfov: 47 deg, zmax: 10 m, zvarianceLinear: 1e-5}
```

In a world or robot file:

```xml
<sensors>
  <CameraSensor name="eye" rate="30" link="6" Tsensor="1 0 0  0 1 0  0 0 1  0 0 0.1" xres="320" yres="240"
    xfov="1.047" yfov="0.82" zmax="10" zvarianceLinear="0.00001"/>
</sensors>
```
)";

}  // namespace mortise::sensors_embree
