import { join } from 'node:path';
import { freePorts, type HubName } from '@corral/tools';
import { startNginx } from '../anchors/start-nginx.ts';
import { startProgram } from '../processes.ts';
import type { ClusterTestbed } from './cluster-testbed.ts';

/** An nginx that terminates TLS for each hub, as docs/reverse-proxy.md configures it. */
export interface TlsFront {
  urlOf(hub: HubName): string;
  /** The environment of clients that trust its certificate. */
  readonly clientEnv: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts it in front of these hubs. */
export async function startTlsFront(testbed: ClusterTestbed, hubs: readonly HubName[]): Promise<TlsFront> {
  const folder = join(testbed.folder, 'tls');
  await startProgram('tools/dev-certificate.ts', [folder]).waitForExit();
  const ports = await freePorts(hubs.length);
  const portOf = (hub: HubName): number => ports[hubs.indexOf(hub)] ?? 0;
  const servers = hubs.map((hub) => server(folder, portOf(hub), testbed.hubUrls[hub]));
  const nginx = await startNginx(folder, servers.join('\n'));
  return {
    urlOf: (hub) => `https://localhost:${portOf(hub)}`,
    clientEnv: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
    stop: nginx.stop,
  };
}

function server(folder: string, port: number, hubUrl: string): string {
  return `  server {
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
