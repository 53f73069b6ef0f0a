"""Robots' models, trajectories, inverse kinematics, contacts and configurations."""
