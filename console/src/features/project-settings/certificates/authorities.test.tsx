import { ActionError, type Output } from '@corral/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectAnswers, projectId } from '../../../../test/project-answers.ts';
import { renderConsole } from '../../../../test/render-console.tsx';

const address = `/projects/${projectId}/settings`;

type Policy = Output<'projects_GetCertificatePolicy'>;

const none: Policy = {
  isDemanded: false,
  validForDays: 30,
  authorities: [],
  devicesWithIssued: 0,
  devicesWithout: 3,
};
const plant: Policy['authorities'][number] = {
  authorityId: 'p_ca_1' as never,
  name: 'Plant',
  fingerprint: Array.from({ length: 32 }, () => 'EF').join(':'),
  certificatePem: '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n',
  isIssuing: true,
  createdAt: '2026-10-02T10:00:00Z',
  endsAt: '2036-10-02T10:00:00Z',
  devices: 2,
};
const some: Policy = { ...none, authorities: [plant], devicesWithIssued: 2, devicesWithout: 1 };
const answersOf = (policy: Policy) => ({ ...projectAnswers, projects_GetCertificatePolicy: () => policy });
const open = async (button: string, dialog: string) => {
  const found = await screen.findByRole('button', { name: button });
  return { found, dialog: async () => within(await screen.findByRole('dialog', { name: dialog })) };
};

test('a project without authorities says what one is for, and a refusal loses nothing that was typed', async () => {
  const calls: unknown[] = [];
  const { user } = renderConsole(address, {
    ...answersOf(none),
    projects_CreateCertificateAuthority: (input) => {
      calls.push(input);
      if (calls.length === 1) throw new ActionError('Invalid', 'The key is not that of the certificate.');
      return { authorityId: plant.authorityId };
    },
  });
  expect(await screen.findByText('No certificate authority')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Change Rules' })).not.toBeInTheDocument();
  const { found, dialog } = await open('New Authority', 'New Authority');
  await user.click(found);
  const shown = await dialog();
  const submit = () => shown.getByRole('button', { name: 'New Authority' });
  expect(submit()).toBeDisabled();
  await user.type(shown.getByLabelText(/^Name/), ' Plant ');
  const key = shown.getByLabelText(/^Private key/);
  await user.click(key);
  await user.paste('the key');
  expect(submit()).toBeDisabled();
  expect(shown.getByText('Give the certificate of this key, too.')).toBeVisible();
  await user.click(shown.getByLabelText(/^Certificate/));
  await user.paste('the certificate');
  await user.click(submit());
  expect(await shown.findByText('The key is not that of the certificate.')).toBeVisible();
  expect(key).toHaveValue('the key');
  await user.click(submit());
  expect(await screen.findByText('The certificate authority “Plant” was created')).toBeVisible();
  const input = { projectId, name: 'Plant', certificatePem: 'the certificate', keyPem: 'the key' };
  expect(calls).toEqual([input, input]);
});

test('what was typed is there again after Escape, and not after Cancel', async () => {
  const { user } = renderConsole(address, answersOf(none));
  const { found, dialog } = await open('New Authority', 'New Authority');
  await user.click(found);
  await user.type((await dialog()).getByLabelText(/^Name/), 'Plant');
  await user.keyboard('{Escape}');
  await user.click(found);
  expect((await dialog()).getByLabelText(/^Name/)).toHaveValue('Plant');
  await user.click((await dialog()).getByRole('button', { name: 'Cancel' }));
  await user.click(found);
  expect((await dialog()).getByLabelText(/^Name/)).toHaveValue('');
});

test('the rules say in numbers what a demand changes', async () => {
  const calls: unknown[] = [];
  const { user } = renderConsole(address, {
    ...answersOf(some),
    projects_SetCertificatePolicy: (input) => (calls.push(input), {}),
  });
  expect(
    await screen.findByText(
      'Devices may use any certificate that was accepted: 2 devices hold one of an authority, 1 does not. New certificates are valid for 30 days.',
    ),
  ).toBeVisible();
  const { found, dialog } = await open('Change Rules', 'Certificates of devices');
  await user.click(found);
  const shown = await dialog();
  expect(
    shown.getByText(/^2 devices hold a certificate of an authority. 1 device holds only others/),
  ).toBeVisible();
  await user.click(shown.getByRole('checkbox'));
  const other = shown.getByLabelText(/^Other certificates count/);
  expect(other).toHaveValue('7');
  await user.clear(other);
  await user.type(other, '91');
  await user.tab();
  expect(shown.getByText('A whole number of days from 0 to 90.')).toBeVisible();
  await user.clear(other);
  await user.type(other, '14');
  await user.click(shown.getByRole('button', { name: 'Change Rules' }));
  expect(await screen.findByText('The rules of certificates were changed')).toBeVisible();
  expect(calls).toEqual([{ projectId, isDemanded: true, validForDays: 30, foreignDays: 14 }]);
});

test('an authority that devices have certificates of is deleted after its name was typed', async () => {
  const calls: unknown[] = [];
  const { user } = renderConsole(address, {
    ...answersOf(some),
    projects_DeleteCertificateAuthority: (input) => (calls.push(input), {}),
  });
  await user.click(await screen.findByRole('button', { name: 'Actions for Plant' }));
  await user.click(await screen.findByRole('menuitem', { name: /^Delete/ }));
  const dialog = within(await screen.findByRole('alertdialog'));
  expect(dialog.getByText(/2 devices hold a certificate of it/)).toBeVisible();
  await user.type(dialog.getByRole('textbox'), 'Plant');
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('The certificate authority “Plant” was deleted')).toBeVisible();
  expect(calls).toEqual([{ projectId, authorityId: plant.authorityId }]);
});

test('members see the authorities and change none', async () => {
  renderConsole(address, {
    ...answersOf(some),
    projects_GetProjectDetails: () => ({ projectId, name: 'Harbour cranes', deviceCount: 3, isOwner: false }),
  });
  expect(await screen.findByText('Plant')).toBeVisible();
  for (const name of ['New Authority', 'Change Rules'])
    expect(await screen.findByRole('button', { name })).toHaveAccessibleDescription(
      'Only an owner of the project may change its certificate authorities.',
    );
});
