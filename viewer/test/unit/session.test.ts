// The connection to the server: tried again for ever, until the server itself ends it.
import assert from 'node:assert/strict';
import test from 'node:test';
import {Session, type Socket} from '../../src/data/session';

class FakeSocket implements Socket {
  readyState = 1;
  binaryType: BinaryType = 'blob';
  sent: string[] = [];
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  send(text: string | ArrayBufferLike | Blob | ArrayBufferView): void { this.sent.push(String(text)); }
  opened(): void { this.onopen?.call(this as unknown as WebSocket, {} as Event); }
  says(data: string): void { this.onmessage?.call(this as unknown as WebSocket, {data} as MessageEvent); }
  closes(code: number): void { this.onclose?.call(this as unknown as WebSocket, {code} as CloseEvent); }
}

function begin() {
  const sockets: FakeSocket[] = [], states: string[] = [], waiting: {call: () => void; ms: number}[] = [], texts: string[] = [];
  new Session('secret', (message) => texts.push(message.type), () => Promise.resolve(), (state) => states.push(state), () => {
    sockets.push(new FakeSocket());
    return sockets[sockets.length - 1];
  }, (call, ms) => waiting.push({call, ms}));
  return {sockets, states, waiting, texts};
}

test('a lost connection is tried again as often as it takes', () => {
  const {sockets, states, waiting, texts} = begin();
  sockets[0].opened();
  assert.deepEqual(sockets[0].sent, ['secret']);
  sockets[0].says('{"type":"version","version":1}');
  assert.deepEqual(texts, ['version']);
  for (let i = 0; i < 100; ++i) {
    sockets[i].closes(1006);
    assert.equal(waiting.length, i + 1);
    assert.ok(waiting[i].ms > 0 && waiting[i].ms <= 4000);
    waiting[i].call();
  }
  assert.deepEqual(states, ['open', 'lost'], 'said once');
  sockets[100].opened();
  sockets[100].says('{"type":"version","version":1}');
  assert.deepEqual(states, ['open', 'lost', 'open']);
  sockets[100].closes(1006);
  assert.equal(waiting[100].ms, waiting[0].ms, 'the next loss is a new one');
  assert.deepEqual(states, ['open', 'lost', 'open', 'lost']);
});

test('a server that says that it ends, or does not know the page, is not asked again', () => {
  for (const code of [1001, 1008]) {
    const {sockets, states, waiting} = begin();
    sockets[0].opened();
    sockets[0].closes(code);
    assert.deepEqual(states, ['ended']);
    assert.equal(waiting.length, 0);
  }
});
