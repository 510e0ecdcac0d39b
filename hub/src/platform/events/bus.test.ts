import type { DomainEvent } from '@corral/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { natsNode, projectEvent } from '../../../test/nats-nodes.ts';
import { hasNatsServer, natsServer, needNats, type NatsServer } from '../../../test/nats-server.ts';
import { createInProcessBus, type EventBus } from './bus.ts';

/** Two ends of a bus, which may be the same one. */
interface Ends {
  readonly here: EventBus;
  readonly there: EventBus;
  readonly problems: unknown[];
  stop(): Promise<unknown>;
}

async function inProcess(): Promise<Ends> {
  const problems: unknown[] = [];
  const bus = createInProcessBus((error) => problems.push(error));
  return { here: bus, there: bus, problems, stop: async () => undefined };
}

let server: NatsServer;

async function throughNats(): Promise<Ends> {
  const [north, south] = [natsNode(server.address), natsNode(server.address, 'south')];
  await vi.waitFor(() => expect([north.bus.isConnected, south.bus.isConnected]).toEqual([true, true]));
  const problems = south.problems;
  const stop = () => Promise.all([north.bus.stop(), south.bus.stop()]);
  return { here: north.bus, there: south.bus, problems, stop };
}

describe.each([
  ['in process', inProcess, true],
  ['[needs NATS] between two nodes', throughNats, hasNatsServer],
] as const)('the bus %s', (_name, open, canRun) => {
  let ends: Ends;
  beforeEach(({ skip }) => (canRun ? undefined : needNats(skip)));
  beforeAll(async () => {
    if (!canRun) return;
    if (open === throughNats) server = await natsServer();
    ends = await open();
  });
  afterAll(async () => {
    await ends?.stop();
    if (open === throughNats) await server?.stop();
  });

  const idOf = ({ data }: DomainEvent) => data['projectId'];

  test('delivers events in the order of their publication', async () => {
    const received: unknown[] = [];
    const stop = ends.there.subscribe((event) => void received.push(idOf(event)));
    await ends.here.publish(['a', 'b'].map((id) => projectEvent(id)));
    await ends.here.publish([projectEvent('c')]);
    await expect.poll(() => received).toEqual(['a', 'b', 'c']);
    stop();
  });

  test('delivers name, time, ids, flags and states', async () => {
    const received: DomainEvent[] = [];
    const stop = ends.there.subscribe((event) => void received.push(event));
    const data = { userId: 'u_1', isDisabled: true, status: 'Revoked' };
    await ends.here.publish([projectEvent('a', 'users_SetIsDisabled', data)]);
    await expect.poll(() => received).toEqual([projectEvent('a', 'users_SetIsDisabled', data)]);
    stop();
  });

  test('reports a subscriber that fails, and goes on', async () => {
    const received: unknown[] = [];
    const stops = [
      ends.there.subscribe(() => Promise.reject(new Error('broken subscriber'))),
      ends.there.subscribe((event) => void received.push(idOf(event))),
    ];
    await ends.here.publish([projectEvent('a'), projectEvent('b')]);
    await expect.poll(() => received).toEqual(['a', 'b']);
    expect(ends.problems.splice(0)).toMatchObject([
      { message: 'broken subscriber' },
      { message: 'broken subscriber' },
    ]);
    for (const stop of stops) stop();
  });

  test('delivers nothing after the end of a subscription', async () => {
    const [before, after]: unknown[][] = [[], []];
    const stop = ends.there.subscribe((event) => void before?.push(idOf(event)));
    ends.there.subscribe((event) => void after?.push(idOf(event)));
    stop();
    await ends.here.publish([projectEvent('a')]);
    await expect.poll(() => after).toEqual(['a']);
    expect(before).toEqual([]);
  });

  test('waits for the subscribers of its own node', async () => {
    const received: unknown[] = [];
    const stops = [
      ends.here.subscribe(async (event) => {
        await new Promise(setImmediate);
        received.push(idOf(event));
      }),
      ends.here.subscribeToOwn((event) => void received.push(`own ${String(idOf(event))}`)),
    ];
    await ends.here.publish([projectEvent('a')]);
    expect(received).toEqual(['own a', 'a']);
    for (const stop of stops) stop();
  });
});
