import type { Executor } from '@corral/client';
import type { CallInput, Id } from '@corral/contract';
import { listLines, type ListKind, sessionOf } from '../list-times.ts';
import type { Line } from '../table.ts';
import type { Testbed } from '../testbed.ts';
import { deletionLines } from './deletion.ts';
import { preparePropertyIndex } from './property-index.ts';
import { counts, seedFleet, type SeededFleet } from './seed.ts';

/** The first page of the console's lists of devices and events. */
const [deviceRows, eventRows] = [500, 100];
const [pageBarMs, overviewBarMs, filterBarMs] = [100, 200, 250];

const filters = [
  'connected',
  '-connected',
  'cert:pending',
  'status:error',
  'nobody-has-this',
  'host-99',
  'offline>7d -name:Device*',
];
const propertyFilters = [
  'ota.version:2.4.1',
  'connected ota.slot:a not ota.version:2.3.*',
  'arch:aarch64,armv7l label.ring:canary',
  'system.disks.availableSpace<1MB',
  'system.disks.availableSpace>9GB',
  '-ota.version:2.*',
  'has:ota.slot -arch:x86_64',
];
const orders = [
  ...(['firstSeen', '-firstSeen', 'lastSeen', '-lastSeen', 'name', '-name', 'id', '-id'] as const),
  ...(['status', '-status', 'pending', '-pending'] as const),
];
const eventFilters = [
  'severity:critical',
  '-severity:info category:update',
  'emitted>20d',
  'nobody-has-this',
];

/** The lists of a fleet that is large: first pages, the list of projects, the counts of a project, and its deletion. */
export async function largeFleet(testbed: Testbed): Promise<Line[]> {
  const fleet = await seedFleet(testbed.databaseUrl, testbed.user.userId);
  const session = sessionOf(testbed);
  await preparePropertyIndex(session, testbed.databaseUrl, fleet, propertyFilters);
  const lists = await listLines(kindsOf(session, testbed, fleet));
  return [...lists, ...(await deletionLines(testbed, fleet))];
}

function kindsOf(session: Executor, { user }: Testbed, { projectId, deviceId }: SeededFleet): ListKind[] {
  const ofDevices = (input: Partial<CallInput<'projects_QueryProjectDevices'>>) =>
    session.invoke('projects_QueryProjectDevices', { projectId, limit: deviceRows, ...input });
  const countOf = (filter: string) => session.invoke('projects_CountProjectDevices', { projectId, filter });
  const ofEvents = (input: Partial<CallInput<'devices_QueryDeviceEvents'>>) =>
    session.invoke('devices_QueryDeviceEvents', { deviceId, limit: eventRows, ...input });
  return [
    { what: `${counts.devices} devices, first page`, barMs: pageBarMs, calls: [() => ofDevices({})] },
    {
      what: `${counts.devices} devices, slowest filter`,
      barMs: filterBarMs,
      calls: filters.map((filter) => () => ofDevices({ filter })),
    },
    {
      what: `${counts.devices} devices, slowest filter of a property`,
      barMs: filterBarMs,
      calls: propertyFilters.map((filter) => () => ofDevices({ filter })),
    },
    {
      what: `${counts.devices} devices, slowest count of what a filter finds`,
      barMs: filterBarMs,
      calls: [...filters, ...propertyFilters].map((filter) => () => countOf(filter)),
    },
    {
      what: `${counts.devices} devices, slowest order`,
      barMs: filterBarMs,
      calls: orders.map((order) => () => ofDevices({ order })),
    },
    ...kindsOfOverview(session, projectId),
    ...kindsOfProjects(session, user.userId, projectId),
    {
      what: `${counts.events} events, first page of a device`,
      barMs: pageBarMs,
      calls: [() => ofEvents({})],
    },
    {
      what: `${counts.events} events, slowest filter of those of a device`,
      barMs: filterBarMs,
      calls: eventFilters.map((filter) => () => ofEvents({ filter })),
    },
  ];
}

function kindsOfOverview(session: Executor, projectId: Id<'project'>): ListKind[] {
  const views = [...filters, ...propertyFilters].slice(0, 8);
  return [
    {
      what: `${counts.devices} devices, overview`,
      barMs: overviewBarMs,
      calls: [() => session.invoke('projects_GetOverview', { projectId, groupBy: 'ring' })],
    },
    {
      what: `${counts.devices} devices, counts of eight saved views`,
      barMs: filterBarMs,
      calls: [() => session.invoke('projects_CountFilteredDevices', { projectId, filters: views })],
    },
  ];
}

function kindsOfProjects(session: Executor, userId: Id<'user'>, projectId: Id<'project'>): ListKind[] {
  return [
    {
      what: `${counts.projects} projects of ${counts.devicesOfEach} devices, list with counts`,
      barMs: pageBarMs,
      calls: [() => session.invoke('users_QueryUserProjects', { userId })],
    },
    {
      what: `${counts.devices} devices, counts of the project`,
      barMs: pageBarMs,
      calls: [() => session.invoke('projects_GetProjectDetails', { projectId })],
    },
  ];
}
