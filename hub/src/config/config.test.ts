import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deviceCertificate } from '../../test/device-certificate.ts';
import { configHelp, configReference } from './describe.ts';
import { keyNames, keys, tomlNameOf, variableOf } from './keys.ts';
import { loadConfig, type Config } from './config.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corral-config-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const around = { cwd: '/srv', isRoot: false, hostname: 'barn', isTerminal: false };
const load = (env: Record<string, string> = {}, argv: string[] = []): Config =>
  loadConfig({ ...around, env, argv });

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

test('without settings the hub listens on loopback', () => {
  expect(load()).toEqual({
    host: '127.0.0.1',
    port: 8080,
    publicUrl: 'http://127.0.0.1:8080',
    proxy: { domain: 'proxy.localhost', scheme: 'http', port: 8080 },
    hostNames: [],
    secretKeys: [],
    dataDir: '/srv/corral-data',
    adminEmail: 'admin@localhost',
    isInsecure: false,
    deviceCertificateHeader: 'auto',
    trustedProxies: [],
    trustedProxyHeader: false,
    maxConnections: undefined,
    maxConnectionsPerAddress: undefined,
    anonymousRequestsPerSecond: 100,
    metricsFrom: ['127.0.0.0/8', '::1'],
    logLevel: 'info',
    logFormat: 'json',
    nodeName: 'barn',
    scripts: [],
    privateTargets: [],
    s3RedirectHosts: [],
    scrubBytes: 50 * 1024 ** 3,
    eventRetentionMonths: 12,
    auditRetentionMonths: 24,
    registration: 'open',
    registrationConcealExisting: false,
    mailFrom: 'Corral <no-reply@localhost>',
    demoDevices: 0,
    configuredBy: {},
  });
  expect(loadConfig({ ...around, env: {}, argv: [], isRoot: true, isTerminal: true })).toMatchObject({
    dataDir: '/var/lib/corral',
    logFormat: 'pretty',
  });
});

test('the configuration says where each setting was found', async () => {
  const path = await file('hub.toml', 'banner = "Hi"\nregistration = "closed"\n');
  const env = { CORRAL_CONFIG: path, CORRAL_REGISTRATION: 'open' };
  expect(loadConfig({ ...around, env, argv: ['--port', '1234'] }).configuredBy).toEqual({
    port: 'CORRAL_PORT',
    registration: 'CORRAL_REGISTRATION',
    banner: `banner in ${path}`,
  });
});

test('the reserve of the disk is read in MiB, what the check of assets may read an hour in GiB', () => {
  expect(load({}).scrubBytes).toBe(50 * 1024 ** 3);
  expect(load({ CORRAL_SCRUB_GIB_PER_HOUR: '200' }).scrubBytes).toBe(200 * 1024 ** 3);
  expect(load({}).diskReserveBytes).toBeUndefined();
  expect(load({ CORRAL_DISK_RESERVE_MIB: '0' }).diskReserveBytes).toBe(0);
  expect(load({ CORRAL_DISK_RESERVE_MIB: '2048' }).diskReserveBytes).toBe(2 * 1024 ** 3);
  expect(() => load({ CORRAL_DISK_RESERVE_MIB: '5%' })).toThrow(
    'CORRAL_DISK_RESERVE_MIB must be a whole number from 0 to 16777216, not "5%".',
  );
});

test('the store of the instance needs an address, a bucket and keys', () => {
  const env = {
    CORRAL_S3_ENDPOINT: 'https://s3.example/',
    CORRAL_S3_PUBLIC_ENDPOINT: 'https://files.example',
    CORRAL_S3_BUCKET: 'assets',
    CORRAL_S3_PREFIX: '/corral/',
    CORRAL_S3_ACCESS_KEY_ID: 'key',
    CORRAL_S3_SECRET_ACCESS_KEY: 'secret',
    CORRAL_S3_FORCE_PATH_STYLE: 'false',
  };
  expect(load(env).objectStore).toEqual({
    endpoint: 'https://s3.example',
    publicEndpoint: 'https://files.example',
    bucket: 'assets',
    prefix: 'corral',
    forcePathStyle: false,
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  });
});

test('the store of the instance may be one that only the hub reaches', () => {
  const env = {
    CORRAL_S3_ENDPOINT: 'http://minio:9000',
    CORRAL_S3_PUBLIC_ENDPOINT: 'none',
    CORRAL_S3_BUCKET: 'assets',
    CORRAL_S3_ACCESS_KEY_ID: 'key',
    CORRAL_S3_SECRET_ACCESS_KEY: 'secret',
  };
  expect(load(env).objectStore).toMatchObject({ endpoint: 'http://minio:9000', publicEndpoint: 'none' });
  expect(() => load({ ...env, CORRAL_S3_PUBLIC_ENDPOINT: 'off' })).toThrow(
    /^CORRAL_S3_PUBLIC_ENDPOINT must be an address .*; or none if only the hub reaches the store, not "off"/,
  );
  expect(() => load({ ...env, CORRAL_S3_ENDPOINT: 'none' })).toThrow(
    /^CORRAL_S3_ENDPOINT must be an address/,
  );
});

test('the command line takes precedence over the environment, and that over the file', async () => {
  const toml =
    'host = "127.0.0.3"\nport = 3\nlog_level = "warn"\ntrusted_proxies = ["10.0.0.0/8", "::1"]\nbanner = "<b>hi</b>"\n';
  const env = { CORRAL_CONFIG: await file('order.toml', toml), CORRAL_HOST: '127.0.0.2', CORRAL_PORT: '2' };
  expect(load(env, ['--port', '1', '--demo', '12', '--data-dir', 'here'])).toMatchObject({
    host: '127.0.0.2',
    port: 1,
    logLevel: 'warn',
    trustedProxies: ['10.0.0.0/8', '::1'],
    banner: '<b>hi</b>',
    demoDevices: 12,
    dataDir: '/srv/here',
  });
});

test('the sender of e-mails is derived from the host of the public URL by default', () => {
  const behindProxy = (publicUrl: string) =>
    load({ CORRAL_PUBLIC_URL: publicUrl, CORRAL_DEVICE_CERTIFICATE_HEADER: 'off' });
  expect(behindProxy('https://hub.example').mailFrom).toBe('Corral <no-reply@hub.example>');
  expect(behindProxy('https://[2001:db8::1]').mailFrom).toBe('Corral <no-reply@localhost>');
  for (const sender of ['a@b', 'The Hub <a@b>', '<a@b>'])
    expect(load({ CORRAL_MAIL_FROM: sender }).mailFrom).toBe(sender);
});

test('the administrator contact becomes a mailto: or https: link', () => {
  const contactOf = (contact: string) => load({ CORRAL_ADMIN_CONTACT: contact }).adminContact;
  expect(['a@b', 'mailto:a@b', 'MAILTO:a@b'].map(contactOf)).toEqual(Array(3).fill('mailto:a@b'));
  expect(contactOf('https://hub.example')).toBe('https://hub.example/');
});

test('an empty variable counts as absent, and variables of other programs are ignored', () => {
  const others = { CORRAL_CHROMIUM: '/x', CORRAL_URL: 'http://hub.example', CORRAL_TOKEN: 'u', PATH: '/bin' };
  expect(load({ CORRAL_PORT: '', ...others })).toMatchObject({ port: 8080 });
});

test('the configuration is frozen', () => {
  const config = load({ CORRAL_TRUSTED_PROXIES: '10.0.0.0/8' });
  expect(Object.isFrozen(config) && Object.isFrozen(config.trustedProxies)).toBe(true);
});

describe('a wrong value stops the hub with one sentence that names the key', () => {
  test.each([
    [{ CORRAL_PORT: '80800' }, 'CORRAL_PORT must be a whole number from 0 to 65535, not "80800".'],
    [{ CORRAL_PORT: 'http' }, 'CORRAL_PORT must be a whole number from 0 to 65535, not "http".'],
    [
      { CORRAL_PUBLIC_URL: 'hub.example' },
      'CORRAL_PUBLIC_URL must be an origin such as https://hub.example, without a path, not "hub.example".',
    ],
    [
      { CORRAL_PUBLIC_URL: 'https://h/x' },
      'CORRAL_PUBLIC_URL must be an origin such as https://hub.example, without a path, not "https://h/x".',
    ],
    [
      { CORRAL_PUBLIC_URL: 'http://hub.lan' },
      'CORRAL_PUBLIC_URL http://hub.lan is plain HTTP, and people can sign in at hub.lan: use https, or set CORRAL_ALLOW_INSECURE_HTTP=true on a trusted network.',
    ],
    [
      { CORRAL_DATABASE_URL: 'mysql://u:hidden@h/d' },
      'CORRAL_DATABASE_URL must be a URL such as postgres://user:password@server/database.',
    ],
    [{ CORRAL_ADMIN_PASSWORD: 'short' }, 'CORRAL_ADMIN_PASSWORD must have at least 8 characters.'],
    [{ CORRAL_ADMIN_EMAIL: 'nobody' }, 'CORRAL_ADMIN_EMAIL must be an e-mail address, not "nobody".'],
    [
      { CORRAL_ALLOW_INSECURE_HTTP: 'maybe' },
      'CORRAL_ALLOW_INSECURE_HTTP must be true or false, not "maybe".',
    ],
    [
      { CORRAL_TRUSTED_PROXIES: '10.0.0.0/33' },
      'CORRAL_TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8, separated by commas, not "10.0.0.0/33".',
    ],
    [
      { CORRAL_LOG_LEVEL: 'loud' },
      'CORRAL_LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent, not "loud".',
    ],
    [
      { CORRAL_EVENT_RETENTION_MONTHS: '0' },
      'CORRAL_EVENT_RETENTION_MONTHS must be a whole number from 1 to 1200, not "0".',
    ],
    ...['http://u:hidden@h', 'smtp://', 'smtp://u:hid%den@h', 'smtp://u:hidden@h/path', 'mail'].map(
      (url): [Record<string, string>, string] => [
        { CORRAL_SMTP_URL: url },
        'CORRAL_SMTP_URL must be a URL such as smtps://user:password@server:465.',
      ],
    ),
    ...['Corral', 'a@b\nBcc: c@d', 'Corral <a b@c>', '"x" <a@b>'].map(
      (sender): [Record<string, string>, string] => [
        { CORRAL_MAIL_FROM: sender },
        `CORRAL_MAIL_FROM must be an e-mail address, or a name and an address such as Corral <corral@hub.example>, not ${JSON.stringify(sender)}.`,
      ],
    ),
    [
      { CORRAL_S3_BUCKET: 'b' },
      'CORRAL_S3_BUCKET must be 3 to 255 letters, digits, ".", "_" and "-", not "b".',
    ],
    [
      { CORRAL_S3_SECRET_ACCESS_KEY: 'hidden key' },
      'CORRAL_S3_SECRET_ACCESS_KEY must be 1 to 1024 visible characters, without spaces.',
    ],
    [{ CORRAL_S3_BUCKET: 'assets' }, 'CORRAL_S3_ENDPOINT is missing: CORRAL_S3_BUCKET is set without it.'],
    [{ CORRAL_REGISTRATION: 'shut' }, 'CORRAL_REGISTRATION must be open or closed, not "shut".'],
    ...['http://hub.example/terms', 'javascript:alert(1)', 'hub.example/terms', 'https://u@hub.example/'].map(
      (url): [Record<string, string>, string] => [
        { CORRAL_TERMS_URL: url },
        `CORRAL_TERMS_URL must be an https address such as https://hub.example/terms, not ${JSON.stringify(url)}.`,
      ],
    ),
    ...['http://hub.example', 'javascript:a@b', 'mara', 'mailto:', 'mailto:a@b?bcc=c@d', 'a@b, c@d'].map(
      (contact): [Record<string, string>, string] => [
        { CORRAL_ADMIN_CONTACT: contact },
        `CORRAL_ADMIN_CONTACT must be an e-mail address, or an https address such as https://hub.example/help, not ${JSON.stringify(contact)}.`,
      ],
    ),
    [{ CORRAL_HSOT: 'x' }, 'There is no setting CORRAL_HSOT; did you mean CORRAL_HOST?'],
    [
      { CORRAL_S3_PRIVATE_RANGES: '10.0.0.0/8' },
      'There is no setting CORRAL_S3_PRIVATE_RANGES: it is now CORRAL_PRIVATE_TARGETS; write 10.0.0.0/8 as 10.0.0.0/8:*.',
    ],
    [{ CORRAL_TLS_KEY: 'a' }, 'CORRAL_TLS_CERT is missing: CORRAL_TLS_KEY is set without it.'],
    [{ CORRAL_TLS_CERT: 'a' }, 'CORRAL_TLS_KEY is missing: CORRAL_TLS_CERT is set without it.'],
    [
      { CORRAL_TLS_CERT: '/no/where', CORRAL_TLS_KEY: 'a' },
      'CORRAL_TLS_CERT: the file /no/where does not exist.',
    ],
    [{ CORRAL_CONFIG: '/no/where' }, 'CORRAL_CONFIG: the file /no/where does not exist.'],
    [{ CORRAL_CONFIG: '/' }, 'CORRAL_CONFIG: the file / cannot be read (EISDIR).'],
    [
      { CORRAL_HOST: 'a b', CORRAL_ALLOW_INSECURE_HTTP: '1' },
      'CORRAL_HOST must be an address or a host name, not "a b".',
    ],
  ])('%j', (env, sentence) => {
    expect(() => load(env)).toThrow(expect.objectContaining({ name: 'ConfigError', message: sentence }));
  });

  test.each([
    [['--prot', '1'], 'There is no option --prot; did you mean --port?'],
    [['--port'], "The command line is wrong: Option '--port <value>' argument missing."],
    [['--demo', 'many'], '--demo must be a whole number of devices from 0 to 9999.'],
    [['--port', 'x'], 'CORRAL_PORT must be a whole number from 0 to 65535, not "x".'],
    [['extra'], 'There is no command extra; --help lists them all.'],
  ])('%j', (argv, sentence) => {
    expect(() => load({}, argv)).toThrow(expect.objectContaining({ name: 'ConfigError', message: sentence }));
  });

  test.each([
    ['prot = 1', /: there is no key prot; did you mean port\?$/],
    ['port = "x"', /^CORRAL_PORT \(port in .*\) must be a whole number from 0 to 65535, not "x"\.$/],
    ['port = 1979-05-27', /^CORRAL_PORT \(port in .*\) must be a string, a number or a list\.$/],
    ['port = ', /^CORRAL_CONFIG: .* is not valid TOML at line 1, column \d+\.$/],
    ['[[scripts]]\nhref = "x"', /^Each \[\[scripts\]\] has a src/],
    ['[[scripts]]\nsrc = "https://x.example/a.js"', /pin it with the attribute integrity/],
    ['[[scripts]]\nsrc = "//x.example/a.js"', /pin it with the attribute integrity/],
    [
      '[[scripts]]\nsrc = "https://x.example/a.js"\nattributes = { integrity = "md5-x" }',
      /^The integrity "md5-x" of the script https:\/\/x\.example\/a\.js in \[\[scripts\]\] is malformed: it must be sha256-/,
    ],
    [
      '[[scripts]]\nsrc = "/a.js"\nattributes = { integrity = "" }',
      /^The integrity "" of the script \/a\.js .* is malformed/,
    ],
    [
      '[[scripts]]\nsrc = "data:text/javascript,1"\nallow-unpinned = true',
      /must be an http or https address/,
    ],
    [
      '[[scripts]]\nsrc = "/a.js"\nattributes = { onload = "x" }',
      /^The attribute onload of the script \/a\.js is not allowed/,
    ],
  ])('%s', async (toml, sentence) => {
    const path = await file('wrong.toml', toml);
    expect(() => load({}, ['--config', path])).toThrow(sentence);
  });
});

test.each(keyNames)('the reference says which values %s takes', (name) => {
  expect(keys[name].schema.description).toMatch(/^[^ ].{3}/);
});

test('scripts are read with their attributes', async () => {
  const path = await file(
    'scripts.toml',
    '[[scripts]]\nsrc = "https://x.example/a.js"\nallow-unpinned = true\n[[scripts]]\nsrc = "https://y.example/b.js"\n' +
      'attributes = { defer = true, async = false, integrity = "sha384-AAAA", Data-Site = 7 }\n',
  );
  expect(load({}, ['--config', path]).scripts).toEqual([
    { src: 'https://x.example/a.js', attributes: {} },
    { src: 'https://y.example/b.js', attributes: { defer: '', integrity: 'sha384-AAAA', 'data-site': '7' } },
  ]);
});

describe('plain HTTP that others can reach', () => {
  test.each(['0.0.0.0', '::', '192.168.1.2', 'hub.lan'])(
    'is refused at %s unless CORRAL_ALLOW_INSECURE_HTTP is set',
    (host) => {
      expect(() => load({ CORRAL_HOST: host })).toThrow(/^CORRAL_HOST .* CORRAL_ALLOW_INSECURE_HTTP=true/);
      expect(load({ CORRAL_HOST: host, CORRAL_ALLOW_INSECURE_HTTP: 'true' })).toMatchObject({
        isInsecure: true,
      });
    },
  );

  test('is refused at a further host name unless CORRAL_ALLOW_INSECURE_HTTP is set', () => {
    const env = { CORRAL_HOST_NAMES: 'page.localhost, barn.lan' };
    expect(() => load(env)).toThrow(/people can sign in at barn\.lan: .* CORRAL_ALLOW_INSECURE_HTTP=true/);
    expect(load({ ...env, CORRAL_ALLOW_INSECURE_HTTP: 'true' }).isInsecure).toBe(true);
    expect(load({ CORRAL_HOST_NAMES: 'page.localhost' }).isInsecure).toBe(false);
    const proxied = { CORRAL_PUBLIC_URL: 'https://hub.example', CORRAL_DEVICE_CERTIFICATE_HEADER: 'off' };
    expect(load({ ...env, ...proxied }).isInsecure).toBe(false);
  });

  test.each(['localhost', 'corral.localhost', '127.9.9.9', '::1'])('is allowed on loopback at %s', (host) => {
    expect(load({ CORRAL_HOST: host }).isInsecure).toBe(false);
  });

  test('is allowed behind a reverse proxy that terminates TLS', () => {
    const env = {
      CORRAL_HOST: '0.0.0.0',
      CORRAL_ALLOW_INSECURE_HTTP: 'true',
      CORRAL_PUBLIC_URL: 'https://hub.example/',
    };
    expect(load(env)).toMatchObject({ isInsecure: false, publicUrl: 'https://hub.example' });
  });
});

describe('HTTPS', () => {
  test('is used with a certificate and its key', async () => {
    const { certificatePem, keyPem } = await deviceCertificate();
    const env = {
      CORRAL_HOST: '0.0.0.0',
      CORRAL_TLS_CERT: await file('cert.pem', certificatePem),
      CORRAL_TLS_KEY: await file('key.pem', keyPem),
    };
    expect(load(env)).toMatchObject({
      tls: { cert: certificatePem, key: keyPem },
      publicUrl: 'https://barn:8080',
      isInsecure: false,
    });
  });

  test('is refused with a key that does not match, or an invalid certificate', async () => {
    const [one, other] = [await deviceCertificate(), await deviceCertificate()];
    const certificate = await file('one.pem', one.certificatePem);
    const key = await file('other-key.pem', other.keyPem);
    expect(() => load({ CORRAL_TLS_CERT: certificate, CORRAL_TLS_KEY: key })).toThrow(
      /^CORRAL_TLS_KEY: .*other-key\.pem is not the private key \(PEM\) of the certificate in .*one\.pem\.$/,
    );
    expect(() => load({ CORRAL_TLS_CERT: key, CORRAL_TLS_KEY: key })).toThrow(
      /^CORRAL_TLS_CERT: .* is not a certificate in PEM\.$/,
    );
  });
});

test('help and reference name every setting', () => {
  for (const name of keyNames) {
    expect(configHelp()).toContain(`  ${variableOf(name)}\n`);
    expect(configReference()).toContain(`| \`${variableOf(name)}\` | \`${tomlNameOf(name)}\` |`);
  }
  for (const line of configHelp().split('\n')) expect(line.length).toBeLessThanOrEqual(100);
});
