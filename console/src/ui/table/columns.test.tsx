import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Trash2 } from 'lucide-react';
import { expect, test } from 'vitest';
import { WriteBlockContext } from '../action/write-block.ts';
import { Badge } from '../badge/Badge.tsx';
import { Toasts } from '../overlay/Toasts.tsx';
import {
  actionsColumn,
  badgeColumn,
  countColumn,
  idColumn,
  menuColumn,
  nameColumn,
  timeColumn,
} from './columns.tsx';
import { isSortable } from './data-table.ts';
import { DataTable } from './DataTable.tsx';
import { unsavedRow } from './unsaved-row.ts';

type Token = { id: string; name: string; usedAt?: string; devices: number; isOn: boolean };

const tokens: Token[] = [
  { id: 'token_1', name: 'quay', devices: 7, isOn: true },
  { id: 'token_2', name: 'mast', usedAt: '2026-10-02T10:00:00Z', devices: 0, isOn: false },
];
const removed: string[] = [];
const actionsOf = ({ name, isOn }: Token) => [
  {
    label: 'Delete',
    name: `Delete ${name}`,
    icon: <Trash2 aria-hidden />,
    tone: 'danger' as const,
    disabledReason: isOn ? undefined : 'It is off.',
    onSelect: () => void removed.push(name),
  },
  { label: 'Rename', onSelect: () => {} },
  { label: 'Log', isNavigation: true, onSelect: () => {} },
];
const data = [
  nameColumn<Token>({ id: 'name', header: 'Name', of: ({ name }) => name }),
  idColumn<Token>({ id: 'id', header: 'Id', of: ({ id }) => id, what: 'token ID' }),
  timeColumn<Token>({ id: 'used', header: 'Last Used', of: ({ usedAt }) => usedAt, never: 'never' }),
  countColumn<Token>({ id: 'devices', header: 'Devices', of: ({ devices }) => devices }),
  badgeColumn<Token>({
    id: 'state',
    header: 'State',
    of: ({ isOn }) => (isOn ? 'On' : 'Off'),
    badge: ({ isOn }) => <Badge tone={isOn ? 'ok' : 'mute'}>{isOn ? 'On' : 'Off'}</Badge>,
  }),
];
const buttons = actionsColumn<Token>({ id: 'actions', header: 'Actions', of: actionsOf });
const menu = menuColumn<Token>({
  id: 'actions',
  header: 'Actions',
  of: actionsOf,
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  what: 'token ID',
});

function show(actions: typeof menu, writeBlock?: string) {
  removed.length = 0;
  render(
    <WriteBlockContext value={writeBlock}>
      <DataTable
        label="Tokens"
        columns={[...data, actions]}
        rows={tokens}
        rowKey={({ id }) => id}
        empty={null}
      />
    </WriteBlockContext>,
  );
  return userEvent.setup();
}

test('the builders give each column its cell, and a value to sort, search and export by', () => {
  show(buttons);
  const [, quay, mast] = screen.getAllByRole('row').map((row) => row.textContent);
  expect(quay).toBe('quaytoken_1token_1never7OnDeleteRenameLog');
  expect(mast).toContain('mast');
  expect(screen.getByRole('button', { name: 'token_1, copy token ID' })).toBeVisible();
  expect(within(screen.getAllByRole('row')[2]!).getByRole('time')).toHaveAttribute(
    'datetime',
    '2026-10-02T10:00:00.000Z',
  );
  expect(data.map(({ value }) => value?.(tokens[0]!))).toEqual(['quay', 'token_1', undefined, 7, 'On']);
  expect([...data, buttons].filter(isSortable).map(({ id }) => id)).toEqual([
    'name',
    'id',
    'used',
    'devices',
    'state',
  ]);
});

test('actions are buttons that name their row; a disabled one says why', async () => {
  const user = show(buttons);
  await user.click(screen.getByRole('button', { name: 'Delete quay' }));
  const disabled = screen.getByRole('button', { name: 'Delete mast' });
  expect(disabled).toHaveAccessibleDescription('It is off.');
  await user.click(disabled);
  expect(removed).toEqual(['quay']);
});

test('actions are a menu that begins with Copy ID and ends with the dangerous ones', async () => {
  Object.defineProperty(window, 'isSecureContext', { value: true, configurable: true });
  const user = show(menu);
  await user.click(screen.getByRole('button', { name: 'Actions for quay' }));
  const items = () => screen.getAllByRole('menuitem');
  await waitFor(() =>
    expect(items().map(({ textContent }) => textContent)).toEqual(['Copy ID', 'Rename', 'Log', 'Delete']),
  );
  await user.click(items()[0]!);
  expect(await navigator.clipboard.readText()).toBe('token_1');
  render(<Toasts />);
  const toasts = within(screen.getByRole('region', { name: 'Notifications' }));
  expect(await toasts.findByText('Copied token ID')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Actions for quay' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  expect(removed).toEqual(['quay']);
});

test.each([
  ['buttons', buttons, 'button'],
  ['a menu', menu, 'menuitem'],
] as const)(
  'while writes are blocked, actions as %s are disabled and say why, except those that lead to another page',
  async (_as, actions, role) => {
    const user = show(actions, 'The hub cannot be reached right now.');
    if (role === 'menuitem') await user.click(screen.getByRole('button', { name: 'Actions for quay' }));
    const action = async (name: RegExp) => (await screen.findAllByRole(role, { name }))[0]!;
    const remove = await action(/^Delete/);
    expect(remove).toHaveAttribute('aria-disabled', 'true');
    await user.click(remove);
    expect(removed).toEqual([]);
    expect(screen.getAllByText('The hub cannot be reached right now.').length).toBeGreaterThan(0);
    expect(await action(/^Log/)).not.toHaveAttribute('aria-disabled', 'true');
  },
);

test('a row that is not saved yet has no action on the hub, in a menu and with others either', async () => {
  const [quay, mast] = [unsavedRow(tokens[0]!), tokens[1]!];
  const view = (actions: typeof menu) => (
    <DataTable
      label="Tokens"
      columns={[...data, actions]}
      rows={[quay, mast]}
      rowKey={({ id }) => id}
      bulkActions={actionsOf.bind(undefined, mast)}
      empty={null}
    />
  );
  const { rerender } = render(view(buttons));
  const user = userEvent.setup();
  const reason = 'This is still being saved.';
  expect(screen.getAllByRole('button', { name: 'Rename' })[0]).toHaveAccessibleDescription(reason);
  expect(screen.getAllByRole('button', { name: 'Rename' })[1]).not.toHaveAccessibleDescription();
  expect(screen.getAllByRole('button', { name: 'Log' })[0]).not.toHaveAccessibleDescription();
  await user.click(screen.getByRole('checkbox', { name: /^Select all/ }));
  const bar = within(screen.getByRole('toolbar', { name: 'Actions for the selected rows' }));
  expect(bar.getByRole('button', { name: 'Rename' })).toHaveAccessibleDescription(reason);
  rerender(view(menu));
  await user.click(screen.getByRole('button', { name: 'Actions for quay' }));
  expect(await screen.findByRole('menuitem', { name: /^Rename/ })).toHaveAttribute('aria-disabled', 'true');
});

test('a row without actions has nothing in their column, so that its card does not name it', () => {
  expect(
    actionsColumn<Token>({ id: 'actions', header: 'Actions', of: () => [] }).cell?.(tokens[0]!),
  ).toBeNull();
});
