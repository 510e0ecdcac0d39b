import { ActionError } from '@corral/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { ListScreen } from '../../test/list-screen.ts';
import { listScreens } from '../../test/list-screens.ts';
import { renderConsole } from '../../test/render-console.tsx';

type Removal = NonNullable<ListScreen['removal']>;
type User = ReturnType<typeof renderConsole>['user'];

/** Opens a list screen whose hub has `rows`, which the test may change later. */
async function open(
  list: ListScreen,
  { rows = list.rows as readonly object[], search = '', answers = {} } = {},
) {
  const hub = { rows };
  const table = list.answers(hub.rows as never);
  // Reads the rows at each call.
  const live = Object.fromEntries(
    Object.keys(table).map((name) => [
      name,
      (input: never) => (list.answers(hub.rows as never)[name as never] as (input: never) => unknown)(input),
    ]),
  );
  const more = list.address.includes('?') ? search.replace('?', '&') : search;
  const view = renderConsole(`${list.address}${more}`, { ...live, ...answers } as never);
  if (rows.length > 0) await screen.findByRole('table', { name: list.table });
  return { ...view, hub };
}

/** The texts of the rows that are shown, in their order. */
function shown(list: ListScreen): string[] {
  const rows = within(screen.getByRole('table', { name: list.table }))
    .getAllByRole('row')
    .slice(1);
  return rows.map(
    (row) => list.texts.find((text) => row.textContent?.includes(text)) ?? row.textContent ?? '',
  );
}

async function ask(user: User, { path, dialog: name, typedName }: Removal) {
  for (const step of path)
    await user.click(
      screen.queryByRole('menuitem', { name: step }) ?? (await screen.findByRole('button', { name: step })),
    );
  const dialog = within(await screen.findByRole('alertdialog', { name }));
  if (typedName !== undefined) await user.type(dialog.getByRole('textbox'), typedName);
  return dialog;
}
const isClosed = () => waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());

describe.each(listScreens)('the list of $file', (list) => {
  const [first, second] = list.texts;

  test('has its columns, the rows in the order of the hub, and an export', async () => {
    await open(list);
    const heads = within(screen.getByRole('table', { name: list.table })).getAllByRole('columnheader');
    expect(heads.map(({ textContent }) => textContent)).toEqual(list.columns);
    expect(shown(list)).toEqual([first, second]);
    expect(screen.getByRole('button', { name: `Options for ${list.table}` })).toBeVisible();
  });

  test('says what goes here while it is empty', async () => {
    await open(list, { rows: [] });
    expect(await screen.findByRole('heading', { name: list.empty })).toBeVisible();
    expect(screen.queryByRole('table', { name: list.table })).toBeNull();
  });

  test('shows a live change', async () => {
    const { user, hub, stream } = await open(list, { rows: [list.rows[1]] });
    expect(shown(list)).toEqual([second]);
    hub.rows = list.rows;
    act(() => stream()?.onChange(list.change));
    if (list.showNew !== undefined)
      await user.click(await screen.findByRole('button', { name: list.showNew }));
    await waitFor(() => expect(shown(list)).toEqual([first, second]));
  });

  const { finds, sort, removal } = list;
  const joint = list.address.includes('?') ? '&' : '?';
  if (finds !== null) {
    test('shows the one row that a link looks for', async () => {
      await open(list, { search: `?q=${finds}` });
      expect(shown(list)).toEqual([first]);
      expect(screen.getByRole('searchbox', { name: /^Filter/u })).toHaveValue(finds);
    });
  }

  if (sort !== undefined) {
    test('is sorted by a column, in the URL', async () => {
      const { user, address } = await open(list);
      const head = within(screen.getByRole('columnheader', { name: sort.header })).getByRole('button');
      await user.click(head);
      await waitFor(() => expect(shown(list)).toEqual([second, first]));
      await waitFor(() => expect(address()).toBe(`${list.address}${joint}sort=${sort.id}`));
      await user.click(head);
      await waitFor(() => expect(shown(list)).toEqual([first, second]));
      await waitFor(() => expect(address()).toBe(`${list.address}${joint}sort=-${sort.id}`));
    });

    test('opens sorted from a link, and ignores a sort by what is no column', async () => {
      const { router } = await open(list, { search: `?sort=${sort.id}` });
      expect(shown(list)).toEqual([second, first]);
      await act(() =>
        router.navigate({ to: '.', search: (former: object) => ({ ...former, sort: 'nothing' }) } as never),
      );
      await waitFor(() => expect(shown(list)).toEqual([first, second]));
    });
  }

  if (removal !== undefined) {
    test('asks before a row is removed, and Cancel removes nothing', async () => {
      const calls: unknown[] = [];
      const { user } = await open(list, {
        answers: { [removal.action]: (input: unknown) => (calls.push(input), {}) },
      });
      const dialog = await ask(user, removal);
      await user.click(dialog.getByRole('button', { name: 'Cancel' }));
      await isClosed();
      expect(calls).toEqual([]);
      expect(shown(list)).toEqual([first, second]);
    });

    test('says in the dialog why a row could not be removed, and keeps the row', async () => {
      const refuse = () => {
        throw new ActionError('Forbidden', 'Only an owner may do this.');
      };
      const { user } = await open(list, { answers: { [removal.action]: refuse } });
      const dialog = await ask(user, removal);
      await user.click(dialog.getByRole('button', { name: removal.verb }));
      expect(await dialog.findByRole('alert')).toHaveTextContent(/^Only an owner may do this\.$/u);
      await user.click(dialog.getByRole('button', { name: 'Cancel' }));
      await isClosed();
      expect(shown(list)).toEqual([first, second]);
    });

    test('"After a member removal the members list refreshes.": removes a row after the confirmation, and reads the list again', async () => {
      const calls: unknown[] = [];
      const { user, hub } = await open(list, {
        answers: {
          [removal.action]: (input: unknown) => {
            calls.push(input);
            hub.rows = [list.rows[1]];
            return {};
          },
        },
      });
      const dialog = await ask(user, removal);
      await user.click(dialog.getByRole('button', { name: removal.verb }));
      await isClosed();
      expect(calls).toEqual([removal.input]);
      await waitFor(() => expect(shown(list)).toEqual([second]));
    });
  }
});

test('every list screen is described', () => {
  const sources = import.meta.glob<string>('../features/**/*.tsx', {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const lists = Object.entries(sources)
    .filter(([file]) => !file.endsWith('.test.tsx') && !file.endsWith('/LogListPage.tsx'))
    .filter(([, source]) => /<(?:Resource(?:ListPage|Table)|LogListPage)\b/u.test(source))
    .map(([file]) => file.replace('../', ''));
  expect(lists.length).toBeGreaterThan(3);
  expect(listScreens.map(({ file }) => file)).toEqual(expect.arrayContaining(lists));
});
