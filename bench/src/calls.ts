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
  const inputs = {
    query: { name: 'projects_GetProjectDetails', input: () => ({ projectId: user.projectId }) },
    command: {
      name: 'devices_SetDeviceName',
      input: (index: number) => ({ deviceId: deviceIds[index], name: `device ${index}` }),
    },
  };
  const server = startProgram('bench/src/anchors/http-server.ts', [], { BENCH_DATABASE_URL: databaseUrl });
  const anchorUrl = `http://127.0.0.1:${await server.waitForLine(/listening (\d+)/)}`;
  const plain = (index: number) => ({
    userId: ids.user.raw(user.userId),
    projectId: ids.project.raw(user.projectId),
    deviceId: ids.device.raw(deviceIds[index] ?? 'd_'),
    name: `device ${index}`,
  });
  const lines: Line[] = [];
  for (const kind of ['query', 'command'] as const) {
    const { name, input } = inputs[kind];
    const plainHttp = httpCaller(anchorUrl, {}, timing.callers);
    const http = httpCaller(hub.url, { authorization: `Bearer ${user.token}` }, timing.callers);
    const channels = await openChannels(hub, user);
    const figures = await loadInTurns(
      {
        anchor: (index) => plainHttp.post(`/${kind}`, plain(index)),
        http: (index) => http.post(`/api/v1/actions/invoke/${name}`, input(index)),
        channel: (index) => channels.invoke(index, name, input(index)),
      },
      timing,
    );
    for (const one of [plainHttp, http, channels]) one.close();
    lines.push(
      ...compare(`${kind} over HTTP`, figures.http, figures.anchor),
      ...compare(`${kind} over a channel (RPC)`, figures.channel, figures.anchor),
    );
  }
  await server.stop();
  return lines;
}

function compare(what: string, ours: LoadResult, anchor: LoadResult): Line[] {
  const anchorName = 'plain node:http, same prepared SQL by pg';
  return [
    line({ what, unit: '/s', ours: ours.perSecond, anchor: anchor.perSecond, anchorName }, { atLeast: 0.8 }),
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
