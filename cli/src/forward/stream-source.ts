import { randomBytes } from 'node:crypto';
import { channelReasons, isRevocation, resumableForwards } from '@corral/contract';
import {
  BytePool,
  ChannelRejection,
  sessionIdBytes,
  StreamOpener,
  type ByteStream,
  type ResumableStream,
} from '@corral/multiplex';
import type { ChannelOpener } from './channel-opener.ts';
import type { ReconnectingLink } from './reconnecting-link.ts';

/** Observes one stream. */
export interface StreamObserver {
  /** Its channel was lost; it waits for another one. */
  readonly onInterrupted: (reason: string) => void;
  /** An interruption is over: it has resumed, or has ended. */
  readonly onSettled: (isResumed: boolean) => void;
}

/** An open stream to a port of a device. */
export interface OpenedStream {
  readonly stream: ByteStream;
  /** Whether the device has connected it to the port. */
  wasAccepted(): boolean;
}

/** The memory that the streams share beyond 512 KiB each. */
const streamPoolBytes = 67_108_864;
/** How long streams to a device that cannot resume are opened without asking again: it may be updated meanwhile, or move to another hub. */
const plainForMs = 60_000;
const plainReasons: ReadonlySet<string> = new Set([
  channelReasons.notResumable,
  channelReasons.hubOfAnotherRelease,
  channelReasons.unknownEndpoint,
]);

function schedule(work: () => void, delayMs: number): () => void {
  const timer = setTimeout(work, delayMs);
  return () => clearTimeout(timer);
}

/** Opens streams to a device: those that survive a lost channel, where hub and device can do that. */
export class StreamSource {
  readonly #link: ReconnectingLink;
  readonly #channels: ChannelOpener;
  readonly #deviceId: string;
  readonly #pool = new BytePool(streamPoolBytes);
  readonly #resumable = new Set<ResumableStream>();
  #plain: { readonly link: unknown; readonly untilMs: number } | undefined;

  constructor(link: ReconnectingLink, channels: ChannelOpener, deviceId: string) {
    this.#link = link;
    this.#channels = channels;
    this.#deviceId = deviceId;
  }

  /** Opens a stream to a port; rejected as `ChannelOpener.open`. */
  async open(port: number, deadline: AbortSignal, observer: StreamObserver): Promise<OpenedStream> {
    if (!this.#isPlain) {
      try {
        return await this.#openResumable(port, deadline, observer);
      } catch (error) {
        if (!(error instanceof ChannelRejection) || !plainReasons.has(error.message)) throw error;
        const untilMs =
          error.message === channelReasons.unknownEndpoint ? Infinity : performance.now() + plainForMs;
        this.#plain = { link: this.#link.current, untilMs };
      }
    }
    const endpoint = `device/${this.#deviceId}/proxy/forward/tcp/${port}`;
    return { stream: await this.#channels.open(endpoint, deadline), wasAccepted: () => true };
  }

  /** Resets the streams at the device, too, where there is a channel to say so; and waits for none any longer. */
  close(reason: string): void {
    for (const stream of this.#resumable) stream.giveUp(reason);
  }

  get #isPlain(): boolean {
    const plain = this.#plain;
    return plain !== undefined && plain.link === this.#link.current && performance.now() < plain.untilMs;
  }

  async #openResumable(port: number, deadline: AbortSignal, observer: StreamObserver): Promise<OpenedStream> {
    const endpoint = `device/${this.#deviceId}/proxy/${resumableForwards.endpointOf(port)}`;
    const channel = await this.#channels.open(endpoint, deadline);
    const { stream } = new StreamOpener(channel, {
      ...observer,
      sessionId: randomBytes(sessionIdBytes),
      pool: this.#pool,
      schedule,
      now: () => performance.now(),
      isRevocation,
      reopen: (signal, attempts) => this.#channels.reopen(endpoint, signal, attempts),
      onFinished: () => void this.#resumable.delete(stream),
    });
    this.#resumable.add(stream);
    return { stream, wasAccepted: () => stream.wasAccepted };
  }
}
