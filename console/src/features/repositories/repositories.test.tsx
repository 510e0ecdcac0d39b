import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderConsole, signedIn, userId } from '../../../test/render-console.tsx';
import { repositoryAnswers, repositoryId } from '../../../test/repository-answers.ts';

test('a card shows packages, visibility, owner and what was published last, and leads to the repository', async () => {
  const { user, address } = renderConsole('/repositories', repositoryAnswers);
  const card = (await screen.findByRole('link', { name: 'harbour-firmware' })).closest('article')!;
  for (const text of ['2 packages', 'Private', 'Owner', 'crane-firmware 1.4.0 published'])
    expect(within(card).getByText(text, { exact: false })).toBeVisible();
  await user.click(within(card).getByRole('link'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Packages' })).toBeVisible();
  expect(address()).toBe(`/repositories/${repositoryId}/packages`);
});

test('without repositories the page teaches how to publish', async () => {
  renderConsole('/repositories', signedIn);
  expect(await screen.findByRole('heading', { name: 'Create your first repository' })).toBeVisible();
  expect(screen.getByText(/corral repositories create my-repository/)).toBeVisible();
});

test('"Repository creation result: Created; otherwise error is logged and the user stays on the page.": a taken name is said in the dialog, which keeps what was typed', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const calls: unknown[] = [];
  const { user, address } = renderConsole('/repositories#create', {
    ...repositoryAnswers,
    repositories_CreateRepository: (input) => {
      calls.push(input);
      return calls.length === 1 ? { result: 'NameAlreadyExists' } : { result: 'Created', repositoryId };
    },
  });
  const dialog = within(await screen.findByRole('dialog', { name: 'New Repository' }));
  const name = dialog.getByLabelText('Name (required)');
  const submit = dialog.getByRole('button', { name: 'New Repository' });
  expect(submit).toBeDisabled();
  await user.type(name, 'a/b');
  await user.tab();
  expect(dialog.getByText(/^Repository name must not contain slashes/)).toBeVisible();
  await user.clear(name);
  await user.type(name, ' firmware ');
  await user.click(submit);
  expect(await dialog.findByRole('alert')).toHaveTextContent('A repository named firmware exists already.');
  expect(log).toHaveBeenCalledExactlyOnceWith(
    'A repository named firmware exists already. Names are unique on this hub.',
  );
  expect(name).toHaveValue(' firmware ');
  expect(address()).toContain('/repositories');
  await user.type(name, '2');
  expect(dialog.queryByRole('alert'), 'it was about the name before').toBeNull();
  await user.click(submit);
  await waitFor(() => expect(address()).toBe(`/repositories/${repositoryId}/packages`));
  expect(calls).toEqual([
    { name: 'firmware', visibility: 'Private', owner: userId },
    { name: 'firmware 2', visibility: 'Private', owner: userId },
  ]);
});
