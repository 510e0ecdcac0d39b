import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/** The anchor of resolving by path: only `node:http`, `pg` and one statement, without a check of permissions. */
const pool = new pg.Pool({ connectionString: process.env['BENCH_DATABASE_URL'], max: 20 });

const resolve = `select r.repository_id, p.package_id, t.version_id, f.asset_id
  from repositories r join packages p using (repository_id) join package_tags t using (package_id) join version_assets f using (version_id)
  where r.name = $1 and p.name = $2 and t.tag = $3 and f.filename = $4`;

interface Path {
  readonly repository: string;
  readonly package: string;
  readonly tag: string;
  readonly filename: string;
}

async function bodyOf(request: IncomingMessage): Promise<Path> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Path;
}

const server = createServer((request, response) => {
  void (async () => {
    const path = await bodyOf(request);
    const values = [path.repository, path.package, path.tag, path.filename];
    const { rows } = await pool.query({ name: 'resolve', text: resolve, values });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows[0]));
  })().catch((error: unknown) => response.writeHead(500).end(String(error)));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
