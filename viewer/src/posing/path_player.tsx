// A path among the resources: its milestones beside the robot, and the motion along it.
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import type {Motion} from '../data/protocol';
import {Tool} from '../ui/controls';
import {Range} from '../ui/range';
import type {Posing} from './posing';
import {digits} from './pose_state';

/** Of a long path, as many milestones as can be told apart are drawn. */
const MOST_GHOSTS = 50;

/** The configuration at a time, on a straight line between two milestones. */
export function configurationAt({times, configurations}: Motion, time: number): number[] {
  let i = times.findIndex((t) => t > time);
  if (i < 0) i = times.length - 1;
  const a = Math.max(i - 1, 0), span = times[i] - times[a];
  const u = span > 0 ? Math.min((time - times[a]) / span, 1) : 1;
  return configurations[a].map((v, k) => v + u * (configurations[i][k] - v));
}

function useGhosts({view, panel: {path, robot}, log}: Posing): void {
  useLayoutEffect(() => {
    const step = path ? Math.max(1, Math.ceil(path.configurations.length / MOST_GHOSTS)) : 1;
    const fits = path?.configurations[0]?.length === (log.robots[robot]?.links.length ?? 0);
    view.setGhosts(robot, path && fits ? path.configurations.filter((_, i) => i % step === 0) : []);
  }, [path]);
}

export function PathPlayer(props: {posing: Posing; onChange: () => void}) {
  const {posing} = props, {log, state, panel: {path, robot}} = posing;
  const [time, setTime] = useState(0), [playing, setPlaying] = useState(false);
  useGhosts(posing);
  const show = (at: number) => {
    if (!path || !state) return;
    setTime(at);
    const q = configurationAt(path, at);
    log.setPose(state.q.map((own, r) => (r === robot && q.length === own.length ? q : own)), state.objects);
    props.onChange();
  };
  const latest = useRef(show);
  latest.current = show;
  // Any answer ends what was played.
  useEffect(() => {
    setPlaying(false);
    setTime(0);
  }, [state]);
  useEffect(() => {
    if (!playing || !path) return;
    const first = path.times[0], span = path.times[path.times.length - 1] - first;
    let frame = 0, start = -1;
    const next = (now: number) => {
      if (start < 0) start = now - 1000 * (time - first);
      const passed = (now - start) / 1000 % (2 * span);
      latest.current(first + (passed <= span ? passed : 2 * span - passed));
      frame = requestAnimationFrame(next);
    };
    if (span > 0) frame = requestAnimationFrame(next);
    return () => cancelAnimationFrame(frame);
  }, [playing, path]);
  if (!path || path.times.length < 2) return null;
  return (
    <div class="line">
      <Tool id="play-path" icon={playing ? 'pause' : 'play'} label={playing ? 'stop the motion' : 'play the motion forwards and backwards'} onClick={() => setPlaying(!playing)} />
      <Range id="path-time" label="time of the path" min={path.times[0]} max={path.times[path.times.length - 1]} value={time} text={`${digits(time)} seconds`} onInput={(at) => {
        setPlaying(false);
        show(at);
      }} />
      <output>{digits(time)} s</output>
    </div>);
}
