import { createSecureContext } from 'node:tls';
import { ConnectError, type Executor } from '@corral/client';
import { pullVersion, TransferError, transferHttp, type PulledFile } from '@corral/client/node';
import { ActionError, errorKinds, ids, type Id } from '@corral/contract';
import { AgentError, exitCodes, type ExitCode } from '../AgentError.ts';
import type { HubConfig } from '../config.ts';
import type { DeviceIdentity } from '../identity/identity.ts';
import { executorOnDemand } from '../link/executor-on-demand.ts';
import { authorities } from '../link/secure-context.ts';
import { progressLine } from './progress-line.ts';

/** What to fetch, and with what. */
export interface PullRequest {
  readonly hub: HubConfig;
  readonly identity: DeviceIdentity;
  /** `repository/package@tag`, or the id of a version. */
  readonly version: string;
  /** Only this file. */
  readonly filename: string | undefined;
  readonly output: string | undefined;
  readonly from: readonly string[];
  readonly stderr: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

/** Downloads and verifies files of a version as this device. Rejected with an AgentError. */
export async function pull(request: PullRequest): Promise<PulledFile[]> {
  const { hub, identity, filename, output, from, stderr, signal } = request;
  const executor = executorOnDemand(hub, identity, signal);
  // The addresses may lead to other servers, which learn nothing of this device.
  const http = transferHttp({ secureContext: createSecureContext({ ca: authorities() }), env: process.env });
  const line = progressLine(stderr);
  try {
    const versionId = await findVersion(executor, request.version);
    const observe = line.observe;
    return await pullVersion({ executor, http, versionId, filename, output, from, signal, observe });
  } catch (error) {
    if (signal.aborted) throw new AgentError('Stopped. Run the same command to resume.', { cause: error });
    throw asAgentError(error);
  } finally {
    line.end();
    http.close();
    executor.close();
  }
}

async function findVersion(executor: Executor, given: string): Promise<Id<'packageVersion'>> {
  if (ids.packageVersion.schema.safeParse(given).success) return given as Id<'packageVersion'>;
  const [, repository, packageName, tag] = /^([^/@]+)\/([^/@]+)@([^/]+)$/.exec(given) ?? [];
  if (repository === undefined || packageName === undefined || tag === undefined)
    throw new AgentError('A version is named by repository/package@tag, or by its id.');
  const path = { repository, package: packageName, tag };
  const found = await executor.invoke('repositories_ResolvePackageVersionByPath', path);
  if (found.result === 'Found') return found.versionId;
  throw new AgentError(`There is no version ${given} that this device may fetch.`);
}

function asAgentError(error: unknown): unknown {
  if (error instanceof TransferError) {
    const code = error.fault === 'Damaged' ? exitCodes.damaged : exitCodeOf(error.status);
    return new AgentError(error.message, { cause: error }, code);
  }
  if (error instanceof ConnectError)
    return new AgentError(error.message, { cause: error }, exitCodeOf(error.status));
  if (!(error instanceof ActionError)) return error;
  const { wireKind, status } = errorKinds[error.kind];
  return new AgentError(`${wireKind}: ${error.message}`, { cause: error }, exitCodeOf(status));
}

function exitCodeOf(status: number | undefined): ExitCode {
  return status === 401 || status === 403 ? exitCodes.denied : exitCodes.failed;
}
