import {
  defaultLimits,
  decodeFrame,
  encodeFrame,
  MultiplexConnection,
  type Channel,
  type Transport,
  type TransportListener,
} from '@corral/multiplex';
import { sampleFrame } from '../frames.ts';
import { packed, stepsOf, type Step } from '../steps.ts';
import { assertThat, type Target } from '../target.ts';

/** A transport that checks the invariants of its use. */
class WatchedTransport implements Transport {
  readonly bufferedBytes = 0;
  sentBytes = 0;
  sentFrames = 0;
  closeFrames = 0;
  isOver = false;
  listener: TransportListener | undefined;

  send(bytes: Uint8Array): void {
    assertThat(!this.isOver, 'nothing is sent after the end');
    assertThat(this.closeFrames === 0, 'nothing follows the Close frame');
    this.sentBytes += bytes.length;
    this.sentFrames += 1;
    if (decodeFrame(bytes).kind === 'Close') this.closeFrames += 1;
  }

  attach(listener: TransportListener): void {
    this.listener = listener;
  }

  end(): void {
    this.isOver = true;
  }

  destroy(): void {
    this.isOver = true;
  }
}

/** The first frames of every run; without them few states are reached. */
const beginning: readonly Step[] = [
  { kind: 'Hello', info: new Uint8Array(0) } as const,
  {
    kind: 'ChannelRequest',
    senderId: 1,
    frameCredit: 128,
    byteCredit: 16_384,
    endpoint: Buffer.from('executor'),
  } as const,
  { kind: 'ChannelAccept', receiverId: 1, senderId: 2, frameCredit: 128, byteCredit: 16_384 } as const,
].map((frame) => ({ operation: 0, bytes: encodeFrame(frame) }));

const mayAnswerPerMessage = 6;

/** A connection of the hub: after any messages it continues correctly or ends with a reason. */
export const connectionTarget: Target = {
  name: 'connection',
  count: (input) => stepsOf(input).length,
  sample(random) {
    const steps = Array.from({ length: 4 + random.below(28) }, (): Step => {
      return { operation: random.below(16), bytes: sampleFrame(random) };
    });
    return packed([...beginning, ...steps]);
  },
  run(input) {
    const scenario = new Scenario();
    const steps = stepsOf(input);
    for (const step of steps) scenario.take(step);
    return scenario.outcome(steps.length, input.length);
  },
};

/** The connection under test with an owner that reads some channels, writes to some, and ignores others. */
class Scenario {
  readonly #transport = new WatchedTransport();
  readonly #channels: Channel[] = [];
  readonly #connection: MultiplexConnection;
  #nowMs = 0;
  #endCount = 0;

  constructor() {
    this.#connection = new MultiplexConnection({
      transport: this.#transport,
      now: () => this.#nowMs,
      delayChannelClosed: true,
      onChannelRequest: (request) => {
        if (request.endpoint === '') return request.reject('unknown endpoint');
        const channel = request.accept();
        this.#channels.push(channel);
        if (request.endpoint === 'executor') this.#read(channel);
      },
      onClosed: () => (this.#endCount += 1),
    });
    this.#open();
  }

  /** Most steps are messages; the others advance the time or call methods of the owner. */
  take({ operation, bytes }: Step): void {
    const channel = this.#channels[bytes[0] === undefined ? 0 : bytes[0] % 4];
    if (operation < 10) this.#transport.listener?.onMessage(bytes, 0);
    else if (operation === 10) this.#advance(bytes.length * 100);
    else if (operation === 11) this.#open();
    else if (operation === 12) void channel?.write(bytes).catch(() => {});
    else if (operation === 13) channel?.end();
    else if (operation === 14) channel?.stopReading();
    else channel?.abort();
    assertThat(this.#connection.channelCount <= defaultLimits.maxChannels, 'there are at most 64 channels');
  }

  #advance(durationMs: number): void {
    this.#nowMs += durationMs;
    this.#connection.tick();
  }

  #open(): void {
    this.#connection.openChannel('forward/tcp/80').then(
      (channel) => this.#channels.push(channel),
      () => {},
    );
  }

  #read(channel: Channel): void {
    void (async () => {
      for await (const bytes of channel) if (bytes.length === 0) throw new Error('an empty read');
    })();
  }

  outcome(stepCount: number, inputBytes: number): string {
    const { end } = this.#connection;
    assertThat(end?.cause !== 'failed', `the connection fails of itself: ${String(end?.error)}`);
    assertThat(this.#endCount === (end === undefined ? 0 : 1), 'the end is reported once');
    assertThat(this.#transport.isOver === (end !== undefined), 'the transport ends with the connection');
    const most = mayAnswerPerMessage * (stepCount + 4) + inputBytes / 512;
    assertThat(this.#transport.sentFrames <= most, 'what is sent does not outgrow what came');
    return end === undefined ? 'alive' : `${end.cause}: ${end.cause === 'peer' ? '' : end.reason}`;
  }
}
