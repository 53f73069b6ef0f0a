// The time that is shown: play, steps, speed, the slider.
import type {PageKind} from '../page/parts';
import {SPEEDS, type Transport} from '../page/use_transport';
import type {Link} from '../page/use_link';

export function TimeBar(props: {kind: PageKind; transport: Transport; link: Link}) {
  const {kind: {live, recorded}, transport, link: {status, connected, canGoOn}} = props, {time, start, end, running, following} = transport;
  const plays = running ? status && !status.paused : transport.playing;
  const goesOn = recorded ? connected && canGoOn : live && !following && connected && status?.can_go_back;
  return (
    <footer>
      <button id="play" onClick={transport.play} disabled={running && status?.watched} title="space">{plays ? '❚❚' : '▶'}</button>
      <button onClick={() => transport.step(-1)} title="arrow left">◀|</button>
      <button onClick={() => transport.step(1)} title="arrow right">|▶</button>
      <select aria-label="speed" value={String(transport.speed)} onChange={(e) => transport.changeSpeed(Number(e.currentTarget.value))}>
        {SPEEDS.map((s) => <option key={s} value={String(s)}>{s}×</option>)}
        {live && <option value="0">as fast as it can</option>}
      </select>
      <input id="time" aria-label="time" type="range" min={start} max={end} step="any" value={time}
        onInput={(e) => transport.jump(Number(e.currentTarget.value))} />
      {!live && <label title="play again from the start at the end (l)"><input type="checkbox" id="loop" checked={transport.loop}
        onChange={(e) => transport.setLoop(e.currentTarget.checked)} /> loop</label>}
      {live && connected && !following && <button id="follow" onClick={transport.follow}>now</button>}
      {goesOn && <button id="go" onClick={transport.goOn}>go on from here</button>}
      <output id="clock">{time.toFixed(3)} / {end.toFixed(3)} s</output>
    </footer>);
}
