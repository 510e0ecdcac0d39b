import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { findOrInstallChromium } from '../../chromium.ts';
import { removeTree, runTool } from '../run-tool.ts';
import { verifyRelease, verifySums } from '../verify/verify-release.ts';
import type { RunningProgram } from './programs.ts';
import { tryUpgrade } from './try-upgrade.ts';
import { makeToken, seeConnectedDevice, seeVersion, signIn } from './use-hub.ts';
import { waysOf, type Way } from './ways.ts';

interface Trial {
  readonly way: string;
  /** From the command that installs to the first connected device in the browser. */
  readonly toDeviceSecs: number;
  readonly installSecs: number;
  readonly restartSecs: number;
  readonly sizeMb: number;
}

/** What of a release is tried. */
interface TrialOptions {
  /** The only way; all without it. */
  readonly only: string | undefined;
  /** The file of the key that verifies the signature. */
  readonly publicKey: string | undefined;
  /** The folder of an older release, which is upgraded instead. */
  readonly from: string | undefined;
}

/** Verifies a release, and in each of its ways installs it, signs in, connects a device, restarts or upgrades, and removes it. Prints a table; rejects with what failed first. */
export async function tryRelease(release: string, { only, publicKey, from }: TrialOptions): Promise<void> {
  const version = versionIn(release);
  verifyRelease(release, version, publicKey);
  if (from !== undefined) {
    const older = { folder: from, version: versionIn(from) };
    // What is in it followed the rules of its time.
    verifySums(from, older.version, publicKey);
    return tryUpgrade({ folder: release, version }, older, only);
  }
  const browser = await chromium.launch({
    executablePath: findOrInstallChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
  const trials: Trial[] = [];
  try {
    for (const way of waysOf(release, version))
      if (only === undefined || only === way.name) trials.push(await tryWay(way, version, browser));
  } finally {
    await browser.close();
  }
  process.stdout.write(tableOf(trials));
  for (const name of readdirSync(release).filter((each) => each.endsWith('.rpm')))
    process.stdout.write(
      `${name}: ${runTool('rpm', ['-qpl', join(release, name)], release).split('\n').length} files, not installed\n`,
    );
}

export function versionIn(release: string): string {
  const found = readdirSync(release).map((name) => /^corral-(\d+\.\d+\.\d+)\.tgz$/.exec(name)?.[1]);
  const version = found.find((each) => each !== undefined);
  if (version === undefined) throw new Error(`There are no files of a release in ${release}.`);
  return version;
}

async function tryWay(way: Way, version: string, browser: Browser): Promise<Trial> {
  process.stderr.write(`Trying ${way.name} ...\n`);
  const folder = mkdtempSync(join(tmpdir(), 'corral-trial-'));
  runTool('chmod', ['755', folder], '/');
  const startedAt = performance.now();
  const installed = way.install(folder);
  const installSecs = secondsSince(startedAt);
  const port = 20_000 + (process.pid % 10_000);
  const programs: RunningProgram[] = [];
  const start = (program: RunningProgram): RunningProgram => {
    programs.push(program);
    return program;
  };
  const stopAll = async (): Promise<void> => {
    for (const program of programs.splice(0).toReversed()) await program.stop();
  };
  try {
    const hub = start(installed.startHub(port));
    const url = await hub.find(/Corral is ready: (http\S+)/);
    const password = await hub.find(/^ +password +(\S+)/);
    const page = await signIn(browser, url, { email: 'admin@localhost', password });
    const { projectId, token } = await makeToken(page);
    start(installed.startAgent(url, token));
    await seeConnectedDevice(page, projectId);
    const toDeviceSecs = secondsSince(startedAt);
    await seeVersion(page, projectId, version);
    await installed.check?.(hub);
    await stopAll();
    installed.upgrade?.();
    const restartedAt = performance.now();
    await start(installed.startHub(port)).find(/Corral is ready: (http\S+)/);
    const restartSecs = secondsSince(restartedAt);
    start(installed.startAgent(url, token));
    await seeConnectedDevice(page, projectId);
    await page.close();
    const sizeMb = Number.parseInt(runTool('du', ['-sm', installed.files], '/'), 10);
    return { way: way.name, toDeviceSecs, installSecs, restartSecs, sizeMb };
  } catch (error) {
    const outputs = programs.map((program) => program.output()).join('\n\n');
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The way ${way.name} failed: ${reason}\nIts programs wrote:\n${outputs}`, {
      cause: error,
    });
  } finally {
    await stopAll();
    installed.remove();
    removeTree(folder);
  }
}

const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1000;

function tableOf(trials: readonly Trial[]): string {
  const rows = trials.map(
    ({ way, toDeviceSecs, installSecs, restartSecs, sizeMb }) =>
      `| ${way} | ${toDeviceSecs.toFixed(1)} s | ${installSecs.toFixed(1)} s | ${restartSecs.toFixed(1)} s | ${sizeMb} MB |`,
  );
  return [
    '| way | to the first connected device | of it, installing | hub ready after a restart | installed |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
