import { randomUUID } from 'node:crypto';
import { decodeHint, pingHint, type PresentNode } from './hints.ts';
import { hintSubject } from './nats-bus.ts';
import { openNatsLink, type NatsAddress } from './nats-link.ts';

interface Ping {
  readonly address: NatsAddress;
  readonly instanceId: string;
  /** How many nodes are expected to answer. */
  readonly expected: number;
  /** How long to wait for the answers, in milliseconds. */
  readonly waitMs: number;
  /** The clock of this machine, in milliseconds since 1970. */
  readonly machineMs: () => number;
}

/** A node that answered, and how far the clock of its machine is ahead of that of this one, accurate to half the time of its answer. */
export interface AnsweringNode {
  readonly node: string;
  readonly aheadMs: number;
}

/** Asks the nodes through NATS which are there, until as many as expected have answered or time is over. Rejects when NATS cannot be used. */
export async function pingNodes({
  address,
  instanceId,
  expected,
  waitMs,
  machineMs,
}: Ping): Promise<AnsweringNode[]> {
  const connected = Promise.withResolvers<void>();
  const complete = Promise.withResolvers<void>();
  const id = randomUUID();
  const answers: { readonly present: PresentNode; readonly atMs: number }[] = [];
  const link = openNatsLink({
    address,
    clientName: 'corral doctor',
    subject: hintSubject(instanceId),
    log: { info() {}, warn: ({ err }: { err?: unknown }) => connected.reject(err) },
    onConnected: connected.resolve,
    onDisconnected() {},
    onMessage(message) {
      const hint = decodeHint(message);
      if (hint === undefined || !('answers' in hint) || hint.answers !== id) return;
      answers.push({ present: hint, atMs: machineMs() });
      if (answers.length >= expected) complete.resolve();
    },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    await connected.promise;
    const askedAtMs = machineMs();
    link.send(pingHint(id));
    timer = setTimeout(complete.resolve, waitMs);
    if (expected > 0) await complete.promise;
    return answers.map(({ present: { node, timeMs }, atMs }) => ({
      node,
      aheadMs: timeMs - (askedAtMs + atMs) / 2,
    }));
  } finally {
    clearTimeout(timer);
    await link.stop();
  }
}
