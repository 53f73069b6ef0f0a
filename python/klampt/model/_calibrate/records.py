"""The parts of a calibration: cameras, markers, and what cameras saw of markers."""

from ...math import se3


class PointMarker:
    """A point on a link (index or name; None: in the world) that is seen in images; `variable` ones are calibrated."""

    def __init__(self, link=None, local_coordinates=None):
        self.link = link
        self.size = 0.01
        self.local_coordinates = local_coordinates
        self.variable = True


class TransformMarker:
    """A tag on a link: its pose is seen, or its feature points, given in the tag's frame, are."""

    def __init__(self, link=None, local_coordinates=None, local_features=None):
        self.link = link
        self.size = 0.1
        self.local_coordinates = local_coordinates
        self.local_features = [] if local_features is None else local_features
        self.variable = True

    @staticmethod
    def chessboard(nrows, ncols, square_size, link=None):
        """A board with nrows points along x and ncols along y; those along x are counted first, from the origin on."""
        board = TransformMarker(link, None, [[i * square_size, j * square_size, 0]
                                             for j in range(ncols) for i in range(nrows)])
        board.size = square_size
        return board


class CameraInfo:
    """A camera on a link (None: in the world), with intrinsics fx, fy, cx, cy."""

    def __init__(self, link, intrinsics=None, local_coordinates=None):
        self.link = link
        self.intrinsics = intrinsics
        self.local_coordinates = local_coordinates
        self.variable = True


class _Observation:
    """Values are in the camera's frame, x to the right, y down, z forward. `error` is their standard deviation, and
    `hand_eye_transform` the marker's link in the frame of the camera's link."""

    def __init__(self, value, camera_id, frame_id, marker_id):
        self.camera_id = camera_id
        self.frame_id = frame_id
        self.marker_id = marker_id
        self.value = value
        self.error = None
        self.hand_eye_transform = None


class _FeatureObservation(_Observation):
    def __init__(self, value, camera_id, frame_id, marker_id, feature_id=None):
        super().__init__(value, camera_id, frame_id, marker_id)
        self.feature_id = feature_id


class PointObservation(_FeatureObservation):
    """A point in meters."""


class PixelObservation(_FeatureObservation):
    """A point of the image in pixels."""


class TransformObservation(_Observation):
    """A pose of a marker."""


_KINDS = {"Point": PointObservation, "Pixel": PixelObservation, "Transform": TransformObservation}


def link_index(link, robot):
    """The index of a link, -1 for the world."""
    if link is None or isinstance(link, int):
        return -1 if link is None else link
    return robot.link(link).index


def link_transform(link, robot):
    """The pose of a link at the robot's configuration, the identity for the world."""
    index = link_index(link, robot)
    return se3.identity() if index < 0 else robot.link(index).getTransform()


def in_world(item, robot):
    """The pose (of a PointMarker: the position) of a camera or marker; one that is not set is at its link."""
    return place(item, robot, item.local_coordinates)


def place(item, robot, local):
    """Returns local coordinates on the link of a camera or marker in the world."""
    T = link_transform(item.link, robot)
    if isinstance(item, PointMarker):
        return T[1] if local is None else se3.apply(T, local)
    return T if local is None else se3.mul(T, local)


def localized(item, robot, world):
    """The other way round."""
    T = se3.inv(link_transform(item.link, robot))
    return se3.apply(T, world) if isinstance(item, PointMarker) else se3.mul(T, world)


def kind(observation):
    """'Point', 'Pixel' or 'Transform'."""
    return next(name for name, cls in _KINDS.items() if isinstance(observation, cls))


def _plain(value):
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, (str, int, float, type(None))):
        return value
    return [_plain(v) for v in value] if hasattr(value, "__iter__") else float(value)


def _record(item, *names):
    return {name: _plain(getattr(item, name)) for name in names}


def camera_to_json(camera):
    return _record(camera, "link", "intrinsics", "local_coordinates", "variable")


def camera_from_json(data):
    camera = CameraInfo(data["link"], data["intrinsics"], data["local_coordinates"])
    camera.variable = data["variable"]
    return camera


def marker_to_json(marker):
    if isinstance(marker, PointMarker):
        return {"type": "Point", **_record(marker, "link", "local_coordinates", "variable")}
    return {"type": "Transform",
            **_record(marker, "link", "local_coordinates", "local_features", "variable")}


def marker_from_json(data):
    if data["type"] == "Point":
        marker = PointMarker(data["link"], data["local_coordinates"])
    else:
        marker = TransformMarker(data["link"], data["local_coordinates"], data["local_features"])
    marker.variable = data["variable"]
    return marker


def observation_to_json(o):
    """Klamp't's fields, and the error and hand-eye transform, which it leaves out."""
    names = ["value", "camera_id", "frame_id", "marker_id"]
    if not isinstance(o, TransformObservation):
        names.append("feature_id")
    return {"type": kind(o), **_record(o, *names, "error", "hand_eye_transform")}


def observation_from_json(data):
    fields = [data[k] for k in ("value", "camera_id", "frame_id", "marker_id")]
    if data["type"] != "Transform":
        fields.append(data["feature_id"])
    o = _KINDS[data["type"]](*fields)
    o.error, o.hand_eye_transform = data.get("error"), data.get("hand_eye_transform")
    return o
