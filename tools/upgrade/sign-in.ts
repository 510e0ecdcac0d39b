import { createHmac } from 'node:crypto';
import { httpExecutor, type Executor } from '@corral/client';

/** Who signs in to a hub, by password and, with a secret in base32, by the code of an authenticator. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly secret?: string;
}

/** Calls with the session of somebody. */
export interface Session extends Executor {
  signOut(): Promise<void>;
}

/** Signs somebody in as the console does. Rejects with the answer of the hub if that fails. */
export async function signInOverHttp(
  url: string,
  { email, password, secret }: Credentials,
): Promise<Session> {
  const post = async (path: string, body: unknown, cookie = ''): Promise<string> => {
    const headers = { 'content-type': 'application/json', origin: url, cookie, 'user-agent': 'upgrade' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} ended with ${answer.status}: ${await answer.text()}`);
    return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };
  const first = await post('/api/private/login', { email, password, remember: true });
  const cookie =
    secret === undefined ? first : await post('/api/private/login/factor', { code: codeOf(secret) }, first);
  const { invoke } = httpExecutor({
    baseUrl: url,
    fetch: (to, init) =>
      fetch(to, { ...init, headers: { ...(init?.headers as object), cookie, origin: url } }),
  });
  return { invoke, signOut: async () => void (await post('/api/private/logout', {}, cookie)) };
}

/** The code that an authenticator shows some steps of 30 seconds from now (RFC 6238). */
export function codeOf(secret: string, steps = 0): string {
  const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((symbol) => base32.indexOf(symbol).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}
