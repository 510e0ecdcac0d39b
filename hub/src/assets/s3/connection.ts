import { S3Client } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { guardedAgents, type Agents } from './guarded-agents.ts';
import { isForClients, type AddressRule, type StoreSettings } from './store-settings.ts';

/** A connection to a store. */
export interface Connection {
  readonly settings: StoreSettings;
  readonly client: S3Client;
  /** Signs URLs for clients, if they reach the store; it sends nothing. */
  readonly signer: S3Client;
  readonly agents: Agents;
  close(): void;
}

const connectMs = 5_000;
const idleMs = 120_000;
const maxAttempts = 3;

/** Connects to a store with the given credentials and no others. Retries, with jitter, what can be repeated, at most twice. */
export function connect(settings: StoreSettings, rule: AddressRule): Connection {
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
    close() {
      client.destroy();
      signer.destroy();
    },
  };
}

/** The option of a request that a signal ends. */
export const abortedBy = (signal: AbortSignal | undefined) =>
  signal === undefined ? {} : { abortSignal: signal };

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
