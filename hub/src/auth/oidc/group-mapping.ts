import { ids } from '@corral/contract';

/** What the members of a group at the provider get here. */
export interface GroupRight {
  /** As the provider writes it. */
  readonly group: string;
  /** The raw id of a project; undefined: they are administrators. */
  readonly projectId: string | undefined;
  /** Whether they own the project. */
  readonly isOwner: boolean;
}

/** How lines of a mapping look, as sentences name it. */
export const groupMappingForms = `lines such as "leads = administrator", "field team = p_… member" or "leads = p_… owner"`;

/** Reads a mapping, a line a group and right; undefined if one is none. */
export function readGroupMapping(text: string): readonly GroupRight[] | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const rights = lines.map(readLine);
  return rights.includes(undefined) ? undefined : (rights as GroupRight[]);
}

/** Names of groups may have the sign of equality, as those of LDAP do: the last one counts. */
function readLine(line: string): GroupRight | undefined {
  const at = line.lastIndexOf('=');
  const group = line.slice(0, Math.max(at, 0)).trim();
  const [target = '', role = 'member', ...rest] = line
    .slice(at + 1)
    .trim()
    .split(/\s+/);
  if (group === '' || rest.length > 0) return undefined;
  if (target === 'administrator')
    return role === 'member' ? { group, projectId: undefined, isOwner: false } : undefined;
  const isRight = ids.project.schema.safeParse(target).success && ['member', 'owner'].includes(role);
  return isRight
    ? { group, projectId: ids.project.raw(target as never), isOwner: role === 'owner' }
    : undefined;
}
