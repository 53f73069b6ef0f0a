#!/usr/bin/env bash
# usage: check.sh PREFIX
#
# Builds the example plugins against a Mortise installed in PREFIX, drives a robot with one and plans with the other, and
# drives a robot from other processes. The installed tree is first moved to another folder, and back at the end: what works
# then does not depend on where it was built or installed.
set -euo pipefail

[ $# -eq 1 ] && [ -x "$1/bin/mortise" ] || {
  echo "usage: $0 PREFIX   (a folder with bin/mortise, as \`cmake --install\` makes it)" >&2
  exit 2
}
prefix=$(cd "$1" && pwd)
examples=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
moved=$work/somewhere/else
mkdir -p "$work/somewhere"
mv "$prefix" "$moved"
trap 'mv "$moved" "$prefix"; rm -rf "$work"' EXIT

say() { printf '== %s\n' "$*" >&2; }
fail() { printf 'check.sh: error: %s\n' "$*" >&2; exit 1; }

# No help from outside: neither plugin folders nor libraries of another installation.
unset MORTISE_PLUGIN_PATH LD_LIBRARY_PATH
export XDG_DATA_HOME=$work/data

say "building the example against the installed package"
cp -r "$examples/acme_controllers" "$work/source"
cmake -S "$work/source" -B "$work/build" -DCMAKE_PREFIX_PATH="$moved" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_INSTALL_PREFIX="$work/vendor" >"$work/cmake.log" || { cat "$work/cmake.log" >&2; fail "cmake failed"; }
cmake --build "$work/build" >"$work/build.log" || { cat "$work/build.log" >&2; fail "the build failed"; }
cmake --install "$work/build" >/dev/null
plugin=$work/vendor/lib/mortise/plugins/acme_controllers.so
[ -f "$plugin" ] && [ -f "${plugin%.so}.mortise.yaml" ] || fail "the plugin or its side-car was not installed"

say "examining it"
"$moved/bin/mortise" plugins doctor "$plugin"
"$moved/bin/mortise" plugins doctor >"$work/doctor.log" || { cat "$work/doctor.log" >&2; fail "the installed plugins are broken"; }

# swing.xml names acme.SpringDamper: 0.333 kg m^2 on a spring of 4 N m/rad with a damper of 2 N m s/rad, slightly
# underdamped, is within 0.01 rad of its rest position of 0.3 rad after 3 s.
check_rest() {
  local angle
  angle=$(sed -n 's/.*"q": *\[ *\([-0-9.e]*\) *\].*/\1/p' "$1")
  awk -v q="$angle" 'BEGIN { exit !(q != "" && q > 0.29 && q < 0.31) }' ||
    { cat "$1" >&2; fail "the bar is at '$angle' rad instead of 0.3: the controller does not drive it"; }
  say "the bar came to rest at $angle rad (wanted: 0.3)"
}
for backend in ode bullet; do
  say "mortise sim swing.xml --backend $backend"
  MORTISE_PLUGIN_PATH=$work/vendor/lib/mortise/plugins \
    "$moved/bin/mortise" sim "$work/source/swing.xml" --backend $backend --duration 3 --json | tr -d '\n' >"$work/$backend.json"
  check_rest "$work/$backend.json"
done

say "without the plugin the name is unknown, and the message says so"
"$moved/bin/mortise" sim "$work/source/swing.xml" --duration 0.1 --json >/dev/null 2>"$work/unknown.log" ||
  fail "the world does not run without the controller that it names"
grep -q "warning: .*acme.SpringDamper" "$work/unknown.log" || { cat "$work/unknown.log" >&2; fail "no warning names the controller"; }
if "$moved/bin/mortise" sim "$work/source/swing.xml" --duration 0.1 --strict --json >/dev/null 2>"$work/unknown.log"; then
  fail "the simulation ran with --strict without the controller that the world names"
fi
grep -q "acme.SpringDamper" "$work/unknown.log" || { cat "$work/unknown.log" >&2; fail "the message names no controller"; }
say "building the clients in C++ and driving the bar from another process"
cp -r "$examples/clients" "$work/clients"
cmake -S "$work/clients" -B "$work/clients/build" -DCMAKE_BUILD_TYPE=Release >"$work/cmake.log" &&
  cmake --build "$work/clients/build" >"$work/build.log" || { cat "$work/cmake.log" "$work/build.log" >&2; fail "the clients do not build"; }
sed 's|<controller [^>]*>|<controller type="SerialController" servAddr="tcp://127.0.0.1:0" writeRate="50" />|' \
  "$work/source/swing.xml" >"$work/source/remote.xml"
drive_from() {
  rm -f "$work/remote.log"
  "$moved/bin/mortise" sim "$work/source/remote.xml" --lockstep --duration 2 --json >"$work/remote.json" 2>"$work/remote.log" &
  local simulation=$! address=
  for _ in $(seq 100); do
    address=$(sed -n 's/.*listens on //p' "$work/remote.log" 2>/dev/null)
    [ -n "$address" ] && break
    sleep 0.1
  done
  [ -n "$address" ] || { cat "$work/remote.log" >&2; fail "the simulation does not listen"; }
  "$@" "$address" >"$work/client.log" || fail "the client failed"
  wait "$simulation" || { cat "$work/remote.log" >&2; fail "the simulation failed"; }
  grep -q "^100 messages" "$work/client.log" || { cat "$work/client.log" >&2; fail "the client was not told 100 states"; }
}
drive_from "$work/clients/build/sway"
if command -v python3 >/dev/null; then
  drive_from python3 "$work/clients/mortise_client.py" --connect
fi
say "building the planner and planning with it"
cp -r "$examples/acme_planner" "$work/planner"
cmake -S "$work/planner" -B "$work/planner/build" -DCMAKE_PREFIX_PATH="$moved" -DCMAKE_BUILD_TYPE=Release >"$work/cmake.log" &&
  cmake --build "$work/planner/build" >"$work/build.log" || { cat "$work/cmake.log" "$work/build.log" >&2; fail "the planner does not build"; }
planner=$(find "$work/planner/build" -name 'acme_planner.so' | head -n 1)
[ -n "$planner" ] || fail "the planner's library is not there"
"$moved/bin/mortise" plugins doctor "$planner"
plan() {
  "$moved/bin/mortise" plan "$work/planner/posts.xml" --goal 0.9,0,0 --plugin "$planner" --planner acme.RandomTree "$@"
}
plan --seed 5 --iterations 20000 --check --json >"$work/plan.json" || fail "the planner finds no path"
grep -q '"planner": "acme.RandomTree"' "$work/plan.json" || { cat "$work/plan.json" >&2; fail "another planner was at work"; }
plan --seed 5 --iterations 20000 --check --json >"$work/again.json"
[ "$(grep path_hash "$work/plan.json")" = "$(grep path_hash "$work/again.json")" ] || fail "the same seed gives another path"
if plan --set rnge=1 >/dev/null 2>"$work/unknown.log"; then fail "a parameter that is not there was accepted"; fi
grep -q "range" "$work/unknown.log" || { cat "$work/unknown.log" >&2; fail "the message names no parameter"; }
say "building a plugin of every other kind and running them"
cp -r "$examples/acme_kinds" "$work/kinds"
cmake -S "$work/kinds" -B "$work/kinds/build" -DCMAKE_PREFIX_PATH="$moved" -DCMAKE_BUILD_TYPE=Release >"$work/cmake.log" &&
  cmake --build "$work/kinds/build" >"$work/build.log" || { cat "$work/cmake.log" "$work/build.log" >&2; fail "the plugins of all kinds do not build"; }
"$moved/bin/mortise" plugins doctor "$work"/kinds/build/*.so
"$moved/bin/mortise" run "$work/kinds/kinds.yaml" --plugin-path "$work/kinds/build" -o "$work/kinds/run" -q || fail "the pipeline of all kinds fails"
[ "$(wc -l <"$work/kinds/run/swung_heights.txt")" -eq 1002 ] || fail "the recorder did not write a line a tick"
"$moved/bin/mortise" sim "$work/kinds/bricks.xml" --plugin-path "$work/kinds/build" --backend acme.Fall --duration 1 \
  --log "$work/kinds/log.csv" -q || fail "the physics backend fails"
# The terrain is 0.6 m below the bar, and the ball falls by 4.9 m.
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i } END { h = $column["arm_height[height]"]; z = $column["ball_z"];
  exit !(h > 0.599 && h < 0.601 && z > -3.901 && z < -3.899) }' "$work/kinds/log.csv" || fail "the sensor or the backend is wrong"
drive_bus() {
  "$moved/bin/mortise" drive "$work/kinds/bar.rob" --plugin "$work/kinds/build/acme_hardware.so" --hardware acme.ServoBus \
    --controller PathFollowingController --set path="$work/turn.path" --duration 1 "$@"
}
printf '0\t1\t0\n0.5\t1\t0.5\n' >"$work/turn.path"
drive_bus --log "$work/bus.csv" -q || fail "the hardware fails"
# Servos follow at 5 rad/s what asks for less.
tail -n 1 "$work/bus.csv" | awk -F, '{ exit !($2 > 0.499 && $2 < 0.501) }' || fail "the servos are not where they were sent"
if drive_bus --hardware-set max_temperature=20.01 -q 2>"$work/fault.log"; then fail "servos that are too hot were driven on"; fi
grep -q "reports a fault.*the servos are at 20 degrees Celsius" "$work/fault.log" || { cat "$work/fault.log" >&2; fail "the message names no fault"; }
say "the examples work"
