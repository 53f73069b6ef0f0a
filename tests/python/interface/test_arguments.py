"""Wrong arguments of functions of the extension are said in one sentence that names them."""

import mortise
import numpy as np
import pytest


@pytest.fixture(scope="module")
def simulation(data):
    return mortise.Simulation(mortise.load_world(data / "worlds" / "blocks.xml"))


def refusal(call):
    with pytest.raises(TypeError) as caught:
        call()
    return str(caught.value)


def test_wrong_types_name_the_argument_and_what_was_found(simulation):
    assert refusal(lambda: simulation.advance("1 s")) == "seconds: expected a number, found '1 s'"
    assert refusal(lambda: simulation.advance(seconds=None)) == "seconds: expected a number, found None"
    assert refusal(lambda: simulation.step(1.5)) == "count: expected an integer, found 1.5"
    assert refusal(lambda: simulation.restore([1])) == "snapshot: expected bytes, found a list of 1"
    assert refusal(lambda: simulation.add_hook_after(3)) == "hook: expected a function, found 3"
    assert refusal(lambda: mortise.Simulation("blocks.xml")) == "world: expected a World, found 'blocks.xml'"
    assert refusal(lambda: mortise.Geometry.sphere("a")) == "radius: expected a number, found 'a'"
    assert refusal(lambda: mortise.CollisionShape(None)) == "geometry: expected a Geometry, found None"


def test_no_argument_gets_a_list_of_signatures(simulation):
    date = np.datetime64("2020-01-01")
    robot = mortise.load_robot
    for call, expected in (
            (lambda: simulation.advance(int), "seconds: expected a number, found the class int"),
            (lambda: simulation.advance(date), "seconds: expected a number, found a value of type datetime64"),
            (lambda: simulation.advance(np.timedelta64(1, "s")), "seconds: expected a number, found a value of type timedelta64"),
            (lambda: simulation.advance(10 ** 400), "seconds: expected a number in range, found an integer of 1329 bits"),
            (lambda: simulation.step(int), "count: expected an integer, found the class int"),
            (lambda: mortise.Geometry.sphere(float), "radius: expected a number, found the class float"),
            (lambda: mortise.BodyInertia(mass=date), "mass: expected a number, found a value of type datetime64"),
            (lambda: mortise.Simulation(simulation.world, seed=int), "seed: expected an integer, found the class int"),
            (lambda: mortise.Simulation(simulation.world, step=int), "step: expected a number (s), found the class int"),
            (lambda: mortise.Simulation(simulation.world, contacts=int), "contacts: expected one of boundary_layer, engine, found the class int"),
            (lambda: mortise.Simulation(simulation.world, adaptive=date), "adaptive: expected true or false, found a value of type datetime.date"),
            (lambda: mortise.Geometry.box(int), "size: expected 3 numbers, found the class int"),
            (lambda: robot(int), "path: expected a path, found the class int")):
        assert refusal(call) == expected
    with pytest.raises(TypeError, match="expected a number, found the class int"):
        simulation.time_step = int


def test_controllers_without_a_declaration_are_told_so(simulation, data):
    class Mine:
        def update(self, input, commands):
            pass

    world = simulation.world.with_robot(mortise.load_robot(data / "robots" / "bench_arm.urdf"))
    for given, what in ((Mine, "the class Mine"), (Mine(), "a value of type Mine")):
        text = refusal(lambda: mortise.Simulation(world, controllers={0: given}))
        assert "declared with @mortise.controller(name)" in text and text.endswith(f"found {what} without that declaration")
    assert "found a value of type function" in refusal(lambda: mortise.Simulation(world, controllers={0: lambda: None}))


def test_names_that_are_nearly_right_get_a_suggestion(simulation, needs_plugin):
    with pytest.raises(ValueError, match="did you mean 'physics'"):
        mortise.components("phisics")
    with pytest.raises(mortise.Error, match="did you mean 'ode'"):
        mortise.Simulation(simulation.world, "odee")
    needs_plugin("physics_mujoco")
    with pytest.raises(mortise.Error, match="did you mean 'mujoco'"):
        mortise.Simulation(simulation.world, "mujco")


def test_numbers_that_are_not_finite_are_refused_where_they_enter(simulation, data):
    world = simulation.world
    robot = mortise.load_robot(data / "robots" / "bench_arm.urdf")
    state, n = mortise.RobotState(robot), robot.num_links
    before = state.q.copy()
    for bad in (np.nan, np.inf, -np.inf):
        q = np.zeros(n)
        q[2] = bad
        vector = [0, bad, 0]
        for call in (lambda: state.set(q), lambda: state.set(np.zeros(n), q), lambda: setattr(state, "q", q),
                     lambda: mortise.RigidTransform(p=vector), lambda: mortise.RigidTransform(R=np.full((3, 3), bad)),
                     lambda: world.with_object("ball", v=vector), lambda: world.with_object("ball", w=vector),
                     lambda: world.with_object("ball", pose=(np.eye(3), vector)), lambda: world.with_robot(robot, q=q),
                     lambda: world.with_simulation(gravity=vector), lambda: simulation.apply_wrench("ball", force=vector),
                     lambda: simulation.set_object_state("ball", v=vector), lambda: simulation.set_robot_state(0, q[:world.robots[0].robot.num_links]),
                     lambda: mortise.RobotDynamics(robot, q), lambda: mortise.forward_kinematics(robot, np.stack([q, q])),
                     lambda: mortise.BodyInertia(1, com=vector), lambda: mortise.BodyInertia(mass=bad),
                     lambda: mortise.rotation_from_moment(vector)):
            with pytest.raises(ValueError, match="expected|finite"):
                call()
    assert np.array_equal(state.q, before) and np.array_equal(state.dq, np.zeros(n))
    state.q[1] = np.nan
    with pytest.raises(ValueError, match="q: expected finite numbers, found nan at index 1"):
        state.update()


def test_masses_below_zero_and_matrices_that_are_no_rotations_are_refused(simulation):
    for call in (lambda: mortise.BodyInertia(mass=-1), lambda: setattr(mortise.BodyInertia(1), "mass", -0.5)):
        with pytest.raises(ValueError, match="mass: expected kilograms of at least 0, found -"):
            call()
    X = mortise.RigidTransform()
    for R in (np.zeros((3, 3)), 2 * np.eye(3), np.diag([1, 1, -1]), np.diag([1, 1, 1.01]), np.ones((3, 3))):
        whole = np.eye(4)
        whole[:3, :3] = R
        for call in (lambda: mortise.RigidTransform(R), lambda: setattr(X, "R", R), lambda: mortise.RigidTransform.from_matrix(whole),
                     lambda: mortise.RigidTransform.from_rows([*R.ravel(), 0, 0, 0]),
                     lambda: simulation.world.with_object("ball", pose=(R, [0, 0, 0]))):
            with pytest.raises(ValueError, match="expected a rotation matrix"):
                call()
    assert X == mortise.RigidTransform()
    typed = [[0.7071, -0.7071, 0], [0.7071, 0.7071, 0], [0, 0, 1]]
    assert np.array_equal(mortise.RigidTransform(typed).R, typed)  # As given.
    with pytest.raises(ValueError, match="last row"):
        mortise.RigidTransform.from_matrix(np.diag([1, 1, 1, 2.0]))
    description = mortise.load_world_description(simulation.world.file) if simulation.world.file else None
    if description is not None:
        with pytest.raises(ValueError, match="mass"):
            description.set_object_mass("ball", -1)


def test_surfaces_times_and_angles_that_nothing_has_are_refused(simulation):
    world, R = simulation.world, np.diag([1.0, 1.0, -1.0])
    ball = mortise.Geometry.sphere(1)
    before = world.objects[0].surface
    for key in ("friction", "restitution", "stiffness", "damping", "padding", "rolling"):
        for bad in (-1, np.nan, -np.inf):
            for call in (lambda: world.with_object(0, surface={key: bad}),
                         lambda: world.with_new_object("new", ball, mortise.BodyInertia(1), surface={key: bad})):
                with pytest.raises(ValueError, match=f"surface.{key}: expected a number of at least 0"):
                    call()
    assert world.with_object(0, surface={"stiffness": np.inf}).objects[0].surface["stiffness"] == np.inf
    assert world.with_object(0, surface={"rolling": 0.002}).objects[0].surface["rolling"] == 0.002
    assert world.objects[0].surface == before
    motion = mortise.Trajectory([0, 1], np.zeros((2, 2)))
    for bad in (np.nan, np.inf, -np.inf):
        for call in (lambda: world.with_simulation(time_step=bad), lambda: mortise.Simulation(world, control_rate=bad),
                     lambda: simulation.settle(0.01, speed=bad), lambda: motion.evaluate(bad),
                     lambda: mortise.rotation_about_axis([0, 0, 1], bad)):
            with pytest.raises((ValueError, mortise.Error)):
                call()
    for call in (lambda: world.with_simulation(time_step=0), lambda: world.with_simulation(time_step=-0.01),
                 lambda: simulation.settle(0.01, speed=-1), lambda: mortise.moment_from_rotation(R),
                 lambda: mortise.moment_from_rotation(np.zeros((3, 3)))):
        with pytest.raises(ValueError):
            call()


def test_integers_out_of_range_are_called_so(simulation):
    assert refusal(lambda: mortise.Simulation(simulation.world, seed=-1)) == "seed: expected an integer of at least 0, found -1"
    assert refusal(lambda: simulation.step(2 ** 40)) == "count: expected an integer in range, found 1099511627776"


def test_unknown_missing_and_repeated_arguments(simulation):
    assert refusal(lambda: mortise.Simulation(simulation.world, timestep=1)).startswith(
        "Simulation() has no argument 'timestep'; did you mean 'step'? It takes backend, step, contacts")
    assert refusal(lambda: simulation.advance(1, zzz=2)) == "advance() has no argument 'zzz'; its arguments are seconds"
    assert refusal(lambda: simulation.advance()) == "advance() needs 'seconds'"
    assert refusal(lambda: simulation.advance(1, 2)) == "advance() takes 1 argument, found 2"
    assert refusal(lambda: simulation.advance(1, seconds=2)) == "advance() got two values for 'seconds'"
    assert refusal(lambda: simulation.time_step.__class__ and setattr(simulation, "time_step", "1 ms")).endswith(
        "expected a number, found '1 ms'")


def test_types_go_by_the_name_that_people_import():
    assert "mortise.Robot" in refusal(mortise.Robot) and "_mortise" not in refusal(mortise.Robot)
    with pytest.raises(AttributeError, match="'mortise.RigidTransform' object has no attribute 'position'"):
        mortise.RigidTransform().position


def test_functions_of_programs_raise_their_own_type_errors():
    def feasible(q):
        return None + 1

    with pytest.raises(TypeError, match="unsupported operand"):
        mortise.Space([0], [1], feasible=feasible).plan([0.1], [0.9])


def test_a_test_that_forgets_to_return_is_told():
    with pytest.raises(TypeError, match="returned None: expected True or False"):
        mortise.Space([0], [1], feasible=lambda q: None).plan([0.1], [0.9])


def test_folders_and_files_that_are_not_there(tmp_path):
    for call in (mortise.add_plugin, mortise.add_plugin_folder, mortise.add_resource_folder):
        with pytest.raises(mortise.Error, match="there is no .* '.*nothing'"):
            call(tmp_path / "nothing")
    with pytest.raises(mortise.Error, match="there is no folder"):
        mortise.add_package("nothing", tmp_path / "nothing")
