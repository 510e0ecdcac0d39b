import { ActionError } from '@corral/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answers, details } from '../../../../test/device-answers.ts';
import { crane, projectId } from '../../../../test/project-answers.ts';
import { renderConsole } from '../../../../test/render-console.tsx';

const address = `/projects/${projectId}/devices/${crane}`;

test('"Rename Device form with one name field and Save; field cleared after submit": it is on the page, and Undo restores the former name', async () => {
  let name: string | undefined = 'crane-04';
  const { user } = renderConsole(address, {
    ...answers,
    devices_GetDeviceDetails: () => ({ ...details, name: name ?? '' }),
    devices_SetDeviceName: (input) => {
      name = input.name;
      return {};
    },
  });
  const form = (await screen.findByRole('heading', { name: 'Rename Device' })).closest(
    'section',
  ) as HTMLElement;
  const field = within(form).getByRole('textbox', { name: 'Name (optional)' });
  expect(field).toHaveValue('');
  await user.type(field, 'crane-05');
  await user.click(within(form).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('crane-05'));
  await waitFor(() => expect(field).toHaveValue(''));
  fireEvent.click(await screen.findByText('Undo'));
  expect(await screen.findByRole('heading', { level: 1, name: 'crane-04' })).toBeVisible();
  expect(name).toBe('crane-04');
  expect(await screen.findByText('Undone')).toBeVisible();
});

test('an empty Save asks "Remove the name?" before it removes the name, and a device without one has nothing to remove', async () => {
  const sent: (string | undefined)[] = [];
  let name: string | undefined = 'crane-04';
  const { user } = renderConsole(address, {
    ...answers,
    devices_GetDeviceDetails: () => ({ ...details, name }),
    devices_SetDeviceName: (input) => {
      sent.push(input.name);
      name = input.name === '' ? undefined : input.name;
      return {};
    },
  });
  const save = await screen.findByRole('button', { name: 'Save' });
  await screen.findByRole('heading', { level: 1, name: 'crane-04' });
  for (const answer of ['Cancel', 'Remove']) {
    await user.click(save);
    const question = await screen.findByRole('alertdialog', { name: 'Remove the name?' });
    expect(sent).toEqual([]);
    await user.click(within(question).getByRole('button', { name: answer }));
    await waitFor(() => expect(question).not.toBeInTheDocument());
  }
  expect(sent).toEqual(['']);
  expect(await screen.findByText('The name was removed')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('heading', { level: 1, name: 'crane-04' })).toBeNull());
  await user.click(save);
  expect(await screen.findByText('The device has no name')).toBeVisible();
  expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
});

test('"Device rename: sends whatever was typed; no validation shown.": also what is too long, and the refused name stays in the field, with the reason', async () => {
  const sent: (string | undefined)[] = [];
  const { user } = renderConsole(address, {
    ...answers,
    devices_SetDeviceName: ({ name }) => {
      sent.push(name);
      throw new ActionError('Invalid', 'The name is too long.');
    },
  });
  const tooLong = 'x'.repeat(201);
  const field = await screen.findByRole('textbox', { name: 'Name (optional)' });
  await user.click(field);
  await user.paste(tooLong);
  await user.keyboard('{Enter}');
  expect(await screen.findByText('The name is too long.')).toBeVisible();
  expect(sent).toEqual([tooLong]);
  expect(field).toHaveValue(tooLong);
});
