import { ActionError } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { devices, projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole } from '../../../test/render-console.tsx';
import { maxBulkItems } from '../../parts/bulk-run.ts';
import { fillNames } from './fill-names.ts';

const address = `/projects/${projectId}/devices`;
const bar = () => within(screen.getByRole('toolbar', { name: 'Actions for the selected rows' }));

test('rows are selected one by one, as a range, all together, and by x after j; hidden ones do not count', async () => {
  const { user } = renderConsole(address, projectAnswers);
  const boxes = await screen.findAllByRole('checkbox', { name: /^Select (?!all)/ });
  expect(screen.queryByRole('toolbar', { name: 'Actions for the selected rows' })).toBeNull();
  await user.click(boxes[0] as HTMLElement);
  expect(bar().getByText('1 selected')).toBeVisible();
  await user.keyboard('{Shift>}');
  await user.click(boxes[2] as HTMLElement);
  await user.keyboard('{/Shift}');
  expect(bar().getByText('3 selected')).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'Select all 3' })).toBeChecked();
  await user.type(screen.getByRole('combobox'), 'crane');
  await waitFor(() => expect(bar().getByText('1 selected')).toBeVisible());
  await user.clear(screen.getByRole('combobox'));
  await waitFor(() => expect(bar().getByText('3 selected')).toBeVisible());
  await user.click(bar().getByRole('button', { name: 'Clear' }));
  expect(screen.queryByRole('toolbar', { name: 'Actions for the selected rows' })).toBeNull();
  await user.keyboard('jjx');
  expect(bar().getByText('1 selected')).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'Select all 3' })).toBePartiallyChecked();
  await user.keyboard('b');
  expect(bar().getByRole('button', { name: 'Select all 3' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(bar().getByText('3 selected')).toBeVisible();
});

test('selected devices are deleted after their number was typed; those that the hub refuses stay, with the reason, and are tried again', async () => {
  const calls: string[] = [];
  let isRefusing = true;
  const { user } = renderConsole(address, {
    ...projectAnswers,
    devices_DeleteDevice: ({ deviceId }) => {
      calls.push(deviceId);
      if (isRefusing && deviceId === devices[1]?.deviceId)
        throw new ActionError('Invalid', 'It is being updated.');
      return {};
    },
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 3' }));
  await user.click(bar().getByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete 3 devices' }));
  const verb = () => dialog.getByRole('button', { name: /^Delete/ });
  expect(verb()).toHaveAttribute('aria-disabled', 'true');
  await user.type(dialog.getByRole('textbox'), '3 devices');
  await user.click(verb());
  expect(await dialog.findByText('1 of 3 failed: north-gate.')).toBeVisible();
  expect(dialog.getAllByText('done')).toHaveLength(2);
  expect(dialog.getByText('It is being updated.')).toBeVisible();
  isRefusing = false;
  await user.click(verb());
  expect(await screen.findByText('3 devices were deleted')).toBeVisible();
  expect(calls).toHaveLength(4);
  expect(calls.at(-1)).toBe(devices[1]?.deviceId);
});

test('selected devices are renamed together by a pattern, a refusal stays at its field, and Undo gives them their names back', async () => {
  const calls: [string, string | undefined][] = [];
  let isRefusing = true;
  const { user } = renderConsole(address, {
    ...projectAnswers,
    devices_SetDeviceName: ({ deviceId, name }) => {
      if (isRefusing && name === 'dock-2') throw new ActionError('Invalid', 'That name is taken.');
      calls.push([deviceId, name]);
      return {};
    },
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 3' }));
  await user.click(bar().getByRole('button', { name: 'Rename' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename 3 devices' }));
  const pattern = dialog.getByRole('textbox', { name: 'Pattern' });
  await user.clear(pattern);
  await user.type(pattern, 'dock-{{n}');
  await user.click(dialog.getByRole('button', { name: 'Fill in' }));
  await user.click(dialog.getByRole('button', { name: 'Rename 3 devices' }));
  expect(await dialog.findByText('That name is taken.')).toBeVisible();
  expect(calls.map(([, name]) => name)).toEqual(['dock-1', 'dock-3']);
  await user.click(dialog.getByDisplayValue('dock-2'));
  await user.paste('b'.repeat(200));
  expect(dialog.queryByText('That name is taken.'), 'it was about the name before').toBeNull();
  expect(dialog.queryByRole('alert')).toBeNull();
  isRefusing = false;
  await user.click(dialog.getByRole('button', { name: /^Rename \d device/ }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(calls).toHaveLength(6));
  expect(calls[2]?.[1], 'sent as it was typed').toBe(`dock-2${'b'.repeat(200)}`);
  expect(new Map(calls.slice(3))).toEqual(
    new Map(devices.map(({ deviceId, name }) => [deviceId, name ?? ''])),
  );
});

test('Clear also deselects the rows that a filter hides, and the focus goes to the table', async () => {
  const { user } = renderConsole(address, projectAnswers);
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 3' }));
  await user.type(screen.getByRole('combobox'), 'crane');
  await waitFor(() => expect(bar().getByText('1 selected')).toBeVisible());
  await user.click(bar().getByRole('button', { name: 'Clear' }));
  expect(screen.getByRole('checkbox', { name: /^Select (?!all)/ })).toHaveFocus();
  await user.clear(screen.getByRole('combobox'));
  await waitFor(() => expect(screen.getAllByRole('checkbox', { name: /^Select (?!all)/ })).toHaveLength(3));
  expect(screen.queryByRole('toolbar', { name: 'Actions for the selected rows' })).toBeNull();
});

test('x selects the row with the focus, also after a new device came in above it', async () => {
  let listed = devices;
  const { user, queryClient } = renderConsole(address, {
    ...projectAnswers,
    projects_QueryProjectDevices: () => ({ devices: listed }),
  });
  await screen.findAllByRole('checkbox', { name: /^Select (?!all)/ });
  await user.keyboard('jj');
  const focused = document.activeElement;
  const [first] = devices;
  listed = [
    { ...first, deviceId: 'd_new' as (typeof devices)[0]['deviceId'], name: 'new-one' },
    ...devices,
  ] as typeof devices;
  await queryClient.invalidateQueries();
  expect(await screen.findByRole('checkbox', { name: 'Select new-one' })).toBeVisible();
  expect(focused).toHaveFocus();
  await user.keyboard('x');
  expect(screen.getByRole('checkbox', { name: `Select ${devices[1]?.name}` })).toBeChecked();
  expect(bar().getByText('1 selected')).toBeVisible();
});

test('devices that were renamed before a refusal can get their names back', async () => {
  const calls: (string | undefined)[] = [];
  const { user } = renderConsole(address, {
    ...projectAnswers,
    devices_SetDeviceName: ({ name }) => {
      if (name === 'dock-2') throw new ActionError('Invalid', 'That name is taken.');
      calls.push(name);
      return {};
    },
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 3' }));
  await user.click(bar().getByRole('button', { name: 'Rename' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename 3 devices' }));
  const pattern = dialog.getByRole('textbox', { name: 'Pattern' });
  await user.clear(pattern);
  await user.type(pattern, 'dock-{{n}');
  await user.click(dialog.getByRole('button', { name: 'Fill in' }));
  await user.click(dialog.getByRole('button', { name: 'Rename 3 devices' }));
  expect(await dialog.findByText('That name is taken.')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('2 devices were renamed')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(calls).toEqual(['dock-1', 'dock-3', devices[0]?.name ?? '', devices[2]?.name ?? '']),
  );
});

test('typed names are still there after Escape, also for other devices, until Cancel', async () => {
  const { user } = renderConsole(address, projectAnswers);
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 3' }));
  const openDialog = async () => {
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(bar().getByRole('button', { name: 'Rename' }));
    return within(await screen.findByRole('dialog', { name: /^Rename/ }));
  };
  const crane = { name: /crane-04/ };
  const gate = { name: /north-gate/ };
  const first = await openDialog();
  for (const field of [first.getByRole('textbox', crane), first.getByRole('textbox', gate)]) {
    await user.clear(field);
    await user.type(field, 'dock');
  }
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('checkbox', { name: 'Select north-gate' }));
  const fewer = await openDialog();
  expect(fewer.getByRole('textbox', crane)).toHaveValue('dock');
  expect(fewer.getByRole('button', { name: 'Rename 1 device' })).toBeEnabled();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('checkbox', { name: 'Select north-gate' }));
  const all = await openDialog();
  expect(all.getByRole('textbox', gate)).toHaveValue('dock');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // Cancel gives up the names of the devices in the dialog.
  await user.click(screen.getByRole('checkbox', { name: 'Select north-gate' }));
  await user.click((await openDialog()).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('checkbox', { name: 'Select north-gate' }));
  const last = await openDialog();
  expect(last.getByRole('textbox', crane)).toHaveValue('crane-04');
  expect(last.getByRole('textbox', gate)).toHaveValue('dock');
});

test('more rows than a dialog lists are not deleted together', async () => {
  const [first] = devices;
  const many = Array.from({ length: maxBulkItems + 1 }, (_, index) => ({
    ...first,
    deviceId: `d_${index}`,
    name: `dock-${index}`,
  })) as typeof devices;
  const { user } = renderConsole(address, {
    ...projectAnswers,
    projects_QueryProjectDevices: () => ({ devices: many }),
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 501' }));
  expect(bar().getByRole('button', { name: 'Delete' })).toHaveAccessibleDescription(
    'Select at most 500 rows',
  );
});

test('the certificates of selected devices are reviewed together, and only those', async () => {
  const asked: unknown[] = [];
  const { user } = renderConsole(address, {
    ...projectAnswers,
    projects_QueryPendingCertificates: ({ deviceIds }) => (asked.push(deviceIds), { certificates: [] }),
  });
  const [first, second] = await screen.findAllByRole('checkbox', { name: /^Select (?!all)/ });
  await user.click(first as HTMLElement);
  expect(bar().getByRole('button', { name: 'Review certificates' })).toHaveAccessibleDescription(
    'None of the selected devices has a pending certificate',
  );
  await user.click(second as HTMLElement);
  await user.click(bar().getByRole('button', { name: 'Review certificates' }));
  expect(await screen.findByRole('dialog', { name: 'Pending certificates' })).toBeVisible();
  await waitFor(() => expect(asked).toEqual([[devices[1]?.deviceId]]));
});

test('a pattern names devices by their hostnames and numbers', () => {
  const [named, , nameless] = devices;
  const list = [{ ...named, hostname: 'press-7' }, nameless] as typeof devices;
  expect(fillNames('{n}-{hostname}-{x}', list)).toEqual(['1-press-7-{x}', `2-${nameless?.deviceId}-{x}`]);
});
