import type { Json } from '@corral/contract';
import type { ProviderSettings } from '../auth/oidc/provider.ts';
import type { Vault } from '../platform/vault/vault.ts';
import { repeat } from '../platform/concurrency/repeat.ts';
import { issuersOf } from '../config/ci-issuers.ts';
import type { InstanceSettingMap } from '../config/instance-settings.ts';
import type { Database } from '../platform/db/connect.ts';
import type { EventBus } from '../platform/events/bus.ts';
import type { PublicSettings } from '../entry/http/identity.ts';
import type { Log } from '../platform/log/log.ts';
import { readTest } from '../domains/identities/index.ts';
import { readSettings, type StoredSettings } from '../domains/instance/index.ts';

/** The effective settings of the instance. */
export interface InstanceValues extends PublicSettings {
  readonly eventRetentionMonths: number;
  /** If absent, e-mails are written to a folder. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** Called each minute while the hub is healthy. */
  readonly heartbeatUrl: string | undefined;
  /** Undefined until issuer, id and secret are set. */
  readonly provider: ProviderSettings | undefined;
  /** The issuers of the CIs whose jobs may publish. */
  readonly ciIssuers: readonly string[];
}

/** The effective settings, at most five seconds old. */
export interface LiveSettings {
  current(): InstanceValues;
  /** Starts following changes: those of this node by events, those of other nodes by polling the table. */
  follow(bus: EventBus): void;
  stop(): Promise<void>;
}

interface Parts {
  readonly db: Database;
  readonly vault: Vault;
  readonly definitions: InstanceSettingMap;
  readonly log: Log;
}

const pollIntervalMs = 2_000;

/** Reads the settings once; after `follow` they stay up to date. */
export async function openSettings(parts: Parts): Promise<LiveSettings> {
  const read = async (): Promise<InstanceValues> =>
    valuesOf(parts.definitions, await readSettings(parts.db, parts.vault), await readTest(parts.db));
  let values = await read();
  const reread = async (): Promise<void> => void (values = await read());
  const stops: (() => unknown)[] = [];
  return {
    current: () => values,
    follow(bus) {
      stops.push(
        bus.subscribe(({ name }) => (name === 'instance_SettingChanged' ? reread() : undefined), reread),
        repeat(reread, pollIntervalMs, parts.log),
      );
    },
    async stop() {
      for (const stop of stops.splice(0)) await stop();
    },
  };
}

/** The effective settings: for each the configured value, else the stored one, else the default. */
export function valuesOf(
  definitions: InstanceSettingMap,
  stored: StoredSettings,
  test: Awaited<ReturnType<typeof readTest>>,
): InstanceValues {
  const value = (key: string): Json => {
    const definition = definitions.get(key);
    return definition?.configured?.value ?? stored.get(key) ?? definition?.fallback ?? null;
  };
  const text = (key: string): string | undefined => (value(key) ?? undefined) as string | undefined;
  const provider = providerOf(text);
  const isConfigured = ['oidcIssuer', 'oidcClientId'].every(
    (key) => definitions.get(key)?.configured !== undefined,
  );
  const isTested = test?.issuer === provider?.issuer && test?.client_id === provider?.clientId;
  const isHtml = definitions.get('banner')?.configured !== undefined;
  return {
    // Who registers chooses a password.
    isRegistrationOpen: value('registration') !== 'closed' && value('passwords') === 'allowed',
    isMailConfigured: value('smtpUrl') !== null,
    banner: text('banner') === undefined ? undefined : { text: String(text('banner')), isHtml },
    productUrl: text('productUrl'),
    termsUrl: text('termsUrl'),
    privacyUrl: text('privacyUrl'),
    adminContact: text('adminContact'),
    eventRetentionMonths: Number(value('eventRetentionMonths')),
    smtpUrl: text('smtpUrl'),
    mailFrom: text('mailFrom') ?? '',
    heartbeatUrl: text('heartbeatUrl'),
    provider,
    // Only settings with which somebody has signed in are offered to others, or that the operator has configured.
    providerName:
      provider !== undefined && (isConfigured || isTested)
        ? (text('oidcName') ?? new URL(provider.issuer).host)
        : undefined,
    prefersProvider: value('passwords') !== 'allowed',
    ciIssuers: issuersOf(text('ciIssuers') ?? ''),
  };
}

function providerOf(text: (key: string) => string | undefined): ProviderSettings | undefined {
  const [issuer, clientId, clientSecret] = [
    text('oidcIssuer'),
    text('oidcClientId'),
    text('oidcClientSecret'),
  ];
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  // Where no group gives anything, a claim in an unknown form shuts nobody out.
  const groupsClaim = text('oidcGroups') === undefined ? undefined : text('oidcGroupsClaim');
  return { issuer, clientId, clientSecret, scopes: ['profile', 'email'], groupsClaim };
}
