import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWTPayload } from 'jose';
import { onTestFinished } from 'vitest';

/** How a token is signed. */
interface Signing {
  readonly alg?: string;
  readonly kid?: string;
  readonly key?: CryptoKey | Uint8Array;
}

/** A CI with an issuer of its own, which signs what a test asks. */
export interface PlayedCi {
  readonly issuer: string;
  readonly port: number;
  /** How often each path was requested. */
  readonly requests: Map<string, number>;
  /** Fields of the discovery document that are otherwise. */
  discovery: Record<string, unknown>;
  isDown: boolean;
  /** Signs an ID token; undefined removes a claim. */
  sign(claims?: Record<string, unknown>, signing?: Signing): Promise<string>;
  unsigned(claims?: Record<string, unknown>): string;
  /** Replaces the key. */
  rotate(): Promise<void>;
}

/** Starts a CI for the length of a test; its tokens are those of GitHub, at a time and for an audience. */
export async function playedCi(at: () => Date, audience: string): Promise<PlayedCi> {
  let kid = 'one';
  let keys = await generateKeyPair('RS256', { extractable: true });
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    ci.requests.set(path, (ci.requests.get(path) ?? 0) + 1);
    if (ci.isDown) return void response.writeHead(503).end();
    void answer(path).then((body) => response.end(JSON.stringify(body)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const answer = async (path: string): Promise<unknown> =>
    path === '/jwks'
      ? { keys: [{ ...(await exportJWK(keys.publicKey)), kid, alg: 'RS256', use: 'sig' }] }
      : { issuer, jwks_uri: `${issuer}/jwks`, ...ci.discovery };
  const claimsOf = (claims: Record<string, unknown>): JWTPayload => {
    const nowSecs = Math.floor(at().getTime() / 1000);
    const right = {
      iss: issuer,
      aud: audience,
      sub: 'repo:ann/press:ref:refs/heads/main',
      jti: randomUUID(),
      iat: nowSecs,
      nbf: nowSecs,
      exp: nowSecs + 300,
      repository: 'ann/press',
      repository_id: '123',
      repository_owner_id: '45',
      ref: 'refs/heads/main',
      event_name: 'push',
      environment: 'release',
      job_workflow_ref: 'ann/press/.github/workflows/release.yml@refs/heads/main',
    };
    return JSON.parse(JSON.stringify({ ...right, ...claims })) as JWTPayload;
  };
  const ci: PlayedCi = {
    issuer,
    port,
    requests: new Map(),
    discovery: {},
    isDown: false,
    sign: (claims = {}, signing = {}) =>
      new SignJWT(claimsOf(claims))
        .setProtectedHeader({ alg: signing.alg ?? 'RS256', kid: signing.kid ?? kid })
        .sign(signing.key ?? keys.privateKey),
    unsigned: (claims = {}) => new UnsecuredJWT(claimsOf(claims)).encode(),
    async rotate() {
      keys = await generateKeyPair('RS256', { extractable: true });
      kid = `${kid}'`;
    },
  };
  return ci;
}
