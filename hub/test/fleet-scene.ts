import { ids, type CallInput, type Id, type Json } from '@corral/contract';
import { sql } from 'kysely';
import { newRawId } from '../src/auth/random.ts';
import { freshExecutor, type FreshExecutor, type FreshExecutorOptions } from './fresh-executor.ts';
import { seedMember, seedProject, type SeededProject, type Somebody } from './seed.ts';

/** A device as tests of operations make it. */
export interface FleetDevice {
  readonly name?: string;
  /** False for one that is not connected, undefined for one that never was. */
  readonly isConnected?: boolean | undefined;
  readonly properties?: Readonly<Record<string, Json>>;
  /** The commands that it offers; its agent serves channels. */
  readonly commands?: readonly { readonly name: string; readonly input?: Json }[];
}

/** A hub with a project in which operations run. */
export interface FleetScene extends AsyncDisposable {
  readonly hub: FreshExecutor;
  readonly project: SeededProject;
  readonly member: Somebody;
  addDevice(device: FleetDevice): Promise<Id<'device'>>;
  /** Adds so many connected devices in one statement, and returns their ids in order. */
  addDevices(count: number): Promise<Id<'device'>[]>;
  create(input: Partial<CallInput<'fleet_CreateOperation'>>): Promise<Id<'fleetOperation'>>;
  preview(input: Partial<CallInput<'fleet_PreviewOperation'>>): ReturnType<typeof previewOf>;
}

const previewOf = (hub: FreshExecutor, actor: Somebody, input: CallInput<'fleet_PreviewOperation'>) =>
  hub.as(actor, 'fleet_PreviewOperation', input);

/** An operation that sets a property on all devices. */
export const ringOperation = {
  name: 'Ring',
  selector: { query: 'all', predicates: [] },
  stages: [],
  steps: [{ kind: 'SetDeviceProperty', name: 'ring', value: 'canary' }],
} satisfies Partial<CallInput<'fleet_CreateOperation'>>;

/** Makes a hub with a project whose devices are on a live node. */
export async function fleetScene(options?: FreshExecutorOptions): Promise<FleetScene> {
  const hub = await freshExecutor(options);
  const project = await seedProject(hub);
  const member = await seedMember(hub, project);
  const { db } = hub.database;
  const nodeId = newRawId();
  const { projectId, owner } = project;
  await sql`insert into cluster_nodes (node_id, joined_at, lease_until, last_heartbeat_at)
    values (${nodeId}, now(), ${new Date(hub.now().getTime() + 1e11)}, now())`.execute(db);
  const connect = (devices: readonly string[], isOpen: boolean) =>
    sql`insert into device_connections (connection_id, device_id, node_id, connected_at, ended_at)
      select left(translate(device_id, '1', '2'), 22), device_id, ${nodeId}, ${hub.now()}, ${isOpen ? null : hub.now()}::timestamptz
      from unnest(${devices}::text[]) as d(device_id)`.execute(db);
  const addRows = async (devices: readonly string[], name?: string) => {
    await sql`insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, name, created_at)
      select device_id, ${ids.project.raw(projectId)}, device_id, '', ${name ?? null}, ${hub.now()}
      from unnest(${devices}::text[]) as d(device_id)`.execute(db);
  };
  return {
    hub,
    project,
    member,
    async addDevice({ name, isConnected, properties = {}, commands }) {
      const raw = newRawId();
      await addRows([raw], name);
      if (isConnected !== undefined) await connect([raw], isConnected);
      const all: Record<string, Json> = {
        ...properties,
        ...(commands === undefined
          ? {}
          : {
              'dev.nexigon.commands': { commands: commands as unknown as Json },
              'dev.nexigon.system.info': { agent: { config: { commands: { enabled: true } } } },
            }),
      };
      for (const [property, value] of Object.entries(all))
        await hub.as(owner, 'devices_SetDeviceProperty', {
          deviceId: ids.device.of(raw),
          name: property,
          value,
        });
      return ids.device.of(raw);
    },
    async addDevices(count) {
      const raws = Array.from({ length: count }, newRawId);
      await addRows(raws);
      await connect(raws, true);
      return raws.map((raw) => ids.device.of(raw));
    },
    async create(input) {
      const given = { projectId, ...ringOperation, ...input } as CallInput<'fleet_CreateOperation'>;
      return (await hub.as(owner, 'fleet_CreateOperation', given)).fleetOperationId;
    },
    preview: (input) =>
      previewOf(hub, owner, { projectId, ...ringOperation, ...input } as CallInput<'fleet_PreviewOperation'>),
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}
