import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findOrInstallNginx, freePorts, type HubName } from '@corral/tools';
import { startExecutable, startProgram } from '../processes.ts';
import type { ClusterTestbed } from './cluster-testbed.ts';

/** An nginx that terminates TLS for each hub, as docs/reverse-proxy.md configures it. */
export interface TlsFront {
  urlOf(hub: HubName): string;
  /** The environment of clients that trust its certificate. */
  readonly clientEnv: Record<string, string>;
  stop(): Promise<void>;
}

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Starts it in front of these hubs. */
export async function startTlsFront(testbed: ClusterTestbed, hubs: readonly HubName[]): Promise<TlsFront> {
  const folder = join(testbed.folder, 'tls');
  await startProgram('tools/dev-certificate.ts', [folder]).waitForExit();
  const ports = await freePorts(hubs.length);
  const portOf = (hub: HubName): number => ports[hubs.indexOf(hub)] ?? 0;
  const servers = hubs.map((hub) => server(folder, portOf(hub), testbed.hubUrls[hub]));
  const file = join(folder, 'nginx.conf');
  await writeFile(file, configuration(folder, servers));
  const program = startExecutable(findOrInstallNginx(), ['-p', folder, '-c', file, '-e', 'stderr']);
  await program.waitForLine(/start worker process (\d+)/);
  return {
    urlOf: (hub) => `https://localhost:${portOf(hub)}`,
    clientEnv: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
    stop: program.stop,
  };
}

function server(folder: string, port: number, hubUrl: string): string {
  return `server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${join(folder, 'hub-certificate.pem')};
    ssl_certificate_key ${join(folder, 'hub-key.pem')};
    ssl_verify_client optional_no_ca;
    location / {
      proxy_pass ${hubUrl};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Client-Cert $ssl_client_escaped_cert;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection upgrade;
      proxy_buffering off;
      proxy_buffer_size 32k;
      proxy_buffers 4 32k;
      proxy_busy_buffers_size 64k;
    }
  }`;
}

function configuration(folder: string, servers: readonly string[]): string {
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${join(folder, 'nginx.pid')};
error_log stderr notice;
events { worker_connections 512; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ')}
  ${servers.join('\n  ')}
}
`;
}
