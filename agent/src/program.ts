import { Command, InvalidArgumentError, Option } from 'commander';
import type { Json } from '@corral/contract';
import { attributesOf, jsonArgument, objectArgument, severityOf, wholeNumber } from './commands/arguments.ts';
import {
  emitEvents,
  getProperty,
  getPropertyDetails,
  issueToken,
  setMetadata,
  setProperty,
} from './commands/device-calls.ts';
import { runOneShot, type DeviceCall } from './commands/one-shot.ts';
import { pull } from './commands/pull.ts';
import { addRepositories } from './commands/repositories.ts';
import { run } from './commands/run.ts';
import {
  loadCommandsConfig,
  loadHubConfig,
  loadIdentityConfig,
  loadProvisioningConfig,
  loadTerminalConfig,
  set,
  type ConfigOptions,
  type Environment,
} from './config.ts';
import { loadIdentity, type DeviceIdentity } from './identity/identity.ts';
import { addKit, kitCommands, kitFolders, type KitFolders } from './kit/add-kit.ts';
import { awaitPairing } from './pairing/await-pairing.ts';
import { findHub, pairBy } from './pairing/find-hub.ts';
import { openLog, type LogFormat } from './log.ts';
import { parseFaults } from './simulate/faults.ts';
import { simulate } from './simulate/simulate.ts';
import { version } from './version.ts';

/** The environment and streams of the process. */
export interface ProgramContext {
  readonly env: Environment;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WriteStream;
  /** Installs the signal handlers and returns the signal that aborts when the process is asked to stop. */
  readonly stopSignal: () => AbortSignal;
  /** Aborts like `stopSignal`, and when the standard input ends. */
  readonly stopSignalWithInput: () => AbortSignal;
}

type GlobalOptions = ConfigOptions & { readonly logFormat?: LogFormat };

/** Builds the command line. Its actions are rejected with an AgentError or a ConnectError for failures that users can fix. */
export function createProgram(parts: ProgramContext): Command {
  const program = emptyProgram();
  const options = () => program.opts<GlobalOptions>();
  const identity = () => loadIdentity(loadIdentityConfig(options(), parts.env));
  const hubConfig = async () => (await findHub(options(), parts.env)) ?? loadHubConfig(options(), parts.env);
  const print = (text: string): void => void parts.stdout.write(`${text}\n`);
  const call = async <Result>(work: (call: DeviceCall) => Promise<Result>): Promise<Result> => {
    const hub = await hubConfig();
    return runOneShot(hub, await identity(), work);
  };

  addRun(program, parts, identity);
  program
    .command('certificate')
    .description('the certificate that identifies this device to the hub')
    .command('fingerprint')
    .description('print the certificate fingerprint that an operator compares before accepting; needs no hub')
    .action(async () => print((await identity()).certificate.fingerprint));
  addDevice(program, call, print);
  addEvents(program, call, print);
  addRepositories(program, {
    call,
    print,
    pull: async (request) =>
      pull({
        ...request,
        hub: await hubConfig(),
        identity: await identity(),
        stderr: parts.stderr,
        signal: parts.stopSignal(),
      }),
  });
  addKitCommands(program, print);
  addSimulate(program, parts);
  return program;
}

/** The program with its global options, without commands. */
function emptyProgram(): Command {
  return new Command('corral-agent')
    .description('Keeps this device connected to its hub, and sends requests to the hub as this device.')
    .version(version(), '--version', 'print the version of this program')
    .option('--config <file>', 'configuration file (default: /etc/corral/agent.toml)')
    .option('--hub-url <url>', 'address of the hub')
    .option(
      '--token <token>',
      'deployment token; better in CORRAL_AGENT_TOKEN, where no process list shows it',
    )
    .option('--state <dir>', 'where fingerprint and certificate are kept')
    .option('--allow-plain-http', 'speak plain HTTP to a hub on another machine')
    .configureHelp({ showGlobalOptions: true })
    .addOption(new Option('--log-format <format>', 'how the log is written').choices(['pretty', 'json']))
    .showHelpAfterError('(corral-agent --help lists all commands and options)');
}

/** `run` and `pair`: a device without a token is paired first. */
function addRun(program: Command, parts: ProgramContext, identity: () => Promise<DeviceIdentity>): void {
  const options = () => program.opts<GlobalOptions>();
  const pairAs = (device: DeviceIdentity) => (value: string) => pairBy(value, device, options(), parts.env);
  program
    .command('run')
    .description('keep this device connected until stopped')
    .action(async () => {
      const provisioning = loadProvisioningConfig(options());
      const known = await findHub(options(), parts.env);
      if (known === undefined && provisioning === undefined) loadHubConfig(options(), parts.env);
      const { stateDir } = loadIdentityConfig(options(), parts.env);
      const may = { commands: loadCommandsConfig(options()), terminal: loadTerminalConfig(options()) };
      const device = await identity();
      const log = openLog(options().logFormat, parts.stderr);
      const signal = parts.stopSignal();
      const door = provisioning && { provisioning, pair: pairAs(device), log, signal };
      const hub = known ?? (door && (await awaitPairing(door)));
      if (hub !== undefined) await run({ hub, identity: device, ...may, stateDir, log, signal });
    });
  program
    .command('pair')
    .description('pair this device by a key from the console, and keep the token')
    .argument('<key>', 'the key, after the name of the hub and a comma where none is configured')
    .action(async (value: string) => {
      const { hubUrl } = await pairAs(await identity())(value);
      parts.stdout.write(`Paired with ${hubUrl}. Start the agent, or start it again: corral-agent run\n`);
    });
}

type Call = <Result>(work: (call: DeviceCall) => Promise<Result>) => Promise<Result>;
type Print = (text: string) => void;

function addDevice(program: Command, call: Call, print: Print): void {
  const device = program.command('device').description('data of this device on the hub');
  device
    .command('id')
    .description('print the id of this device')
    .action(async () => print(await call(async ({ deviceId }) => deviceId)));
  device
    .command('metadata')
    .description('facts that describe this device')
    .command('set')
    .description('replace the metadata')
    .argument('<json>', 'a JSON object')
    .action(async (json: string) => {
      const metadata = objectArgument('The metadata', json);
      await call((device) => setMetadata(device, metadata));
    });
  addProperties(device, call, print);
  device
    .command('tokens')
    .description('tokens by which third parties recognise this device')
    .command('issue')
    .description('issue a token and print it')
    .option('--valid-for <seconds>', 'how long it is valid', numberOption('--valid-for', 1, 0xffff_ffff))
    .option('--claims <json>', 'further claims of the token, as JSON')
    .action(async ({ validFor, claims }: { validFor?: number; claims?: string }) => {
      const options = {
        validForSecs: validFor,
        claims: claims === undefined ? undefined : jsonArgument('--claims', claims),
      };
      print(await call((device) => issueToken(device, options)));
    });
}

function addProperties(device: Command, call: Call, print: Print): void {
  const properties = device.command('properties').description('named values of this device');
  properties
    .command('get')
    .description('print a property as JSON')
    .argument('<name>')
    .option('--details', 'with its version and the time of its last change')
    .action(async (name: string, { details }: { details?: boolean }) => {
      const read = details === true ? getPropertyDetails : getProperty;
      print(shown(await call((device) => read(device, name))));
    });
  properties
    .command('set')
    .description('write a property')
    .argument('<name>')
    .argument('<json>', 'any JSON value')
    .action(async (name: string, json: string) => {
      const value = jsonArgument('The value', json);
      await call((device) => setProperty(device, name, value));
    });
}

function addEvents(program: Command, call: Call, print: Print): void {
  program
    .command('events')
    .description('what happens on this device')
    .command('emit')
    .description('report an event and print its id')
    .argument('<body>', 'what happened, as a text')
    .option('--severity <severity>', 'Trace, Debug, Info, Warning, Error or Critical', 'Info')
    .option('--category <category>', 'a word to group events by')
    .option('--attribute <name=json>', 'a fact; may be repeated', collected, [])
    .action(async (body: string, given: { severity: string; category?: string; attribute: string[] }) => {
      const words = {
        severity: severityOf(given.severity),
        category: given.category,
        body,
        attributes: attributesOf(given.attribute),
      };
      const [eventId = ''] = await call((device) => emitEvents(device, [words]));
      print(eventId);
    });
}

function addKitCommands(program: Command, print: Print): void {
  program
    .command('kit')
    .description('commands for this device that come with the agent')
    .command('add')
    .description(`write manifests and scripts of commands: ${kitCommands().join(', ')}`)
    .argument('[command...]', 'which; without any, only the scripts that need no command')
    .option('--manifests <dir>', 'where the manifests go', kitFolders.manifests)
    .option('--scripts <dir>', 'where the scripts go', kitFolders.scripts)
    .action(async (commands: string[], folders: KitFolders) => {
      for (const path of await addKit(commands, folders)) print(path);
    });
}

function addSimulate(program: Command, parts: ProgramContext): void {
  const options = () => program.opts<GlobalOptions>();
  program
    .command('simulate')
    .description('connect a fleet of simulated devices, for demonstrations and load tests')
    .requiredOption('--devices <count>', 'how many', numberOption('--devices', 1, 100_000))
    .option('--faults <shares>', 'devices that fail, in percent, such as fails=5,old-version=1', '')
    .option('--seed <number>', 'which devices fail, and how long commands take', seedOption, 1)
    .action(async ({ devices, faults, seed }: { devices: number; faults: string; seed: number }) => {
      const faultOf = parseFaults(faults, seed);
      const hub = loadHubConfig(options(), parts.env);
      await simulate({
        hub,
        devices,
        faultOf,
        seed,
        approvalToken: set(parts.env['CORRAL_AGENT_APPROVAL_TOKEN']),
        hubCertificate: parts.env['CORRAL_AGENT_HUB_CERTIFICATE'],
        stateDir: loadIdentityConfig(options(), parts.env).stateDir,
        log: openLog(options().logFormat, parts.stderr),
        signal: parts.stopSignalWithInput(),
      });
    });
}

const seedOption = numberOption('--seed', 0, 0xffff_ffff);
const collected = (pair: string, before: string[]): string[] => [...before, pair];
const shown = (value: Json): string => JSON.stringify(value, undefined, 2);

function numberOption(name: string, min: number, max: number): (text: string) => number {
  return (text) => {
    try {
      return wholeNumber(name, text, min, max);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  };
}
