import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOrInstallNginx, nginxConfiguration } from '@corral/tools';
import { startExecutable } from '../processes.ts';

/** An nginx in a process of its own. */
export interface Nginx {
  stop(): Promise<void>;
}

/** Starts nginx with these directives of its `http` block, and an existing folder for its files. */
export async function startNginx(folder: string, http: string): Promise<Nginx> {
  const file = join(folder, 'nginx.conf');
  await writeFile(file, nginxConfiguration({ folder, http, logLevel: 'notice', maxConnections: 512 }));
  const program = startExecutable(findOrInstallNginx(), ['-p', folder, '-c', file, '-e', 'stderr']);
  await program.waitForLine(/start worker process (\d+)/);
  return { stop: program.stop };
}

/** Starts nginx in a temporary folder, which is removed when it stops; `httpOf` gives the directives of its `http` block. */
export async function startTemporaryNginx(
  httpOf: (folder: string) => string,
): Promise<Nginx & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'corral-nginx-'));
  const nginx = await startNginx(folder, httpOf(folder));
  return {
    folder,
    async stop() {
      await nginx.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
