import { ActionError, type Actor, type Id } from '@corral/contract';
import type { Executor } from '../executor/executor.ts';

const system: Actor = { actor: 'System', kind: 'System' };

/** How often a node prolongs its lease of 15 s, and how often it tidies up behind nodes that are gone. */
const heartbeatEveryMs = 4_000;
const cleanupEveryMs = 5_000;

/** This hub's place among the nodes that share its database. */
export interface Membership {
  /** The node's present id; a node that lost its lease comes back under a new one. */
  nodeId(): Id<'clusterNode'>;
  /** Whether the last heartbeat was accepted. */
  hasLease(): boolean;
  /** Ends the heartbeats. */
  stop(): Promise<void>;
}

interface MembershipParts {
  readonly executor: Executor;
  readonly nodeName: string;
  /** Whether no other node can use the database: what an earlier start left behind is then over at once. */
  readonly isAlone: boolean;
  readonly log: { warn(fields: object, message: string): void };
  /** Hears when the node goes on under a new id: what it had registered under the old one is void. */
  readonly onNewNodeId: (nodeId: Id<'clusterNode'>) => void;
}

/** Joins the cluster and keeps the node's lease alive until it is stopped. */
export async function joinCluster(parts: MembershipParts): Promise<Membership> {
  const caller = { actor: system, origin: {} };
  const { nodeName: name, isAlone } = parts;
  const register = async () =>
    (await parts.executor.invoke(caller, 'cluster_RegisterClusterNode', { name, isAlone })).nodeId;
  let nodeId = await register();
  let isAlive = true;

  const beat = async (): Promise<void> => {
    const actor: Actor = { actor: 'ClusterNode', kind: 'ClusterNode', nodeId };
    try {
      await parts.executor.invoke({ actor, origin: {} }, 'cluster_ReportClusterNodeHeartbeat', {});
      isAlive = true;
    } catch (error) {
      isAlive = false;
      if (!(error instanceof ActionError) || error.kind !== 'Forbidden') throw error;
      parts.log.warn({ nodeId }, 'this node lost its lease and joins again');
      nodeId = await register();
      isAlive = true;
      parts.onNewNodeId(nodeId);
    }
  };
  const cleanUp = () => parts.executor.invoke(caller, 'cluster_CleanupInactiveClusterNodes', {});
  await cleanUp();

  const tasks = [repeat(beat, heartbeatEveryMs, parts.log), repeat(cleanUp, cleanupEveryMs, parts.log)];
  return {
    nodeId: () => nodeId,
    hasLease: () => isAlive,
    stop: async () => void (await Promise.all(tasks.map((stop) => stop()))),
  };
}

/** Runs work again and again, never twice at once; the answer stops it and waits for the run under way. */
export function repeat(
  work: () => Promise<unknown>,
  everyMs: number,
  log: MembershipParts['log'],
): () => Promise<void> {
  let running: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => log.warn({ err: error }, 'upkeep failed and will be tried again'))
      .finally(() => (running = undefined));
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
