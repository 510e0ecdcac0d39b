import { createHash, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { AddressRule } from '../../../../platform/outgoing/address-rule.ts';
import { StorageError } from '../asset-storage.ts';
import { connect, type Connection } from './connection.ts';
import { newProbeFolder, probeNames } from '../probe-objects.ts';
import { plainRequest, type PlainAnswer, type PlainRequest } from './plain-request.ts';
import { codeOf, statusOf, storeFault, storeWords, type ServiceError } from './store-faults.ts';
import type { StoreLimits } from './store-limits.ts';
import { isForClients, type StoreCapabilities, type StoreSettings } from './store-settings.ts';

const canaryBytes = 100_000;
const sizeToAnnounce = 2 * canaryBytes;
const ttlSecs = 300;
const maxProbeMs = 60_000;

/** The dependencies of the probe of a store. */
export interface ProbeParts {
  readonly rule: AddressRule;
  readonly now: () => Date;
  /** Overrides of `defaultStoreLimits`. */
  readonly limits?: Partial<StoreLimits>;
  /** Whether the message of a refusal has the store's own words, which only an operator may read: they may be those of an internal service. */
  readonly isForOperator?: boolean;
}

interface Probe {
  readonly connection: Connection;
  /** The clock of the hub. */
  readonly now: () => Date;
  /** Set once the store has answered. */
  clockAheadMs: number;
  readonly bytes: Buffer;
  readonly keyOf: (name: string) => string;
  readonly isForOperator: boolean;
  /** Ends a probe of a store that answers too slowly. */
  readonly abortSignal: AbortSignal;
}

/**
 * Finds out, with small objects that it deletes again, what a store enforces. Rejects with a StorageError if the store cannot be used at
 * all. Everything else is a finding.
 */
export async function probeStore(
  settings: StoreSettings,
  { rule, now, limits, isForOperator = false }: ProbeParts,
): Promise<StoreCapabilities> {
  const connection = connect(settings, rule, limits);
  const folder = newProbeFolder(settings.prefix);
  const probe: Probe = {
    connection,
    now,
    clockAheadMs: 0,
    bytes: randomBytes(canaryBytes),
    keyOf: (name) => `${folder}/${name}`,
    isForOperator,
    abortSignal: AbortSignal.timeout(maxProbeMs),
  };
  try {
    return await runProbe(probe);
  } finally {
    await Promise.allSettled(probeNames.map((name) => remove(probe, name)));
    connection.close();
  }
}

async function runProbe(probe: Probe): Promise<StoreCapabilities> {
  const takesChecksum = await putRight(probe);
  probe.clockAheadMs = await readClock(probe);
  const checksum = takesChecksum ? await answerToWrongChecksum(probe) : 'rejected';
  const reportsChecksum = await finds(() => reportsRightChecksum(probe));
  const conditional = await fails(() => signedPut(probe, 'right', { IfNoneMatch: '*' }), [412]);
  const ranges = await finds(() => servesRange(probe));
  const discardsShortUploads = await finds(() => discardsCutUpload(probe));
  const presigned = isForClients(probe.connection.settings)
    ? await triesPresigned(probe)
    : { presignedUrls: false, isForHubOnly: true };
  const deletes = await finds(() => deletesObject(probe));
  return {
    checksum,
    conditional,
    reportsChecksum,
    ranges,
    discardsShortUploads,
    deletes,
    ...presigned,
    clockAheadSecs: Math.round(probe.clockAheadMs / 1000),
  };
}

/** How far the clock of the store is ahead, by the date of whatever it answers. */
async function readClock({ connection, now, abortSignal }: Probe): Promise<number> {
  const { agents, settings } = connection;
  try {
    const answer = await plainRequest(agents, { method: 'GET', url: settings.endpoint }, abortSignal);
    return answer?.date === undefined ? 0 : answer.date.getTime() - now().getTime();
  } catch {
    return 0;
  }
}

const storeTime = ({ now, clockAheadMs }: Probe): Date => new Date(now().getTime() + clockAheadMs);

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64');

/** Uploads the first object, with its checksum; if the store refuses that, without. Whether it took the checksum. */
async function putRight(probe: Probe): Promise<boolean> {
  const { connection, bytes, keyOf, abortSignal } = probe;
  const { client, settings } = connection;
  const put = { Bucket: settings.bucket, Key: keyOf('right'), Body: bytes };
  try {
    await client.send(new PutObjectCommand({ ...put, ChecksumSHA256: sha256(bytes) }), { abortSignal });
    return true;
  } catch (error) {
    if (![400, 501].includes(statusOf(error) ?? 0)) throw unusable(error, probe);
  }
  try {
    await client.send(new PutObjectCommand(put), { abortSignal });
    return false;
  } catch (error) {
    throw unusable(error, probe);
  }
}

function unusable(error: unknown, { connection, isForOperator }: Probe): StorageError {
  const { settings } = connection;
  const { fault, message } = storeFault(error, settings);
  const words = isForOperator ? storeWords(error, settings) : codeOf(error as ServiceError);
  const said = statusOf(error) === undefined || words === undefined ? '' : ` It said “${words}”.`;
  return new StorageError(fault, message + said, { cause: error });
}

/**
 * As clients upload: with a presigned URL whose checksum is a signed header. It is signed by the clock of the store, so that another clock does not look like a
 * lack of features.
 */
async function signedPut(
  probe: Probe,
  name: string,
  more: Partial<PutObjectCommandInput>,
  sent: Partial<PlainRequest> = {},
): Promise<PlainAnswer | undefined> {
  const { connection, bytes, keyOf, abortSignal } = probe;
  const { client, settings, agents } = connection;
  const ContentLength = more.ContentLength ?? bytes.length;
  const command = new PutObjectCommand({ Bucket: settings.bucket, Key: keyOf(name), ContentLength, ...more });
  const url = await getSignedUrl(client, command, {
    expiresIn: ttlSecs,
    signingDate: storeTime(probe),
    unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
    signableHeaders: new Set(['host', 'content-length', 'if-none-match', 'x-amz-checksum-sha256']),
  });
  const headers = {
    'content-length': ContentLength,
    ...(more.ChecksumSHA256 === undefined ? {} : { 'x-amz-checksum-sha256': more.ChecksumSHA256 }),
    ...(more.IfNoneMatch === undefined ? {} : { 'if-none-match': more.IfNoneMatch }),
  };
  return plainRequest(agents, { method: 'PUT', url, headers, body: bytes, ...sent }, abortSignal);
}

async function answerToWrongChecksum(probe: Probe): Promise<'enforced' | 'ignored'> {
  const ChecksumSHA256 = sha256(Buffer.from('other bytes'));
  const isRefused = await fails(() => signedPut(probe, 'wrong', { ChecksumSHA256 }), [400, 403, 422]);
  // A store that takes no presigned upload at all refuses the right checksum as well.
  const isRightTaken = await finds(async () => {
    const answer = await signedPut(probe, 'right', { ChecksumSHA256: sha256(probe.bytes) });
    return answer?.status === 200;
  });
  return isRefused && isRightTaken ? 'enforced' : 'ignored';
}

async function reportsRightChecksum({ connection, bytes, keyOf, abortSignal }: Probe): Promise<boolean> {
  const { client, settings } = connection;
  const command = new HeadObjectCommand({
    Bucket: settings.bucket,
    Key: keyOf('right'),
    ChecksumMode: 'ENABLED',
  });
  return (await client.send(command, { abortSignal })).ChecksumSHA256 === sha256(bytes);
}

async function servesRange({ connection, bytes, keyOf, abortSignal }: Probe): Promise<boolean> {
  const { client, settings } = connection;
  const command = new GetObjectCommand({
    Bucket: settings.bucket,
    Key: keyOf('right'),
    Range: 'bytes=1000-1999',
  });
  const { Body, ContentLength } = await client.send(command, { abortSignal });
  if (ContentLength !== 1000) {
    (Body as unknown as { destroy(): void }).destroy();
    return false;
  }
  const part = (await Body?.transformToByteArray()) ?? Buffer.alloc(0);
  return bytes.subarray(1000, 2000).equals(part);
}

async function discardsCutUpload(probe: Probe): Promise<boolean> {
  await signedPut(probe, 'cut', { ContentLength: sizeToAnnounce }, { isCutOff: true });
  // A store notices the end of a connection a moment later.
  for (let look = 0; look < 4; look += 1) {
    await setTimeout(150);
    if (await exists(probe, 'cut')) return false;
  }
  return true;
}

async function triesPresigned(
  probe: Probe,
): Promise<Pick<StoreCapabilities, 'presignedUrls' | 'isClockInTheWay'>> {
  const presignedUrls = await finds(() => servesPresigned(probe, probe.now()));
  const isByItsClock = !presignedUrls && (await finds(() => servesPresigned(probe, storeTime(probe))));
  return { presignedUrls, ...(isByItsClock ? { isClockInTheWay: true } : {}) };
}

async function servesPresigned(probe: Probe, signingDate: Date): Promise<boolean> {
  const { connection, bytes, keyOf, abortSignal } = probe;
  const { signer, settings, agents } = connection;
  const Range = 'bytes=0-999';
  const command = new GetObjectCommand({ Bucket: settings.bucket, Key: keyOf('right'), Range });
  const url = await getSignedUrl(signer, command, { expiresIn: ttlSecs, signingDate });
  const sent = { method: 'GET', url, headers: { range: Range } };
  const answer = await plainRequest(agents, sent, abortSignal);
  return answer?.body.equals(bytes.subarray(0, 1000)) === true;
}

async function deletesObject(probe: Probe): Promise<boolean> {
  await remove(probe, 'right');
  return !(await exists(probe, 'right'));
}

async function exists(probe: Probe, name: string): Promise<boolean> {
  const { connection, keyOf, abortSignal } = probe;
  const { client, settings } = connection;
  const command = new HeadObjectCommand({ Bucket: settings.bucket, Key: keyOf(name) });
  try {
    await client.send(command, { abortSignal });
    return true;
  } catch (error) {
    if (statusOf(error) === 404) return false;
    throw error;
  }
}

async function remove({ connection, keyOf, abortSignal }: Probe, name: string): Promise<void> {
  const { client, settings } = connection;
  const command = new DeleteObjectCommand({ Bucket: settings.bucket, Key: keyOf(name) });
  await client.send(command, { abortSignal });
}

/** Whether the store answers with one of these statuses. */
async function fails(
  request: () => Promise<PlainAnswer | undefined>,
  statuses: readonly number[],
): Promise<boolean> {
  return finds(async () => statuses.includes((await request())?.status ?? 0));
}

/** A finding; what fails altogether is not found. */
async function finds(check: () => Promise<boolean>): Promise<boolean> {
  try {
    return await check();
  } catch {
    return false;
  }
}
