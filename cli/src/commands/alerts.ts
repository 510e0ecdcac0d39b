import { readList } from '@corral/client';
import { ids, type Id, type Output as AnswerOf } from '@corral/contract';
import { type Command, InvalidArgumentError } from 'commander';

import { findDevice } from '../hub/find-device.ts';
import { findProject, projectOf } from '../hub/list-devices.ts';
import { formatAge, formatCount, formatTime } from '../output/format.ts';
import { plainText } from '../output/plain-text.ts';
import type { Style } from '../output/style.ts';
import { table, words } from '../output/table.ts';
import { durationMs, wholeNumber } from './arguments.ts';
import { withExample, type CommandContext } from './command-context.ts';

type Alert = AnswerOf<'alerts_QueryAlerts'>['alerts'][number];
type Severity = Alert['severity'];

const exampleRule = `alert_rule_${'7'.repeat(22)}`;
const exampleAlert = 'alert_20261120-1100-77777777';
const ofProject = [
  '--project <project>',
  'the project, by id or name; needed where you have several',
] as const;
const mostListed = 10_000;

/** `corral alerts …`. */
export function addAlerts(program: Command, context: CommandContext): void {
  const alerts = program
    .command('alerts')
    .description('Works with alerts of projects and with what is muted.');
  addList(alerts, context);
  addRules(alerts, context);
  addTest(alerts, context);
  addAcknowledge(alerts, context);
  addMute(alerts, context);
  addMutes(alerts, context);
  addUnmute(alerts, context);
}

interface ListOptions {
  readonly project?: string;
  readonly ended?: boolean;
  readonly limit: number;
}

function addList(alerts: Command, context: CommandContext): void {
  const command = alerts
    .command('list')
    .description('Lists the alerts that have not ended, the most severe first.')
    .option('--project <project>', 'only those of this project, by id or name')
    .option('--ended', 'also those of the last 30 days that have ended')
    .option('--limit <count>', 'how many at most', wholeNumber(1, mostListed), 100)
    .action((options: ListOptions) => list(context, options));
  withExample(command, 'corral alerts list --project Plant');
}

async function list(context: CommandContext, { project, ended, limit }: ListOptions): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const answer = await hub.invoke('alerts_QueryAlerts', {
    ...(project === undefined ? { all: true } : { projectId: await findProject(hub, project) }),
    ...(ended === true ? {} : { states: ['Pending', 'Firing', 'Acknowledged'] }),
    limit,
  });
  out.result(answer, () => {
    if (answer.alerts.length === 0) return 'There are no alerts.';
    const rows = answer.alerts.map((alert) => [
      { text: alert.severity, paint: paintOf(alert.severity, out.style) },
      stateOf(alert),
      plainText(alert.subject),
      plainText(alert.ruleName),
      plainText(alert.projectName ?? 'the hub'),
      formatAge(alert.since, hub.nowMs()),
      alert.alertId,
    ]);
    const titles = [
      'SEVERITY',
      words('STATE'),
      words('SUBJECT'),
      words('RULE'),
      words('PROJECT'),
      'SINCE',
      'ALERT',
    ];
    return table(titles, rows, out);
  });
  if (answer.next !== undefined)
    out.note(`These are the first ${limit}; there are more: --limit takes up to ${mostListed}.`);
}

function stateOf({ state, isMuted, flaps }: Alert): string {
  const facts = [...(flaps > 0 ? ['unstable'] : []), ...(isMuted ? ['muted'] : [])];
  return [state.toLowerCase(), ...facts].join(', ');
}

function paintOf(severity: Severity, style: Style): (text: string) => string {
  if (severity === 'Critical') return style.red;
  return severity === 'Warning' ? style.yellow : (text) => text;
}

function addRules(alerts: Command, context: CommandContext): void {
  const command = alerts
    .command('rules')
    .description('Lists the alert rules of a project.')
    .option(...ofProject)
    .action((options: { project?: string }) => rules(context, options.project));
  withExample(command, 'corral alerts rules --project Plant');
}

async function rules(context: CommandContext, project: string | undefined): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const answer = await readList(hub, 'alerts_QueryRules', { projectId: await projectOf(hub, project) });
  out.result(answer, () => {
    if (answer.rules.length === 0) return 'There is no alert rule yet.';
    const rows = answer.rules.map(({ name, severity, isEnabled, counts, ruleId, mutedUntil }) => [
      plainText(name),
      { text: severity, paint: paintOf(severity, out.style) },
      isEnabled ? (mutedUntil === undefined ? 'on' : 'muted') : 'off',
      String(counts.firing + counts.acknowledged),
      ruleId,
    ]);
    return table([words('NAME'), 'SEVERITY', 'STATE', 'ALERTS', 'RULE'], rows, out);
  });
}

function addTest(alerts: Command, context: CommandContext): void {
  const command = alerts
    .command('test')
    .description('Sends a message to all whom a rule tells, marked as a test.')
    .argument('<rule>', 'its id, which `corral alerts rules` shows', idOf('alertRule'))
    .action(async (ruleId: Id<'alertRule'>) => {
      const out = context.output();
      const answer = await context.hub().invoke('alerts_TestRule', { ruleId });
      const told = `${formatCount(answer.mails, 'e-mail')} and ${formatCount(answer.messages.length, 'webhook message')}`;
      out.result(answer, () => `${out.style.green('✓')} ${told} will be sent.`);
    });
  withExample(command, `corral alerts test ${exampleRule}`);
}

function addAcknowledge(alerts: Command, context: CommandContext): void {
  const command = alerts
    .command('ack')
    .description('Acknowledges alerts that fire: nobody is reminded of them.')
    .argument(
      '<alert...>',
      'their ids, which `corral alerts list` shows',
      (text, before: readonly Id<'alert'>[] | undefined) => [...(before ?? []), idOf('alert')(text)],
    )
    .action((alertIds: readonly Id<'alert'>[]) => acknowledge(context, alertIds));
  withExample(command, `corral alerts ack ${exampleAlert}`);
}

async function acknowledge(context: CommandContext, alertIds: readonly Id<'alert'>[]): Promise<void> {
  const out = context.output();
  const answer = await context.hub().invoke('alerts_Acknowledge', { alertIds: [...alertIds] });
  out.result(
    answer,
    () => `${out.style.green('✓')} ${formatCount(answer.acknowledged, 'alert')} acknowledged.`,
  );
}

interface MuteOptions {
  readonly project?: string;
  readonly rule?: Id<'alertRule'>;
  readonly device?: string;
  readonly on?: string;
  readonly for: number;
  readonly reason?: string;
}

const hourMs = 3_600_000;

function addMute(alerts: Command, context: CommandContext): void {
  const command = alerts
    .command('mute')
    .description('Keeps alerts from being told for a while: of a rule, of devices, or of a whole project.')
    .option(...ofProject)
    .option('--rule <rule>', 'the id of a rule, which `corral alerts rules` shows', idOf('alertRule'))
    .option('--device <device>', 'id, name or host name of a device')
    .option('--on <filter>', 'the devices that a filter finds')
    .option('--for <duration>', 'for how long, such as 30min, 4h or 7d', durationMs, hourMs)
    .option('--reason <text>', 'why, for others')
    .action((options: MuteOptions) => mute(context, options));
  withExample(
    command,
    'corral alerts mute --device "Press 4" --for 4h --reason "Repair"',
    'corral alerts mute --project Plant --on "site:north" --for 1d',
  );
}

async function mute(
  context: CommandContext,
  { project, rule, device, on, reason, ...given }: MuteOptions,
): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const until = new Date(hub.nowMs() + given.for).toISOString();
  const deviceId = device === undefined ? undefined : await findDevice(hub, device);
  const projectId =
    deviceId === undefined || project !== undefined
      ? await projectOf(hub, project)
      : (await hub.invoke('devices_GetDeviceDetails', { deviceId })).projectId;
  const answer = await hub.invoke('alerts_Mute', {
    projectId,
    until,
    ...(rule === undefined ? {} : { ruleId: rule }),
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(on === undefined ? {} : { filter: on }),
    ...(reason === undefined ? {} : { reason }),
  });
  out.result(
    answer,
    () =>
      `${out.style.green('✓')} Muted until ${formatTime(until)}. End it before:\n  corral alerts unmute ${answer.muteId}`,
  );
}

function addMutes(alerts: Command, context: CommandContext): void {
  const command = alerts
    .command('mutes')
    .description('Lists what is muted in a project.')
    .option(...ofProject)
    .action((options: { project?: string }) => mutes(context, options.project));
  withExample(command, 'corral alerts mutes --project Plant');
}

async function mutes(context: CommandContext, project: string | undefined): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const answer = await readList(hub, 'alerts_QueryMutes', { projectId: await projectOf(hub, project) });
  out.result(answer, () => {
    if (answer.mutes.length === 0) return 'Nothing is muted.';
    const rows = answer.mutes.map(
      ({ ruleName, deviceName, deviceId, filter, until, window, reason, muteId }) => {
        const what = [ruleName, deviceName ?? deviceId, filter].filter((part) => part !== undefined);
        const when =
          until === undefined ? `${window?.from} to ${window?.to} ${window?.timeZone}` : formatTime(until);
        return [plainText(what.join(', ') || 'all'), plainText(when), plainText(reason ?? ''), muteId];
      },
    );
    return table([words('MUTED'), 'UNTIL', words('REASON'), 'MUTE'], rows, out);
  });
}

function addUnmute(alerts: Command, context: CommandContext): void {
  const command = alerts
    .command('unmute')
    .description('Ends a mute: what still fires is told.')
    .argument('<mute>', 'its id, which `corral alerts mutes` shows', idOf('alertMute'))
    .action(async (muteId: Id<'alertMute'>) => {
      const out = context.output();
      const answer = await context.hub().invoke('alerts_Unmute', { muteId });
      out.result(answer, () => `${out.style.green('✓')} It is not muted any more.`);
    });
  withExample(command, `corral alerts unmute ${examples.alertMute}`);
}

/** Parses an id. Throws commander's error for another text. */
function idOf<Kind extends 'alert' | 'alertRule' | 'alertMute'>(kind: Kind): (text: string) => Id<Kind> {
  return (text) => {
    if (ids[kind].schema.safeParse(text).success) return text as Id<Kind>;
    throw new InvalidArgumentError(`It must be an id, such as ${examples[kind]}.`);
  };
}

const examples = {
  alert: exampleAlert,
  alertRule: exampleRule,
  alertMute: `alert_mute_${'7'.repeat(22)}`,
} as const;
