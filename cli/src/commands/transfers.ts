import type { TransferHttp } from '@corral/client/node';
import { CliError } from '../CliError.ts';
import type { Hub } from '../hub/hub.ts';
import { progressView, type ProgressView } from '../output/progress.ts';
import type { CommandContext } from './command-context.ts';

/** What a command that transfers files uses. */
export interface Transfers {
  readonly http: TransferHttp;
  /** Aborts when the process is asked to stop. */
  readonly signal: AbortSignal;
  readonly view: ProgressView;
}

/** Runs work that transfers files, and closes what it used. Rejected with a CliError when the process is asked to stop. */
export async function withTransfers<Result>(
  { parts }: CommandContext,
  hub: Hub,
  work: (transfers: Transfers) => Promise<Result>,
): Promise<Result> {
  const signal = parts.stopSignal();
  const http = hub.transferHttp();
  const view = progressView(parts.stderr, parts.env);
  try {
    return await work({ http, signal, view });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CliError('Stopped. Run the same command to resume.', undefined, { cause: error });
  } finally {
    view.end();
    http.close();
  }
}
