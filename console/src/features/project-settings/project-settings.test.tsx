import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';

const address = `/projects/${projectId}/settings`;

test('"settings: Danger Zone with Delete Project.": after its name was typed, and with a count of what goes', async () => {
  const calls: unknown[] = [];
  const { user, address: at } = renderConsole(address, {
    ...projectAnswers,
    projects_DeleteProject: (input) => (calls.push(input), {}),
  });
  expect(await screen.findByRole('heading', { name: 'Danger Zone' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Delete Project' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Delete project “Harbour cranes”' });
  expect(dialog).toHaveTextContent('3 devices, 2 deployment tokens, and 1 membership go with it.');
  const verb = () => within(dialog).getByRole('button', { name: /^Delete Project/ });
  await user.click(verb());
  expect(calls).toEqual([]);
  await user.type(within(dialog).getByRole('textbox'), 'Harbour cranes');
  await user.click(verb());
  await waitFor(() => expect(at()).toBe('/projects'));
  expect(calls).toEqual([{ projectId }]);
});

test('the Delete button tells a member who is no owner why it is disabled', async () => {
  const { user } = renderConsole(address, {
    ...projectAnswers,
    projects_GetProjectDetails: () => ({
      projectId,
      name: 'Harbour cranes',
      deviceCount: 3,
      isOwner: false,
    }),
  });
  const button = await screen.findByRole('button', { name: /^Delete Project/ });
  expect(button).toHaveAttribute('aria-disabled', 'true');
  expect(button).toHaveAccessibleDescription('Only an owner of the project may delete it.');
  await user.click(button);
  expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
});
