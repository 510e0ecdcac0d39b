import type { PulledFile } from '@corral/client/node';
import type { Command } from 'commander';
import { assetPathOf, issueAssetUrl } from './device-calls.ts';
import type { DeviceCall } from './one-shot.ts';
import type { PullRequest } from './pull.ts';

/** What the commands use. */
export interface RepositoryCommands {
  /** Connects, does one thing and disconnects. */
  readonly call: <Result>(work: (call: DeviceCall) => Promise<Result>) => Promise<Result>;
  readonly print: (text: string) => void;
  readonly pull: (
    request: Pick<PullRequest, 'version' | 'filename' | 'output' | 'from'>,
  ) => Promise<PulledFile[]>;
}

interface PullOptions {
  readonly output?: string;
  readonly from: string[];
  readonly json?: boolean;
}

/** `corral-agent repositories …`. */
export function addRepositories(program: Command, { call, print, pull }: RepositoryCommands): void {
  const repositories = program.command('repositories').description('the software that this device may fetch');
  repositories
    .command('issue-url')
    .description('print a short-lived address of an asset')
    .argument('<asset>', 'repository/package/tag/filename')
    .action(async (asset: string) => {
      const path = assetPathOf(asset);
      print(await call((device) => issueAssetUrl(device, path)));
    });
  repositories
    .command('pull')
    .description('download the files of a version and verify them; run again, it resumes')
    .argument('<version>', 'repository/package@tag, or the id of the version')
    .argument('[file]', 'only this file of the version')
    .option('--output <path>', 'a folder, or the path of the one file')
    .option('--from <file>', 'take what is equal from this file; may be repeated', collected, [])
    .option('--json', 'print the result as JSON')
    .action(async (version: string, filename: string | undefined, { output, from, json }: PullOptions) => {
      const files = await pull({ version, filename, output, from });
      if (json === true) print(JSON.stringify({ files }, undefined, 2));
      else
        for (const { path, status, fetchedBytes } of files)
          print(`${path}: ${status === 'unchanged' ? status : `${fetchedBytes} bytes fetched`}`);
    });
}

const collected = (path: string, before: string[]): string[] => [...before, path];
