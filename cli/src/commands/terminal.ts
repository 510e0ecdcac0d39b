import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { readList } from '@corral/client';
import { ids, type Id, type Output as AnswerOf } from '@corral/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { CliError, exitCodes, type ExitCode } from '../CliError.ts';
import { findDevice } from '../hub/find-device.ts';
import type { Hub } from '../hub/hub.ts';
import { findProject, onlyProject } from '../hub/list-devices.ts';
import { formatAge } from '../output/format.ts';
import { plainText } from '../output/plain-text.ts';
import { table, words } from '../output/table.ts';
import { attendTerminal, endSentence, type TerminalOutcome } from '../terminal/attend-terminal.ts';
import { playRecording } from '../terminal/play-recording.ts';
import { withExample, type CommandContext } from './command-context.ts';

type Terminal = AnswerOf<'devices_QueryTerminals'>['terminals'][number];
type TerminalId = Id<'terminal'>;

const exampleId = 'term_20261120-1100-77777777';
const pollMs = 2_000;

interface OpenOptions {
  readonly user?: string;
  readonly reason?: string;
}

/** `corral terminal …`. */
export function addTerminal(program: Command, context: CommandContext): void {
  const terminal = program.command('terminal').description('Works with terminals on devices.');
  const opening = terminal
    .command('open', { isDefault: true })
    .description('Opens a terminal on a device; `~.` at the beginning of a line leaves and ends it.')
    .argument('<device>', 'id, name or host name of the device')
    .option('--user <user>', 'the user on the device')
    .option('--reason <text>', 'why, where the project asks that')
    .action((device: string, options: OpenOptions) => open(context, device, options));
  withExample(
    opening,
    'corral terminal open "Press 4"',
    'corral terminal press-4 --user operator --reason "Ticket 4711"',
  );
  addList(terminal, context);
  ofOne(terminal, 'watch', 'Shows a terminal that somebody uses; Ctrl-C leaves.', (id) => watch(context, id));
  addPlay(terminal, context);
  ofOne(terminal, 'end', 'Ends a terminal.', (id) => end(context, id));
}

function ofOne<Options>(
  terminal: Command,
  name: string,
  description: string,
  run: (id: TerminalId, options: Options) => Promise<void>,
  withOptions: (command: Command) => Command = (command) => command,
): void {
  const command = terminal
    .command(name)
    .description(description)
    .argument('<terminal>', 'its id, which `corral terminal list` shows', terminalId);
  withExample(withOptions(command).action(run), `corral terminal ${name} ${exampleId}`);
}

function terminalId(text: string): TerminalId {
  if (ids.terminal.schema.safeParse(text).success) return text as TerminalId;
  throw new InvalidArgumentError(`It must be the id of a terminal, such as ${exampleId}.`);
}

async function open(context: CommandContext, device: string, options: OpenOptions): Promise<void> {
  const hub = context.hub();
  const deviceId = await findDevice(hub, device);
  const opened = await hub.invoke('devices_OpenTerminal', { deviceId, ...options });
  const { sessionId } = opened;
  const ticket =
    opened.result === 'Opened' ? opened.ticket : await approvedTicket(context, hub, deviceId, sessionId);
  const outcome = await attendTerminal(context, hub, { sessionId, ticket, role: 'Types' });
  if (outcome.hasLeft === true) {
    await hub.invoke('devices_EndTerminal', { sessionId });
    return context.output().note('You left, and the terminal was ended.');
  }
  conclude(context, outcome);
}

/** Ends with the status of the shell. */
function conclude(context: CommandContext, { reason, status }: TerminalOutcome): void {
  if (status === 0) return;
  if (status !== undefined)
    throw new CliError(`The shell ended with status ${status}.`, (status & 255) as ExitCode);
  if (reason !== 'Exited' && reason !== 'Closed')
    throw new CliError(reason === undefined ? 'The terminal ended.' : endSentence(reason));
  context.output().note(endSentence(reason));
}

/** Waits until another owner has approved a terminal, and gets a ticket. */
async function approvedTicket(
  context: CommandContext,
  hub: Hub,
  deviceId: Id<'device'>,
  sessionId: TerminalId,
): Promise<string> {
  const out = context.output();
  const { projectId } = await hub.invoke('devices_GetDeviceDetails', { deviceId });
  out.note(
    `It waits for another owner of the project, who approves it here: ${hub.url}/projects/${projectId}/terminals/${sessionId}`,
  );
  const signal = context.parts.stopSignal();
  for (;;) {
    const { terminals } = await hub.invoke('devices_QueryTerminals', { deviceId, limit: 50 });
    const found = terminals.find((one) => one.sessionId === sessionId);
    if (found === undefined || found.state === 'Ended')
      throw new CliError(endSentence(found?.endReason ?? 'Closed'), exitCodes.denied);
    if (found.state === 'Open') return (await hub.invoke('devices_JoinTerminal', { sessionId })).ticket;
    try {
      await delay(pollMs, undefined, { signal });
    } catch {
      await hub.invoke('devices_EndTerminal', { sessionId });
      throw new CliError('You did not wait for the approval.', exitCodes.unwatched);
    }
  }
}

function addList(terminal: Command, context: CommandContext): void {
  const command = terminal
    .command('list')
    .description('Lists the terminals of a project, newest first.')
    .option('--project <project>', 'the project, by id or name; needed where you have several')
    .option('--all', 'also those that have ended')
    .action((options: { project?: string; all?: boolean }) => list(context, options));
  withExample(command, 'corral terminal list --project Plant');
}

async function list(
  context: CommandContext,
  { project, all }: { project?: string; all?: boolean },
): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const projectId = await (project === undefined ? onlyProject(hub) : findProject(hub, project));
  const answer = await readList(hub, 'devices_QueryTerminals', { projectId });
  const terminals = answer.terminals.filter(({ state }) => all === true || state !== 'Ended');
  out.result({ terminals }, () => {
    if (terminals.length === 0) return 'There is no terminal.';
    const rows = terminals.map((one) => [
      plainText(one.deviceName ?? one.deviceId),
      stateOf(one),
      plainText(one.user ?? ''),
      plainText(one.reason ?? ''),
      formatAge(one.openedAt, hub.nowMs()),
      one.sessionId,
    ]);
    return table([words('DEVICE'), 'STATE', 'USER', words('REASON'), 'OPENED', 'TERMINAL'], rows, out);
  });
}

const stateOf = ({ state, exitStatus }: Terminal): string =>
  exitStatus === undefined ? state.toLowerCase() : `${state.toLowerCase()}, status ${exitStatus}`;

async function watch(context: CommandContext, sessionId: TerminalId): Promise<void> {
  const hub = context.hub();
  const { ticket, role } = await hub.invoke('devices_JoinTerminal', { sessionId });
  const outcome = await attendTerminal(context, hub, { sessionId, ticket, role });
  if (outcome.hasLeft !== true && outcome.reason !== undefined)
    context.output().note(endSentence(outcome.reason));
}

async function end(context: CommandContext, sessionId: TerminalId): Promise<void> {
  const out = context.output();
  const answer = await context.hub().invoke('devices_EndTerminal', { sessionId });
  out.result(answer, () => `${out.style.green('✓')} The terminal was ended.`);
}

function addPlay(terminal: Command, context: CommandContext): void {
  ofOne(
    terminal,
    'play',
    'Plays the recording of a terminal; that you read it is recorded.',
    (id, options: { speed: number; idle: number }) => play(context, id, options),
    (command) =>
      command
        .option('--speed <factor>', 'how many times faster', positive, 1)
        .option('--idle <seconds>', 'the longest pause', positive, 2),
  );
}

function positive(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 1_000_000) return value;
  throw new InvalidArgumentError('It must be a number above 0.');
}

async function play(
  context: CommandContext,
  sessionId: TerminalId,
  { speed, idle }: { speed: number; idle: number },
): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const signal = context.parts.stopSignal();
  const { url } = await hub.invoke('devices_IssueRecordingUrl', { sessionId });
  const http = hub.transferHttp();
  try {
    // The hub may call itself otherwise than this user does.
    const { pathname, search } = new URL(url, hub.url);
    const headers = { authorization: hub.authorization };
    const answer = await http.send(`${hub.url}${pathname}${search}`, { method: 'GET', headers, signal });
    if (answer.statusCode !== 200) throw new CliError('There is no recording of this terminal.');
    const lines = createInterface({ input: answer, crlfDelay: Infinity });
    await playRecording(lines, { speed, idle, write: (text) => out.write(text), signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    http.close();
    // Colours and modes of the recording end with it.
    if (out.isLive) out.write('\u001B[!p\u001B[?1049l\n');
  }
}
