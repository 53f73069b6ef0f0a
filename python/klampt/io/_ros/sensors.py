"""Measurements of sensors: pictures, scans, wrenches, numbers."""

import numpy as np

from ...model import sensing
from ...robotsim import SensorModel, Viewport
from .joints import to_Float32MultiArray
from .rospy_module import stamp_of  # First: it says what is missing.

from geometry_msgs.msg import WrenchStamped  # isort: skip
from sensor_msgs.msg import CameraInfo, Image, LaserScan  # isort: skip

__all__ = ["to_CameraInfo", "from_CameraInfo", "to_SensorMsg"]


def _intrinsics(obj):
    """width, height, fx, fy, cx, cy of a camera or a Viewport."""
    if isinstance(obj, SensorModel):
        if obj.type != "CameraSensor":
            raise ValueError(f"a sensor of type {obj.type} has no CameraInfo")
        read = [float(obj.getSetting(name)) for name in ("xres", "yres", "fx", "fy", "cx", "cy")]
    elif isinstance(obj, Viewport):
        read = [obj.w, obj.h, obj.fx, obj.fy, obj.cx, obj.cy]
    else:
        raise ValueError(f"expected a camera or a Viewport, not a {type(obj).__name__}")
    return (int(read[0]), int(read[1]), *read[2:])


def to_CameraInfo(klampt_obj):
    """A CameraInfo of a camera (SensorModel) or a Viewport: a pinhole without distortion."""
    width, height, fx, fy, cx, cy = _intrinsics(klampt_obj)
    return CameraInfo(width=width, height=height, distortion_model="plumb_bob", D=[0.0] * 5,
                      K=[fx, 0.0, cx, 0.0, fy, cy, 0.0, 0.0, 1.0],
                      R=[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
                      P=[fx, 0.0, cx, 0.0, 0.0, fy, cy, 0.0, 0.0, 0.0, 1.0, 0.0])


def from_CameraInfo(ros_ci, klampt_obj):
    """Sets a camera's or a Viewport's size and intrinsics from a CameraInfo, and returns it."""
    if ros_ci.roi.x_offset or ros_ci.roi.y_offset:
        raise NotImplementedError("a CameraInfo of a part of the image (roi) is not offered: send the whole image")
    values = (ros_ci.width, ros_ci.height, ros_ci.K[0], ros_ci.K[4], ros_ci.K[2], ros_ci.K[5])
    if isinstance(klampt_obj, SensorModel):
        _intrinsics(klampt_obj)  # A camera?
        for name, value in zip(("xres", "yres", "fx", "fy", "cx", "cy"), values):
            klampt_obj.setSetting(name, str(value))
    elif isinstance(klampt_obj, Viewport):
        klampt_obj.x = klampt_obj.y = 0
        for name, value in zip(("w", "h", "fx", "fy", "cx", "cy"), values):
            setattr(klampt_obj, name, value)
    else:
        raise ValueError(f"expected a camera or a Viewport, not a {type(klampt_obj).__name__}")
    return klampt_obj


def _image(array, encoding, header):
    return Image(header=header, height=array.shape[0], width=array.shape[1], encoding=encoding, is_bigendian=0,
                 step=array.strides[0], data=array.tobytes())


def _camera_messages(camera, header):
    """CameraInfo, then the color image, then the depth image, as far as there are any."""
    info = to_CameraInfo(camera)
    info.header = header
    has_color, has_depth = (bool(float(camera.getSetting(name))) for name in ("rgb", "depth"))
    images = sensing.camera_to_images(camera)
    color, depth = images if has_color and has_depth else (images, None) if has_color else (None, images)
    messages = [info]
    if color is not None:
        messages.append(_image(np.ascontiguousarray(color, dtype=np.uint8), "rgb8", header))
    if depth is not None:
        messages.append(_image(np.ascontiguousarray(depth, dtype="<f4"), "32FC1", header))
    return messages


def _wrench(sensor, header):
    values = list(sensor.getMeasurements()) or [0.0] * 6
    if len(values) != 6:
        raise ValueError(f"a force/torque sensor measures 6 numbers, not {len(values)}")
    message = WrenchStamped(header=header)
    force, torque = message.wrench.force, message.wrench.torque
    force.x, force.y, force.z, torque.x, torque.y, torque.z = map(float, values)
    return message


def _scan(sensor, header):
    ranges = [float(v) for v in sensor.getMeasurements()]
    number = {name: float(sensor.getSetting(name)) for name in (
        "xSweepMagnitude", "depthMinimum", "depthMaximum", "measurementCount")}
    half = number["xSweepMagnitude"]
    count = max(2, len(ranges) or int(number["measurementCount"]))
    return LaserScan(header=header, angle_min=-half, angle_max=half, angle_increment=2 * half / (count - 1),
                     range_min=number["depthMinimum"], range_max=number["depthMaximum"], ranges=ranges)


def to_SensorMsg(klampt_sensor, frame=None, frame_prefix="klampt", stamp="now"):
    """The message of a sensor's last measurement.

    A camera gives a list (CameraInfo, and images as it has them), a ForceTorqueSensor a WrenchStamped, a
    LaserRangeSensor a LaserScan, any other a Float32MultiArray. frame is the frame of the header; without it,
    frame_prefix/ROBOT/SENSOR.
    """
    from std_msgs.msg import Header
    if frame is None:
        parts = [frame_prefix, klampt_sensor.robot().getName(), klampt_sensor.getName()]
        frame = "/".join(part for part in parts if part)
    header = Header(stamp=stamp_of(stamp), frame_id=frame)
    kind = klampt_sensor.getType()
    if kind == "CameraSensor":
        return _camera_messages(klampt_sensor, header)
    if kind == "ForceTorqueSensor":
        return _wrench(klampt_sensor, header)
    if kind == "LaserRangeSensor":
        return _scan(klampt_sensor, header)
    return to_Float32MultiArray(klampt_sensor.getMeasurements())
