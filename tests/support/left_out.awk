# Says which tests were left out, and why: reads a list of groups (tests/groups.txt) and then ctest's report (--output-junit).
#   awk -f left_out.awk tests/groups.txt report.xml
# A line for each group of which no test ran or of which a test was skipped, then one for each other reason for skipping. The exit code is 1
# when a group of the list was left out, 2 when the report cannot be read.

function trimmed(text) {
  gsub(/^[ \t]+|[ \t]+$/, "", text)
  return text
}

function plain(text) {
  gsub(/&lt;/, "<", text)
  gsub(/&gt;/, ">", text)
  gsub(/&quot;/, "\"", text)
  gsub(/&apos;/, "'", text)
  gsub(/&amp;/, "\\&", text)
  return trimmed(text)
}

# tests(COUNT): "1 test", "2 tests".
function tests(count) { return count == 1 ? "1 test" : count " tests" }

# A reason for which `count` tests were skipped: it belongs to the first group that names it, else it stands for itself.
function skipped(reason, count,   i) {
  for (i = 1; i <= groups; ++i)
    if (reasons[i] != "" && reason ~ reasons[i]) {
      if (name[i] == "-") return
      if (!(i in lost)) why[i] = reason
      lost[i] += count
      return
    }
  if (!(reason in others)) order[++otherReasons] = reason
  others[reason] += count
}

FNR == NR {
  if ($0 ~ /^[ \t]*(#|$)/) next
  # The columns are parted by "|" and a blank; a "|" without one belongs to a regular expression.
  split($0, column, /[ \t]*\|([ \t]+|$)/)
  ++groups
  name[groups] = trimmed(column[1])
  matching[groups] = trimmed(column[2])
  reasons[groups] = trimmed(column[3])
  needs[groups] = trimmed(column[4])
  next
}

/<testcase / {
  match($0, /name="[^"]*"/)
  test = plain(substr($0, RSTART + 6, RLENGTH - 7))
  didRun = $0 !~ /status="notrun"/
  reason = ""
  ++all
  for (i = 1; i <= groups; ++i)
    if (didRun && matching[i] != "" && test ~ matching[i]) ++ran[i]
}
/<skipped / { reason = $0 ~ /message="SKIP_/ ? "" : plain(messageOf($0)) }
# GoogleTest: "file:line: Skipped", and the reason on the next line.
expected { reason = plain($0); expected = 0 }
/: Skipped$/ && !didRun { expected = reason == "" }
# pytest -rs: "SKIPPED [2] file:12: reason".
/SKIPPED \[[0-9]+\] / {
  text = $0
  match(text, /SKIPPED \[[0-9]+\] /)
  count = substr(text, RSTART + 9, RLENGTH - 11) + 0
  text = substr(text, RSTART + RLENGTH)
  sub(/^[^ ]*: /, "", text)
  skipped(plain(text), count)
}
/<\/testcase>/ { if (!didRun) skipped(reason == "" ? "no reason is given: " test : reason, 1) }

function messageOf(line) {
  match(line, /message="[^"]*"/)
  return substr(line, RSTART + 9, RLENGTH - 10)
}

END {
  if (all == 0) {
    print "no report of tests can be read"
    exit 2
  }
  for (i = 1; i <= groups; ++i) {
    absent = matching[i] != "" && !(i in ran)
    if (!absent && !(i in lost)) continue
    failed = 1
    line = "left out: " name[i]
    if (i in lost) line = line " (" tests(lost[i]) ": " why[i] ")"
    else line = line " (no test of it ran)"
    print line "; it needs " needs[i]
  }
  for (i = 1; i <= otherReasons; ++i) print "left out: " tests(others[order[i]]) ": " order[i]
  if (!failed) print "every group of tests ran"
  exit failed ? 1 : 0
}
