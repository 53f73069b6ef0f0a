// The time that is shown: play, steps, speed, the slider, and marks of what happens.
import {useMemo, useRef} from 'preact/hooks';
import {SPEEDS} from '../page/use_transport';
import type {Page} from '../page/use_page';
import {Button, Tool} from '../ui/controls';
import {Range} from '../ui/range';
import type {Mark} from './marks';

/** Marks that are nearer to each other than this share of the slider are drawn as one. */
const APART = 1 / 400;
/** How far from a mark one may click, pixels. */
const REACH = 12;

/** One of each kind where they are close. */
function sparse(marks: Mark[], start: number, end: number): {mark: Mark; at: number}[] {
  const last = new Map<string, number>();
  return marks.map((mark) => ({mark, at: end > start ? (mark.time - start) / (end - start) : 0})).filter(({mark, at}) => {
    if (at < 0 || at > 1 || at - (last.get(mark.kind) ?? -1) < APART) return false;
    last.set(mark.kind, at);
    return true;
  });
}

/** Marks for the mouse; with the keyboard [ and ] go from one to the next. */
function Marks(props: {marks: Mark[]; start: number; end: number; onTime: (time: number) => void}) {
  const {marks, start, end} = props, place = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => sparse(marks, start, end), [marks, start, end]);
  const go = (event: MouseEvent) => {
    const box = place.current!.getBoundingClientRect(), x = event.clientX - box.left;
    const nearest = [...shown].sort((a, b) => Math.abs(a.at * box.width - x) - Math.abs(b.at * box.width - x))[0];
    if (nearest && Math.abs(nearest.at * box.width - x) <= REACH) props.onTime(nearest.mark.time);
    else props.onTime(start + Math.min(Math.max(x / box.width, 0), 1) * (end - start));
  };
  return (
    <div class="marks" aria-hidden="true" ref={place} onClick={go}>
      {shown.map(({mark, at}, i) => <span key={i} class={`mark ${mark.kind}`} style={`left: ${(100 * at).toFixed(3)}%`} title={`${mark.time.toFixed(3)} s: ${mark.text}`} />)}
    </div>);
}

function Buttons(props: {page: Page}) {
  const {page: {kind: {live}, transport, link: {status}}} = props, {running} = transport;
  const plays = running ? Boolean(status && !status.paused) : transport.playing;
  return (
    <div class="buttons">
      <Tool icon="stepBack" label="a step back" keys="ArrowLeft" onClick={() => transport.step(-1)} />
      <Tool id="play" class="main" icon={plays ? 'pause' : 'play'} label={plays ? 'pause' : 'play'} keys="Space" disabled={running && status?.watched} onClick={transport.play} />
      <Tool icon="stepForward" label="a step on" keys="ArrowRight" onClick={() => transport.step(1)} />
      {!live && <Tool id="loop" icon="loop" label="play again from the start at the end" keys="l" pressed={transport.loop} onClick={() => transport.setLoop(!transport.loop)} />}
      <select aria-label="speed" value={String(transport.speed)} onChange={(e) => transport.changeSpeed(Number(e.currentTarget.value))}>
        {SPEEDS.map((s) => <option key={s} value={String(s)}>{s}×</option>)}
        {live && <option value="0">as fast as it can</option>}
      </select>
    </div>);
}

export function TimeBar(props: {page: Page}) {
  const {page} = props, {kind: {live, recorded}, transport, link: {status, connected, canGoOn}, marks} = page, {time, start, end, following} = transport;
  const {begin} = page.logs[0];
  const goesOn = recorded ? connected && canGoOn : live && !following && connected && status?.can_go_back;
  return (
    <footer class="time" aria-label="time">
      <Buttons page={page} />
      <div class="track">
        <Marks marks={marks.shown} start={start} end={end} onTime={transport.jump} />
        <Range id="time" label="time" min={start} max={end} value={time} text={`${time.toFixed(3)} seconds`} onInput={transport.jump} />
      </div>
      {live && connected && !following && <Button id="follow" onClick={transport.follow}>now</Button>}
      {goesOn && <Button id="go" onClick={transport.goOn}>go on from here</Button>}
      <output id="clock" title={begin > 0 ? `from ${new Date(1000 * begin).toISOString()} on` : undefined}><b>{time.toFixed(3)}</b> / {end.toFixed(3)} s</output>
    </footer>);
}
