import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOrInstallNginx, freePort } from '@corral/tools';
import { startExecutable } from '../processes.ts';

/** The anchor of proxied pages: nginx in front of the same upstream, with keep-alive connections to it. */
export async function nginxProxy(upstreamPort: number): Promise<{ port: number; stop(): Promise<void> }> {
  const nginx = findOrInstallNginx();
  const folder = await mkdtemp(join(tmpdir(), 'corral-nginx-'));
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
  ${temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ')}
  upstream device { server 127.0.0.1:${upstreamPort}; keepalive 64; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000;
    location / {
      proxy_pass http://device;
      proxy_http_version 1.1;
      proxy_set_header Connection '';
      proxy_buffering off;
    }
  }
}
`,
  );
  const program = startExecutable(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr']);
  await program.waitForLine(/start worker process (\d+)/);
  return {
    port,
    async stop() {
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
