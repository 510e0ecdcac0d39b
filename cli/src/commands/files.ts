import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type DeviceFileOptions, digestFile, fetchDeviceFile, putDeviceFile } from '@corral/client/node';
import type { Command } from 'commander';
import { findDevice } from '../hub/find-device.ts';
import { formatBytes } from '../output/format.ts';
import { plainText } from '../output/plain-text.ts';
import { withExample, type CommandContext } from './command-context.ts';
import { withTransfers } from './transfers.ts';

interface Options {
  readonly reason?: string;
}

/** `corral files …`. */
export function addFiles(program: Command, context: CommandContext): void {
  const files = program
    .command('files')
    .description('Fetches and puts files of devices, for whoever may open a terminal on them.');
  const [get, put] = [
    files
      .command('get')
      .description('Fetches a file of a device. Run again after an interruption, it resumes.'),
    files
      .command('put')
      .description(
        'Puts a file on a device, where it replaces the old one when all of it is there. Resumes, too.',
      ),
  ].map((command) => command.argument('<device>', 'id, name or host name of the device')) as [
    Command,
    Command,
  ];
  get
    .argument('<path>', 'of the file on the device')
    .argument('[to]', 'a folder, or the path of the file here', '.')
    .action((device: string, path: string, to: string, options: Options) =>
      getFile(context, device, { path, to }, options),
    );
  put
    .argument('<from>', 'the file here')
    .argument('<path>', 'of the file on the device')
    .action((device: string, from: string, path: string, options: Options) =>
      putFile(context, device, { path, from }, options),
    );
  for (const command of [get, put]) command.option('--reason <text>', 'why, where the project asks that');
  withExample(get, 'corral files get "Press 4" /var/log/press.log');
  withExample(put, 'corral files put "Press 4" press.conf /etc/press/press.conf --reason "Ticket 4711"');
}

async function getFile(
  context: CommandContext,
  device: string,
  { path, to }: { readonly path: string; readonly to: string },
  options: Options,
): Promise<void> {
  const isFolder = await stat(to).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const target = isFolder ? join(to, basename(path)) : to;
  const got = await withFile(context, device, { path, ...options }, (file, transfer) =>
    fetchDeviceFile(file, target, transfer),
  );
  conclude(context, { path: target, ...got });
}

async function putFile(
  context: CommandContext,
  device: string,
  { path, from }: { readonly path: string; readonly from: string },
  options: Options,
): Promise<void> {
  const content = await digestFile(from);
  await withFile(context, device, { path, ...options }, (file, transfer) =>
    putDeviceFile(file, content, transfer),
  );
  const { sizeBytes, digest } = content;
  conclude(context, { path, sizeBytes, digest });
}

function conclude(
  context: CommandContext,
  done: { readonly path: string; readonly sizeBytes: number; readonly digest: string },
): void {
  const out = context.output();
  out.result(done, () => `${out.style.green('✓')} ${plainText(done.path)}: ${formatBytes(done.sizeBytes)}`);
}

async function withFile<Result>(
  context: CommandContext,
  device: string,
  file: { readonly path: string; readonly reason?: string },
  work: (file: Parameters<typeof fetchDeviceFile>[0], transfer: DeviceFileOptions) => Promise<Result>,
): Promise<Result> {
  const hub = context.hub();
  const deviceId = await findDevice(hub, device);
  return withTransfers(context, hub, async ({ http, signal, view }) => {
    const { onProgress, onRetry, onEnd } = view.start(basename(file.path));
    try {
      return await work({ deviceId, ...file }, { executor: hub, http, signal, onProgress, onRetry });
    } finally {
      onEnd();
    }
  });
}
