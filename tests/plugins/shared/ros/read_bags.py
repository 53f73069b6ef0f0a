"""Reads a bag and an MCAP log with rosbags (PyPI), checks what they hold, and writes both kinds itself."""

import sys
from pathlib import Path

import numpy
from rosbags.rosbag1 import Reader as BagReader
from rosbags.rosbag1 import Writer as BagWriter
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as LogWriter
from rosbags.rosbag2.storage_mcap import McapReader
from rosbags.typesys import Stores, get_typestore

JOINT_STATE = "sensor_msgs/msg/JointState"
STATES = 300


def check_states(messages, decode):
    count = 0
    for name, time, data in messages:
        if name != JOINT_STATE:
            continue
        message = decode(data, name)
        assert list(message.name) == ["a", "b"], message.name
        stamp = message.header.stamp.sec * 10**9 + message.header.stamp.nanosec
        assert stamp == time == count * 10**7, (stamp, time, count)
        assert abs(message.position[1] - 0.5 * 0.01 * count) < 1e-12, message.position
        assert len(message.velocity) == 0
        count += 1
    assert count == STATES, count


def check_bag(path):
    store = get_typestore(Stores.ROS1_NOETIC)
    with BagReader(path) as reader:
        types = {connection.topic: connection.msgtype for connection in reader.connections}
        assert types["/klampt/joint_state"] == JOINT_STATE, types
        assert reader.topics["/klampt/joint_state"].msgcount == STATES
        assert reader.message_count == 2 * STATES + 1, reader.message_count
        assert reader.start_time == 0, reader.start_time
        for connection in reader.connections:
            assert store.generate_msgdef(connection.msgtype)[1] == connection.digest, connection
        messages = [(c.msgtype, time, bytes(data)) for c, time, data in reader.messages()]
        check_states(messages, store.deserialize_ros1)


def check_log(path):
    store = get_typestore(Stores.ROS2_HUMBLE)
    reader = McapReader(path)
    reader.open()
    messages = [(c.msgtype, time, bytes(data)) for c, time, data in reader.messages(reader.connections)]
    assert reader.metadata.message_count == 2 * STATES + 1, reader.metadata
    check_states(messages, store.deserialize_cdr)
    reader.close()


def write_theirs(bag, folder):
    store = get_typestore(Stores.ROS1_NOETIC)
    header, state = store.types["std_msgs/msg/Header"], store.types[JOINT_STATE]
    time = store.types["builtin_interfaces/msg/Time"]
    empty = numpy.array([])
    with BagWriter(bag) as writer:
        writer.set_compression(BagWriter.CompressionFormat.LZ4)
        connection = writer.add_connection("/joint_states", JOINT_STATE, typestore=store)
        for k in range(3):
            message = state(header(k, time(k, 500), "base"), ["x", "y"], numpy.array([k, 2.0 * k]), empty, empty)
            writer.write(connection, k * 10**9, store.serialize_ros1(message, JOINT_STATE))
    store = get_typestore(Stores.ROS2_HUMBLE)
    header, state = store.types["std_msgs/msg/Header"], store.types[JOINT_STATE]
    with LogWriter(folder, version=9, storage_plugin=StoragePlugin.MCAP) as writer:
        connection = writer.add_connection("/joint_states", JOINT_STATE, typestore=store)
        for k in range(3):
            message = state(header(time(k, 500), "base"), ["x", "y"], numpy.array([k, 2.0 * k]), empty, empty)
            writer.write(connection, k * 10**9, store.serialize_cdr(message, JOINT_STATE))


def main():
    bag, log, their_bag, their_folder = (Path(name) for name in sys.argv[1:5])
    check_bag(bag)
    check_log(log)
    write_theirs(their_bag, their_folder)


main()
