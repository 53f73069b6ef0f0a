// What is wrong, as long as it is: over the scene, where it moves nothing.
import {useState} from 'preact/hooks';
import type {Page} from '../page/use_page';
import {Notice} from '../ui/toasts';

export function Notices(props: {page: Page}) {
  const {logs, link, client, kind: {live}} = props.page;
  const [read, setRead] = useState<ReadonlySet<string>>(new Set());
  const notes = logs.flatMap((log) => log.foreign?.notes ?? []).filter((note) => !read.has(note));
  return (
    <>
      {logs.map((log, i) => log.damage && <Notice bad key={i}>{logs.length > 1 ? log.name : 'The log'} was cut short{log.state.times.length > 1 ? `: it ends at ${log.end.toFixed(3)} s` : ''}.</Notice>)}
      {live && !link.connected && <Notice bad>The simulation has ended; what was seen of it stays here.</Notice>}
      {link.status?.fault && <Notice bad>{link.status.fault}</Notice>}
      {link.problem && <Notice bad onClose={() => client?.forgetProblem()}>{link.problem}</Notice>}
      {notes.map((note) => <Notice key={note} onClose={() => setRead(new Set([...read, note]))}>{note}</Notice>)}
    </>);
}
