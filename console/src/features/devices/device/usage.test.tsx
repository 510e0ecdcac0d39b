import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answers, details } from '../../../../test/device-answers.ts';
import { crane, projectId } from '../../../../test/project-answers.ts';
import { renderConsole } from '../../../../test/render-console.tsx';

const address = `/projects/${projectId}/devices/${crane}`;

test('the usage of a device is shown beside its quotas, with a warning before one is reached', async () => {
  const usage = {
    propertyBytes: 2048,
    maxPropertyBytes: 1_048_576,
    eventsToday: 9000,
    maxEventsPerDay: 10_000,
    eventBytesToday: 700,
    maxEventBytesPerDay: 10_485_760,
  };
  const shown = renderConsole(address, {
    ...answers,
    devices_GetDeviceDetails: () => ({ ...details, usage }),
  });
  const events = await screen.findByRole('meter', { name: 'Events today' });
  expect(events).toHaveAttribute('aria-valuetext', '9,000 of 10,000');
  expect(screen.getByRole('meter', { name: 'Properties and metadata' })).toBeVisible();
  expect(screen.getByText('A quota is almost reached')).toBeVisible();
  shown.unmount();
  renderConsole(address, {
    ...answers,
    devices_GetDeviceDetails: () => ({ ...details, usage: { ...usage, eventsToday: 10_000 } }),
  });
  expect(await screen.findByText('A quota is reached')).toBeVisible();
});
