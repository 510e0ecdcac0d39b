import { setTimeout as delay } from 'node:timers/promises';
import { readList } from '@corral/client';
import type { Id } from '@corral/contract';
import type { Command } from 'commander';
import { CliError, exitCodes } from '../CliError.ts';
import { findProject, onlyProject } from '../hub/list-devices.ts';
import type { Hub } from '../hub/hub.ts';
import { formatCount } from '../output/format.ts';
import { plainText } from '../output/plain-text.ts';
import type { Style } from '../output/style.ts';
import { type Cell, table, words } from '../output/table.ts';
import { addressesOf, addressText, type AgentAddress, readAddress } from '../pairing/addresses.ts';
import { DeviceNames, readNames } from '../pairing/names-file.ts';
import { findReady, pairAll, type PairedAddress } from '../pairing/pair-devices.ts';
import { repeated, wholeNumber } from './arguments.ts';
import { withExample, type CommandContext } from './command-context.ts';

interface PairOptions {
  readonly project?: string;
  readonly address: string[];
  readonly scan?: string;
  readonly port: number;
  readonly names?: string;
  readonly name?: string;
  readonly wait: number;
}

/** `corral pair`. */
export function addPair(program: Command, context: CommandContext): void {
  const command = program
    .command('pair')
    .description('Pairs devices: makes a key, or finds agents that wait to be paired and gives each a key.')
    .option('--project <project>', 'the project, by id or name; needed where you have several')
    .option('--address <address>', 'an agent that waits to be paired; may be repeated', repeated, [])
    .option('--scan <network>', 'all addresses of an IPv4 network, such as 192.168.1.0/24')
    .option('--port <port>', 'the port of the agents', wholeNumber(1, 65_535), 6947)
    .option('--names <file>', 'a file with an address or a fingerprint, a comma and a name on each line')
    .option('--name <name>', 'the name of the device, of one key')
    .option('--wait <seconds>', 'how long to wait for a device to connect', wholeNumber(0, 600), 30)
    .action((options: PairOptions) => pair(context, options));
  withExample(
    command,
    'corral pair --project Plant',
    'corral pair --project Plant --scan 192.168.1.0/24 --names pumps.csv',
  );
}

async function pair(context: CommandContext, options: PairOptions): Promise<void> {
  const addresses = [
    ...options.address.map((address) => readAddress(address, options.port)),
    ...(options.scan === undefined ? [] : addressesOf(options.scan, options.port)),
  ];
  const names = new DeviceNames(options.names === undefined ? undefined : readNames(options.names));
  const isOfMany = addresses.length > 0;
  if (options.name !== undefined && isOfMany)
    throw new CliError('--name is for one key: name the devices of addresses by --names.', exitCodes.usage);
  if (options.names !== undefined && !isOfMany)
    throw new CliError('--names needs --address or --scan.', exitCodes.usage);
  const hub = context.hub();
  const projectId = await (options.project === undefined
    ? onlyProject(hub)
    : findProject(hub, options.project));
  if (!isOfMany) return makeKey(context, hub, { projectId, options });
  const out = context.output();
  const ready = await findReady(addresses);
  if (options.scan !== undefined) out.note(`${formatCount(ready.length, 'agent')} ready to be paired.`);
  const textOf = (address: AgentAddress) => addressText(address, options.port);
  const connectMs = options.wait * 1_000;
  const paired = await pairAll(ready, { hub, projectId, names, connectMs });
  const outcomes = [...paired, ...missing(options, ready)];
  const unusedNames = names.unused;
  out.result({ devices: outcomes.map((outcome) => toJson(outcome, textOf)), unusedNames }, () => {
    if (outcomes.length === 0) return 'No agent there waits to be paired.';
    const rows = outcomes.map((outcome) => row(outcome, textOf, out.style));
    return table(['ADDRESS', words('NAME'), words('STATE'), 'DEVICE'], rows, out);
  });
  if (unusedNames.length > 0)
    out.note(`Of the names, no device was found for ${unusedNames.map(plainText).join(', ')}.`);
  const failed = outcomes.filter(({ state }) => state !== 'connected').length;
  if (failed > 0)
    throw new CliError(`${failed} of ${formatCount(outcomes.length, 'agent')} did not connect.`);
}

/** The given addresses where nobody is ready; of a network these are most. */
function missing({ address, port }: PairOptions, ready: readonly AgentAddress[]): PairedAddress[] {
  const found = new Set(ready.map((one) => addressText(one, port)));
  return address
    .map((text) => readAddress(text, port))
    .filter((one) => !found.has(addressText(one, port)))
    .map((one) => ({ address: one, state: 'notReady' }));
}

type AddressText = (address: AgentAddress) => string;

function toJson({ address, ...rest }: PairedAddress, textOf: AddressText) {
  return { address: textOf(address), ...rest };
}

function row(
  { address, name, state, deviceId, problem }: PairedAddress,
  textOf: AddressText,
  style: Style,
): Cell[] {
  return [textOf(address), plainText(name ?? '–'), stateOf(state, problem, style), deviceId ?? '–'];
}

function stateOf(state: PairedAddress['state'], problem: string | undefined, style: Style): Cell {
  switch (state) {
    case 'connected':
      return problem === undefined
        ? { text: '● connected', paint: style.green }
        : { text: `● connected, ${problem}`, paint: style.yellow };
    case 'paired':
      return { text: '○ paired, not connected yet', paint: style.yellow };
    case 'failed':
      return { text: `✗ ${problem}`, paint: style.red };
    case 'notReady':
      return { text: '✗ no agent there waits to be paired', paint: style.red };
  }
}

const pollMs = 1_000;

/** Makes one key, shows what to do with it, and waits until a device has used it. */
async function makeKey(
  context: CommandContext,
  hub: Hub,
  { projectId, options }: { readonly projectId: Id<'project'>; readonly options: PairOptions },
): Promise<void> {
  const out = context.output();
  const { name, port, wait } = options;
  const made = await hub.invoke('projects_CreateDevicePairingKey', {
    projectId,
    ...(name === undefined ? {} : { name }),
  });
  const { pairingKey, pairingKeyId, value, expiresAt } = made;
  if (out.isJson) return out.result({ pairingKey, pairingKeyId, value, expiresAt }, () => '');
  out.write(
    `${[
      value,
      '',
      `To an agent that waits to be paired:  curl -d '${value}' http://DEVICE:${port}/pair`,
      `On the device, for any other agent:   curl -fsS ${hub.url}/pair.sh | sudo sh -s ${pairingKey}`,
    ].join('\n')}\n`,
  );
  const signal = context.parts.stopSignal();
  let usedAtMs: number | undefined;
  while (!signal.aborted && hub.nowMs() < Date.parse(expiresAt) + wait * 1_000) {
    const { pairingKeys } = await readList(hub, 'projects_QueryDevicePairingKeys', { projectId });
    const key = pairingKeys.find((one) => one.pairingKeyId === pairingKeyId);
    if (key?.isConnected === true) return out.write(`Connected: ${key.deviceId}\n`);
    if (key?.revokedAt !== undefined) throw new CliError('The key was revoked.');
    if (key?.usedAt === undefined && hub.nowMs() >= Date.parse(expiresAt)) break;
    if (key?.usedAt !== undefined) usedAtMs ??= hub.nowMs();
    if (usedAtMs !== undefined && hub.nowMs() > usedAtMs + wait * 1_000)
      throw new CliError('The key was used, but its device is not connected yet.');
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
  if (signal.aborted) {
    await hub.invoke('projects_RevokeDevicePairingKey', { pairingKeyId });
    throw new CliError('The key was revoked, as nobody had used it.', exitCodes.unwatched);
  }
  throw new CliError('The key has expired: no device used it.');
}
