"""Every door of the package, the commands and the pipelines, and the operation behind it.

test_doors.py compares the names with what commands, plugins and the package themselves list, and the operations with its rows:
a door that is added stands here, and one with an operation is used by a row. What is no such operation has the reason.
"""

# Reasons why a door is in no row.
LOOKS = "tells what a file or a model holds, or changes its form; other doors have no such work"
EDITS = "edits or writes files of models"
RUNS_ROWS = "holds other doors, which are in rows"
QUERY = "a query of models whose answer is a closed form in its own tests"
DECLARES = "declares or finds plugins and files"
KLAMPT = "Klamp't's program, with its defaults and its formats"
ALONE = "this is the only door of the operation"

COMMANDS = {
    "run": RUNS_ROWS, "sim": "simulate", "compare": RUNS_ROWS, "compare truth": ALONE, "drive": ALONE, "ros": ALONE, "plan": "plan",
    "plan benchmark": RUNS_ROWS, "world": RUNS_ROWS, "robot": RUNS_ROWS, "path": RUNS_ROWS, "log": RUNS_ROWS, "pose": ALONE,
    "view": LOOKS, "render": LOOKS, "geometry": RUNS_ROWS, "resource": RUNS_ROWS, "convert": EDITS, "plugins": RUNS_ROWS,
    "config": RUNS_ROWS, "completion": LOOKS, "help": LOOKS,
    "PlanDemo": KLAMPT, "ContactPlan": KLAMPT, "DynamicPlanDemo": KLAMPT, "RealTimePlanning": KLAMPT, "UserTrials": KLAMPT, "RobotTest": KLAMPT, "RobotPose": KLAMPT,
    "SimTest": "simulate", "SimUtil": KLAMPT, "URDFtoRob": KLAMPT, "Merge": KLAMPT, "Pack": KLAMPT, "Unpack": KLAMPT,
    "MotorCalibrate": KLAMPT, "TrajOpt": KLAMPT, "PosMeasure": KLAMPT, "Cartpole": KLAMPT,
    "world info": LOOKS, "world check": LOOKS, "world save": EDITS, "world collisions": QUERY,
    "robot info": LOOKS, "robot eval": QUERY, "robot check": LOOKS, "robot fk": QUERY, "robot ik": "ik",
    "robot jacobian": QUERY, "robot convert": EDITS, "robot save": EDITS, "robot merge": EDITS, "robot calibrate": ALONE,
    "robot trace": QUERY, "robot mesh": EDITS, "robot self-collisions": QUERY, "robot view": ALONE,
    "robot balance": "equilibrium", "robot contacts": QUERY, "robot torques": "torques", "robot grasp": "grasp",
    "robot dynamics": QUERY,
    "path info": LOOKS, "path eval": "evaluate", "path retime": "retime", "path contact-optimize": KLAMPT,
    "path shortcut": "shortcut", "path smooth": ALONE, "path optimize": ALONE, "path discretize": ALONE, "path evaluate": "evaluate", "path split": EDITS,
    "path join": EDITS, "path check": ALONE, "path convert": "convert", "path drivers": ALONE,
    "log info": LOOKS, "log export": LOOKS, "log html": LOOKS, "log cut": EDITS, "log join": EDITS,
    "geometry info": LOOKS, "geometry convert": EDITS, "geometry distance": QUERY, "geometry collide": QUERY,
    "geometry raycast": QUERY, "geometry contains": QUERY,
    "resource info": LOOKS, "resource pack": EDITS, "resource unpack": EDITS,
    "plugins list": LOOKS, "plugins info": LOOKS, "plugins doctor": LOOKS, "plugins describe": LOOKS, "plugins docs": LOOKS,
    "config check": LOOKS, "config explain": LOOKS,
}

STAGES = {
    "balance": "support polygon", "check": ALONE, "compare": RUNS_ROWS, "convert": "convert", "discretize": ALONE,
    "evaluate": "evaluate", "ik": "ik", "optimize": ALONE, "plan": "plan", "report": LOOKS, "retime": "retime",
    "shortcut": "shortcut", "simulate": "simulate", "smooth": ALONE, "split": EDITS, "torques": "torques", "grasp": "grasp",
}

# What the package mortise offers in small letters, and the classes whose methods do an operation.
FUNCTIONS = {
    "Simulation": "simulate", "plan": "plan", "retime": "retime", "solve_ik": "ik", "IKSolver": "ik", "balance": "equilibrium",
    "equilibrium": "equilibrium", "SupportPolygon": "support polygon", "contact_torques": "torques", "grasp_quality": "grasp",
    "force_closure": "grasp", "run_pipeline": "simulate", "save": EDITS,
    "show": LOOKS, "add_package": DECLARES, "add_plugin": DECLARES, "add_plugin_folder": DECLARES, "add_resource_folder": DECLARES,
    "command": DECLARES, "component": DECLARES, "components": DECLARES, "controller": DECLARES, "estimator": DECLARES,
    "file_format": DECLARES, "hardware": DECLARES, "plugin_problems": DECLARES, "recorder": DECLARES, "sensor": DECLARES,
    "setting": DECLARES, "space": DECLARES, "stage": DECLARES,
    "check_pipeline": LOOKS, "load": LOOKS, "load_robot": LOOKS, "load_world": LOOKS, "load_world_description": LOOKS,
    "contact_formation": ALONE, "friction_cones": QUERY, "world_contacts": QUERY, "wrench_matrix": QUERY,
    "forward_dynamics": QUERY, "forward_kinematics": QUERY, "inverse_dynamics": QUERY, "jacobians": QUERY,
    "bound_usage": QUERY, "minimum_time": QUERY, "ramp_of_time": QUERY, "shortest_ramp": QUERY,
    "sampled": ALONE, "smooth_curve": ALONE, "time_path": ALONE,
    "moment_from_rotation": QUERY, "orthonormalized": QUERY, "rotation_about_axis": QUERY, "rotation_from_moment": QUERY,
    "rotation_from_roll_pitch_yaw": QUERY,
}

# Functions of Klamp't's API that do an operation.
KLAMPT_CALLS = {
    "Simulator": "simulate", "com_equilibrium": "equilibrium", "support_polygon": "support polygon",
    "equilibrium_torques": "torques", "force_closure": "grasp",
    "com_equilibrium_2d": "the same in the plane, which no other door has",
    "support_polygon_2d": "the same in the plane, which no other door has",
    "force_closure_2d": "the same in the plane, which no other door has",
}
