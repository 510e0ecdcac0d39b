import type { Vault } from '../platform/vault/vault.ts';
import { openCiIssuers } from '../auth/ci/ci-issuers.ts';
import type { Config } from '../config/config.ts';
import { instanceSettings } from '../config/instance-settings.ts';
import { outgoingRule } from '../config/outgoing-addresses.ts';
import { openOutgoing } from '../platform/outgoing/open-outgoing.ts';
import type { Log } from '../platform/log/log.ts';
import type { MailTransport } from '../platform/mail/email.ts';
import { sendTestMail } from '../platform/mail/send-test-mail.ts';
import { createCore, type Core, type CoreParts } from './core.ts';
import { openSettings, type LiveSettings } from './instance-values.ts';
import { currentTransport } from './start-mail.ts';

/** The core, the effective settings, and the mail transport of these settings. */
export interface OpenedCore {
  readonly core: Core;
  readonly settings: LiveSettings;
  readonly transport: () => MailTransport;
  /** Ends the requests of actions to servers that users name. */
  closeOutgoing(): Promise<void>;
}

interface Parts extends Omit<
  CoreParts,
  'registration' | 'settings' | 'sendTestMail' | 'ciIssuers' | 'outgoing'
> {
  readonly config: Config;
  readonly log: Log;
  readonly vault: Vault;
}

/** Reads the settings of the instance and builds the core with them. */
export async function openCore({ config, ...parts }: Parts): Promise<OpenedCore> {
  const { database, vault, log, now, origins } = parts;
  const definitions = instanceSettings(config);
  const settings = await openSettings({ db: database.db, vault, definitions, log });
  const transport = currentTransport(config, settings, log);
  const outgoing = openOutgoing({ rule: outgoingRule(config.privateTargets) });
  const core = createCore({
    ...parts,
    registration: () => ({
      isOpen: settings.current().isRegistrationOpen,
      concealsExisting: config.registrationConcealExisting,
      isMailConfigured: settings.current().isMailConfigured,
    }),
    settings: definitions,
    sendTestMail: (to) => sendTestMail(transport(), to, origins().console, now()),
    ciIssuers: openCiIssuers({ list: () => settings.current().ciIssuers, fetch: outgoing.fetch }),
    outgoing,
  });
  settings.follow(core.bus);
  return { core, settings, transport, closeOutgoing: () => outgoing.close() };
}
