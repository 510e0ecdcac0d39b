import type { DomainEvent } from '@corral/contract';
import { SampledLog } from '../log/sampled-log.ts';
import { createSubscribers, type EventBus, type OnListenerError, type Subscribers } from './bus.ts';
import {
  decodeHint,
  encodeHints,
  hintOf,
  isForOthers,
  maxHintBytes,
  missedHint,
  presentHint,
  type Hint,
} from './hints.ts';
import { envelopeBytes, EnvelopeWriter } from './hint-envelope.ts';
import { HintVerifier, type RefusalReason } from './hint-verifier.ts';
import { openNatsLink, type NatsAddress, type NatsLink } from './nats-link.ts';
import type { LogFields } from '../log/log-fields.ts';

/** A bus that tells the other nodes of the instance through NATS. */
export interface NatsBus extends EventBus {
  readonly isConnected: boolean;
  /** Messages since the start: sent, received, lost, and refused because no node of this instance sent them, or not now. */
  readonly counts: Readonly<Record<'published' | 'received' | 'dropped' | 'refused', number>>;
  /** Whether events since the last call may not have reached the other nodes; resets that. */
  takeLost(): boolean;
  /** Undoes `takeLost`, because the other nodes could not be told in another way. */
  restoreLost(): void;
  /** Tells the subscribers of this node that events may be missing. */
  notifyMissed(): Promise<void>;
  /** Sends what waits and disconnects. */
  stop(): Promise<void>;
}

interface NatsBusParts {
  readonly address: NatsAddress;
  /** The id of this instance: other instances may use the same NATS. */
  readonly instanceId: string;
  /** Signs hints; all nodes have the same. */
  readonly key: Buffer;
  readonly nodeName: string;
  readonly log: Record<'info' | 'warn', (fields: LogFields, message: string) => void>;
  readonly onListenerError: OnListenerError;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /** The time of the database. */
  readonly now: () => Date;
  /** The clock of this machine, in milliseconds since 1970. */
  readonly machineMs: () => number;
}

/** How long events are collected into one message; equal hints within it are sent once. */
const collectMs = 10;
const maxCollected = 5_000;
const maxReceived = 1_000;
/** The largest message without a signature, in bytes: `doctor` pings nodes, and has no key when the operator gave it none. */
const maxUnsignedBytes = 1_024;
/** How many pings are answered in a second. */
const maxPings = 20;
/** Unsigned messages that are read in a second, to find pings among them. */
const maxUnsignedRead = 100;
const secondMs = 1_000;
/** How often messages that were refused, but may have been those of nodes, make the subscribers look at the database. */
const tellRefusedEveryMs = 10_000;

/** Builds the bus. It works at once, and tells others as soon as NATS can be reached. */
export function createNatsBus(parts: NatsBusParts): NatsBus {
  return new Bus(parts);
}

/** The subject of the hints of an instance. */
export function hintSubject(instanceId: string): string {
  return `corral.${instanceId}.hints`;
}

class Bus implements NatsBus {
  readonly counts = { published: 0, received: 0, dropped: 0, refused: 0 };
  readonly #parts: NatsBusParts;
  readonly #subscribers: Subscribers;
  readonly #link: NatsLink;
  readonly #refusals: SampledLog;
  readonly #writer: EnvelopeWriter;
  readonly #verifier: HintVerifier;
  readonly subscribe: EventBus['subscribe'];
  readonly subscribeToOwn: EventBus['subscribeToOwn'];
  /** The collected hints as JSON, by the key that equal ones share. */
  #collected = new Map<string, string>();
  #sending: NodeJS.Timeout | undefined;
  #received: Buffer[] = [];
  #delivering: Promise<void> | undefined;
  #isLost = false;
  #second = { sinceMs: -Infinity, pings: 0, unsigned: 0 };
  #toldRefusedAtMs = -Infinity;
  #tellingRefused: NodeJS.Timeout | undefined;
  #hasOverflown = false;

  constructor(parts: NatsBusParts) {
    this.#parts = parts;
    this.#refusals = new SampledLog(parts.nowMs);
    const { key, nowMs } = parts;
    const timeMs = (): number => parts.now().getTime();
    this.#writer = new EnvelopeWriter(key, timeMs);
    this.#verifier = new HintVerifier({ key, ownSender: this.#writer.sender.toString('hex'), timeMs, nowMs });
    this.#subscribers = createSubscribers(parts.onListenerError);
    this.subscribe = this.#subscribers.subscribe;
    this.subscribeToOwn = this.#subscribers.subscribeToOwn;
    this.#link = openNatsLink({
      address: parts.address,
      clientName: `corral ${parts.nodeName}`,
      subject: hintSubject(parts.instanceId),
      log: parts.log,
      onMessage: (message) => this.#receive(message),
      onConnected: () => this.#afterConnect(),
      // What was on its way may be lost.
      onDisconnected: () => (this.#isLost = true),
    });
  }

  get isConnected(): boolean {
    return this.#link.isConnected;
  }

  async publish(events: readonly DomainEvent[]): Promise<void> {
    for (const event of events) {
      this.#collect(event);
      await this.#subscribers.deliver(event, 'this node');
    }
  }

  takeLost(): boolean {
    const isLost = this.#isLost;
    this.#isLost = false;
    return isLost;
  }

  restoreLost(): void {
    this.#isLost = true;
  }

  notifyMissed(): Promise<void> {
    return this.#subscribers.notifyMissed();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#tellingRefused);
    this.#send();
    await this.#link.stop();
    await this.#delivering;
  }

  #collect(event: DomainEvent): void {
    if (!isForOthers(event)) return;
    if (this.#collected.size >= maxCollected) return this.#lose(1);
    const { json, sameAs } = hintOf(event);
    this.#collected.set(sameAs ?? `${this.#collected.size}`, json);
    this.#sending ??= setTimeout(() => this.#send(), collectMs);
  }

  #send(): void {
    clearTimeout(this.#sending);
    this.#sending = undefined;
    const jsons = [...this.#collected.values()];
    this.#collected = new Map();
    if (jsons.length === 0) return;
    const maxBytes = Math.min(maxHintBytes, this.#link.maxBytes) - envelopeBytes;
    const messages = encodeHints(jsons, maxBytes);
    for (const message of messages) {
      if (this.#sendSigned(message)) this.counts.published += 1;
      else this.#lose(1);
    }
  }

  #sendSigned(message: Buffer): boolean {
    return this.#link.send(this.#writer.write(message));
  }

  #lose(count: number): void {
    this.counts.dropped += count;
    this.#isLost = true;
  }

  /** While there was no connection, this node has missed what others told, and they what it told. */
  #afterConnect(): void {
    void this.notifyMissed();
    if (this.takeLost() && !this.#sendSigned(missedHint)) this.#isLost = true;
  }

  /** Anyone who reaches NATS can send messages. Only those of nodes are kept and followed. */
  #receive(received: Uint8Array): void {
    if (received.length > maxHintBytes) return this.#refuse('malformed', received.length);
    const verdict = this.#verifier.verify(received);
    if (!('refusal' in verdict)) return this.#keep(verdict.body);
    if (verdict.refusal === 'unsigned') return this.#receiveUnsigned(received);
    this.#refuse(verdict.refusal, received.length);
    if (verdict.isMissed) this.#tellRefused();
  }

  #keep(body: Uint8Array): void {
    if (this.#received.length >= maxReceived) {
      this.counts.dropped += 1;
      this.#hasOverflown = true;
      return;
    }
    // Copied, since it is a part of all bytes that arrived with it.
    this.#received.push(Buffer.from(body));
    this.#delivering ??= this.#deliver().finally(() => (this.#delivering = undefined));
  }

  #receiveUnsigned(message: Uint8Array): void {
    const isRead =
      message.length <= maxUnsignedBytes && (this.#thisSecond().unsigned += 1) <= maxUnsignedRead;
    const hint = isRead ? decodeHint(message) : undefined;
    if (hint === undefined || !('ping' in hint || 'answers' in hint))
      return this.#refuse('unsigned', message.length);
    this.counts.received += 1;
    if ('ping' in hint) this.#answer(hint.ping);
  }

  #thisSecond(): { pings: number; unsigned: number } {
    const nowMs = this.#parts.nowMs();
    if (nowMs - this.#second.sinceMs >= secondMs) this.#second = { sinceMs: nowMs, pings: 0, unsigned: 0 };
    return this.#second;
  }

  /** A node of another release may have sent it, or NATS has held it back. */
  #tellRefused(): void {
    if (this.#tellingRefused !== undefined) return;
    const waitMs = Math.max(0, this.#toldRefusedAtMs + tellRefusedEveryMs - this.#parts.nowMs());
    this.#tellingRefused = setTimeout(() => {
      this.#tellingRefused = undefined;
      this.#toldRefusedAtMs = this.#parts.nowMs();
      void this.notifyMissed();
    }, waitMs);
  }

  async #deliver(): Promise<void> {
    for (let message = this.#received.shift(); message !== undefined; message = this.#received.shift()) {
      const hint = decodeHint(message);
      if (hint === undefined) this.#refuse('malformed', message.length);
      else {
        this.counts.received += 1;
        await this.#follow(hint);
      }
      await new Promise(setImmediate);
    }
    if (!this.#hasOverflown) return;
    this.#hasOverflown = false;
    await this.notifyMissed();
  }

  async #follow(hint: Hint): Promise<void> {
    if ('isMissed' in hint) await this.notifyMissed();
    else if ('events' in hint)
      for (const event of hint.events) await this.#subscribers.deliver(event, 'another node');
  }

  #answer(ping: string): void {
    const { machineMs, nodeName } = this.#parts;
    if ((this.#thisSecond().pings += 1) > maxPings) return;
    this.#link.send(presentHint({ answers: ping, node: nodeName, timeMs: machineMs() }));
  }

  #refuse(reason: RefusalReason | 'malformed', sizeBytes: number): void {
    this.counts.refused += 1;
    const { log } = this.#parts;
    const text =
      'a message under the subject of this Corral in NATS is not one of its hints, and was dropped';
    this.#refusals.write(reason, (fields, message) => log.warn(fields, message), { reason, sizeBytes }, text);
  }
}
