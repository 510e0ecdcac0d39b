import { newerNames, type ActionError } from '@corral/contract';

/** The word for a refusal in the authorization matrix. */
export function wordFor({ kind, message }: ActionError): string {
  if (kind === 'NotSignedIn') return 'not-signed-in';
  if (kind !== 'Invalid') return kind.toLowerCase();
  if (message.includes(' not found.')) return 'not-found';
  return /^The (field|input) /.test(message) ? 'malformed' : 'refused';
}

/** The part of an answer that shows how much it disclosed: its result, yes or no, or the number of listed entries. */
export function detailOf(output: unknown): string {
  const { result, hasAccess, ...rest } = output as Record<string, unknown>;
  if (typeof result === 'string') return ` ${result}`;
  if (typeof hasAccess === 'boolean') return hasAccess ? ' yes' : ' no';
  const [only, ...more] = Object.entries(rest);
  const isList = only !== undefined && more.length === 0 && Array.isArray(only[1]);
  return isList && !['events', 'actions'].includes(only[0]) ? ` ${(only[1] as unknown[]).length}` : '';
}

/** The header of the authorization matrix. */
export const legend = `# Who may do what: every action that the hub serves, by every kind of caller.
# Written by authorization-matrix.test.ts (regenerate with: npx vitest run -u <that file>). Read every change of it as a change of rights.
#
# Columns: whose thing the field names. own: the caller's own account, and what belongs to the project that member, owner,
# ex-member and device are so called after, or to a repository that is linked to it, where owner and member are that, too; the reader
# of the project is no member of the repository; public: of another's public repository; colleague: the account of another owner of that
# project; the invited one has invitations to the project and the repository, which all rows name as own; foreign: of another project, or another's private repository; missing: a well-formed id that nothing has; malformed: no id at all. Fields besides it name what is own.
# Verdicts: ok (with the result or the number of things that were listed); idle: a command that was allowed and changed nothing;
# not-found: as if it did not exist; forbidden; not-signed-in; refused: allowed, but not in this state; malformed: not read further;
# Callers refused before any action runs are in the first table only.
`;

/** The table of newer names of actions. */
export function namesTable(): string {
  const named = Object.entries(newerNames).map(([name, action]) => `  ${name.padEnd(40)}${action}`);
  return ['Newer names, each with the rights of its action', ...named].join('\n');
}
