"""Wrong arguments of functions of the extension are said in one sentence that names them."""

import mortise
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


def test_integers_out_of_range_are_called_so(simulation):
    assert refusal(lambda: mortise.Simulation(simulation.world, seed=-1)) == "seed: expected an integer of at least 0, found -1"
    assert refusal(lambda: simulation.step(2 ** 40)) == "count: expected an integer in range, found 1099511627776"


def test_unknown_missing_and_repeated_arguments(simulation):
    assert refusal(lambda: mortise.Simulation(simulation.world, timestep=1)) == ("Simulation() has no argument 'timestep'; "
                                                                                 "did you mean 'time_step'?")
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
