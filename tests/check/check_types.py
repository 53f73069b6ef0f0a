"""mypy --strict over programs that use `mortise`: all of types/accepted.py is right, and each line of types/refused.py with
`# refused` is a mistake that is found; and no more than one in twenty types of the stubs is `Any`.

    check_types.py PACKAGE_FOLDER [CACHE_FOLDER]     (run by an interpreter that has mypy and numpy)
"""

import ast
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent / "types"
LARGEST_FRACTION = 0.05


def found_by_mypy(file, packages, cache):
    """Lines with errors, and all that mypy says."""
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(cache), str(file)], capture_output=True, text=True,
                          cwd=HERE, env={**os.environ, "MYPYPATH": str(packages)})
    lines = {int(line) for line in re.findall(rf"^(?:.*/)?{file.name}:(\d+): error", done.stdout, re.MULTILINE)}
    return lines, done.stdout + done.stderr, done.returncode


def annotations_in(stub):
    """(where, annotation) of all arguments and attributes; of results, too."""
    def of(body, owner):
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield from of(node.body, node.name + ".")
            elif isinstance(node, ast.FunctionDef):
                arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, *filter(None, [node.args.vararg, node.args.kwarg])]
                for argument in arguments:
                    if argument.arg not in ("self", "other"):
                        yield f"{owner}{node.name}({argument.arg})", argument.annotation
                yield f"{owner}{node.name}", node.returns

    return [(where, "Any" if kind is None else ast.unparse(kind)) for where, kind in of(ast.parse(stub).body, "")]


def main(packages, cache):
    problems = []
    lines, said, code = found_by_mypy(HERE / "accepted.py", packages, cache)
    if code != 0:
        problems.append(f"accepted.py is right, but mypy says:\n{said}")
    text = (HERE / "refused.py").read_text().splitlines()
    expected = {number for number, line in enumerate(text, 1) if line.endswith("# refused")}
    lines, said, code = found_by_mypy(HERE / "refused.py", packages, cache)
    if lines != expected:
        problems += [f"refused.py:{number}: mypy finds nothing in: {text[number - 1]}" for number in sorted(expected - lines)]
        problems += [f"refused.py:{number}: mypy finds a mistake that is none: {text[number - 1]}" for number in sorted(lines - expected)]
        problems.append(said)
    kinds = annotations_in((pathlib.Path(packages) / "mortise" / "_mortise.pyi").read_text())
    loose = [where for where, kind in kinds if kind == "Any"]
    if len(loose) > LARGEST_FRACTION * len(kinds):
        problems.append(f"{len(loose)} of {len(kinds)} types are Any:\n  " + "\n  ".join(loose))
    print("\n".join(problems) or f"{len(expected)} mistakes are found; {len(loose)} of {len(kinds)} types are Any")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else os.devnull))
