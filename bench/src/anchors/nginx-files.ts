import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@corral/tools';
import { startTemporaryNginx, type Nginx } from './start-nginx.ts';

interface NginxFiles extends Nginx {
  readonly port: number;
  /** The path of a stored file on the disk. */
  pathOf(name: string): string;
}

/** The anchor of assets: nginx that stores files by PUT (its dav module) and serves them. It neither verifies nor flushes what it stores. */
export async function nginxFiles(): Promise<NginxFiles> {
  const port = await freePort();
  const { folder, stop } = await startTemporaryNginx(
    (root) => `  sendfile on;
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000;
    client_max_body_size 0;
    location / {
      root ${join(root, 'files')};
      dav_methods PUT;
      create_full_put_path on;
    }
  }`,
  );
  await mkdir(join(folder, 'files'));
  return { port, pathOf: (name) => join(folder, 'files', name), stop };
}
