import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { removeTree, runTool } from '../run-tool.ts';
import { prepareServices, type ClusterServices } from './cluster-services.ts';
import { killContainer, runInContainer, startContainer, unpackInto, type Image } from './container.ts';
import { signInAt, type HubClient } from './hub-client.ts';
import type { RunningProgram } from './programs.ts';
import { ClusterWriter } from './cluster-writer.ts';
import { versionIn } from './try-release.ts';
import { verifyRelease } from '../verify/verify-release.ts';

const deviceCount = 24;
const home = '/usr/lib/corral-hub';
const runAgents = `trap exit TERM
device=0
while [ $device -lt ${deviceCount} ]; do
  device=$((device + 1))
  ${home}/node/bin/node --max-semi-space-size=1 ${home}/agent/dist/corral-agent.mjs run --state /var/lib/corral/$device &
done
wait`;

interface Loss {
  readonly name: string;
  /** How many devices connected again. */
  readonly devices: number;
  /** Until the last of them did. */
  readonly backSecs: number;
  /** The longest time in which the writer got no acknowledgement. */
  readonly pauseSecs: number;
}

/**
 * Runs the services of the compose file with three hubs in containers, kills one after the other while devices are connected and a user writes, and starts it again.
 * Rejects when something that was acknowledged is lost, or a device does not come back.
 */
export async function tryCluster(release: string, publicKey?: string): Promise<void> {
  const version = versionIn(release);
  verifyRelease(release, version, publicKey);
  const archive = join(release, `corral-hub-${version}-linux-${process.arch}.oci.tar`);
  const folder = mkdtempSync(join(tmpdir(), 'corral-cluster-'));
  runTool('chmod', ['755', folder], '/');
  const running = new Map<string, RunningProgram>();
  const image = unpackInto(archive, folder);
  const services = prepareServices(folder, image);
  try {
    await runCluster({ folder, image, services, running });
  } catch (error) {
    const outputs = [...running].map(([name, program]) => `${name}:\n${program.output().slice(-3_000)}`);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The cluster failed: ${reason}\n${outputs.join('\n\n')}`, { cause: error });
  } finally {
    for (const program of [...running.values()].toReversed()) await program.stop();
    services.network.remove();
    removeTree(folder);
  }
}

interface Cluster {
  readonly folder: string;
  readonly image: Image;
  readonly services: ClusterServices;
  readonly running: Map<string, RunningProgram>;
}

async function runCluster(cluster: Cluster): Promise<void> {
  const { services, running } = cluster;
  const start = (name: string): RunningProgram => {
    const program = services.start(name);
    running.set(name, program);
    return program;
  };
  for (const name of ['store', 'nats', 'proxy']) start(name);
  await start('database').find(/(ready to accept connections)/);
  const [first = '', ...others] = services.hubs;
  const password = await start(first).find(/^ +password +(\S+)/);
  for (const name of others) start(name);
  for (const name of services.hubs) await running.get(name)?.find(/(Corral is ready)/);
  const proxy = {
    address: services.proxyAddress,
    host: 'hub.example',
    ca: readFileSync(services.caFile, 'utf8'),
  };
  const hub = await within(30, () => signInAt(proxy, 'admin@localhost', password));
  const { projectId } = await hub.invoke<{ projectId: string }>('projects_CreateProject', { name: 'Trial' });
  const { token } = await hub.invoke<{ token: string }>('projects_CreateDeploymentToken', {
    projectId,
    name: 'trial',
    flags: { autoAccept: true },
  });
  running.set('devices', startDevices(cluster, token));
  const areAllConnected = (): Promise<void> => mustAllBeConnected(hub, projectId);
  await within(120, areAllConnected);
  const writer = await ClusterWriter.start(hub, projectId, (...args) =>
    runInContainer('corral-trial-devices', ...args),
  );
  try {
    const losses: Loss[] = [];
    for (const name of [...services.hubs, 'nats', 'database', ...services.hubs]) {
      process.stderr.write(`Killing ${name} ...\n`);
      losses.push(await lose(name, cluster, areAllConnected, writer, start));
    }
    const { events, files } = await writer.check();
    process.stdout.write(tableOf(losses));
    process.stdout.write(
      `${deviceCount} devices, ${services.hubs.length} hubs: all ${events} events and ${files} files that were acknowledged are there.\n`,
    );
  } finally {
    await writer.stop();
  }
}

/** Kills a service, starts it again (a hub only when all works without it), and waits until nothing changes any more. */
async function lose(
  name: string,
  { services, running }: Cluster,
  areAllConnected: () => Promise<void>,
  writer: ClusterWriter,
  start: (name: string) => RunningProgram,
): Promise<Loss> {
  const isHub = services.hubs.includes(name);
  const killedAtMs = Date.now();
  writer.measure();
  if (name === 'nats') running.get(name)?.kill();
  else killContainer(`corral-trial-${name}`);
  await running.get(name)?.ended;
  if (!isHub) start(name);
  await settle(areAllConnected);
  if (isHub) {
    await start(name).find(/(Corral is ready)/);
    await settle(areAllConnected);
  }
  await writer.acknowledged();
  await writer.upload();
  const returns = connectionsIn(running.get('devices')?.output() ?? '').filter((atMs) => atMs > killedAtMs);
  return {
    name,
    devices: returns.length,
    backSecs: (Math.max(killedAtMs, ...returns) - killedAtMs) / 1000,
    pauseSecs: writer.longestPauseSecs,
  };
}

/** Waits until all devices have been connected for as long as a lost hub may go unnoticed. */
async function settle(areAllConnected: () => Promise<void>): Promise<void> {
  const goneAfterSecs = 10;
  for (let since = performance.now(); performance.now() < since + goneAfterSecs * 1000; await pause(250))
    await areAllConnected().catch(async () => {
      await within(120, areAllConnected);
      since = performance.now();
    });
}

/** When agents connected, by their logs. */
function connectionsIn(output: string): number[] {
  return [...output.matchAll(/"time":"([^"]+)","msg":"connected to/g)].map(([, time = '']) =>
    Date.parse(time),
  );
}

function startDevices({ folder, image, services }: Cluster, token: string): RunningProgram {
  const data = join(folder, 'devices');
  runTool('install', ['-d', '-o', '12345', data], '/');
  runTool('cp', [services.caFile, join(data, 'ca.pem')], '/');
  return startContainer({
    name: 'corral-trial-devices',
    image,
    folder,
    data,
    network: services.network.namespaceOf('devices'),
    hostsFile: services.network.hostsFile,
    env: {
      CORRAL_AGENT_TOKEN: token,
      CORRAL_AGENT_HUB_URL: 'https://hub.example',
      NODE_EXTRA_CA_CERTS: '/var/lib/corral/ca.pem',
    },
    args: ['/bin/sh', '-c', runAgents],
  });
}

async function mustAllBeConnected(hub: HubClient, projectId: string): Promise<void> {
  const { count } = await hub.invoke<{ count: number }>('projects_CountProjectDevices', {
    projectId,
    filter: 'connected',
  });
  if (count !== deviceCount) throw new Error(`${count} of ${deviceCount} devices are connected.`);
}

/** Does it again until it succeeds. */
async function within<Output>(secs: number, act: () => Promise<Output>): Promise<Output> {
  const until = performance.now() + secs * 1000;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (performance.now() > until) throw error;
      await pause(250);
    }
  }
}

function tableOf(losses: readonly Loss[]): string {
  const rows = losses.map(
    ({ name, devices, backSecs, pauseSecs }) =>
      `| ${name} | ${devices} | ${backSecs.toFixed(1)} s | ${pauseSecs.toFixed(1)} s |`,
  );
  return [
    '| killed | devices that connected again | the last of them after | longest pause of the writer |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
