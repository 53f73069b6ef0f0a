"""Modules of the packages import each other in one direction only, at their top and inside functions, and `mortise` knows no `klampt`."""

import ast

import pytest

PACKAGES = ("mortise", "klampt")


def modules_in(root):
    """Files by the names of their modules."""
    found = {}
    for package in PACKAGES:
        for file in sorted((root / package).rglob("*.py")):
            parts = list(file.relative_to(root).with_suffix("").parts)
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def known(name, modules):
    """The module or package that a dotted name begins with; None for what is elsewhere."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name or None


def imports_of(name, modules):
    """Modules that a module imports, anywhere in it, and the lines where it does."""
    file = modules[name]
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    found = {}
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found.update((known(alias.name, modules), node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[:len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *filter(None, [node.module])])
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                if "mortise._mortise" in (base, inner):
                    continue  # The extension, a submodule that is no file of Python.
                found[inner if inner in modules else known(base, modules)] = node.lineno
    return {target: line for target, line in found.items() if target is not None and target != name}


def circle_in(graph):
    """Modules that import each other, the first one again at the end; empty without a circle."""
    done, path = set(), []

    def visit(name):
        if name in path:
            return [*path[path.index(name):], name]
        if name in done:
            return []
        path.append(name)
        for target in graph.get(name, ()):
            circle = visit(target)
            if circle:
                return circle
        path.pop()
        done.add(name)
        return []

    for name in graph:
        circle = visit(name)
        if circle:
            return circle
    return []


@pytest.fixture(scope="module")
def graph(data):
    modules = modules_in(data.parent / "python")
    assert {"mortise", "klampt", "klampt.robotsim.robot"} <= set(modules)
    return {name: imports_of(name, modules) for name in modules}


def test_modules_import_in_one_direction(graph):
    assert graph["klampt.robotsim.robot"]["klampt.robotsim.link"] > 0
    circle = circle_in(graph)
    assert not circle, "\n".join(f"{a}:{graph[a][b]} imports {b}" for a, b in zip(circle, circle[1:]))


def test_mortise_imports_nothing_of_klampt(graph):
    up = [f"{name}:{line} imports {target}" for name, targets in graph.items() if name.split(".")[0] == "mortise"
          for target, line in targets.items() if target.split(".")[0] == "klampt"]
    assert up == []


def test_circles_are_found():
    assert circle_in({"a": ["b"], "b": ["c"], "c": ["a"]}) == ["a", "b", "c", "a"]
    assert circle_in({"a": ["b"], "b": ["c", "d"], "c": ["b"], "d": []}) == ["b", "c", "b"]
    assert circle_in({"a": ["b", "c"], "b": ["c"], "c": []}) == []


def test_imports_inside_functions_and_relative_ones_are_seen(tmp_path):
    for name, text in {"klampt/__init__.py": "", "klampt/a.py": "def f():\n    from . import b\n", "klampt/b.py": "import klampt.c.d\n",
                       "klampt/c/__init__.py": "from ..a import f\n", "klampt/c/d.py": "from . import d\nimport os\n"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    modules = modules_in(tmp_path)
    assert imports_of("klampt.a", modules) == {"klampt.b": 2}
    assert imports_of("klampt.b", modules) == {"klampt.c.d": 1}
    assert imports_of("klampt.c", modules) == {"klampt.a": 1}
    assert imports_of("klampt.c.d", modules) == {}
