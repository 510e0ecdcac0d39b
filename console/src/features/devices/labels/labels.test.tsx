import { ActionError, type CallInput } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { devices, projectAnswers, projectId } from '../../../../test/project-answers.ts';
import { renderConsole } from '../../../../test/render-console.tsx';
import { parseDevicesSearch } from '../device-view.ts';

const address = `/projects/${projectId}/devices`;
const [first, second, third] = devices.map(({ deviceId }) => deviceId);

/** A hub whose devices have labels; what was asked of it. */
function labelled(refused: { deviceId: string | undefined }) {
  const calls: CallInput<'devices_SetDeviceLabel'>[] = [];
  const answers = {
    ...projectAnswers,
    projects_QueryProjectDevices: () => ({
      devices: devices.map((device, index) => ({
        ...device,
        labels: [
          { name: 'ring', value: index === 0 ? 'canary' : 'say "hi"' },
          ...['a', 'b', 'c'].map((name) => ({ name, value: 'x' })),
        ],
      })),
    }),
    projects_GetDeviceLabels: () => ({
      labels: [
        { name: 'ring', values: ['stable', 'canary'] },
        { name: 'site', values: ['Munich', 'Berlin'] },
      ],
    }),
    devices_SetDeviceLabel: (input: CallInput<'devices_SetDeviceLabel'>) => {
      calls.push(input);
      if (input.deviceId === refused.deviceId) throw new ActionError('Invalid', 'It is a list.');
      return input.deviceId === first ? { before: 'Hamburg' } : {};
    },
  };
  return { calls, answers };
}

async function selectAll(user: ReturnType<typeof renderConsole>['user'], action: string) {
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 3' }));
  const bar = within(screen.getByRole('toolbar', { name: 'Actions for the selected rows' }));
  await user.click(bar.getByRole('button', { name: action }));
  return within(await screen.findByRole('dialog'));
}

test('a label is set on the selected devices with suggested names and values, a refusal is tried again, and Undo gives each its former value', async () => {
  const refused = { deviceId: second as string | undefined };
  const { calls, answers } = labelled(refused);
  const { user } = renderConsole(address, answers);
  const dialog = await selectAll(user, 'Set label…');
  const names = within(await dialog.findByRole('group', { name: 'Known for Label' }));
  await user.click(names.getByRole('button', { name: 'site' }));
  await user.type(dialog.getByRole('textbox', { name: /^Value/u }), 'mu');
  const values = within(dialog.getByRole('group', { name: 'Known for Value' }));
  expect(values.queryByRole('button', { name: 'Berlin' })).toBeNull();
  await user.click(values.getByRole('button', { name: 'Munich' }));
  await user.click(dialog.getByRole('button', { name: 'Set label' }));
  expect(await dialog.findByText('It is a list.')).toBeVisible();
  expect(dialog.getAllByText('done')).toHaveLength(2);
  expect(dialog.getByRole('textbox', { name: /^Value/u })).toBeDisabled();
  refused.deviceId = undefined;
  await user.click(dialog.getByRole('button', { name: 'Set label' }));
  expect(await screen.findByText('site: Munich was set on 3 devices')).toBeVisible();
  const set = [first, second, third, second].map((deviceId) => ({ deviceId, name: 'site', value: 'Munich' }));
  expect(calls).toEqual(set);
  calls.splice(0);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(calls).toHaveLength(3));
  expect(calls).toEqual([
    { deviceId: first, name: 'site', value: 'Hamburg' },
    { deviceId: second, name: 'site' },
    { deviceId: third, name: 'site' },
  ]);
});

test('a label that the selected devices have is removed, and a name that filters cannot write is no label', async () => {
  const { calls, answers } = labelled({ deviceId: undefined });
  const { user } = renderConsole(address, answers);
  const dialog = await selectAll(user, 'Remove label…');
  const field = dialog.getByRole('textbox', { name: /^Label/u });
  await user.type(field, 'two words');
  await user.tab();
  expect(dialog.getByText(/^Label must begin with/u)).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Remove label' })).toBeDisabled();
  await user.clear(field);
  await user.click(dialog.getByRole('button', { name: 'ring' }));
  await user.click(dialog.getByRole('button', { name: 'Remove label' }));
  expect(await screen.findByText('The label ring was removed from 3 devices')).toBeVisible();
  expect(calls).toEqual([first, second, third].map((deviceId) => ({ deviceId, name: 'ring' })));
});

test('the badge of a label lists the devices that have it, in the same order and columns', async () => {
  const { answers } = labelled({ deviceId: undefined });
  const { user, router } = renderConsole(`${address}?columns=status.labels&sort=name`, answers);
  const [quoted] = await screen.findAllByRole('link', { name: 'ring: say "hi"' });
  expect(screen.getAllByText('+1')).toHaveLength(3);
  await user.click(quoted as HTMLElement);
  await waitFor(() =>
    expect(parseDevicesSearch(router.state.location.search)).toEqual({
      q: String.raw`label.ring:"say \"hi\""`,
      sort: 'name',
      columns: 'status.labels',
    }),
  );
});
