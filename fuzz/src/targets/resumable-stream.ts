import {
  BytePool,
  MemoryScheduler,
  MemoryTransport,
  MultiplexConnection,
  sessionIdBytes,
  StreamAcceptor,
  type Channel,
} from '@corral/multiplex';
import { inPieces } from '../MemoryChannel.ts';
import type { Random } from '../Random.ts';
import { assertThat, type Target } from '../target.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What an opener sends to an acceptor of resumable streams: whatever it is, it resets its own stream at most, and for good. */
export const resumableStreamTarget: Target = {
  name: 'resumable-stream',
  count: () => 1,
  sample: (random) =>
    Buffer.concat([
      random.bytes(1),
      openFrame(random),
      ...Array.from({ length: random.below(5) }, () => sampleFrame(random)),
    ]),
  async run(input) {
    const scheduler = new MemoryScheduler(settle);
    const now = (): number => scheduler.nowMs;
    let hasEnded = false;
    const schedule = (work: () => void, delayMs: number): (() => void) => {
      let isCancelled = false;
      scheduler.schedule(() => void (isCancelled || work()), delayMs);
      return () => void (isCancelled = true);
    };
    const acceptor = new StreamAcceptor({ pool: new BytePool(0), schedule, now, isRevocation: () => false });
    const [near, far] = MemoryTransport.pair({ scheduler, delayMs: () => 0 });
    const accepting = new MultiplexConnection({
      transport: far,
      now,
      onChannelRequest: (request) =>
        acceptor.serve(request.accept(), (stream) => {
          stream.confirm();
          void stream.drain(() => undefined).then(() => (hasEnded = true));
          void stream.writeOwned(new Uint8Array(100));
        }),
    });
    const opening = new MultiplexConnection({ transport: near, now });
    const channel = await openedBy(opening, scheduler);
    for (const piece of inPieces(input)) void channel.write(piece).catch(() => undefined);
    await scheduler.advance(1);
    assertThat(opening.end === undefined && accepting.end === undefined, 'a stream ends no connection');
    const { resetReason } = channel;
    if (resetReason === undefined) return `open with ${acceptor.count}${hasEnded ? ' after its end' : ''}`;
    assertThat(resetReason.startsWith('for good: '), 'a malformed stream is reset for good');
    assertThat(acceptor.count === 0, 'a stream that is reset is not kept');
    return resetReason;
  },
};

async function openedBy(opening: MultiplexConnection, scheduler: MemoryScheduler): Promise<Channel> {
  const opened = opening.openChannel('resumable');
  await scheduler.advance(1);
  return opened;
}

function openFrame(random: Random): Uint8Array {
  const head = Uint8Array.of(1, random.oneIn(20) ? 2 : 1, random.oneIn(6) ? 1 : 0);
  return Buffer.concat([head, random.bytes(sessionIdBytes), receipt(random)]);
}

function sampleFrame(random: Random): Uint8Array {
  const sizeBytes = random.below(60);
  const data = Buffer.concat([Uint8Array.of(0x10, 0, 0, 0, sizeBytes), random.bytes(sizeBytes)]);
  const ack = Buffer.concat([Uint8Array.of(0x11), receipt(random)]);
  return random.pick([
    data,
    data,
    ack,
    Uint8Array.of(0x12),
    Buffer.concat([Uint8Array.of(2), receipt(random)]),
  ]);
}

function receipt(random: Random): Uint8Array {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32BE(random.oneIn(3) ? random.below(120) : 0, 4);
  bytes.writeUInt32BE(random.below(1_000_000), 12);
  return bytes;
}
