import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname as machineName, networkInterfaces } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { parse as parseToml } from 'smol-toml';
import { limits } from '../limits/table.ts';
import { addressMatcher, isLoopback } from './addresses.ts';
import { readCommandLine, type CommandLine } from './command-line.ts';
import { ConfigError } from './ConfigError.ts';
import { keyNames, keys, tomlNameOf, variableOf, type KeyName, type Settings } from './keys.ts';
import { isBehindLocalProxy, mustHaveCertificateSource } from './local-proxy.ts';
import { natsOf, type NatsConfig } from './nats.ts';
import { didYouMean } from './did-you-mean.ts';
import { peersOf, type PeersConfig } from './peers.ts';
import type { PrivateTarget } from './private-targets.ts';
import { proxySite, type ProxySite } from './proxy-domain.ts';
import { objectStoreOf, type ObjectStoreConfig } from './object-store.ts';
import { readScripts, type RuntimeScript } from './scripts.ts';

/** The complete configuration of the hub, read once and frozen. */
export interface Config {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** The origin that browsers use, without a trailing slash; its port is 0 if `port` is 0 and the setting is absent. */
  readonly publicUrl: string;
  /** The host names of devices' web pages. */
  readonly proxy: ProxySite;
  /** Further host names, in lower case, at which the console and the API are served. */
  readonly hostNames: readonly string[];
  /** Absolute. */
  readonly dataDir: string;
  /** How much of the disk of the data folder assets leave free; undefined: by the size of the disk. */
  readonly diskReserveBytes: number | undefined;
  readonly databaseUrl: string | undefined;
  /** Where the nodes of a cluster tell each other of changes; undefined: this hub is the only node. */
  readonly nats: NatsConfig | undefined;
  /** How this node and the others of its cluster reach each other; undefined for a hub that is the only node. */
  readonly peers: PeersConfig | undefined;
  /** In base64; the first encrypts, all decrypt. Empty: the key is a file in the data folder. */
  readonly secretKeys: readonly string[];
  readonly adminEmail: string;
  readonly adminPassword: string | undefined;
  /** PEM texts; absent: plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Whether passwords cross a network unencrypted: the public URL is plain HTTP and not on loopback. */
  readonly isInsecure: boolean;
  readonly deviceCertificateHeader: 'auto' | 'on' | 'off';
  readonly trustedProxies: readonly string[];
  readonly trustedProxyHeader: boolean;
  /** undefined: by the descriptors that the system allows. */
  readonly maxConnections: number | undefined;
  /** undefined: half of all. */
  readonly maxConnectionsPerAddress: number | undefined;
  readonly anonymousRequestsPerSecond: number;
  readonly metricsFrom: readonly string[];
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  readonly logFormat: 'pretty' | 'json';
  readonly nodeName: string;
  /** The operator's HTML, not sanitised yet. */
  readonly banner: string | undefined;
  readonly scripts: readonly RuntimeScript[];
  readonly eventRetentionMonths: number;
  readonly auditRetentionMonths: number;
  /** How much of the stored assets an hourly check reads at most. */
  readonly scrubBytes: number;
  readonly registration: 'open' | 'closed';
  readonly registrationConcealExisting: boolean;
  /** The store of assets; undefined: the data folder. */
  readonly objectStore: ObjectStoreConfig | undefined;
  /** Where settings of users may lead the hub besides the internet. */
  readonly privateTargets: readonly PrivateTarget[];
  /** The CIs whose jobs may publish; see `issuersOf`. */
  readonly ciIssuers: string | undefined;
  /** The hosts of stores of repositories to which the paths of public files may lead. */
  readonly s3RedirectHosts: readonly string[];
  readonly oidcIssuer: string | undefined;
  readonly oidcClientId: string | undefined;
  readonly oidcClientSecret: string | undefined;
  readonly oidcName: string | undefined;
  /** If absent, e-mails are written to a folder. */
  readonly smtpUrl: string | undefined;
  /** An address, or a name and an address in angle brackets. */
  readonly mailFrom: string;
  /** Called each minute while the hub is healthy. */
  readonly heartbeatUrl: string | undefined;
  /** Says which release is the newest. */
  readonly releasesUrl: string | undefined;
  readonly productUrl: string | undefined;
  readonly termsUrl: string | undefined;
  readonly privacyUrl: string | undefined;
  /** A mailto: or https: address. */
  readonly adminContact: string | undefined;
  /** The PATH, in which system programs are searched. */
  readonly searchPath: string | undefined;
  /** How many simulated devices to add; 0 for none. */
  readonly demoDevices: number;
  /** Where each setting that is set was found, such as `CORRAL_BANNER` or `banner in corral.toml`. */
  readonly configuredBy: Readonly<Partial<Record<KeyName, string>>>;
}

/** The inputs of the configuration; defaults are those of this process. */
export interface ConfigSources {
  /** The arguments after the program's name. */
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly isRoot?: boolean;
  readonly hostname?: string;
  /** Whether the output is a terminal. */
  readonly isTerminal?: boolean;
}

/** Variables with the prefix CORRAL_ that belong to other programs of the product. */
const foreignVariable =
  /^CORRAL_(?:CHROMIUM|NGINX|HAPROXY|SSHD|NATS_SERVER|DEV_HUB|LAUNCHER_PID|TEST_.*|URL|TOKEN|HUB_URL|USER_TOKEN|AGENT_.*|CLI_.*)$/;

/** Reads command line, environment and TOML file, in this order of precedence. Throws `ConfigError`. */
export function loadConfig(sources: ConfigSources = {}): Config {
  const { argv = process.argv.slice(2), env = process.env, cwd = process.cwd() } = sources;
  const commandLine = readCommandLine(argv);
  checkVariables(env);
  const file = readFile(commandLine.configFile ?? env['CORRAL_CONFIG'], cwd);
  const found = readSettings(commandLine, env, file);
  const settings = mapValues(found, ({ value }) => value) as Settings;
  const configuredBy = mapValues(found, ({ where }) => where);
  const composed = compose(settings, commandLine, file.tables['scripts'], { ...sources, cwd });
  mustHaveCertificateSource(composed, settings);
  return deepFreeze({ ...composed, configuredBy });
}

interface TomlFile {
  readonly name: string;
  readonly tables: Readonly<Record<string, unknown>>;
}

function readFile(path: string | undefined, cwd: string): TomlFile {
  if (path === undefined || path === '') return { name: '', tables: {} };
  const text = readText('CORRAL_CONFIG', path, cwd);
  const tables = parseTables(path, text);
  const known = [...keyNames.map(tomlNameOf), 'scripts'];
  const unknown = Object.keys(tables).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new ConfigError(
      `${path}: there is no key ${unknown}${renamedTo(unknown, tomlNameOf) ?? didYouMean(unknown, known)}`,
    );
  return { name: path, tables };
}

function parseTables(path: string, text: string): Record<string, unknown> {
  try {
    return parseToml(text);
  } catch (error) {
    const at = error as { line?: number; column?: number };
    throw new ConfigError(
      `CORRAL_CONFIG: ${path} is not valid TOML at line ${at.line}, column ${at.column}.`,
    );
  }
}

function readText(key: string, path: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, path), 'utf8');
  } catch (error) {
    const { code } = error as { code?: string };
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new ConfigError(`${key}: the file ${path} ${why}.`);
  }
}

function checkVariables(env: Readonly<Record<string, string | undefined>>): void {
  const known = [...keyNames.map(variableOf), 'CORRAL_CONFIG'];
  const unknown = Object.keys(env).find(
    (name) => name.startsWith('CORRAL_') && !known.includes(name) && !foreignVariable.test(name),
  );
  if (unknown !== undefined)
    throw new ConfigError(
      `There is no setting ${unknown}${renamedTo(unknown, variableOf) ?? didYouMean(unknown, known)}`,
    );
}

/** The end of a sentence about a setting that has another name and form since; undefined for any other name. */
function renamedTo(name: string, nameOf: (name: string) => string): string | undefined {
  if (name !== nameOf('s3PrivateRanges')) return undefined;
  return `: it is now ${nameOf('privateTargets')}; write 10.0.0.0/8 as 10.0.0.0/8:*.`;
}

/** A value of a setting and where it was found. */
interface FoundSetting {
  readonly value: unknown;
  readonly where: string;
}

function readSettings(
  commandLine: CommandLine,
  env: Readonly<Record<string, string | undefined>>,
  file: TomlFile,
): Partial<Record<KeyName, FoundSetting>> {
  const found = keyNames.flatMap((name): [KeyName, FoundSetting][] => {
    const fromCommand = (commandLine.settings as Partial<Record<KeyName, string>>)[name];
    const variable = variableOf(name);
    const text = fromCommand ?? (env[variable] === '' ? undefined : env[variable]);
    if (text !== undefined) return [[name, { value: parse(name, text, variable), where: variable }]];
    const value = file.tables[tomlNameOf(name)];
    if (value === undefined) return [];
    const where = `${variable} (${tomlNameOf(name)} in ${file.name})`;
    const source = `${tomlNameOf(name)} in ${file.name}`;
    return [[name, { value: parse(name, asText(value, where), where), where: source }]];
  });
  return Object.fromEntries(found);
}

function mapValues<Value, Result>(
  entries: Partial<Record<KeyName, Value>>,
  of: (value: Value) => Result,
): Partial<Record<KeyName, Result>> {
  const mapped = Object.entries(entries).map(([name, value]) => [name, of(value as Value)]);
  return Object.fromEntries(mapped) as Partial<Record<KeyName, Result>>;
}

function asText(value: unknown, where: string): string {
  if (Array.isArray(value)) return value.join(',');
  if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
  throw new ConfigError(`${where} must be a string, a number or a list.`);
}

function parse(name: KeyName, text: string, where: string): unknown {
  const key: { schema: (typeof keys)[KeyName]['schema']; isSecret?: boolean } = keys[name];
  const result = key.schema.safeParse(text);
  if (result.success) return result.data;
  const given = key.isSecret === true ? '' : `, not ${JSON.stringify(text)}`;
  throw new ConfigError(`${where} ${result.error.issues[0]?.message ?? 'is wrong'}${given}.`);
}

type ResolvedSources = ConfigSources & { readonly cwd: string };

const pagesOf = ({ productUrl, termsUrl, privacyUrl, adminContact }: Settings) => ({
  productUrl,
  termsUrl,
  privacyUrl,
  adminContact,
});

function compose(
  settings: Settings,
  commandLine: CommandLine,
  scripts: unknown,
  sources: ResolvedSources,
): Omit<Config, 'configuredBy'> {
  const addresses = addressesOf(settings, sources);
  const { tls, publicUrl, port } = addresses;
  return {
    ...addresses,
    proxy: proxySite(settings.proxyDomain, { publicUrl, isTls: tls !== undefined, port }),
    hostNames: settings.hostNames ?? [],
    dataDir: dataDirOf(settings, sources),
    diskReserveBytes: settings.diskReserveMib === undefined ? undefined : settings.diskReserveMib * 1_048_576,
    databaseUrl: settings.databaseUrl,
    nats: natsOf(settings, (key, path) => readText(key, path, sources.cwd)),
    peers: peersOf(settings, addresses.host, networkInterfaces),
    secretKeys: settings.secretKey ?? [],
    adminEmail: settings.adminEmail ?? 'admin@localhost',
    adminPassword: settings.adminPassword,
    deviceCertificateHeader: settings.deviceCertificateHeader ?? 'auto',
    trustedProxies: settings.trustedProxies ?? [],
    trustedProxyHeader: settings.trustedProxyHeader ?? false,
    ...limitsOf(settings),
    metricsFrom: settings.metricsFrom ?? defaultMetricsFrom(addresses, settings),
    logLevel: settings.logLevel ?? 'info',
    logFormat: settings.logFormat ?? ((sources.isTerminal ?? process.stdout.isTTY) ? 'pretty' : 'json'),
    banner: settings.banner,
    scripts: readScripts(scripts, publicUrl),
    registration: settings.registration ?? 'open',
    registrationConcealExisting: settings.registrationConcealExisting ?? false,
    objectStore: objectStoreOf(settings),
    privateTargets: settings.privateTargets ?? [],
    ciIssuers: settings.ciIssuers,
    s3RedirectHosts: settings.s3RedirectHosts ?? [],
    oidcIssuer: settings.oidcIssuer,
    oidcClientId: settings.oidcClientId,
    oidcClientSecret: settings.oidcClientSecret,
    oidcName: settings.oidcName,
    smtpUrl: settings.smtpUrl,
    mailFrom: settings.mailFrom ?? defaultSender(publicUrl),
    heartbeatUrl: settings.heartbeatUrl,
    releasesUrl: settings.releasesUrl,
    ...pagesOf(settings),
    searchPath: (sources.env ?? process.env)['PATH'],
    demoDevices: commandLine.demoDevices,
  };
}

/** Where the hub listens, and how others reach it. */
function addressesOf(
  settings: Settings,
  sources: ResolvedSources,
): Pick<Config, 'host' | 'port' | 'publicUrl' | 'tls' | 'isInsecure' | 'nodeName'> {
  const tls = readTls(settings, sources.cwd);
  const nodeName = settings.nodeName ?? sources.hostname ?? machineName();
  const host = settings.host ?? '127.0.0.1';
  const port = settings.port ?? 8080;
  const publicUrl = settings.publicUrl ?? defaultPublicUrl(host, port, tls !== undefined, nodeName);
  const isPlain = publicUrl.startsWith('http:');
  const names = isPlain ? [new URL(publicUrl).hostname, ...(settings.hostNames ?? [])] : [];
  const insecureNames = names.filter((name) => !isLoopback(name));
  const isInsecure = insecureNames.length > 0;
  if (settings.allowInsecureHttp !== true) refuseInsecure(host, publicUrl, tls !== undefined, insecureNames);
  return { host, port, publicUrl, tls, isInsecure, nodeName };
}

function limitsOf(settings: Settings) {
  return {
    maxConnections: settings.maxConnections,
    maxConnectionsPerAddress: settings.maxConnectionsPerAddress,
    anonymousRequestsPerSecond: settings.anonymousRequestsPerSecond ?? limits.anonymousRequests.perSecond,
    eventRetentionMonths: settings.eventRetentionMonths ?? 12,
    auditRetentionMonths: settings.auditRetentionMonths ?? 24,
    scrubBytes: (settings.scrubGibPerHour ?? 50) * 1024 ** 3,
  };
}

/** Requests that a proxy on this machine forwards come from loopback too; behind one, no address may read metrics unless it is configured. */
function defaultMetricsFrom(hub: Parameters<typeof isBehindLocalProxy>[0], settings: Settings): string[] {
  const isProxy = addressMatcher(settings.trustedProxies ?? []);
  if (isBehindLocalProxy(hub) || isProxy('127.0.0.1') || isProxy('::1')) return [];
  return ['127.0.0.0/8', '::1'];
}

function dataDirOf(settings: Settings, { cwd, isRoot }: ResolvedSources): string {
  const isSuperuser = isRoot ?? process.getuid?.() === 0;
  const chosen = settings.dataDir ?? (isSuperuser ? '/var/lib/corral' : 'corral-data');
  return isAbsolute(chosen) ? chosen : resolve(cwd, chosen);
}

function defaultPublicUrl(host: string, port: number, isTls: boolean, machine: string): string {
  const name = host === '0.0.0.0' || host === '::' ? machine : host;
  const text = `${isTls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
  if (!URL.canParse(text))
    throw new ConfigError(`CORRAL_HOST must be an address or a host name, not "${host}".`);
  return new URL(text).origin;
}

/** A sender's domain cannot be an IP address, so a hub without a host name sends from localhost. */
function defaultSender(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  return `Corral <no-reply@${isAddress ? 'localhost' : hostname}>`;
}

function refuseInsecure(host: string, publicUrl: string, isTls: boolean, [name]: readonly string[]): void {
  if (!isTls && !isLoopback(host))
    throw new ConfigError(
      `CORRAL_HOST ${host} can be reached by other machines over plain HTTP: set CORRAL_TLS_CERT and CORRAL_TLS_KEY, or CORRAL_ALLOW_INSECURE_HTTP=true if a reverse proxy or a trusted network protects it.`,
    );
  if (name !== undefined)
    throw new ConfigError(
      `CORRAL_PUBLIC_URL ${publicUrl} is plain HTTP, and people can sign in at ${name}: use https, or set CORRAL_ALLOW_INSECURE_HTTP=true on a trusted network.`,
    );
}

function readTls(settings: Settings, cwd: string): Config['tls'] {
  const { tlsCert, tlsKey } = settings;
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined)
    throw new ConfigError('CORRAL_TLS_CERT is missing: CORRAL_TLS_KEY is set without it.');
  if (tlsKey === undefined)
    throw new ConfigError('CORRAL_TLS_KEY is missing: CORRAL_TLS_CERT is set without it.');
  const pair = {
    cert: readText('CORRAL_TLS_CERT', tlsCert, cwd),
    key: readText('CORRAL_TLS_KEY', tlsKey, cwd),
  };
  checkTls(pair, tlsCert, tlsKey);
  return pair;
}

function checkTls(pair: { cert: string; key: string }, certFile: string, keyFile: string): void {
  const succeeds = (read: () => unknown): boolean => {
    try {
      read();
      return true;
    } catch {
      return false;
    }
  };
  if (!succeeds(() => new X509Certificate(pair.cert)))
    throw new ConfigError(`CORRAL_TLS_CERT: ${certFile} is not a certificate in PEM.`);
  if (!succeeds(() => createSecureContext(pair)))
    throw new ConfigError(
      `CORRAL_TLS_KEY: ${keyFile} is not the private key (PEM) of the certificate in ${certFile}.`,
    );
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const field of Object.values(value)) deepFreeze(field);
  return Object.freeze(value);
}
