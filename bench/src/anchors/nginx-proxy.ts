import { freePort } from '@corral/tools';
import { startTemporaryNginx, type Nginx } from './start-nginx.ts';

/** The anchor of proxied pages: nginx in front of the same upstream, with keep-alive connections to it. */
export async function nginxProxy(upstreamPort: number): Promise<Nginx & { readonly port: number }> {
  const port = await freePort();
  const { stop } = await startTemporaryNginx(
    () => `  upstream device { server 127.0.0.1:${upstreamPort}; keepalive 64; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000;
    location / {
      proxy_pass http://device;
      proxy_http_version 1.1;
      proxy_set_header Connection '';
      proxy_buffering off;
    }
  }`,
  );
  return { port, stop };
}
