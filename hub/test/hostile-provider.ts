import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { onTestFinished } from 'vitest';

/** What a provider does otherwise than it should; it is honest by default. */
export interface Lies {
  /** Changes claims of the ID token; undefined removes one. */
  claims?: Record<string, unknown>;
  /** How the ID token is signed. */
  signature?: 'right' | 'none' | 'public-key-as-secret' | 'foreign-key' | 'unknown-kid' | 'broken';
  /** Changes parameters of the redirect to the hub; undefined removes one. */
  answer?: Record<string, string | undefined>;
  /** Changes fields of the discovery document. */
  discovery?: Record<string, unknown>;
  userinfo?: Record<string, unknown>;
  userinfoBytes?: number;
  /** Redirects requests of this path to another address. */
  redirects?: Record<string, string>;
  /** Never answers requests of this path. */
  silent?: string;
  /** Answers requests of this path only then. */
  held?: { readonly path: string; readonly until: Promise<unknown> };
  idToken?: 'missing';
}

/** A provider that lies as it is told. */
export interface HostileProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  lies: Lies;
  /** Who is signed in by the next requests for tokens, each once; then the lies say it. */
  nextPeople: Readonly<Record<string, unknown>>[];
  /** How often each path was requested. */
  readonly requests: Map<string, number>;
  /** Signs somebody in at the URL of the hub, and returns where the browser goes then. */
  authorize(url: URL): URL;
  /** A logout token, with changed claims; undefined removes one. */
  logoutToken(claims?: Record<string, unknown>): Promise<string>;
}

interface Grant {
  readonly nonce: string;
  readonly challenge: string;
  readonly redirectUri: string;
}

/** Starts a provider for the length of a test. */
export async function hostileProvider(lies: Lies = {}): Promise<HostileProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const foreign = await generateKeyPair('RS256');
  const grants = new Map<string, Grant>();
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: HostileProvider = {
    issuer,
    clientId: 'corral',
    clientSecret: 'secret of the hub',
    lies,
    nextPeople: [],
    requests: new Map(),
    logoutToken,
    authorize(url) {
      const asked = url.searchParams;
      const code = randomUUID();
      const redirectUri = asked.get('redirect_uri') ?? '';
      grants.set(code, {
        nonce: asked.get('nonce') ?? '',
        challenge: asked.get('code_challenge') ?? '',
        redirectUri,
      });
      const to = new URL(redirectUri);
      const answered = { code, state: asked.get('state') ?? '', iss: issuer, ...provider.lies.answer };
      for (const [name, value] of Object.entries(answered))
        if (value !== undefined) to.searchParams.set(name, value);
      return to;
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', issuer);
    provider.requests.set(pathname, (provider.requests.get(pathname) ?? 0) + 1);
    const { silent, held } = provider.lies;
    if (silent === pathname) return;
    if (held?.path === pathname) await held.until;
    const location = provider.lies.redirects?.[pathname];
    if (location !== undefined) return void response.writeHead(302, { location }).end();
    const body = await bodyOf(pathname, await textOf(request));
    const text = typeof body === 'string' ? body : JSON.stringify(body.json);
    const status = typeof body === 'string' ? 200 : body.status;
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  }

  async function bodyOf(path: string, text: string): Promise<{ status: number; json: unknown } | string> {
    if (path === '/.well-known/openid-configuration')
      return ok({ ...discovery(issuer), ...provider.lies.discovery });
    if (path === '/jwks')
      return ok({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] });
    if (path === '/userinfo') {
      const info = { sub: 'ann', email: 'ann@example.com', groups: ['admins'], ...provider.lies.userinfo };
      return ok({ ...info, padding: 'x'.repeat(provider.lies.userinfoBytes ?? 0) });
    }
    return path === '/token' ? token(new URLSearchParams(text)) : { status: 404, json: {} };
  }

  async function token(sent: URLSearchParams): Promise<{ status: number; json: unknown }> {
    const grant = grants.get(sent.get('code') ?? '');
    grants.delete(sent.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight = grant?.challenge === challenge && grant.redirectUri === sent.get('redirect_uri');
    if (!isRight)
      return { status: 400, json: { error: 'invalid_grant', error_description: '<b>secret words</b>' } };
    const id_token = provider.lies.idToken === 'missing' ? {} : { id_token: await idToken(grant.nonce) };
    return ok({ access_token: 'access', token_type: 'bearer', ...id_token });
  }

  function logoutToken(claims: Record<string, unknown> = {}): Promise<string> {
    const right = {
      iss: issuer,
      aud: 'corral',
      iat: Math.floor(Date.now() / 1000),
      jti: randomUUID(),
      sub: 'ann',
      sid: 's1',
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    };
    return sign({ ...right, ...claims });
  }

  function idToken(nonce: string): Promise<string> {
    const nowSecs = Math.floor(Date.now() / 1000);
    const right = {
      iss: issuer,
      sub: 'ann',
      aud: 'corral',
      nonce,
      iat: nowSecs,
      exp: nowSecs + 300,
      sid: 's1',
    };
    return sign({ ...right, ...provider.lies.claims, ...provider.nextPeople.shift() });
  }

  async function sign(all: Record<string, unknown>): Promise<string> {
    const claims = JSON.parse(JSON.stringify(all)) as JWTPayload;
    const signed = (kid: string) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid });
    const signature = provider.lies.signature ?? 'right';
    if (signature === 'none') return new UnsecuredJWT(claims).encode();
    if (signature === 'public-key-as-secret')
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'one' })
        .sign(new TextEncoder().encode(await exportSPKI(publicKey)));
    if (signature === 'foreign-key') return signed('one').sign(foreign.privateKey);
    const jwt = await signed(signature === 'unknown-kid' ? 'two' : 'one').sign(privateKey);
    return signature === 'broken' ? jwt.slice(0, -8) + 'AAAAAAAA' : jwt;
  }
  return provider;
}

const ok = (json: unknown) => ({ status: 200, json });

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

const discovery = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  authorization_response_iss_parameter_supported: true,
});
