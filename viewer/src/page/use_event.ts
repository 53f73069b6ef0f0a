// Listening to events while a part of the page is there.
import {useLayoutEffect, useRef} from 'preact/hooks';
import type {Events} from '../data/events';
import type {Log, LogEvents} from '../data/log';

/** Calls the newest `listener` for each event of the name. */
export function useEvent<All extends object, Name extends keyof All>(
    events: Events<All> | undefined, name: Name, listener: (event: All[Name]) => void): void {
  const latest = useRef(listener);
  latest.current = listener;
  useLayoutEffect(() => events?.on(name, (event) => latest.current(event)), [events, name]);
}

/** Calls the newest `listener` for each event of the window. */
export function useWindowEvent<Name extends keyof WindowEventMap>(name: Name, listener: (event: WindowEventMap[Name]) => void): void {
  const latest = useRef(listener);
  latest.current = listener;
  useLayoutEffect(() => {
    const call = (event: WindowEventMap[Name]) => latest.current(event);
    window.addEventListener(name, call);
    return () => window.removeEventListener(name, call);
  }, [name]);
}

/** Likewise, for the events of all logs. */
export function useLogEvent(logs: Log[], name: keyof LogEvents, listener: () => void): void {
  const latest = useRef(listener);
  latest.current = listener;
  useLayoutEffect(() => {
    const ends = logs.map((log) => log.events.on(name, () => latest.current()));
    return () => ends.forEach((end) => end());
  }, [logs, name]);
}
