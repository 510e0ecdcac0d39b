import { ids, type CallInput, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { newRawId } from '../src/auth/random.ts';
import { lookAtRules } from '../src/domains/alerts/jobs/look-at-rules.ts';
import type { ConnectionEndCause } from '../src/platform/db/device-tables.ts';
import { freshExecutor, type FreshExecutor, type FreshExecutorOptions } from './fresh-executor.ts';
import { seedMember, seedProject, type SeededProject, type Somebody } from './seed.ts';

/** How a connection ends. */
interface Leaving {
  readonly reason?: 'Disconnected' | 'NodeCrashed' | 'ServerShutdown';
  readonly cause?: ConnectionEndCause | null;
}

/** A message of a rule, as a webhook gets it. */
export interface ToldMessage {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly data: {
    readonly count: number;
    readonly resolvedCount: number;
    readonly unstable: number;
    readonly firing: number;
    readonly fired: readonly { readonly subject: string; readonly deviceId?: string }[];
    readonly resolved: readonly {
      readonly subject: string;
      readonly deviceId?: string;
      readonly end: string;
    }[];
  };
}

type NewRule = Partial<CallInput<'alerts_CreateRule'>> & Pick<CallInput<'alerts_CreateRule'>, 'condition'>;

/** A hub with a project whose devices come and go, and a webhook to which rules tell what they find. */
export interface AlertScene extends AsyncDisposable {
  readonly hub: FreshExecutor;
  readonly project: SeededProject;
  readonly member: Somebody;
  readonly nodeId: string;
  readonly webhookId: Id<'webhook'>;
  /** Adds a device, by default one that is connected. */
  addDevice(name: string, isConnected?: boolean): Promise<Id<'device'>>;
  connect(...devices: readonly Id<'device'>[]): Promise<void>;
  leave(devices: readonly Id<'device'>[], how?: Leaving): Promise<void>;
  /** Creates a rule that tells the webhook. */
  addRule(rule: NewRule): Promise<Id<'alertRule'>>;
  /** Lets time pass while the hub looks after its rules, every ten seconds. */
  pass(seconds: number, everySecs?: number): Promise<void>;
  /** Looks at all rules. */
  look(): Promise<void>;
  /** What was told, in order. */
  told(): Promise<ToldMessage[]>;
  /** In words: how often each kind of message was told. */
  story(): Promise<string[]>;
  alerts(states?: CallInput<'alerts_QueryAlerts'>['states']): Promise<AlertRow[]>;
}

/** An alert as the database has it. */
interface AlertRow {
  readonly subject: string;
  readonly subject_name: string;
  readonly state: string;
  readonly end_reason: string | null;
  readonly flaps: number;
  readonly is_told: boolean;
  readonly to_tell: string | null;
}

/** Makes the scene. */
export async function alertScene(options?: FreshExecutorOptions): Promise<AlertScene> {
  const hub = await freshExecutor(options);
  const project = await seedProject(hub);
  const member = await seedMember(hub, project);
  const { db } = hub.database;
  const { projectId, owner } = project;
  const nodeId = newRawId();
  await sql`insert into cluster_nodes (node_id, joined_at, lease_until, last_heartbeat_at)
    values (${nodeId}, ${hub.now()}, 'infinity', ${hub.now()})`.execute(db);
  const { webhookId } = await hub.as(owner, 'projects_CreateWebhook', {
    projectId,
    name: 'Chat',
    url: 'https://hooks.example/alerts',
    types: [],
  });
  const connect = (devices: readonly string[]) =>
    sql`insert into device_connections (connection_id, device_id, node_id, connected_at)
      select translate(left(encode(uuid_send(gen_random_uuid()), 'base64'), 22), '+/', 'xy'), device_id, ${nodeId}, ${hub.now()}
      from unnest(${devices}::text[]) as d(device_id)`.execute(db);
  // How long a look takes on this machine decides nothing here.
  const look = async () => {
    await sql`update alert_rules set next_look_at = ${hub.now()}`.execute(db);
    await lookAtRules({
      executor: hub.executor,
      log: { warn: (fields, message) => console.error(message, fields) },
    });
  };
  const told = async () => {
    const { rows } = await sql<ToldMessage>`
      select message_id as id, type, happened_at as at, data from webhook_messages where webhook_id = ${ids.webhook.raw(webhookId)}
      order by happened_at, message_id`.execute(db);
    return rows;
  };
  // The watch of a hub that has run for long.
  hub.advance(-3_600);
  await look();
  hub.advance(3_600);
  await sql`update alert_watch set watched_at = ${hub.now()}`.execute(db);
  return {
    hub,
    project,
    member,
    nodeId,
    webhookId,
    async addDevice(name, isConnected = true) {
      const raw = newRawId();
      await sql`insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, name, created_at)
        values (${raw}, ${ids.project.raw(projectId)}, ${raw}, '', ${name}, ${hub.now()})`.execute(db);
      if (isConnected) await connect([raw]);
      return ids.device.of(raw);
    },
    async connect(...devices) {
      await connect(devices.map((id) => ids.device.raw(id)));
    },
    async leave(devices, { reason = 'Disconnected', cause = 'Lost' } = {}) {
      await sql`update device_connections set ended_at = ${hub.now()}, end_reason = ${reason}, end_cause = ${cause}
        where ended_at is null and device_id = any(${devices.map((id) => ids.device.raw(id))}::text[])`.execute(
        db,
      );
    },
    async addRule(rule) {
      const { ruleId } = await hub.as(owner, 'alerts_CreateRule', {
        projectId,
        name: 'Rule',
        severity: 'Warning',
        channels: { mails: 'None', webhookIds: [webhookId] },
        ...rule,
      });
      return ruleId;
    },
    async pass(seconds, everySecs = 10) {
      for (let left = seconds; left > 0; left -= everySecs) {
        hub.advance(Math.min(left, everySecs));
        await look();
      }
    },
    look,
    told,
    async story() {
      return (await told()).map(({ type, data }) => {
        const { count, resolvedCount, unstable } = data;
        const parts = [
          count > unstable ? `${count - unstable} fired` : '',
          unstable > 0 ? `${unstable} unstable` : '',
          resolvedCount > 0 ? `${resolvedCount} resolved` : '',
        ];
        return `${type}: ${parts.filter((part) => part !== '').join(', ')}`;
      });
    },
    async alerts(states) {
      const { rows } = await sql<AlertRow>`
        select subject, subject_name, state, end_reason, flaps, is_told, to_tell from alerts
        where ${states ?? null}::text[] is null or state = any(${states ?? []}::text[]) order by subject_name, alert_id`.execute(
        db,
      );
      return rows;
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}
