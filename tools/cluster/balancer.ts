import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nginxConfiguration } from '../nginx-configuration.ts';
import { findOrInstallNginx } from '../servers.ts';
import { listensOn, type Program } from './programs.ts';

/** nginx in front of the hubs, round robin: it does not matter which hub a request reaches. */
export function balancer(folder: string, port: number, hubPorts: readonly number[]): Program {
  const own = join(folder, 'nginx');
  mkdirSync(own, { recursive: true });
  const file = join(own, 'nginx.conf');
  writeFileSync(file, configuration(own, port, hubPorts));
  return {
    name: 'nginx',
    executable: findOrInstallNginx(),
    args: ['-p', own, '-c', file, '-e', 'stderr'],
    ready: () => listensOn(port),
  };
}

// A device takes two connections.
const maxConnections = 16_384;

function configuration(folder: string, port: number, hubPorts: readonly number[]): string {
  const servers = hubPorts
    .map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=2s;`)
    .join('\n    ');
  const links = hubPorts.map((each) => `server 127.0.0.1:${each} max_fails=0;`).join('\n    ');
  const http = `  map $http_upgrade $connection_upgrade {
    default upgrade;
    ''      '';
  }
  upstream hubs {
    ${servers}
    keepalive 32;
  }
  # nginx learns of a success only when a request ends, and a device stays connected: with max_fails, one device in two seconds would come back after a failure.
  upstream links {
    ${links}
  }
  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $connection_upgrade;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_buffering off;
  proxy_request_buffering off;
  client_max_body_size 0;
  proxy_buffer_size 32k;
  proxy_buffers 4 32k;
  proxy_busy_buffers_size 64k;
  proxy_connect_timeout 2s;
  proxy_read_timeout 20s;
  proxy_next_upstream error timeout http_503;
  server {
    listen 127.0.0.1:${port};
    # Hubs send a heartbeat every 5 to 6 seconds; the devices of a hub that is silent for 8 seconds reconnect to another one.
    location /api/v1/connect/ { proxy_pass http://links; proxy_read_timeout 8s; }
    location / { proxy_pass http://hubs; }
  }`;
  const configured = nginxConfiguration({ folder, http, logLevel: 'warn', maxConnections });
  return `worker_rlimit_nofile ${maxConnections};\n${configured}`;
}
