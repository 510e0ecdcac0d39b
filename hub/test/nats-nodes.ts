import type { DomainEvent } from '@corral/contract';
import { createNatsBus, type NatsBus } from '../src/platform/events/nats-bus.ts';
import type { NatsAddress } from '../src/platform/events/nats-link.ts';

/** Signs the hints of all nodes of the tests. */
export const hintKey = Buffer.alloc(32, 'hints');

/** The bus of a node, and what it has logged and reported. */
export interface TestNode {
  readonly bus: NatsBus;
  readonly logged: string[];
  readonly problems: unknown[];
}

/** Starts the bus of a node and waits for nothing. */
export function natsNode(
  address: NatsAddress,
  nodeName = 'north',
  instanceId = 'one',
  aheadMs = 0,
): TestNode {
  const logged: string[] = [];
  const problems: unknown[] = [];
  const note = (_fields: object, message: string): void => void logged.push(message);
  const bus = createNatsBus({
    address,
    instanceId,
    key: hintKey,
    nodeName,
    log: { info: note, warn: note },
    onListenerError: (error) => problems.push(error),
    nowMs: () => performance.now(),
    now: () => new Date(Date.now() + aheadMs),
    machineMs: () => Date.now() + aheadMs,
  });
  return { bus, logged, problems };
}

/** An event of a project. */
export function projectEvent(
  projectId: string,
  name: DomainEvent['name'] = 'projects_NameChanged',
  data: DomainEvent['data'] = {},
): DomainEvent {
  const actor = { actor: 'System', kind: 'System' } as const;
  return { name, data: { projectId, ...data }, actor, at: '2026-11-20T12:00:00Z' };
}
