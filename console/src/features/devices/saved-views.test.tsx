import type { AnswerTable } from '@corral/client';
import { ActionError, type CallInput, type Output } from '@corral/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole, userId } from '../../../test/render-console.tsx';
import { parseDevicesSearch } from './device-view.ts';
import { savedViewOf, searchOf } from './saved-views.ts';
import { openTableMenu } from '../../../test/table-menu.ts';

type Views = Output<'projects_QuerySavedViews'>['views'];

const address = `/projects/${projectId}/devices`;

/** A hub that keeps the views. */
function keeper(views: Views) {
  const saved: CallInput<'projects_SaveView'>[] = [];
  const answers: AnswerTable = {
    ...projectAnswers,
    projects_QuerySavedViews: () => ({ views: [...views] }),
    projects_SaveView: (input) => {
      saved.push(input);
      const { projectId: _project, ...view } = input;
      const at = views.findIndex(({ name }) => name === view.name);
      if (at < 0) views.push(view);
      else views[at] = view;
      return { result: at < 0 ? 'Created' : 'Replaced' };
    },
    projects_DeleteSavedView: ({ name }) => {
      views.splice(
        views.findIndex((view) => view.name === name),
        1,
      );
      return {};
    },
  };
  return { answers, saved, views };
}

const openMenu = () => openTableMenu('Devices');

async function saveAs(user: ReturnType<typeof renderConsole>['user'], name: string) {
  const menu = await openMenu();
  await user.click(menu.getByRole('menuitem', { name: 'Save view…' }));
  await user.click(await screen.findByRole('textbox', { name: /^Name/u }));
  await user.paste(name);
  await user.keyboard('{Enter}');
}

const dialogIsGone = () =>
  waitFor(() => expect(screen.queryByRole('dialog', { name: 'Save view' })).toBeNull());

test('a view of the list is saved under a name, and the menu has it as a link to the same list', async () => {
  const { answers, saved } = keeper([]);
  const search = '?certs=pending&q=north&sort=-status&columns=status.hostname';
  const { user } = renderConsole(`${address}${search}`, answers);
  const empty = await openMenu();
  expect(
    await empty.findByText('You can save the current filter, sort order and columns under a name.'),
  ).toBeVisible();
  await user.keyboard('{Escape}');
  await saveAs(user, ' Northern ones ');
  await screen.findByText('View “Northern ones” was saved');
  expect(saved).toEqual([
    {
      projectId,
      name: 'Northern ones',
      filter: 'north',
      status: 'pending',
      order: 'status',
      columns: ['hostname', 'status'],
    },
  ]);
  await dialogIsGone();
  const menu = await openMenu();
  const link = await menu.findByRole('menuitem', { name: 'Northern ones' });
  expect(link).toHaveAttribute('aria-current', 'page');
  expect(link.getAttribute('href')).toContain('certs=pending');
});

test('a view is opened from the menu, and only the one that is shown is current', async () => {
  const { answers } = keeper([
    { name: 'Lost', status: 'disconnected', order: '-lastSeen', columns: ['status', 'lastSeen'] },
    { name: 'All' },
  ]);
  const { user, address: at } = renderConsole(address, answers);
  const menu = await openMenu();
  expect(await menu.findByRole('menuitem', { name: 'All' })).toHaveAttribute('aria-current', 'page');
  expect(menu.getByRole('menuitem', { name: 'Lost' })).not.toHaveAttribute('aria-current');
  await user.click(menu.getByRole('menuitem', { name: 'Lost' }));
  await waitFor(() =>
    expect(at()).toBe(`${address}?status=disconnected&sort=-lastSeen&columns=lastSeen.status`),
  );
  const table = await screen.findByRole('table', { name: 'Devices' });
  const head = within(table).getByRole('columnheader', { name: 'Last Seen' });
  expect(head).toHaveAttribute('aria-sort', 'descending');
  expect(within(table).queryByRole('columnheader', { name: 'Id' })).toBeNull();
});

test('a name that is taken is replaced after the dialog has said so, and Undo restores the former view', async () => {
  const former = { name: 'Mine', filter: 'crane' };
  const { answers, views } = keeper([former]);
  const { user } = renderConsole(`${address}?status=connected`, answers);
  await saveAs(user, 'Mine');
  await screen.findByText('A view “Mine” already exists. Save again to replace it.');
  expect(views).toEqual([former]);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('View “Mine” was replaced');
  expect(views).toEqual([{ name: 'Mine', status: 'connected' }]);
  await dialogIsGone();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(views).toEqual([former]));
});

test('the view that is shown is deleted, with Undo', async () => {
  const mine = { name: 'Mine', filter: 'crane' };
  const { answers, views } = keeper([mine, { name: 'Other' }]);
  const { user } = renderConsole(`${address}?q=crane`, answers);
  const menu = await openMenu();
  await menu.findByRole('menuitem', { name: 'Other' });
  expect(menu.queryByRole('menuitem', { name: 'Delete “Other”' })).toBeNull();
  await user.click(menu.getByRole('menuitem', { name: 'Delete “Mine”' }));
  await screen.findByText('View “Mine” was deleted');
  expect(views).toEqual([{ name: 'Other' }]);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(views).toEqual([{ name: 'Other' }, mine]));
});

test('a name must follow the rule, and the hub says when there are too many views', async () => {
  const sentence = 'You may save at most 50 views of a project. Delete some first.';
  const { user } = renderConsole(address, {
    ...projectAnswers,
    projects_SaveView: () => {
      throw new ActionError('Invalid', sentence);
    },
  });
  await saveAs(user, 'x'.repeat(61));
  await user.tab();
  expect(await screen.findByText('Name of the view must be at most 60 characters long.')).toBeVisible();
  await user.type(screen.getByRole('textbox', { name: /^Name/u }), '{Backspace}{Enter}');
  expect(await screen.findByText(sentence)).toBeVisible();
});

test('a view that another tab saves appears', async () => {
  const { answers, views } = keeper([]);
  const { stream } = renderConsole(address, answers);
  const menu = await openMenu();
  await menu.findByText(/^You can save the current/u);
  views.push({ name: 'From elsewhere' });
  act(() => stream()?.onChange({ topic: 'views', userId }));
  expect(await menu.findByRole('menuitem', { name: 'From elsewhere' })).toBeVisible();
});

test('the search of a view and what it is saved as are inverse', () => {
  const all: Record<string, string>[] = [{}, { certs: 'pending' }, { columns: 'none' }, { q: '12' }];
  for (const status of ['connected', 'disconnected'])
    for (const sort of ['name', '-status', 'status', 'lastSeen']) all.push({ status, sort, q: 'a b' });
  for (const search of all) {
    const parsed = parseDevicesSearch(search);
    expect(searchOf({ name: 'x', ...savedViewOf(parsed) })).toEqual(parsed);
  }
});
