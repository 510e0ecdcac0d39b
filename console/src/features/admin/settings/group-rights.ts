/** What a group at the provider gives: a line of the setting. */
export interface GroupRight {
  readonly group: string;
  /** `administrator`, or the id of a project; empty while none is chosen. */
  readonly target: string;
  readonly role: 'member' | 'owner';
}

/** Reads the setting, a line a right. Names of groups may have the sign of equality: the last one counts. */
export function readGroupRights(text: string): readonly GroupRight[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.lastIndexOf('=');
      const [target = '', role] = line
        .slice(at + 1)
        .trim()
        .split(/\s+/);
      const group = at < 0 ? '' : line.slice(0, at).replace(/ $/, '');
      return { group, target, role: role === 'owner' ? 'owner' : 'member' };
    });
}

/** Writes the setting. */
export function writeGroupRights(rights: readonly GroupRight[]): string {
  return rights
    .map(({ group, target, role }) => `${group} = ${target}${role === 'owner' ? ' owner' : ''}`)
    .join('\n');
}

/** The setting without the rows that nothing was typed into. */
export function withoutEmptyRights(text: string): string {
  return writeGroupRights(
    readGroupRights(text).filter(({ group, target }) => group.trim() !== '' || target !== ''),
  );
}
