// The time that is shown, and how it moves.
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import type {Series} from '../data/log';
import type {Kept} from '../kept';
import {type PageParts, kindOf} from './parts';
import {type Link, useLink} from './use_link';

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10];

export interface Transport {
  start: number;
  end: number;
  time: number;
  playing: boolean;
  /** What is shown is what a running simulation does now. */
  running: boolean;
  following: boolean;
  /** Of what is shown now, and of what is recorded. */
  speed: number;
  playSpeed: number;
  loop: boolean;
  setLoop: (loop: boolean) => void;
  follow: () => void;
  jump: (to: number) => void;
  step: (by: number) => void;
  play: () => void;
  goOn: () => void;
  changeSpeed: (value: number) => void;
  faster: (by: number) => void;
}

/** Moves the time while it is played. */
function usePlayback(playing: boolean, speed: number, loop: boolean, start: number, end: number, setTime: (next: (t: number) => number) => void, stop: () => void): void {
  // What is stopped stops at once, however long pictures take.
  useLayoutEffect(() => {
    if (!playing) return;
    let last = performance.now(), frame = 0;
    const tick = (now: number) => {
      const passed = (now - last) / 1000 * speed;
      last = now;
      setTime((t) => {
        if (t + passed < end) return t + passed;
        // The end is seen before it begins again.
        if (loop) return t < end ? end : start;
        stop();
        return end;
      });
      frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(frame);
  }, [playing, speed, loop]);
}

/** The time of the sample that is so many after the one that is shown. */
function stepped(state: Series, t: number, by: number): number {
  if (state.times.length === 0) return t;
  const i = state.indexAt(t), between = by < 0 && t > state.times[i] + 1e-9 ? 1 : 0;
  return state.times[Math.min(Math.max(i + by + between, 0), state.times.length - 1)];
}

/** The next of the speeds that are offered. */
function fasterThan(speed: number, by: number): number {
  const at = SPEEDS.findIndex((s) => s >= speed);
  return SPEEDS[Math.min(Math.max((at < 0 ? SPEEDS.length - 1 : at) + by, 0), SPEEDS.length - 1)];
}

export function useTransport(parts: PageParts, kept: Kept): Transport & {link: Link} {
  const {client, source: {logs}} = parts, {live} = kindOf(parts);
  const start = Math.min(...logs.map((log) => log.start)), end = Math.max(...logs.map((log) => log.end)), {state} = logs[0];
  const [time, setTime] = useState(live ? start : Math.min(Math.max(kept.time ?? start, start), end));
  const [playing, setPlaying] = useState(false);
  const [ownSpeed, setSpeed] = useState(kept.speed ?? 1);
  const [loop, setLoop] = useState(kept.loop ?? false);
  const [following, setFollowing] = useState(live);
  const follows = useRef(following);
  follows.current = following;
  const link = useLink(parts, () => { if (follows.current) setTime(logs[0].end); });
  const {status, connected} = link;
  // A simulation that has ended is a recorded one.
  const running = live && connected && following, speed = live && connected && status ? status.speed : ownSpeed;
  usePlayback(playing, ownSpeed, loop, start, end, setTime, () => setPlaying(false));
  useEffect(() => { if (following) setTime(end); }, [following]);
  const leave = () => {
    setPlaying(false);
    setFollowing(false);
  };
  const step = (by: number) => {
    if (running && by > 0) {
      setPlaying(false);
      client?.send({type: 'step', count: by});
      return;
    }
    leave();
    setTime((t) => stepped(state, t, by));
  };
  const play = () => {
    if (running) {
      client?.send({type: status?.paused ? 'play' : 'pause'});
      return;
    }
    if (!playing && time >= end - 1e-9) setTime(start);
    setFollowing(false);
    setPlaying(!playing);
  };
  const changeSpeed = (value: number) => {
    setSpeed(value);
    if (live) client?.send({type: 'speed', speed: value});
  };
  return {
    start, end, time, playing, running, following, speed, playSpeed: ownSpeed, loop, setLoop, link, step, play, changeSpeed,
    follow: () => setFollowing(true),
    jump: (to) => {
      leave();
      setTime(Math.min(Math.max(to, start), end));
    },
    goOn: () => {
      client?.send({type: 'go', tick: state.ticks[state.indexAt(time)]});
      if (live) setFollowing(true);
    },
    faster: (by) => changeSpeed(fasterThan(live && status ? status.speed : ownSpeed, by)),
  };
}
