import { expect, test } from 'vitest';
import { readGroupRights, withoutEmptyRights, writeGroupRights } from './group-rights.ts';

test('rights of groups are read and written as the hub knows them', () => {
  const text = 'leads = administrator\ncn=field team,o=x = p_1\nowners = p_2 owner';
  const rights = readGroupRights(text);
  expect(rights).toEqual([
    { group: 'leads', target: 'administrator', role: 'member' },
    { group: 'cn=field team,o=x', target: 'p_1', role: 'member' },
    { group: 'owners', target: 'p_2', role: 'owner' },
  ]);
  expect(writeGroupRights(rights)).toBe(text);
});

test('a row that is not filled in is kept while it is edited, and not saved', () => {
  const text = writeGroupRights([{ group: '', target: '', role: 'member' }]);
  expect(readGroupRights(text)).toHaveLength(1);
  expect(withoutEmptyRights(`a = administrator\n${text}`)).toBe('a = administrator');
  expect(withoutEmptyRights(text)).toBe('');
});
