import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { hubOrigin, trimmed } from '@corral/client';
import { currentUser, proxyFor } from '@corral/client/node';
import { ids } from '@corral/contract';
import { AgentError } from './AgentError.ts';
import { readConfigFile, type ConfigFile } from './config-file.ts';

/** Where the identity of this device is stored; paths are absolute or relative to the working folder. */
export interface IdentityConfig {
  /** A script that prints data unique to this device and secret; when absent, a random secret in the state folder is used. */
  readonly fingerprintScript: string | undefined;
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Where the agent stores its files. */
  readonly stateDir: string;
}

/** The hub and the token for it. */
export interface HubConfig {
  /** `https://…` or `http://…`, without a path. */
  readonly hubUrl: string;
  /** The deployment token. */
  readonly token: string;
}

/** What people may have this device do. */
export interface CommandsConfig {
  /** The folder of the manifests of commands; undefined: the device offers none. */
  readonly directory: string | undefined;
  /** How long to wait after the hub had no work; undefined: the device does not ask for work. */
  readonly pollIntervalSecs: number | undefined;
}

/** Who may have a terminal on this device. */
export interface TerminalConfig {
  /** The users, the default one first; empty: there are no terminals. */
  readonly users: readonly string[];
  /** The shell; undefined: that of the user. */
  readonly shell: string | undefined;
}

/** Where the agent waits to be paired, while it has no token. */
export interface ProvisioningConfig {
  readonly host: string;
  readonly port: number;
}

/** Options of the command line, which override the environment and the file. */
export interface ConfigOptions {
  readonly config?: string;
  readonly hubUrl?: string;
  readonly token?: string;
  readonly state?: string;
  readonly allowPlainHttp?: boolean;
}

/** The environment of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads where the identity is stored from command line, environment and file. Throws an AgentError with one sentence. */
export function loadIdentityConfig(options: ConfigOptions, env: Environment): IdentityConfig {
  const file = readConfigFile(options.config);
  const stateDir =
    options.state ?? set(env['CORRAL_AGENT_STATE']) ?? file.path('data-path') ?? defaultState();
  const own = ownCertificateFiles(stateDir);
  return {
    fingerprintScript: file.path('fingerprint-script'),
    certificateFile: file.path('ssl-cert') ?? own.certificateFile,
    keyFile: file.path('ssl-key') ?? own.keyFile,
    stateDir,
  };
}

/** The files of the certificate that the agent makes itself in its state folder. */
export function ownCertificateFiles(stateDir: string): Pick<IdentityConfig, 'certificateFile' | 'keyFile'> {
  return { certificateFile: join(stateDir, 'certificate.pem'), keyFile: join(stateDir, 'key.pem') };
}

/** Reads the hub and the token from command line, environment and file. Throws an AgentError or a ConnectError with one sentence. */
export function loadHubConfig(options: ConfigOptions, env: Environment): HubConfig {
  const file = readConfigFile(options.config);
  const hubUrl = hubUrlOf(
    options.hubUrl ?? set(env['CORRAL_AGENT_HUB_URL']) ?? file.text('hub-url'),
    isPlainHttpAllowed(options, file),
  );
  // A wrong setting would fail each attempt to connect.
  proxyFor(new URL(hubUrl), env);
  return {
    hubUrl,
    token: deploymentToken('token', options.token ?? set(env['CORRAL_AGENT_TOKEN']) ?? file.text('token')),
  };
}

/** The hub by configuration, of which either part may be missing. */
export interface PartialHubConfig {
  readonly hubUrl: string | undefined;
  readonly hasToken: boolean;
  readonly isPlainAllowed: boolean;
  /** The name that the device gets when it is paired. */
  readonly deviceName: string | undefined;
}

/** Reads what is configured of the hub, for a device that may be paired instead. Throws an AgentError with one sentence. */
export function loadPartialHubConfig(options: ConfigOptions, env: Environment): PartialHubConfig {
  const file = readConfigFile(options.config);
  const isPlainAllowed = isPlainHttpAllowed(options, file);
  const hubUrl = options.hubUrl ?? set(env['CORRAL_AGENT_HUB_URL']) ?? file.text('hub-url');
  const token = options.token ?? set(env['CORRAL_AGENT_TOKEN']) ?? file.text('token');
  return {
    hubUrl: hubUrl === undefined ? undefined : hubUrlOf(hubUrl, isPlainAllowed),
    hasToken: token !== undefined,
    isPlainAllowed,
    deviceName: file.table('provisioning').text('device-name'),
  };
}

const defaultBind = '0.0.0.0:6947';

/** Reads where the agent waits to be paired; undefined where it does not. Throws an AgentError with one sentence. */
export function loadProvisioningConfig(options: ConfigOptions): ProvisioningConfig | undefined {
  const provisioning = readConfigFile(options.config).table('provisioning');
  if (provisioning.flag('enabled') !== true) return undefined;
  const bind = provisioning.text('bind') ?? defaultBind;
  const [, bracketed, plain, port = ''] = /^(?:\[([0-9a-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(bind) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535)
    throw new AgentError(`provisioning.bind must be an address and a port, such as ${defaultBind}.`);
  return { host, port: Number(port) };
}

const defaultPollSecs = 60;
const maxPollSecs = 86_400;
/** The default folders; the first existing one is used. */
const commandFolders = ['/etc/corral/commands', '/etc/nexigon/agent/commands'] as const;

/** Reads from the file what people may have this device do: by default nothing. Throws an AgentError with one sentence. */
export function loadCommandsConfig(options: ConfigOptions): CommandsConfig {
  const file = readConfigFile(options.config);
  const commands = file.table('commands');
  const operations = file.table('operations');
  const directory = commands.path('directory') ?? commandFolders.find((path) => existsSync(path));
  const pollSecs = operations.wholeNumber('poll-interval-secs', 1, maxPollSecs) ?? defaultPollSecs;
  const isEnabled = commands.flag('enabled') === true;
  const asksForWork = operations.flag('enabled') === true;
  if (asksForWork && !isEnabled)
    throw new AgentError(
      'operations.enabled needs commands.enabled = true in the configuration file: an operation runs commands.',
    );
  return {
    directory: isEnabled ? (directory ?? commandFolders[0]) : undefined,
    pollIntervalSecs: asksForWork ? pollSecs : undefined,
  };
}

/** Reads from the file who may have a terminal: by default nobody, and where terminals are on the user of this process. Throws an AgentError with one sentence. */
export function loadTerminalConfig(options: ConfigOptions): TerminalConfig {
  const terminal = readConfigFile(options.config).table('terminal');
  const own = currentUser();
  const allowed = terminal.texts('allowed-users');
  const user = terminal.text('user') ?? (allowed === undefined || allowed.includes(own) ? own : allowed[0]);
  const users = allowed ?? [user ?? own];
  if (user !== undefined && !users.includes(user))
    throw new AgentError(`terminal.user ${JSON.stringify(user)} must be one of terminal.allowed-users.`);
  const others = users.filter((name) => name !== own);
  if (others.length > 0 && process.getuid?.() !== 0)
    throw new AgentError(
      `Only an agent that runs as root can open terminals of other users: ${others.join(', ')}.`,
    );
  const shell = terminal.path('shell');
  if (terminal.flag('enabled') !== true) return { users: [], shell };
  return { users: [...new Set([user, ...users])].filter((name) => name !== undefined), shell };
}

/** Checks a deployment token with the name `key`. Throws an AgentError that does not repeat it. */
export function deploymentToken(key: string, given: string | undefined): string {
  const text = trimmed(given ?? '');
  if (text === '')
    throw new AgentError(
      `${key} is missing: give the deployment token by --token, in CORRAL_AGENT_TOKEN or in the configuration file.`,
    );
  if (!ids.deploymentToken.schema.safeParse(text).success)
    throw new AgentError(`${key} must be a deployment token: deployment_ and 66 symbols.`);
  return text;
}

function isPlainHttpAllowed(options: ConfigOptions, file: ConfigFile): boolean {
  return options.allowPlainHttp === true || file.flag('dangerous-disable-tls') === true;
}

function hubUrlOf(text: string | undefined, isAllowed: boolean): string {
  if (text === undefined)
    throw new AgentError(
      'hub-url is missing: name the hub by --hub-url, in CORRAL_AGENT_HUB_URL or in the configuration file.',
    );
  try {
    return hubOrigin(text, { isAllowed, allowedBy: '--allow-plain-http' });
  } catch (cause) {
    throw new AgentError(`hub-url ${(cause as Error).message}`, { cause });
  }
}

/** The value of a variable; an empty one counts as unset. */
export const set = (variable: string | undefined): string | undefined => trimmed(variable ?? '') || undefined;

function defaultState(): string {
  return process.getuid?.() === 0
    ? '/var/lib/corral-agent'
    : join(homedir(), '.local', 'state', 'corral-agent');
}
