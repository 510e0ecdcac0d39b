import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findOrInstallBusybox, findOrInstallDash } from '@corral/tools';

/** A shell of devices. */
export interface Shell {
  readonly command: readonly string[];
  /** The folders of its programs. */
  readonly path: string;
}

/** The shells for which the kit is written, by what makes them in a folder. */
export const shells: Readonly<Record<string, (folder: string) => Shell>> = {
  dash: () => ({ command: [findOrInstallDash()], path: process.env['PATH'] ?? '' }),
  'BusyBox ash': (folder) => {
    const busybox = findOrInstallBusybox();
    const applets = join(folder, 'applets');
    mkdirSync(applets);
    // Only these, as on a small device: no curl, no coreutils.
    spawnSync(busybox, ['--install', '-s', applets]);
    return { command: [busybox, 'ash'], path: applets };
  },
};
