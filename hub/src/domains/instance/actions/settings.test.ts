import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { type Somebody } from '../../../../test/seed.ts';
import { smtpInbox, type SmtpInbox } from '../../../../test/smtp-inbox.ts';
import { testVault } from '../../../../test/test-vault.ts';
import { openSettings, valuesOf } from '../../../wiring/instance-values.ts';
import { loadConfig } from '../../../config/config.ts';
import { instanceSettings } from '../../../config/instance-settings.ts';
import { createInProcessBus } from '../../../platform/events/bus.ts';
import { sendTestMail } from '../../../platform/mail/send-test-mail.ts';
import { smtpTransport } from '../../../platform/mail/smtp-transport.ts';
import { readSettings } from '../sql/instance-settings.ts';

const configured = {
  CORRAL_MAIL_FROM: 'Hub <hub@example.org>',
  CORRAL_TERMS_URL: 'https://example.org/terms',
};
const config = loadConfig({ argv: [], env: configured, hostname: 'testing', isTerminal: false });
const definitions = instanceSettings(config);

let hub: FreshExecutor;
let inbox: SmtpInbox;
let admin: Somebody;
let mailUrl: string;

beforeAll(async () => {
  inbox = await smtpInbox();
  mailUrl = inbox.url;
  hub = await freshExecutor({
    config,
    sendTestMail: (to) =>
      sendTestMail(
        smtpTransport({ url: mailUrl, from: config.mailFrom }),
        to,
        'https://hub.example',
        hub.now(),
      ),
  });
  admin = await hub.user('admin@example.org', { isAdmin: true });
});
afterAll(async () => {
  await inbox[Symbol.asyncDispose]();
  await hub[Symbol.asyncDispose]();
});

const set = (key: string, value: string | number | null) =>
  hub.as(admin, 'instance_SetInstanceSettingRaw', { key, value });
const refused = (key: string, value: unknown) =>
  hub.refusal(admin, 'instance_SetInstanceSettingRaw', { key, value });
const all = () => hub.as(admin, 'instance_GetInstanceSettingsRaw', {});
const present = async () => valuesOf(definitions, await readSettings(hub.database.db, testVault), undefined);
const stored = () => hub.database.db.selectFrom('instance_settings').selectAll().execute();

test('a setting has its default, then what an administrator sets, then with null its default again', async () => {
  expect((await all()).settings).toMatchObject({
    registration: 'open',
    eventRetentionMonths: 12,
    quotaMaxBytes: null,
  });
  await set('registration', 'closed');
  await set('eventRetentionMonths', 3);
  expect((await all()).settings).toMatchObject({ registration: 'closed', eventRetentionMonths: 3 });
  expect(await present()).toMatchObject({ isRegistrationOpen: false, eventRetentionMonths: 3 });
  await set('registration', null);
  await set('eventRetentionMonths', null);
  expect(await stored()).toEqual([]);
  expect((await all()).settings).toMatchObject({ registration: 'open', eventRetentionMonths: 12 });
});

test('a setting of the configuration is shown with its place, and cannot be changed', async () => {
  const { details = [] } = await all();
  expect(details.filter(({ configuredBy }) => configuredBy !== undefined)).toMatchObject([
    { key: 'termsUrl', value: 'https://example.org/terms', configuredBy: 'CORRAL_TERMS_URL' },
    { key: 'mailFrom', value: 'Hub <hub@example.org>', configuredBy: 'CORRAL_MAIL_FROM' },
  ]);
  expect(await refused('termsUrl', 'https://example.org/other')).toEqual({
    kind: 'Invalid',
    message: 'The link to the Terms of Service is set by CORRAL_TERMS_URL. Change it there.',
  });
  expect(await refused('mailFrom', null)).toMatchObject({ kind: 'Invalid' });
});

test.each([
  ['registration', 'ajar', 'Registration must be open or closed.'],
  ['eventRetentionMonths', 0, 'The number of months must be a whole number from 1 to 1200.'],
  ['eventRetentionMonths', 1.5, 'The number of months must be a whole number from 1 to 1200.'],
  ['connectionHistoryDays', 9999, 'The number of days must be a whole number from 1 to 3650.'],
  ['quotaMaxBytes', -1, 'The number of bytes must be a whole number from 1 to 9007199254740991.'],
  ['banner', 'x'.repeat(1001), 'The banner must be at most 1000 characters long.'],
  ['banner', 'x'.repeat(60_000), 'The banner must be at most 2000 characters long.'],
  [
    'privacyUrl',
    'javascript:alert(1)',
    'The link to the Privacy Policy must be an https address such as https://hub.example/terms.',
  ],
  [
    'smtpUrl',
    'https://mail.example',
    'The mail server must be a URL such as smtps://user:password@server:465.',
  ],
  ['banner', { text: 'x' }, 'The banner must be a text or a number, or null for the default.'],
  ['registration', ['open'], 'Registration must be a text or a number, or null for the default.'],
])('%s = %j is refused with a sentence, and nothing is changed', async (key, value, message) => {
  expect(await refused(key, value)).toEqual({ kind: 'Invalid', message });
  expect(await stored()).toEqual([]);
});

test('an unknown setting is refused with the names of those that there are', async () => {
  expect((await refused('constructor', 1)).message).toMatch(
    /^There is no such setting\. The settings are registration, banner,/,
  );
});

test('the mail server is stored sealed, shown without its password, and never in the audit log', async () => {
  await set('smtpUrl', 'smtps://mailer:canary-9271@mail.example:465');
  const { settings, details = [] } = await all();
  expect(settings).not.toHaveProperty('smtpUrl');
  expect(details.find(({ key }) => key === 'smtpUrl')).toMatchObject({
    value: 'smtps://mail.example:465',
    isSet: true,
  });
  expect(await present()).toMatchObject({ smtpUrl: 'smtps://mailer:canary-9271@mail.example:465' });
  const { db } = hub.database;
  const rows = [
    await stored(),
    await db.selectFrom('audit_actions').selectAll().execute(),
    await db.selectFrom('audit_events').selectAll().execute(),
    hub.emittedEvents,
    details,
  ];
  const text = JSON.stringify(rows, (_key, value: unknown) =>
    Buffer.isBuffer(value) ? value.toString('latin1') : value,
  );
  expect(text).toContain('instance_SettingChanged');
  expect(text).not.toContain('canary-9271');
  await set('smtpUrl', null);
});

test('a repository that is created has the quotas of the settings', async () => {
  await set('quotaMaxBytes', 1024 ** 3);
  await set('quotaMaxAssets', 5);
  const created = await hub.as(admin, 'repositories_CreateRepository', { name: 'bounded' });
  if (created.result !== 'Created') throw new Error(created.result);
  const { maxBytes, maxAssets } = await hub.as(admin, 'repositories_GetRepositoryDetails', {
    repositoryId: created.repositoryId,
  });
  expect({ maxBytes, maxAssets }).toEqual({ maxBytes: 1024 ** 3, maxAssets: 5 });
  await set('quotaMaxBytes', null);
  await set('quotaMaxAssets', null);
});

test('another node takes a change over without an event', async () => {
  const bus = createInProcessBus((error) => console.error(error));
  const log = { warn: console.warn } as never;
  const other = await openSettings({ db: hub.database.db, vault: testVault, definitions, log });
  other.follow(bus);
  try {
    await set('banner', 'Maintenance <b>tonight</b>');
    const banner = { text: 'Maintenance <b>tonight</b>', isHtml: false };
    await vi.waitFor(() => expect(other.current().banner).toEqual(banner), { interval: 50 });
  } finally {
    await other.stop();
    await set('banner', null);
  }
});

test('a test e-mail goes to the administrator, and its outcome is a sentence', async () => {
  const sendTest = () => hub.as(admin, 'instance_SendTestMail', {});
  const sent = await sendTest();
  expect(sent).toEqual({
    isSent: true,
    message: 'The mail server 127.0.0.1 accepted the e-mail to admin@example.org.',
  });
  expect(inbox.mails.at(-1)).toMatchObject({
    to: ['admin@example.org'],
    headers: { subject: 'Corral can send e-mails' },
    html: expect.stringContaining('<a href="https://hub.example/admin/settings"') as string,
    text: expect.stringContaining('\nhttps://hub.example/admin/settings\n') as string,
  });
  inbox.refuseRecipients(550);
  expect(await sendTest()).toEqual({
    isSent: false,
    message: 'The mail server refused the recipient admin@example.org.',
  });
  inbox.refuseRecipients(450);
  expect((await sendTest()).message).toMatch(/^The mail server refused the e-mail: .*450.*\.$/);
  inbox.refuseRecipients(undefined);
  mailUrl = 'smtp://127.0.0.1:1';
  expect((await sendTest()).message).toMatch(/^The mail server cannot be reached: .*ECONNREFUSED.*\.$/);
  mailUrl = inbox.url;
  for (let count = 5; count <= 10; count += 1) await sendTest();
  expect((await hub.refusal(admin, 'instance_SendTestMail', {})).kind).toBe('Throttled');
});
