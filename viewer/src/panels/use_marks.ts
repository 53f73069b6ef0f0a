// Marks of the slider: found while nothing else is to be done, and anew when logs grow.
import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import type {Log} from '../data/log';
import type {PageKind} from '../page/parts';
import {type Mark, allMarksOf, marksAbout, marksOf} from './marks';

/** Of a running simulation they are found no more often, in changes of plots. */
const CHANGES = 5;

export interface Marks {
  /** About what is selected, or all. */
  shown: Mark[];
  /** Contacts of long logs have not been looked for. */
  unread: boolean;
  /** Reads them. */
  read: () => Promise<void>;
}

export function useMarks(logs: Log[], kind: PageKind, version: number, selected: number): Marks {
  const [marks, setMarks] = useState<Mark[]>([]), reading = useRef(false), long = logs.some((log) => log.isLong);
  const round = kind.live ? Math.floor(version / CHANGES) : 0;
  useEffect(() => {
    if (!kind.moves || reading.current) return;
    // The first picture comes first.
    const timer = setTimeout(() => setMarks(marksOf(logs)), 100);
    return () => clearTimeout(timer);
  }, [round, kind.moves]);
  const shown = useMemo(() => {
    const robot = logs[0].world.robots.find(({id}) => id === selected);
    return marksAbout(marks, new Set(robot ? robot.links.map(({id}) => id) : selected >= 0 ? [selected] : []));
  }, [marks, selected]);
  return {
    shown, unread: long && !reading.current,
    read: async () => {
      reading.current = true;
      setMarks(await allMarksOf(logs));
    },
  };
}
