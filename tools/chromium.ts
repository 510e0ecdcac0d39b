import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

const places = [
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * The path of a browser that runs. `CORRAL_CHROMIUM` decides alone where it is set; else the usual names and places are tried,
 * and then Debian's package is installed where this user may. Throws one sentence that says what to install.
 */
export function findOrInstallChromium(env: NodeJS.ProcessEnv = process.env): string {
  const named = env['CORRAL_CHROMIUM'];
  if (named) {
    if (runs(named)) return named;
    throw new Error(
      `CORRAL_CHROMIUM names ${named}, which does not run: set it to the path of a Chromium or Chrome.`,
    );
  }
  const found = findChromium(env) ?? (install(env) ? findChromium(env) : undefined);
  if (found !== undefined) return found;
  throw new Error(
    'The browser tests need Chromium or Chrome: install it (Debian: apt-get install chromium) or set CORRAL_CHROMIUM to its path.',
  );
}

/** The first browser on the path or in a usual place that runs; undefined where there is none. */
export function findChromium(
  env: NodeJS.ProcessEnv,
  usualPlaces: readonly string[] = places,
): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...usualPlaces].find((path) => existsSync(path) && runs(path));
}

// A file of that name may be a stub (Ubuntu's package points to a snap), so only an answer counts.
function runs(path: string): boolean {
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0;
}

function install(env: NodeJS.ProcessEnv): boolean {
  if (process.getuid?.() !== 0) return false;
  const aptGet = (...args: string[]): boolean =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 2, 2],
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  if (!aptGet('--version')) return false;
  process.stderr.write('Installing the package chromium for the browser tests ...\n');
  return aptGet('-qq', 'update') && aptGet('-qq', 'install', '-y', '--no-install-recommends', 'chromium');
}
