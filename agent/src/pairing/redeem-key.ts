import { request as plainRequest, type IncomingMessage } from 'node:http';
import { createSecureContext } from 'node:tls';
import { ConnectError, refusalOf, unreachable } from '@corral/client';
import { lookupPeer, secureRequests } from '@corral/client/node';
import { type Id, ids } from '@corral/contract';
import type { HubConfig } from '../config.ts';
import { authorities } from '../link/secure-context.ts';
import type { PairingTarget } from './pairing-value.ts';

/** The device that is paired. */
export interface PairedDevice {
  readonly fingerprint: Id<'deviceFingerprint'>;
  readonly deviceName: string | undefined;
}

const answerMs = 15_000;
const maxAnswerBytes = 65_536;

/** Redeems a key at its hub for a deployment token. Rejected with a ConnectError that says why, in the hub's sentence where it refused. */
export async function redeemKey(
  { pairingKey, hubUrls }: PairingTarget,
  { fingerprint, deviceName }: PairedDevice,
): Promise<HubConfig> {
  const input = { pairingKey, fingerprint, ...(deviceName === undefined ? {} : { deviceName }) };
  let failure: unknown;
  for (const hubUrl of hubUrls) {
    try {
      return await redeemAt(hubUrl, JSON.stringify(input));
    } catch (error) {
      if (error instanceof ConnectError && error.status !== undefined) throw error;
      failure = error;
      // Whoever shows a certificate speaks no plain HTTP there.
      if (isOfCertificate(error)) break;
    }
  }
  throw failure ?? new ConnectError('There is no hub to ask.');
}

async function redeemAt(hubUrl: string, body: string): Promise<HubConfig> {
  const answer = await post(hubUrl, body);
  if (answer.statusCode !== 200) throw await refusalOf(answer, hubUrl);
  const token = await tokenIn(answer);
  if (token === undefined) throw new ConnectError(`What answers at ${hubUrl} is no Corral hub.`, 200);
  return { hubUrl, token };
}

function post(hubUrl: string, body: string): Promise<IncomingMessage> {
  const url = `${hubUrl}/api/v1/actions/invoke/projects_RedeemDevicePairingKey`;
  const options = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    signal: AbortSignal.timeout(answerMs),
    lookup: lookupPeer,
  };
  return new Promise((resolve, reject) => {
    const request = hubUrl.startsWith('https:')
      ? secureRequests(process.env).request(url, { ...options, secureContext: trusted() }, resolve)
      : plainRequest(url, options, resolve);
    request.on('error', (error) => {
      const cause = options.signal.aborted ? timedOut() : error;
      reject(Object.assign(unreachable(cause, hubUrl), { cause }));
    });
    request.end(body);
  });
}

const trusted = () => createSecureContext({ ca: authorities() });

function isOfCertificate(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { readonly code?: string };
  return code !== undefined && /CERT|SIGNATURE/.test(code);
}

const timedOut = () => Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' });

async function tokenIn(answer: IncomingMessage): Promise<string | undefined> {
  try {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    for await (const chunk of answer) {
      sizeBytes += (chunk as Buffer).length;
      if (sizeBytes > maxAnswerBytes) return undefined;
      chunks.push(chunk as Buffer);
    }
    const { token } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { token?: unknown };
    return ids.deploymentToken.schema.safeParse(token).success ? (token as string) : undefined;
  } catch {
    return undefined;
  }
}
