import { chownSync, mkdirSync } from 'node:fs';
import { createConnection } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runTool } from '../run-tool.ts';
import { runInContainer, startContainer, type ContainerPlan } from './container.ts';
import type { RunningProgram } from './programs.ts';

const backends = 1_000;
/** The hub sends its devices away and stops its PostgreSQL within it. */
const stopWithinSecs = 30;

/** Checks a container whose hub has a connected device, and stops it. Throws one sentence about what is wrong. */
export async function checkRunningContainer(plan: ContainerPlan, hub: RunningProgram): Promise<void> {
  const { Labels, Healthcheck } = plan.image.config;
  mustBe('the licence in its labels', Labels['org.opencontainers.image.licenses'], 'Apache-2.0');
  const [, ...health] = Healthcheck.Test;
  runInContainer(plan.name, ...health);
  await connectToDatabase(plan, backends);
  await mustHaveNoZombies(plan.name, `after ${backends} connections to its PostgreSQL`);
  await killBackend(plan);
  await mustHaveNoZombies(plan.name, 'after a process of its PostgreSQL was killed');
  const startedAt = performance.now();
  mustBe('the exit code after SIGTERM', await hub.stop(), 0);
  const secs = (performance.now() - startedAt) / 1000;
  if (secs > stopWithinSecs) throw new Error(`The container took ${secs.toFixed(1)} s to stop.`);
  process.stderr.write(
    `image: stopped with a connected device in ${secs.toFixed(1)} s, no zombies after ${backends} connections\n`,
  );
  const unhealthy = startContainer({ ...plan, args: health });
  mustBe('the exit code of the health check without a hub', await unhealthy.ended, 1);
}

/** Checks what the image says of the volumes that users get wrong. */
export async function checkVolumes(plan: ContainerPlan): Promise<void> {
  await mustRefuse({ ...plan, user: { uid: 54_321, gid: 0 } }, 'chown -R 54321 /var/lib/corral');
  const foreign = join(plan.folder, 'foreign');
  mkdirSync(foreign, { mode: 0o700 });
  chownSync(foreign, 777, 777);
  await mustRefuse({ ...plan, data: foreign }, 'chown -R 12345 /var/lib/corral');
  await mustWarnWithoutVolume(plan);
}

async function mustRefuse(plan: ContainerPlan, command: string): Promise<void> {
  const hub = startContainer(plan);
  mustBe('the exit code with a volume of another user', await hub.ended, 1);
  const lines = hub.output().split('\n');
  if (lines.length !== 1 || !lines[0]?.includes(command))
    throw new Error(`A volume of another user is not refused with \`${command}\`:\n${hub.output()}`);
}

async function mustWarnWithoutVolume(plan: ContainerPlan): Promise<void> {
  const [upper, work, root] = ['upper', 'work', 'overlay'].map((name) => join(plan.folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [upper, work, root]) mkdirSync(path);
  const layers = `lowerdir=${plan.image.root},upperdir=${upper},workdir=${work}`;
  runTool('mount', ['-t', 'overlay', '-o', layers, 'overlay', root], '/');
  try {
    const { data: _, ...withoutData } = plan;
    const hub = startContainer({ ...withoutData, writableRoot: root });
    await hub.find(/(Corral is ready)/);
    await hub.stop();
    if (!/lost with/.test(hub.output()))
      throw new Error(`A container without a volume does not warn:\n${hub.output()}`);
  } finally {
    runTool('umount', ['--lazy', root], '/');
  }
}

/** PostgreSQL starts a process for each connection. */
async function connectToDatabase({ data = '' }: ContainerPlan, count: number): Promise<void> {
  const path = join(data, 'postgres/run/.s.PGSQL.5432');
  for (let index = 0; index < count; index += 1) {
    const socket = createConnection(path);
    await once(socket, 'connect');
    socket.end();
    socket.resume();
    await once(socket, 'close');
  }
}

/** Kills a process of PostgreSQL, which then ends all others and starts them again. */
async function killBackend({ name, env }: ContainerPlan): Promise<void> {
  const kill = `for file in /proc/[0-9]*/cmdline; do
    read -r line <"$file"
    case $line in 'postgres: '*' checkpointer'*) pid=\${file#/proc/}; kill -KILL "\${pid%/cmdline}"; exit ;; esac
  done
  exit 1`;
  runInContainer(name, '/bin/sh', '-c', kill);
  const isReady = async (): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${env['CORRAL_PORT']}/readyz`)).ok;
  await within(30, isReady, () => 'The hub is not ready again after a process of its PostgreSQL was killed.');
}

async function mustHaveNoZombies(name: string, when: string): Promise<void> {
  const list = 'for file in /proc/[0-9]*/stat; do read -r line <"$file" && echo "$line"; done 2>/dev/null; :';
  const zombies = (): string[] =>
    runInContainer(name, '/bin/sh', '-c', list)
      .split('\n')
      .filter((line) => line.includes(') Z '));
  // One may have ended just now: it is a zombie only until process 1 sees it.
  await within(
    5,
    () => zombies().length === 0,
    () => `Below process 1 are zombies ${when}:\n${zombies().join('\n')}`,
  );
}

async function within(
  secs: number,
  isSo: () => boolean | Promise<boolean>,
  problem: () => string,
): Promise<void> {
  const until = performance.now() + secs * 1000;
  while (!(await isSo())) {
    if (performance.now() > until) throw new Error(problem());
    await pause(200);
  }
}

function mustBe<Value extends string | number | null | undefined>(
  what: string,
  value: Value,
  expected: Value,
): void {
  if (value !== expected) throw new Error(`In the image ${what} is ${value}, not ${expected}.`);
}
