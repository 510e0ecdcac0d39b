import { ConnectError } from '@corral/client';
import { TransferError } from '@corral/client/node';
import { ActionError, errorKinds } from '@corral/contract';
import { CliError, exitCodes, type ExitCode } from './CliError.ts';

/** The message and exit code for a failure. */
export interface Failure {
  /** One line; an error of the hub begins with its kind, as in `Invalid: …`. */
  readonly sentence: string;
  readonly exitCode: ExitCode;
}

/** Describes a thrown error for people, without a stack. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ActionError) return failureOfAction(error);
  if (error instanceof CliError) return { sentence: error.message, exitCode: error.exitCode };
  if (error instanceof ConnectError) return { sentence: error.message, exitCode: exitCodeOf(error.status) };
  if (error instanceof TransferError) return failureOfTransfer(error);
  const message = error instanceof Error ? error.message : String(error);
  const [line] = message.split('\n', 1);
  return { sentence: `corral failed: ${line} (CORRAL_DEBUG=1 shows where)`, exitCode: exitCodes.failed };
}

function failureOfTransfer({ message, fault, status }: TransferError): Failure {
  return { sentence: message, exitCode: fault === 'Damaged' ? exitCodes.damaged : exitCodeOf(status) };
}

function failureOfAction(error: ActionError): Failure {
  // A failure of the transport: the hub was not reached, or its answer was truncated.
  if (error.cause instanceof CliError || error.cause instanceof ConnectError) return failureOf(error.cause);
  const { wireKind, status } = errorKinds[error.kind];
  const request =
    error.requestId === undefined || wireKind !== 'Internal' ? '' : ` (request ${error.requestId})`;
  return { sentence: `${wireKind}: ${error.message}${request}`, exitCode: exitCodeOf(status) };
}

function exitCodeOf(status: number | undefined): ExitCode {
  if (status === 401 || status === 403) return exitCodes.denied;
  return status === 409 || status === 412 ? exitCodes.conflict : exitCodes.failed;
}
