import { ids, type CallInput, type Id, type Json, type Output } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect } from 'vitest';
import { newRawId } from '../src/auth/random.ts';
import { freshExecutor, type FreshExecutor } from './fresh-executor.ts';
import { seedProject, seedToken, type SeededProject } from './seed.ts';

interface Device {
  readonly name?: string;
  readonly label?: Json;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly certificates?: readonly string[];
  readonly daysOld?: number;
  /** Hours since it connected, and since that ended. */
  readonly connections?: readonly (readonly [number, number?])[];
  readonly isEnrolled?: boolean;
}

const info = (hostname: string, arch: string, availableSpace: number) => ({
  'dev.nexigon.system.info': {
    hostname,
    arch,
    name: 'Debian',
    kernel: '6.12.3',
    ...(arch === 'aarch64' ? { agent: { version: '1.4.2' } } : {}),
    disks: [{ availableSpace }, { availableSpace: 9e12 }],
  },
});

/** By the letter that the tests call them by. */
const devices: Readonly<Record<string, Device>> = {
  a: {
    name: 'Pump 3',
    label: { ring: 'canary', 'dotted.name': 1 },
    properties: {
      ...info('pump-3', 'aarch64', 5e8),
      'site.region': 'north',
      ota: { version: '2.4.1', slots: ['x', 'y'] },
      'dev.nexigon.system.health': { status: 'degraded' },
    },
    certificates: ['Active', 'Pending'],
    daysOld: 30,
    connections: [[50, 40], [2]],
    isEnrolled: true,
  },
  b: {
    name: 'pump 12',
    label: { ring: 'stable' },
    properties: {
      ...info('pump-12', 'x86_64', 2e9),
      'site.region': 'south',
      ota: { version: '2.3.0', slots: [], enabled: true, count: 5 },
    },
    certificates: ['Active'],
    daysOld: 3,
    connections: [[24 * 9, 24 * 8]],
  },
  c: {
    properties: {
      'dev.nexigon.systemInfo': { hostname: 'old-agent', arch: 'armv7l' },
      ota: 'broken',
      'dev.nexigon.system.health': { status: 'error' },
    },
    certificates: ['Pending'],
    daysOld: 2,
    connections: [[1], [0.5]],
  },
  d: {
    name: 'Żuraw',
    daysOld: 1,
    connections: [
      [0.9, 0.8],
      [0.7, 0.6],
      [0.5, 0.4],
      [0.3, 0.2],
      [0.1, 0.05],
    ],
  },
};

/** A project with four devices that differ in all that a list of devices shows. */
export interface ListedDevices {
  readonly hub: FreshExecutor;
  readonly project: SeededProject;
  /** The raw id of the node of all connections. */
  readonly nodeId: string;
  /** By public id. */
  readonly letters: ReadonlyMap<string, string>;
  query(
    input: Partial<CallInput<'projects_QueryProjectDevices'>>,
  ): Promise<Output<'projects_QueryProjectDevices'>>;
  /** The letters of the listed devices, in their order; the hub counts as many. */
  found(filter: string, order?: CallInput<'projects_QueryProjectDevices'>['order']): Promise<string>;
}

/** Seeds the devices, and in another project one of every kind, before the tests of a file. */
export function listedDevices(): ListedDevices {
  const letters = new Map<string, string>();
  const nodeId = newRawId();
  let hub: FreshExecutor;
  let project: SeededProject;
  beforeAll(async () => {
    hub = await freshExecutor();
    project = await seedProject(hub);
    const lease = new Date(hub.now().getTime() + 1e9);
    await sql`insert into cluster_nodes (node_id, joined_at, lease_until, last_heartbeat_at)
      values (${nodeId}, now(), ${lease}, now())`.execute(hub.database.db);
    const token = ids.deploymentTokenId.raw((await seedToken(hub, project)).tokenId);
    const where = { hub, projectId: project.projectId, nodeId, token };
    for (const [letter, device] of Object.entries(devices)) letters.set(await seed(device, where), letter);
    const { a = {} } = devices;
    const foreign = { ...a, properties: { ...a.properties, 'foreign.property': 1 } };
    const { projectId } = await seedProject(hub, 'Other');
    letters.set(await seed(foreign, { hub, projectId, nodeId, token: null }), '');
  });
  afterAll(() => hub[Symbol.asyncDispose]());
  return {
    nodeId,
    letters,
    query,
    found,
    get hub() {
      return hub;
    },
    get project() {
      return project;
    },
  };

  function query(input: Partial<CallInput<'projects_QueryProjectDevices'>>) {
    const { projectId, owner } = project;
    return hub.as(owner, 'projects_QueryProjectDevices', { projectId, ...input });
  }

  async function found(filter: string, order?: CallInput<'projects_QueryProjectDevices'>['order']) {
    const { devices: listed } = await query({ filter, ...(order === undefined ? {} : { order }) });
    const { projectId, owner } = project;
    const counted = await hub.as(owner, 'projects_CountProjectDevices', { projectId, filter });
    expect(counted).toEqual({ count: listed.length, isAll: true });
    return listed.map(({ deviceId }) => letters.get(deviceId)).join('');
  }
}

interface Where {
  readonly hub: FreshExecutor;
  readonly projectId: Id<'project'>;
  readonly nodeId: string;
  readonly token: string | null;
}

async function seed(device: Device, { hub, projectId, nodeId, token }: Where): Promise<Id<'device'>> {
  const { db } = hub.database;
  const deviceId = newRawId();
  const hoursAgo = (hours: number) => new Date(hub.now().getTime() - hours * 3_600_000);
  await sql`insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, enrolled_by, name, metadata, created_at)
    values (${deviceId}, ${ids.project.raw(projectId)}, ${newRawId()}, '', ${device.isEnrolled === true ? token : null},
      ${device.name ?? null}, ${JSON.stringify(device.label ?? {})}, ${hoursAgo((device.daysOld ?? 0) * 24)})`.execute(
    db,
  );
  for (const [name, value] of Object.entries(device.properties ?? {}))
    await sql`insert into device_properties (device_id, name, value, is_protected, updated_at)
      values (${deviceId}, ${name}, ${JSON.stringify(value)}, false, ${hub.now()})`.execute(db);
  for (const status of device.certificates ?? [])
    await sql`insert into device_certificates (certificate_id, device_id, fingerprint, status, created_at)
      values (${newRawId()}, ${deviceId}, ${newRawId()}, ${status}, ${hoursAgo((device.daysOld ?? 0) * 24)})`.execute(
      db,
    );
  for (const [since, until] of device.connections ?? [])
    await sql`insert into device_connections (connection_id, device_id, node_id, connected_at, ended_at)
      values (${newRawId()}, ${deviceId}, ${nodeId}, ${hoursAgo(since)}, ${until === undefined ? null : hoursAgo(until)})`.execute(
      db,
    );
  return ids.device.of(deviceId);
}
