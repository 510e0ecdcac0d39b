import { fileURLToPath } from 'node:url';
import type { Storages } from '../domains/assets/storage/storages.ts';
import type { InstanceStore } from './instance-store.ts';
import { shareRuns } from '../platform/concurrency/share-runs.ts';
import type { Config } from '../config/config.ts';
import { ping } from '../platform/db/ping.ts';
import { createHttpServer, type HttpServer } from '../entry/http/http-server.ts';
import type { Metrics } from '../entry/http/metrics.ts';
import type { Log } from '../platform/log/log.ts';
import { instanceIdOf, publicInstanceId } from '../domains/instance/index.ts';
import { type AddedTransfers, addTransfers } from './add-transfers.ts';
import type { Core } from './core.ts';
import type { LiveSettings } from './instance-values.ts';
import type { HubDatabase } from './open-database.ts';
import type { Vault } from '../platform/vault/vault.ts';
import { identityProvider } from './identity-provider.ts';
import { connectionLimits } from './connection-limits.ts';
import { version } from './version.ts';

/** The folder of the built console. */
export const consoleDir = fileURLToPath(new URL('../../../console/dist', import.meta.url));
const agentFile = fileURLToPath(new URL('../../../agent/dist/corral-agent.mjs', import.meta.url));
const cliFile = fileURLToPath(new URL('../../../cli/dist/corral.mjs', import.meta.url));

const natsUnreachableNotice =
  'NATS cannot be reached: changes on other nodes take effect here after some seconds.';

/** `/readyz` is open to everybody, so requests share an answer of the database for a moment; health checks come once a second. */
const keepPingMs = 250;
/** A connection that hangs must not hide that the next one works. */
const maxPingMs = 2_000;

interface HttpParts {
  readonly config: Config;
  readonly settings: LiveSettings;
  readonly log: Log;
  readonly now: () => Date;
  readonly core: Core;
  readonly metrics: Metrics;
  readonly database: HubDatabase;
  readonly storages: Storages;
  readonly vault: Vault;
  readonly instanceStore: InstanceStore;
  /** Whether this node holds a lease and is not stopping. */
  readonly mayServe: () => boolean;
  /** Undefined without a cluster. */
  readonly nats: { readonly isConnected: boolean } | undefined;
}

/** Builds the HTTP server with the transfers of assets, which end when it closes. Its readiness requires that the database answers and the node may serve. */
export async function createHttp({
  config,
  settings,
  log,
  now,
  core,
  metrics,
  database,
  storages,
  vault,
  instanceStore,
  mayServe,
  nats,
}: HttpParts): Promise<HttpServer> {
  const pingDatabase = sharedPing(database);
  const isReady = async (): Promise<boolean> => {
    await pingDatabase();
    return mayServe();
  };
  const { executor, bus, refusedCalls, untakenAnswers } = core;
  const provider = identityProvider({ config, settings, vault, now });
  const http = await createHttpServer({
    config,
    settings: () => settings.current(),
    executor,
    untakenAnswers,
    bus,
    userRefusals: refusedCalls.users,
    log,
    metrics,
    consoleDir,
    agentFile,
    cliFile,
    version,
    isReady,
    publicInstanceId: publicInstanceId(await instanceIdOf(database.db)),
    readyNotice() {
      const notices = [
        nats?.isConnected === false ? natsUnreachableNotice : undefined,
        instanceStore.notice(),
      ];
      return notices.filter((notice) => notice !== undefined).join('\n') || undefined;
    },
    connectionLimits: connectionLimits(config),
    providerSignIn: provider.signIn,
  });
  const transfers = addTransfers({ log, now, core, metrics, http, storages });
  return { ...http, close: closeWith(http, transfers, provider) };
}

function closeWith(
  http: HttpServer,
  transfers: AddedTransfers,
  provider: ReturnType<typeof identityProvider>,
): HttpServer['close'] {
  return async (withinMs) => {
    transfers.stop();
    await http.close(withinMs);
    await transfers.finish();
    await provider.close();
  };
}

/** A ping of the database whose answer is shared by requests at about the same time. */
function sharedPing({ db }: HubDatabase): () => Promise<void> {
  const nowMs = (): number => performance.now();
  return shareRuns(() => ping(db), { keepMs: keepPingMs, maxRunMs: maxPingMs, nowMs });
}
