import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { details } from '../../../../test/device-answers.ts';
import { crane, projectAnswers, projectId } from '../../../../test/project-answers.ts';
import { renderConsole } from '../../../../test/render-console.tsx';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const authorityId = 'p_ca_1' as never;
const [, active] = details.certificates;
const certificates = [
  { ...active!, certificateId: 'd_c_1' as const, authorityId, endsAt: inDays(10) },
  { ...active!, certificateId: 'd_c_2' as const, endsAt: inDays(-2.5) },
];

const show = (isOwner: boolean, more: object = {}) =>
  renderConsole(`/projects/${projectId}/devices/${crane}`, {
    ...projectAnswers,
    projects_GetProjectDetails: () => ({ projectId, name: 'Harbour cranes', deviceCount: 3, isOwner }),
    devices_GetDeviceDetails: () => ({ ...details, certificates }),
    projects_GetCertificatePolicy: () => ({
      isDemanded: true,
      validForDays: 30,
      authorities: [{ authorityId, name: 'Plant' } as never],
      devicesWithIssued: 1,
      devicesWithout: 0,
    }),
    ...more,
  });

test('a certificate says who issued it and when it ends, and an owner accepts one that has ended for another day', async () => {
  const calls: unknown[] = [];
  const { user } = show(true, {
    devices_SetDeviceCertificateStatus: (input: unknown) => (calls.push(input), {}),
  });
  const table = within(await screen.findByRole('table', { name: 'Certificates' }));
  expect(await table.findByText('Plant')).toBeVisible();
  expect(table.getByText(/^issued by/)).toBeVisible();
  expect(table.getByText(/^issued by/).closest('p')).toHaveTextContent('issued by Plant, ends in 10 days');
  expect(table.getByText(/^ended/)).toHaveTextContent('ended 2 days ago');
  await user.click(table.getByRole('button', { name: 'Accept for a Day' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Accept for a Day' }));
  expect(await screen.findByText('The certificate is accepted for another day')).toBeVisible();
  expect(calls).toEqual([{ certificateId: 'd_c_2', status: 'Active' }]);
});

test('a member who is no owner cannot accept a certificate that has ended', async () => {
  show(false);
  expect(await screen.findByRole('button', { name: 'Accept for a Day' })).toHaveAccessibleDescription(
    'Only an owner of the project may do this.',
  );
});
