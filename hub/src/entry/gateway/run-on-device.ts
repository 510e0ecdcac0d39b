import { ActionError, channelReasons, type Id, type Json } from '@corral/contract';
import { type Channel, ChannelRejection } from '@corral/multiplex';
import { type CommandResult, type Invocation, runCommand } from './command-channel.ts';

const openWithinMs = 15_000;
const maxSaidCharacters = 300;

/** Runs a command on a device that offers it, through a channel that `open` opens; `onLog` gets the lines of its log; `left` ends it. Rejected with an ActionError for one that failed. */
export async function runOnDevice(
  open: (
    deviceId: Id<'device'>,
    endpoint: string,
    options: { readonly signal: AbortSignal },
  ) => Promise<Channel>,
  deviceId: Id<'device'>,
  invocation: Invocation,
  onLog: (line: string) => void,
  left: AbortSignal,
): Promise<Json | undefined> {
  const signal = AbortSignal.any([left, AbortSignal.timeout(openWithinMs)]);
  const channel = await open(deviceId, 'handler', { signal }).catch((error: unknown) => {
    throw new ActionError('NotReady', reasonOf(error));
  });
  const result = await runCommand(channel, invocation, onLog, left);
  if (result.status === 'Succeeded') return result.output;
  if (result.status === 'Lost')
    throw new ActionError('NotReady', 'The connection of the device ended meanwhile.');
  throw new ActionError('Invalid', `The device says: ${saidBy(result)}`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof ChannelRejection)) return 'The device cannot be reached.';
  return error.message === channelReasons.deviceNotConnected
    ? 'The device is not connected.'
    : `The device takes no command now: ${error.message}.`;
}

/** Scripts say last why they failed. */
function saidBy(result: Exclude<CommandResult, { status: 'Lost' }>): string {
  const error = 'error' in result ? (result.error ?? '') : 'something that is no result';
  const said = result.log.findLast((line) => line.trim() !== '') ?? error;
  return `${said.replace(/\p{C}/gu, ' ').trim().replace(/\.$/, '').slice(0, maxSaidCharacters)}.`;
}
