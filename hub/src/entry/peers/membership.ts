import { cpus, loadavg, totalmem } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ActionError, type Id } from '@corral/contract';
import type { Executor } from '../../calls/executor.ts';
import { type Given, systemCaller } from '../../calls/handler.ts';
import { CleanupInactiveClusterNodes } from '../../domains/instance/internal/CleanupInactiveClusterNodes.ts';
import { RegisterClusterNode } from '../../domains/instance/internal/RegisterClusterNode.ts';
import { ReportClusterNodeHeartbeat } from '../../domains/instance/internal/ReportClusterNodeHeartbeat.ts';
import { repeat } from '../../platform/concurrency/repeat.ts';
import type { LogFields } from '../../platform/log/log-fields.ts';
import { Lease } from './lease.ts';
import type { PeerNode } from './peer-node.ts';

/** Another node holds its lease, and this one cannot form a cluster with it; the message is one sentence for the operator. */
class OtherNodeError extends Error {
  readonly nodeName: string | undefined;

  constructor(nodeName: string | undefined, isForCluster: boolean) {
    const which = nodeName === undefined ? 'Another hub' : `Another hub (${nodeName})`;
    super(
      isForCluster
        ? `${which} runs on this database as the only one: stop it first, and start it with CORRAL_NATS_URL and CORRAL_SECRET_KEY as a node of the cluster.`
        : `${which} runs on this database: stop that one first, or run both as nodes of one cluster, with the same CORRAL_NATS_URL and CORRAL_SECRET_KEY.`,
    );
    this.name = 'OtherNodeError';
    this.nodeName = nodeName;
  }
}

/** Default interval of heartbeats, which renew the lease. */
const defaultHeartbeatMs = 4_000;
/** A heartbeat without an answer for this long has failed. */
const answerTimeoutMs = 4_000;
/** How long a starting node waits for the lease of another to end, and how often it looks. */
const maxWaitMs = 20_000;
const defaultPollMs = 500;
/** Interval of the cleanup after nodes that are gone. */
const cleanupEveryMs = 5_000;

/** This hub's membership among the nodes that share its database. */
export interface Membership {
  /** The node's current id; a node that lost its lease continues under a new one. */
  nodeId(): Id<'clusterNode'>;
  /** Whether this node may serve: it holds a lease, so no other node treats it as dead. */
  hasLease(): boolean;
  /** For how many milliseconds it has had no lease; 0 while it has one. */
  leaselessMs(): number;
  /** Ends the lease and the heartbeats. */
  stop(): Promise<void>;
}

/** What membership depends on. */
export interface MembershipParts {
  readonly executor: Executor;
  /** Runs the heartbeats, on a database connection that other work cannot take; by default like all else. */
  readonly heartbeatExecutor?: Executor;
  readonly nodeName: string;
  /** The version of the hub. */
  readonly version?: string;
  /** Where other nodes reach this one; undefined for a hub that must be the only node. */
  readonly peer?: PeerNode | undefined;
  /** The settings of its configuration that should be the same on all nodes. */
  readonly settings?: Given<typeof RegisterClusterNode>['settings'];
  /** Whether no other node can use the database; leases of earlier starts are then ended at once. */
  readonly isAlone: boolean;
  /** Whether the node reaches NATS; undefined where it uses none. */
  readonly isBusConnected?: () => boolean | undefined;
  /** How full the disk of the node is, as far as it knows. */
  readonly diskPercent?: () => number | undefined;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /** Interval of heartbeats; 4 s by default. */
  readonly heartbeatMs?: number;
  /** Interval at which a starting node checks whether another one's lease has ended; 500 ms by default. */
  readonly pollMs?: number;
  readonly log: Record<'info' | 'warn', (fields: LogFields, message: string) => void>;
  /** Called when the node continues under a new id: its registrations under the old id have ended. */
  readonly onNewNodeId: (nodeId: Id<'clusterNode'>) => void;
  /** Called each time that a heartbeat has failed while the node has no lease: the database may be cut off. */
  readonly onCutOff?: () => void;
}

/**
 * Joins the cluster and keeps the node's lease alive until it is stopped. While another node holds its lease it waits, 20 s at most,
 * and is then rejected with an Error whose message is one sentence for the operator.
 */
export async function joinCluster(parts: MembershipParts): Promise<Membership> {
  const node = new Node(parts);
  await joinWhenAlone(node, parts);
  let isStopping = false;
  const cleanUpSome = () => parts.executor.run(systemCaller, CleanupInactiveClusterNodes);
  const cleanUp = async () => {
    while (!isStopping && (await cleanUpSome()).hasMore);
  };
  await cleanUpSome();
  const tasks = [
    repeat(() => node.beat(), node.heartbeatMs, parts.log),
    repeat(cleanUp, cleanupEveryMs, parts.log),
  ];
  return {
    nodeId: () => node.id,
    hasLease: () => node.lease.isHeld,
    leaselessMs: () => node.lease.lostForMs,
    async stop() {
      isStopping = true;
      await Promise.all(tasks.map((stop) => stop()));
      await node.leave();
    },
  };
}

/** A node that was killed keeps its lease for up to 15 s. */
async function joinWhenAlone(
  node: Node,
  { nowMs, log, pollMs = defaultPollMs }: MembershipParts,
): Promise<void> {
  const giveUpAtMs = nowMs() + maxWaitMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await node.join();
    } catch (error) {
      if (!(error instanceof OtherNodeError) || nowMs() >= giveUpAtMs) throw error;
      if (attempt === 1)
        log.info(
          { nodeName: error.nodeName },
          'waiting up to 20 s for the lease of another hub on this database to end',
        );
    }
    await delay(pollMs);
  }
}

/** One node's id and lease, as the database has last confirmed them. */
class Node {
  readonly #parts: MembershipParts;
  readonly lease: Lease;
  readonly heartbeatMs: number;
  #id: Id<'clusterNode'> | undefined;

  constructor(parts: MembershipParts) {
    this.#parts = parts;
    this.lease = new Lease(parts.nowMs);
    this.heartbeatMs = parts.heartbeatMs ?? defaultHeartbeatMs;
  }

  get id(): Id<'clusterNode'> {
    if (this.#id === undefined) throw new Error('This node has not joined the cluster yet.');
    return this.#id;
  }

  /** Takes a new id with a fresh lease. Throws an OtherNodeError while another node holds its lease. */
  async join(): Promise<void> {
    const { executor, nodeName: name, version, peer, settings, isAlone, nowMs } = this.#parts;
    if (!isAlone) await this.#mustHaveNoOtherNode();
    const requestedAtMs = nowMs();
    const input = { name, version, peer, settings, isAlone, mustBeOnly: true };
    const { nodeId } = await executor
      .run(systemCaller, RegisterClusterNode, input)
      .catch((error: unknown) => {
        // Two nodes that start at the same moment both find none before them; the second one is refused.
        throw error instanceof ActionError && error.kind === 'NotReady'
          ? new OtherNodeError(undefined, peer !== undefined)
          : error;
      });
    this.#id = nodeId;
    this.lease.renewed(requestedAtMs);
  }

  /** Throws while there is a node that this one cannot form a cluster with. It uses a query, since a failed registration would add a row to the audit log. */
  async #mustHaveNoOtherNode(): Promise<void> {
    const { executor, peer } = this.#parts;
    const { nodes } = await executor.invoke(systemCaller, 'cluster_GetClusterDetails', {});
    const other = nodes.find(({ isReachable }) => peer === undefined || isReachable !== true);
    if (other !== undefined) throw new OtherNodeError(other.name, peer !== undefined);
  }

  /** Renews the lease; a node that has lost it joins again. */
  async beat(): Promise<void> {
    const requestedAtMs = this.#parts.nowMs();
    try {
      await within(answerTimeoutMs, this.#report({}));
      this.lease.renewed(requestedAtMs);
    } catch (error) {
      if (!(error instanceof ActionError) || error.kind !== 'Forbidden') {
        if (!this.lease.isHeld) this.#parts.onCutOff?.();
        throw error;
      }
      this.lease.lost();
      this.#parts.log.warn({ nodeId: this.id }, 'this node lost its lease and joins again');
      await this.join();
      this.#parts.onNewNodeId(this.id);
    }
  }

  /** Ends the lease, so that others need not wait; without a database it expires. */
  async leave(): Promise<void> {
    this.lease.lost();
    try {
      await within(answerTimeoutMs, this.#report({ isLeaving: true }));
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'the lease of this node could not be ended and expires by itself');
    }
  }

  #report(input: { isLeaving?: boolean }): Promise<unknown> {
    const nodeId = this.id;
    const isBusConnected = this.#parts.isBusConnected?.();
    const { executor, heartbeatExecutor = executor, diskPercent } = this.#parts;
    const actor = { actor: 'ClusterNode', kind: 'ClusterNode', nodeId } as const;
    const usage = { memoryBytes: process.memoryUsage.rss(), load: loadavg()[0] ?? 0, ...machine };
    const heartbeat = { ...input, nodeId, isBusConnected, usage, diskPercent: diskPercent?.() };
    return heartbeatExecutor.run({ actor, origin: {} }, ReportClusterNodeHeartbeat, heartbeat);
  }
}

// A container has a limit of its own, or one that is larger than its machine.
const machine = {
  cores: cpus().length,
  machineMemoryBytes: Math.min(totalmem(), process.constrainedMemory() || Infinity),
};

async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The database does not answer.')), timeoutMs);
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
