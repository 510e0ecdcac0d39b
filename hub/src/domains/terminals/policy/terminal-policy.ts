import { ActionError, defaultTerminalPolicy, type Actor, type TerminalPolicy } from '@corral/contract';
import { sql } from 'kysely';
import { forbidden, notFound } from '../../../auth/actors.ts';
import type { Database } from '../../../platform/db/connect.ts';
import type { ProjectAccess } from '../../projects/index.ts';

/** Reads the policy of a project, by its raw id. */
export async function readPolicy(tx: Database, projectId: string): Promise<TerminalPolicy> {
  const { rows } = await sql<{ policy: TerminalPolicy | null }>`
    select terminal_policy as policy from projects where project_id = ${projectId}`.execute(tx);
  if (rows[0] === undefined) throw notFound('Project');
  return rows[0].policy ?? defaultTerminalPolicy;
}

/** Who asks for a terminal. */
interface Asker extends Pick<ProjectAccess, 'isOwner'> {
  readonly actor: Actor;
}

/** Why a policy refuses somebody; undefined where it does not. */
export function refusalOf(
  policy: TerminalPolicy,
  { isOwner, actor }: Asker,
): { readonly status: 'Off' | 'NotAllowed'; readonly sentence: string } | undefined {
  if (policy.access === 'Off')
    return {
      status: 'Off',
      sentence: 'Terminals are off in this project. An owner turns them on in its settings.',
    };
  if (policy.access === 'Owners' && !isOwner)
    return {
      status: 'NotAllowed',
      sentence: 'Only owners of the project may open terminals on its devices.',
    };
  if (actor.actor === 'UserToken' && !policy.allowsTokens)
    return {
      status: 'NotAllowed',
      sentence:
        'User tokens may not open terminals in this project. An owner allows it in the settings of the project.',
    };
  return undefined;
}

/** Requires somebody whom the policy allows a terminal. */
export function mustBeAllowed(policy: TerminalPolicy, asker: Asker): void {
  const refusal = refusalOf(policy, asker);
  if (refusal !== undefined) throw forbidden(refusal.sentence);
}

/** Requires that a policy lets files be fetched and put: nobody approves, watches or records that. */
export function mustAllowFiles(policy: TerminalPolicy, asker: Asker): void {
  mustBeAllowed(policy, asker);
  if (policy.approval !== 'None')
    throw forbidden('Terminals in this project need a second person: files can be neither fetched nor put.');
  if (policy.recording === 'Required')
    throw forbidden(
      'Terminals in this project have to be recorded, which files are not: they can be neither fetched nor put.',
    );
}

const maxUserCharacters = 128;
/** Control characters, and those that write from right to left what follows. */
const invisible = /[\p{Cc}\u2028-\u202e\u2066-\u2069\u200e\u200f\u061c]/u;

/** Requires a name that a user on a device may have: it is a part of an endpoint. */
export function mustBeDeviceUser(user: string): string {
  if (user.length > 0 && user.length <= maxUserCharacters && !/[\s\p{C}/]/u.test(user)) return user;
  throw new ActionError(
    'Invalid',
    `A user on a device has 1 to ${maxUserCharacters} characters, without white space and "/".`,
  );
}

/** What whoever gives no reason is told where the policy wants one. */
export const missingReason = ({ isReasonNeeded }: TerminalPolicy): string | undefined =>
  isReasonNeeded ? 'Say why: this project wants a reason.' : undefined;

/** Requires a reason where one is needed; in a line, without characters that control or reorder text. */
export function mustBeReason(typed: string | undefined, missing: string | undefined): string | undefined {
  const reason = typed?.trim() ?? '';
  if (invisible.test(reason))
    throw new ActionError('Invalid', 'A reason is one line without control characters.');
  if (reason === '' && missing !== undefined) throw new ActionError('Invalid', missing);
  return reason === '' ? undefined : reason;
}
