import { ids } from '@corral/contract';
import type { RpcClient } from '@corral/multiplex';
import { openRpc } from './device-link.ts';
import type { BenchHub, BenchUser } from './bench-hub.ts';
import { prepareDevices } from './devices.ts';
import { httpCaller } from './http-caller.ts';
import { loadInTurns, type LoadResult } from './load.ts';
import { startProgram } from './processes.ts';
import { line, type Line } from './table.ts';

/** The warm-up is long enough for the compiler: it takes the hub's code of an action for hot only after thousands of calls. */
const timing = { callers: 16, warmUpMs: 10_000, measureMs: 10_000 };

/** Calls per second over HTTP and over a channel, compared with a minimal server that runs the same SQL. */
export async function calls(hub: BenchHub, user: BenchUser, databaseUrl: string): Promise<Line[]> {
  // One device for each caller, so that callers do not wait for row locks of each other.
  const { deviceIds } = await prepareDevices(user, timing.callers);
  const kinds = await kindsOf(user, deviceIds);
  const server = startProgram('bench/src/anchors/http-server.ts', [], { BENCH_DATABASE_URL: databaseUrl });
  const anchorUrl = `http://127.0.0.1:${await server.waitForLine(/listening (\d+)/)}`;
  const plain = (index: number) => ({
    userId: ids.user.raw(user.userId),
    projectId: ids.project.raw(user.projectId),
    deviceId: ids.device.raw(deviceIds[index] ?? 'd_'),
    name: `device ${index}`,
  });
  const lines: Line[] = [];
  for (const { what, name, input, anchorPath, goal } of kinds) {
    const plainHttp = httpCaller(anchorUrl, {}, timing.callers);
    const http = httpCaller(hub.url, { authorization: `Bearer ${user.token}` }, timing.callers);
    const channels = await openChannels(hub, user);
    const figures = await loadInTurns(
      {
        anchor: (index) => plainHttp.post(anchorPath, plain(index)),
        http: (index) => http.post(`/api/v1/actions/invoke/${name}`, input(index)),
        channel: (index) => channels.invoke(index, name, input(index)),
      },
      timing,
    );
    for (const one of [plainHttp, http, channels]) one.close();
    lines.push(
      ...compare(`${what} over HTTP`, figures.http, figures.anchor, goal),
      ...compare(`${what} over a channel (RPC)`, figures.channel, figures.anchor, goal),
    );
  }
  await server.stop();
  return lines;
}

/** A call that is measured beside one of the anchor. */
interface CallKind {
  readonly what: string;
  readonly name: string;
  readonly input: (caller: number) => unknown;
  readonly anchorPath: string;
  readonly goal?: { readonly atLeast: number };
}

async function kindsOf(user: BenchUser, deviceIds: readonly string[]): Promise<CallKind[]> {
  const projectIds = await createProjects(user, timing.callers);
  return [
    {
      what: 'query',
      name: 'projects_GetProjectDetails',
      input: () => ({ projectId: user.projectId }),
      anchorPath: '/query',
      goal: { atLeast: 0.8 },
    },
    {
      what: 'command',
      name: 'devices_SetDeviceName',
      input: (index: number) => ({ deviceId: deviceIds[index], name: `device ${index}` }),
      anchorPath: '/command',
      goal: { atLeast: 0.8 },
    },
    {
      // The anchor does as much for the name of a device.
      what: 'command with a transaction of its own',
      name: 'projects_SetName',
      input: (index: number) => ({ projectId: projectIds[index], name: `project ${index}` }),
      anchorPath: '/command',
    },
  ];
}

async function createProjects({ executor }: BenchUser, count: number): Promise<string[]> {
  const projectIds: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { projectId } = await executor.invoke('projects_CreateProject', { name: `project ${index}` });
    projectIds.push(projectId);
  }
  return projectIds;
}

function compare(
  what: string,
  ours: LoadResult,
  anchor: LoadResult,
  goal?: { readonly atLeast: number },
): Line[] {
  const anchorName = 'plain node:http, same prepared SQL by pg';
  return [
    line({ what, unit: '/s', ours: ours.perSecond, anchor: anchor.perSecond, anchorName }, goal),
    line({ what: `${what}, p99`, unit: 'ms', ours: ours.p99Ms, anchor: anchor.p99Ms, anchorName }),
  ];
}

/** Each caller has its own executor channel; four connections carry them. */
async function openChannels(hub: BenchHub, user: BenchUser) {
  const headers = {
    authorization: `Bearer ${user.token}`,
    'x-user-token': user.token,
    'x-register-connection': 'true',
  };
  const links = await Promise.all(Array.from({ length: 4 }, () => openRpc(hub.url, headers)));
  const clients: RpcClient[] = [];
  for (let index = 0; index < timing.callers; index += 1) {
    clients.push(await (links[index % links.length] as (typeof links)[number]).newClient());
  }
  return {
    invoke: async (caller: number, name: string, input: unknown) => clients[caller]?.invoke(name, input),
    close() {
      for (const link of links) link.close();
    },
  };
}
