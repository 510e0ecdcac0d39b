import { readList } from '@corral/client';
import type { Output as AnswerOf } from '@corral/contract';
import type { Command } from 'commander';
import { findDevice } from '../hub/find-device.ts';
import { projectOf } from '../hub/list-devices.ts';
import { confirm } from '../output/confirm.ts';
import { formatAge, formatCount, formatTime } from '../output/format.ts';
import { plainText } from '../output/plain-text.ts';
import { table, words } from '../output/table.ts';
import { durationMs } from './arguments.ts';
import { withExample, type CommandContext } from './command-context.ts';

type Rotation = AnswerOf<'devices_QueryCertificateRotations'>['rotations'][number];

const ofProject = [
  '--project <project>',
  'the project, by id or name; needed where you have several',
] as const;

/** `corral certificates …`. */
export function addCertificateRotations(program: Command, context: CommandContext): void {
  const certificates = program
    .command('certificates')
    .description('Replaces the certificates of devices while the old ones go on.');
  addRotate(certificates, context);
  addRotations(certificates, context);
  addCancel(certificates, context);
}

interface RotateOptions {
  readonly on: string;
  readonly project?: string;
  readonly grace?: number;
  readonly window?: number;
  readonly reason?: string;
  readonly preview?: boolean;
  readonly yes?: boolean;
}

function addRotate(certificates: Command, context: CommandContext): void {
  const command = certificates
    .command('rotate')
    .description('Opens a window in which devices may replace their certificates.')
    .requiredOption('--on <filter>', 'the devices, by a filter; all for all of the project')
    .option(...ofProject)
    .option(
      '--grace <duration>',
      'how long old certificates go on after the new ones are in use; 1d',
      seconds,
    )
    .option('--window <duration>', 'how long devices may take to announce new ones; 1d by default', seconds)
    .option('--reason <text>', 'why, for the log')
    .option('--preview', 'only say on which devices')
    .option('--yes', 'do not ask')
    .action((options: RotateOptions) => rotate(context, options));
  withExample(
    command,
    "corral certificates rotate --on 'certAge>365d' --preview",
    "corral certificates rotate --on 'site:north' --grace 7d --yes",
  );
}

async function rotate(context: CommandContext, options: RotateOptions): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const projectId = await projectOf(hub, options.project);
  const query = options.on;
  const { grace, window, reason } = options;
  const choices = {
    ...(grace === undefined ? {} : { graceSecs: grace }),
    ...(window === undefined ? {} : { windowSecs: window }),
    ...(reason === undefined ? {} : { reason }),
  };
  const change = { kind: 'RotateCertificates' as const, ...choices };
  const preview = await hub.invoke('fleet_PreviewChange', { projectId, query, change });
  const left = preview.excluded.map(
    ({ reason: why, count }) => `  ${formatCount(count, 'device')} left out: ${plainText(why)}`,
  );
  const text = [`${formatCount(preview.eligible, 'device')} may replace their certificates.`, ...left].join(
    '\n',
  );
  if (options.preview === true) return out.result(preview, () => text);
  out.note(text);
  await confirm(context, 'Old certificates go on until the new ones are in use.', options.yes === true);
  const started = await hub.invoke('devices_StartCertificateRotation', { projectId, query, ...choices });
  out.result(
    started,
    () =>
      `${out.style.green('✓')} The window opens for ${formatCount(started.devices, 'device')}: see \`corral certificates rotations\`.`,
  );
}

function addRotations(certificates: Command, context: CommandContext): void {
  const command = certificates
    .command('rotations')
    .description('Lists the rotations of certificates, newest first.')
    .option(...ofProject)
    .option('--device <device>', 'only those of this device, by id, name or host name')
    .action((options: { project?: string; device?: string }) => list(context, options));
  withExample(command, 'corral certificates rotations --project Plant');
}

async function list(
  context: CommandContext,
  { project, device }: { project?: string; device?: string },
): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const of =
    device === undefined
      ? { projectId: await projectOf(hub, project) }
      : { deviceId: await findDevice(hub, device) };
  const answer = await readList(hub, 'devices_QueryCertificateRotations', of);
  out.result(answer, () => {
    if (answer.rotations.length === 0) return 'No certificate was rotated yet.';
    const rows = answer.rotations.map((rotation) => [
      plainText(rotation.deviceName ?? rotation.deviceId),
      stateWords[rotation.state],
      formatAge(rotation.startedAt, hub.nowMs()),
      plainText(detailOf(rotation)),
    ]);
    return table([words('DEVICE'), words('STATE'), 'SINCE', words('WHAT COMES')], rows, out);
  });
}

const stateWords: Record<Rotation['state'], string> = {
  Open: 'open',
  Announced: 'announced',
  Arrived: 'arrived',
  RolledBack: 'rolled back',
  Completed: 'completed',
  Expired: 'expired',
  Cancelled: 'cancelled',
};

function detailOf({ state, until, oldEndsAt, problem }: Rotation): string {
  if (problem !== undefined) return problem;
  if (state === 'Open') return `the window closes ${formatTime(until)}`;
  return oldEndsAt === undefined || state !== 'Arrived' ? '' : `the old one ends ${formatTime(oldEndsAt)}`;
}

function addCancel(certificates: Command, context: CommandContext): void {
  const command = certificates
    .command('cancel')
    .description('Ends the rotation of the certificate of a device; what is active stays so.')
    .argument('<device>', 'id, name or host name of the device')
    .action(async (device: string) => {
      const out = context.output();
      const hub = context.hub();
      const deviceId = await findDevice(hub, device);
      await hub.invoke('devices_CancelCertificateRotation', { deviceId });
      out.result({ deviceId }, () => `${out.style.green('✓')} The rotation of ${deviceId} has ended.`);
    });
  withExample(command, 'corral certificates cancel d_7hFxpH4LTaq1Zd3c8yGvKn');
}

const seconds = (text: string): number => Math.round(durationMs(text) / 1000);
