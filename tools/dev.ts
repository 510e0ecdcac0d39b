// `npm run dev`: the hub with seeded data and simulated devices, restarted on change, and the console with hot reload.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildAgentWhenStale } from './build-agent.ts';
import { buildCliWhenStale } from './build-cli.ts';
import { devEnvironment } from './dev-environment.ts';
import { repositoryRoot } from './source-files.ts';

const consoleUrl = 'http://127.0.0.1:5173';
const stopAfterMs = 15_000;

function start(folder: string, args: string[]): ChildProcess {
  const cwd = join(repositoryRoot, folder);
  return spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

const environment = devEnvironment(process.env, process.getuid?.() === 0);
const hubUrl = environment.CORRAL_DEV_HUB;

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

async function stop(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopAfterMs);
  await ended;
  clearTimeout(timer);
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

/** Resolves when the address answers with success, or when a program has ended. */
async function waitFor(url: string, programs: ChildProcess[]): Promise<void> {
  while (programs.every(isRunning) && !(await answers(url))) await pause(200);
}

await buildAgentWhenStale();
await buildCliWhenStale();
const hub = start('.', ['--watch', '--watch-preserve-output', 'hub/src/main.ts', '--demo', '3']);
const vite = join(repositoryRoot, 'node_modules/vite/bin/vite.js');
const consoleServer = start('console', [
  vite,
  '--host',
  '127.0.0.1',
  '--port',
  '5173',
  '--strictPort',
  '--logLevel',
  'warn',
]);
const programs = [hub, consoleServer];

const stopped = new Promise<number>((resolve) => {
  process.on('SIGINT', () => resolve(0)).on('SIGTERM', () => resolve(0));
  hub.on('exit', () => resolve(1));
  consoleServer.on('exit', () => resolve(1));
});

const ready = Promise.all([waitFor(`${hubUrl}/readyz`, programs), waitFor(consoleUrl, programs)]).then(
  () => 'ready',
);
if ((await Promise.race([ready, stopped])) === 'ready' && programs.every(isRunning))
  process.stdout.write(`\nConsole with hot reload: ${consoleUrl}   hub: ${hubUrl}\n\n`);
process.exitCode = await stopped;
await Promise.all(programs.map(stop));
process.exit();
