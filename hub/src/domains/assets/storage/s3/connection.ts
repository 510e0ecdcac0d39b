import { S3Client, type $Command, type ServiceInputTypes, type ServiceOutputTypes } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { AddressRule } from '../../../../platform/outgoing/address-rule.ts';
import { guardedAgents, type Agents } from '../../../../platform/outgoing/guarded-agents.ts';
import { limitAnswers } from './limit-answers.ts';
import { defaultStoreLimits, type StoreLimits } from './store-limits.ts';
import { isForClients, type StoreSettings } from './store-settings.ts';

/** A connection to a store. */
export interface Connection {
  readonly settings: StoreSettings;
  readonly client: S3Client;
  /** Signs URLs for clients, if they reach the store; it sends nothing. */
  readonly signer: S3Client;
  readonly agents: Agents;
  readonly limits: StoreLimits;
  /** Sends a request without a body of its own. Rejects when the signal aborts, and when the answer takes longer than the limit. */
  send<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
    command: $Command<Input, Output, S3Client['config'], ServiceInputTypes, ServiceOutputTypes>,
    options?: SendOptions,
  ): Promise<Output>;
  close(): void;
}

interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds; by default the limit of an answer. */
  readonly longestMs?: number;
}

const connectMs = 5_000;
const idleMs = 120_000;
const maxAttempts = 3;

/** Connects to a store with the given credentials and no others. Retries, with jitter, what can be repeated, at most twice. */
export function connect(
  settings: StoreSettings,
  rule: AddressRule,
  changes: Partial<StoreLimits> = {},
): Connection {
  const limits = { ...defaultStoreLimits, ...changes };
  const agents = guardedAgents(rule);
  const requestHandler = new NodeHttpHandler({
    ...agents,
    connectionTimeout: connectMs,
    socketTimeout: idleMs,
    logger: silent,
  });
  const { endpoint } = settings;
  const publicEndpoint = isForClients(settings) ? settings.publicEndpoint : undefined;
  const client = new S3Client({ ...clientOptions(settings), endpoint, requestHandler });
  limitAnswers(client, settings, limits);
  const signer = new S3Client({
    ...clientOptions(settings),
    endpoint: publicEndpoint ?? endpoint,
    requestHandler,
  });
  return {
    settings,
    client,
    signer,
    agents,
    limits,
    async send(command, { signal, longestMs = limits.answerMs } = {}) {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), longestMs);
      const abortSignal = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
      try {
        return await client.send(command, { abortSignal });
      } finally {
        clearTimeout(timer);
      }
    },
    close() {
      client.destroy();
      signer.destroy();
    },
  };
}

/** The library would write warnings to the console. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Everything that the library would otherwise take from the environment or from files of the user is given here. */
function clientOptions({ region, forcePathStyle, accessKeyId, secretAccessKey }: StoreSettings) {
  return {
    region: region ?? 'us-east-1',
    forcePathStyle,
    credentials: { accessKeyId, secretAccessKey },
    // By default it adds CRC32 checksums, which many stores refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    followRegionRedirects: false,
    maxAttempts,
    retryMode: 'standard',
    defaultsMode: 'standard',
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    useArnRegion: false,
    disableMultiregionAccessPoints: true,
    userAgentAppId: 'corral',
    logger: silent,
  } as const;
}
