import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answers } from '../../../../test/device-answers.ts';
import { crane, projectId } from '../../../../test/project-answers.ts';
import { renderConsole } from '../../../../test/render-console.tsx';

const address = `/projects/${projectId}/devices/${crane}`;

test('metadata is edited as JSON or plain text, and the other keys stay', async () => {
  const user = userEvent.setup();
  const sent: unknown[] = [];
  renderConsole(address, {
    ...answers,
    devices_SetDeviceMetadata: (input) => {
      sent.push(input.metadata);
      return {};
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Edit site' }));
  const field = await screen.findByRole('textbox', { name: /Value/u });
  await user.clear(field);
  await user.type(field, 'south quay');
  await user.click(screen.getByRole('button', { name: 'Save', description: '' }));
  await expect.poll(() => sent).toEqual([{ site: 'south quay', limits: { load: 42000 } }]);
});

test('a property that changed meanwhile is not overwritten, and one that is protected has no button', async () => {
  const user = userEvent.setup();
  const property = (name: string, isProtected: boolean) => ({
    [name]: { name, value: 5, protected: isProtected, version: 3, lastUpdated: '2026-10-02T10:00:00Z' },
  });
  const versions: unknown[] = [];
  renderConsole(address, {
    ...answers,
    devices_QueryDeviceProperties: () => ({
      properties: { ...property('rate', false), ...property('licence', true) },
    }),
    devices_SetDeviceProperty: ({ expectedVersion }) => {
      versions.push(expectedVersion);
      return { result: 'VersionConflict', currentVersion: 4 };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Edit rate' }));
  expect(screen.queryByRole('button', { name: 'Edit licence', hidden: true })).toBeNull();
  const field = await screen.findByRole('textbox', { name: /Value/u });
  await user.type(field, '7{Enter}');
  expect(await screen.findByText(/has changed meanwhile/u)).toBeVisible();
  expect(versions).toEqual([3]);
});
