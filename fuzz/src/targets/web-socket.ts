import { WebSocketReader, type ReaderSink } from '@corral/multiplex';
import { sampleFrame } from '../frames.ts';
import type { Random } from '../Random.ts';
import { onTheWire } from '../raw-link.ts';
import { assertThat, type Target } from '../target.ts';

const opcodes = [2, 2, 2, 2, 1, 8, 9, 10, 0, 3];
const maxMessageBytes = 70_000;

/** The WebSocket framing: the first byte selects how the rest is split, and every split delivers the same messages. */
export const webSocketTarget: Target = {
  name: 'web-socket',
  count: () => 1,
  sample: (random) =>
    Buffer.concat([
      random.bytes(1),
      ...Array.from({ length: 1 + random.below(4) }, () => sampleOnTheWire(random)),
    ]),
  run(input) {
    const stream = input.subarray(1);
    const [whole, cut] = [delivered(stream, stream.length), delivered(stream, 1 + ((input[0] ?? 0) % 40))];
    assertThat(whole.what.join() === cut.what.join(), 'every split of the bytes delivers the same');
    assertThat(whole.payloadBytes <= stream.length, 'no message is longer than the received bytes');
    return whole.what.at(-1)?.replaceAll(/\d+/g, 'n') ?? 'nothing yet';
  },
};

function sampleOnTheWire(random: Random): Buffer {
  const payload = random.oneIn(3) ? random.bytes(random.below(140)) : sampleFrame(random);
  const lengthBytes = random.oneIn(20) ? random.below(80_000) : payload.length;
  const frame = onTheWire(random.pick(opcodes), payload, lengthBytes);
  // A non-zero mask, and a fragmented message.
  if (random.oneIn(3)) frame.set(random.bytes(4), frame.length - payload.length - 4);
  if (random.oneIn(8)) frame[0] = (frame[0] ?? 0) & 0x7f;
  return frame;
}

/** What the reader delivers for a stream in chunks of this many bytes. */
function delivered(stream: Uint8Array, chunkBytes: number): { what: string[]; payloadBytes: number } {
  const what: string[] = [];
  let payloadBytes = 0;
  let sum = 0;
  const part = (bytes: Uint8Array): void => {
    for (const byte of bytes) sum = (sum * 31 + byte) % 1_000_003;
    payloadBytes += bytes.length;
  };
  let left = 0;
  const message = (bytes: Uint8Array, missingBytes: number): void => {
    part(bytes);
    left = missingBytes;
    assertThat(payloadBytes + left <= stream.length + maxMessageBytes, 'no message is longer than allowed');
    if (left === 0) what.push(`message ${sum}`);
  };
  const sink: ReaderSink = {
    acceptsParts: ([tag]) => tag === 0x13,
    onMessage: message,
    onPart: (bytes) => message(bytes, left - bytes.length),
    onIgnored: () => void what.push('ignored'),
    onPing: (bytes) => (part(bytes), void what.push(`ping ${sum}`)),
    onClose: (bytes) => (part(bytes), void what.push(`close ${sum}`)),
    onViolation: (reason) => void what.push(reason),
  };
  const reader = new WebSocketReader(
    { isPeerMasking: true, maxMessageBytes, maxBeginningBytes: 16_384 },
    sink,
  );
  for (let at = 0; at < stream.length; at += chunkBytes) {
    // The reader removes masks in place.
    const chunk = new Uint8Array(stream.subarray(at, at + chunkBytes));
    for (let from = 0; from < chunk.length;) from += reader.read(chunk.subarray(from), 2);
  }
  return { what, payloadBytes };
}
