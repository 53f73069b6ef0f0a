"""Predictions of what cameras see of markers, and the poses under which they see what was observed."""

import math
import random

import numpy as np

from ...math import se3, so3, vectorops
from .records import (PixelObservation, PointMarker, PointObservation, TransformMarker,
                      TransformObservation)


def predict(o, camera, marker, camera_pose, marker_pose):
    """The value of an observation if the camera and the marker were at these poses on their links."""
    if o.hand_eye_transform is None:
        raise ValueError(f"the observation of marker {o.marker_id} in frame {o.frame_id} has no hand_eye_transform; "
                         "set the robot and the frame's configuration")
    to_camera = se3.mul(se3.inv(camera_pose), o.hand_eye_transform)
    if isinstance(o, TransformObservation):
        if isinstance(marker, PointMarker):
            raise ValueError(f"marker {o.marker_id} is a point, it cannot be observed as a transform")
        return se3.mul(to_camera, marker_pose)
    if isinstance(marker, TransformMarker):
        if o.feature_id is None:
            raise ValueError(f"an observation of marker {o.marker_id} does not say which feature it is")
        point = se3.apply(se3.mul(to_camera, marker_pose), marker.local_features[o.feature_id])
    else:
        point = se3.apply(to_camera, marker_pose)
    if isinstance(o, PixelObservation):
        i = camera.intrinsics
        if not i:
            raise ValueError(f"pixels of camera {o.camera_id} were observed, its intrinsics are wanted")
        if point[2] == 0:
            raise ValueError(f"marker {o.marker_id} is in the plane of camera {o.camera_id}; set where they are")
        return [i["fx"] * point[0] / point[2] + i["cx"], i["fy"] * point[1] / point[2] + i["cy"]]
    return list(point)


def residual(o, predicted):
    """Prediction minus observation; six numbers (rotation, translation) for transforms."""
    if isinstance(o, TransformObservation):
        return se3.error(predicted, o.value)
    return vectorops.sub(predicted, o.value)


def observed_like(o, value, noise):
    """An observation like o of another value, with Gaussian noise of `noise` times o's error."""
    count = 6 if isinstance(o, TransformObservation) else len(value)
    if noise:
        sigma = deviations(o, count)
        added = [random.gauss(0, noise * s) for s in sigma]
        if isinstance(o, TransformObservation):
            value = se3.mul((so3.from_moment(added[:3]), added[3:]), value)
        else:
            value = vectorops.add(value, added)
    where = (value, o.camera_id, o.frame_id, o.marker_id)
    if isinstance(o, TransformObservation):
        made = TransformObservation(*where)
    else:
        made = (PixelObservation if isinstance(o, PixelObservation) else PointObservation)(*where, o.feature_id)
    made.error, made.hand_eye_transform = o.error, o.hand_eye_transform
    return made


def deviations(o, count):
    """The standard deviations of an observation's numbers, 1 if it has none."""
    if o.error is None:
        return [1.0] * count
    return list(o.error) if hasattr(o.error, "__iter__") else [float(o.error)] * count


class Unknowns:
    """The poses that are looked for: those of the variable cameras and markers, as steps from where they are."""

    def __init__(self, cameras, markers, camera_poses, marker_poses):
        self.start = (camera_poses, marker_poses)
        self.entries = []
        self.size = 0
        for which, items in enumerate((cameras, markers)):
            for key, item in items.items():
                if item.variable:
                    point = isinstance(item, PointMarker)
                    self.entries.append((which, key, point, self.size))
                    self.size += 3 if point else 6

    def poses(self, x):
        """(camera poses, marker poses) for a step x: a rotation vector in the pose's frame and a translation, for each."""
        res = (dict(self.start[0]), dict(self.start[1]))
        for which, key, point, at in self.entries:
            if point:
                res[which][key] = vectorops.add(self.start[which][key], x[at:at + 3].tolist())
            else:
                R, t = self.start[which][key]
                res[which][key] = (so3.mul(R, so3.from_moment(x[at:at + 3].tolist())),
                                   vectorops.add(t, x[at + 3:at + 6].tolist()))
        return res


def minimize(function, x, iterations, tolerance):
    """The x where |function(x)|^2 has a local minimum, by Levenberg's and Marquardt's method, and its derivative there."""
    value = function(x)
    damping = 1e-3
    J = _derivative(function, x)
    for _ in range(iterations):
        A, g = J.T @ J, J.T @ value
        scale = np.diag(np.maximum(np.diag(A), 1e-12))
        while True:
            step = np.linalg.solve(A + damping * scale, -g)
            trial = function(x + step)
            if trial @ trial <= value @ value:
                break
            damping *= 4
            if damping > 1e12:
                return x, J
        gain = value @ value - trial @ trial
        done = gain <= tolerance * tolerance * (value @ value) or math.sqrt(step @ step) <= 1e-12
        x, value = x + step, trial
        damping = max(damping / 8, 1e-12)
        J = _derivative(function, x)
        if done:
            break
    return x, J


def _derivative(function, x, h=1e-6):
    columns = []
    for i in range(len(x)):
        d = np.zeros(len(x))
        d[i] = h
        columns.append((function(x + d) - function(x - d)) / (2 * h))
    return np.array(columns).T
