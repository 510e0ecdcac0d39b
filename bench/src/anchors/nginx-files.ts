import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOrInstallNginx, freePort } from '@corral/tools';
import { startExecutable } from '../processes.ts';

/** The anchor of assets: nginx that stores files by PUT (its dav module) and serves them. It neither verifies nor flushes what it stores. */
export async function nginxFiles(): Promise<{
  port: number;
  pathOf(name: string): string;
  stop(): Promise<void>;
}> {
  const nginx = findOrInstallNginx();
  const folder = await mkdtemp(join(tmpdir(), 'corral-nginx-'));
  await mkdir(join(folder, 'files'));
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  await writeFile(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${join(folder, 'nginx.pid')};
error_log stderr notice;
events { worker_connections 512; }
http {
  access_log off;
  sendfile on;
  ${temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ')}
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000;
    client_max_body_size 0;
    location / {
      root ${join(folder, 'files')};
      dav_methods PUT;
      create_full_put_path on;
    }
  }
}
`,
  );
  const program = startExecutable(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr']);
  await program.waitForLine(/start worker process (\d+)/);
  return {
    port,
    pathOf: (name) => join(folder, 'files', name),
    async stop() {
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
