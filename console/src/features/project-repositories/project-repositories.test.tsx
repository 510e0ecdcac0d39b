import { ActionError, type Output } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectAnswers, projectId } from '../../../test/project-answers.ts';
import { held, renderConsole, userId } from '../../../test/render-console.tsx';

type Repository = Output<'users_QueryUserRepositories'>['repositories'][number];

const own = (number: 1 | 2 | 3, name: string): Repository => ({
  repositoryId: `repo_${number}`,
  name,
  createdAt: '2026-11-01T10:00:00Z',
  packageCount: number,
  isOwner: true,
  isMember: true,
  visibility: 'Private',
  usedBytes: 0,
});
const all = [own(1, 'cranes'), own(2, 'winches')];
const address = `/projects/${projectId}/repositories`;

/** Opens the page on a hub that links and unlinks. */
function open(
  linked: readonly string[],
  {
    isRefusing = false,
    repositories = all as readonly Repository[],
    isAdmin = false,
    answered = Promise.resolve(),
  } = {},
) {
  let ids: string[] = [...linked];
  const calls: string[] = [];
  const act = (verb: string, next: (id: string) => string[]) => async (input: { repositoryId: string }) => {
    calls.push(`${verb} ${input.repositoryId}`);
    await answered;
    if (isRefusing) throw new ActionError('Forbidden', 'Only members may do this.');
    ids = next(input.repositoryId);
    return {};
  };
  const view = renderConsole(address, {
    ...projectAnswers,
    users_GetUserDetails: () => ({
      userId,
      email: 'mara@harbour.example',
      displayName: 'Mara Keller',
      isAdmin,
    }),
    users_QueryUserRepositories: () => ({ repositories: [...repositories] }),
    projects_QueryProjectRepositories: () => ({
      repositories: all
        .filter(({ repositoryId }) => ids.includes(repositoryId))
        .map((one) => ({
          ...one,
          displayName: one.name,
          publicName: one.name,
          linkedAt: '2026-11-01T10:00:00Z',
        })),
    }),
    projects_AddProjectRepository: act('link', (id) => [...ids, id]),
    projects_RemoveProjectRepository: act('unlink', (id) => ids.filter((one) => one !== id)),
  });
  return { ...view, calls };
}

test('the combobox offers what is not linked yet, says what the devices gain, and links it', async () => {
  const { user, calls } = open(['repo_1']);
  const box = await screen.findByRole('combobox', { name: 'Repository' });
  const link = screen.getByRole('button', { name: 'Link Repository' });
  expect(link).toBeDisabled();
  await user.click(box);
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual(['winches']);
  await user.click(screen.getByRole('option', { name: 'winches' }));
  expect(screen.getByText('3 devices will be able to download from “winches”.')).toBeVisible();
  await user.click(link);
  expect(await screen.findByText('“winches” is linked')).toBeVisible();
  const table = within(screen.getByRole('table', { name: 'Repositories' }));
  expect(await table.findByRole('link', { name: 'winches' })).toHaveAttribute('href', '/repositories/repo_2');
  expect(calls).toEqual(['link repo_2']);
});

/** Chooses a repository and links it. */
async function link({ user }: ReturnType<typeof open>, name: string): Promise<void> {
  await user.click(await screen.findByRole('combobox', { name: 'Repository' }));
  await user.click(await screen.findByRole('option', { name }));
  await user.click(screen.getByRole('button', { name: 'Link Repository' }));
}

test('a linked repository is in the list, in its order, before the hub has answered', async () => {
  const answer = held<void>();
  const view = open(['repo_2'], { answered: answer.promise });
  await link(view, 'cranes');
  const rows = () =>
    within(screen.getByRole('table', { name: 'Repositories' }))
      .getAllByRole('link')
      .map(({ textContent }) => textContent);
  await waitFor(() => expect(rows()).toEqual(['cranes', 'winches']));
  expect(screen.getByRole('combobox', { name: 'Repository' })).toHaveAttribute(
    'placeholder',
    'Nothing to link',
  );
  expect(screen.queryByText('“cranes” is linked')).toBeNull();
  const unlink = screen.getByRole('button', { name: 'Unlink cranes' });
  expect(unlink).toHaveAccessibleDescription('This is still being saved.');
  await view.user.click(unlink);
  expect(view.calls).toEqual(['link repo_1']);
  answer.resolve();
  expect(await screen.findByText('“cranes” is linked')).toBeVisible();
  await waitFor(() => expect(unlink).not.toHaveAccessibleDescription());
  await view.user.click(screen.getByText('Undo'));
  await waitFor(() => expect(rows()).toEqual(['winches']));
  expect(view.calls).toEqual(['link repo_1', 'unlink repo_1']);
});

test('a refused link takes the repository out of the list, says why, and can be tried again', async () => {
  const answer = held<void>();
  const view = open([], { isRefusing: true, answered: answer.promise });
  await link(view, 'winches');
  expect(await screen.findByRole('table', { name: 'Repositories' })).toHaveTextContent('winches');
  answer.resolve();
  expect((await screen.findAllByText('Only members may do this.'))[0]).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'No linked repositories' })).toBeVisible();
  await view.user.click(screen.getByText('Retry'));
  await waitFor(() => expect(view.calls).toEqual(['link repo_2', 'link repo_2']));
});

test('"plus a dropdown (default none) and a Link Repository button": both stay, disabled, when all repositories are linked', async () => {
  open(['repo_1', 'repo_2']);
  const box = await screen.findByRole('combobox', { name: 'Repository' });
  expect(box).toBeDisabled();
  expect(box).toHaveValue('');
  expect(box).toHaveAttribute('placeholder', 'Nothing to link');
  expect(screen.getByRole('button', { name: 'Link Repository' })).toBeDisabled();
  expect(screen.getByText('All your repositories are linked already.')).toBeVisible();
});

test("without a repository of one's own, the disabled dropdown is followed by a link to create one", async () => {
  open([], { repositories: [] });
  expect(await screen.findByRole('combobox', { name: 'Repository' })).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Link Repository' })).toBeDisabled();
  expect(screen.getByText(/^You have no repository yet\./u)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Create one' })).toHaveAttribute('href', '/repositories#create');
});

test('a repository is unlinked at once, and Undo links it again', async () => {
  const { user, calls } = open(['repo_1']);
  await user.click(await screen.findByRole('button', { name: 'Unlink cranes' }));
  expect(await screen.findByRole('heading', { name: 'No linked repositories' })).toBeVisible();
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('link', { name: 'cranes' })).toBeVisible();
  expect(calls).toEqual(['unlink repo_1', 'link repo_1']);
});

test('a private repository of others is not offered, a public one is: only owners link what is private', async () => {
  const others = { isOwner: false, isMember: true };
  const repositories: Repository[] = [
    { ...all[0]!, ...others },
    { ...all[1]!, ...others, visibility: 'Public' },
    own(3, 'mine'),
  ];
  const { user } = open([], { repositories });
  await user.click(await screen.findByRole('combobox', { name: 'Repository' }));
  const offered = (await screen.findAllByRole('option')).map(({ textContent }) => textContent);
  expect(offered).toEqual(['winches', 'mine']);
});

test('with nothing but private repositories of others, the disabled dropdown says who may link them', async () => {
  open([], { repositories: [{ ...all[0]!, isOwner: false }] });
  expect(await screen.findByRole('combobox', { name: 'Repository' })).toBeDisabled();
  expect(screen.getByText(/Only an owner of a private repository may link it\.$/u)).toBeVisible();
});

test('an administrator is offered all', async () => {
  const repositories = all.map((one) => ({ ...one, isOwner: false }));
  const { user } = open([], { repositories, isAdmin: true });
  await user.click(await screen.findByRole('combobox', { name: 'Repository' }));
  expect(await screen.findAllByRole('option')).toHaveLength(2);
});

test('a member who could not link a repository again is asked before it is unlinked', async () => {
  const { user, calls } = open(['repo_1'], { repositories: [{ ...all[0]!, isOwner: false }] });
  await user.click(await screen.findByRole('button', { name: 'Unlink cranes' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Unlink “cranes”' }));
  expect(dialog.getByText(/Only an owner of the repository can link it again\.$/u)).toBeVisible();
  expect(calls).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Unlink' }));
  expect(await screen.findByText('“cranes” is no longer linked')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(calls).toEqual(['unlink repo_1']);
});

test('a refused unlink brings the repository back and says why', async () => {
  const { user } = open(['repo_1'], { isRefusing: true });
  await user.click(await screen.findByRole('button', { name: 'Unlink cranes' }));
  expect((await screen.findAllByText('Only members may do this.'))[0]).toBeVisible();
  await waitFor(() => expect(screen.getByRole('link', { name: 'cranes' })).toBeVisible());
});
