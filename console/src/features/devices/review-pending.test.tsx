import type { AnswerTable } from '@corral/client';
import { ActionError, type CallInput, type Output } from '@corral/contract';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { devices, projectAnswers, projectId } from '../../../test/project-answers.ts';
import { held, renderConsole } from '../../../test/render-console.tsx';

type Answer = Output<'projects_AcceptDeviceCertificates'>;
type Certificate = Output<'projects_QueryPendingCertificates'>['certificates'][number];

const pendingOf = (count: number): Certificate[] =>
  Array.from({ length: count }, (_, index) => ({
    certificateId: `d_c_${index}`,
    deviceId: `d_${index}`,
    ...(index === 0 ? { hostname: 'rpi-4f2a' } : { deviceName: `pump-${index}` }),
    fingerprint: Array.from({ length: 32 }, () => 'AB').join(':'),
    createdAt: '2026-10-02T10:00:00Z',
    ...(index === 0 ? { tokenName: 'North quay', address: '198.51.100.7' } : {}),
  }));

/** A hub with pending certificates, which counts the calls. `accepting` answers a call, or refuses it. */
function hubWith(
  count: number,
  accepting: (input: CallInput<'projects_AcceptDeviceCertificates'>) => Answer | Promise<Answer> = ({
    certificateIds,
  }) => ({ acceptedIds: [...certificateIds], unchangedIds: [] }),
) {
  let pending = pendingOf(count);
  const reads: CallInput<'projects_QueryPendingCertificates'>[] = [];
  const accepts: string[][] = [];
  const details: unknown[] = [];
  const answers: AnswerTable = {
    ...projectAnswers,
    projects_QueryPendingCertificates: (input) => {
      reads.push(input);
      return pageOf(pending, input);
    },
    projects_AcceptDeviceCertificates: async (input) => {
      accepts.push([...input.certificateIds]);
      const answer = await accepting(input);
      const decided = new Set<string>(input.certificateIds);
      pending = pending.filter(({ certificateId }) => !decided.has(certificateId));
      return answer;
    },
    devices_GetDeviceDetails: (input) => {
      details.push(input);
      throw new ActionError('Invalid', 'Device not found.');
    },
  };
  return { answers, reads, accepts, details };
}

/** A page of the certificates; the cursor is the id of the last one. */
function pageOf(
  certificates: readonly Certificate[],
  { after, limit = certificates.length }: CallInput<'projects_QueryPendingCertificates'>,
): Output<'projects_QueryPendingCertificates'> {
  const start = certificates.findIndex(({ certificateId }) => certificateId === after) + 1;
  const page = certificates.slice(start, start + limit);
  return {
    certificates: page,
    ...(start + limit < certificates.length ? { next: page.at(-1)!.certificateId } : {}),
  };
}

async function review(answers: AnswerTable) {
  const shown = renderConsole(`/projects/${projectId}/devices`, answers);
  await shown.user.click(await screen.findByRole('button', { name: 'Review 2 pending' }));
  const dialog = await screen.findByRole('dialog', { name: 'Pending certificates' });
  await within(dialog).findByText('rpi-4f2a');
  return { ...shown, dialog };
}

const acceptButton = () => screen.getByRole('button', { name: /^Accept \d+ certificates?$/ });
const selectAll = () => screen.getByRole('checkbox', { name: /^Select all/ });

test('60 certificates are read once and accepted with one call', async () => {
  const { answers, reads, accepts, details } = hubWith(60);
  const { stream } = await review(answers);
  expect(reads).toEqual([{ projectId, limit: 500 }]);
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all 60' }));
  expect(screen.getByRole('checkbox', { name: /pump-59$/ })).toBeChecked();
  fireEvent.click(screen.getByRole('button', { name: 'Accept 60 certificates' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Pending certificates' })).toBeNull());
  expect(await screen.findByText('60 certificates were accepted')).toBeVisible();
  expect(accepts).toEqual([pendingOf(60).map(({ certificateId }) => certificateId)]);
  expect(details).toEqual([]);
  // The list was read again after the change, and is not any more.
  expect(reads).toHaveLength(2);
  act(() => stream()?.onChange({ topic: 'certificates', projectId }));
  expect(reads).toHaveLength(2);
});

test('the dialog says when each certificate was first seen and with which token, and rejects the selected ones after a question', async () => {
  const { answers } = hubWith(3);
  const rejected: unknown[] = [];
  const { user, dialog } = await review({
    ...answers,
    devices_SetDeviceCertificateStatus: (input) => {
      rejected.push(input);
      return {};
    },
  });
  const [first] = within(dialog).getAllByRole('listitem');
  expect(first).toHaveTextContent(/^rpi-4f2aFirst seen .*with the token North quay ?from 198\.51\.100\.7/u);
  await user.click(screen.getByRole('checkbox', { name: 'rpi-4f2a' }));
  await user.click(screen.getByRole('checkbox', { name: 'pump-1' }));
  await user.click(screen.getByRole('button', { name: 'Reject 2 certificates' }));
  expect(rejected).toEqual([]);
  const question = await screen.findByRole('alertdialog', { name: 'Reject 2 certificates' });
  await user.click(within(question).getByRole('button', { name: 'Reject 2 certificates' }));
  expect(await screen.findByText('2 certificates were rejected')).toBeVisible();
  expect(rejected).toEqual([0, 1].map((index) => ({ certificateId: `d_c_${index}`, status: 'Rejected' })));
});

test('a change of the certificates is read once, however many wait', async () => {
  const { answers, reads, details } = hubWith(60);
  const { stream } = await review(answers);
  act(() => stream()?.onChange({ topic: 'certificates', projectId }));
  await waitFor(() => expect(reads).toHaveLength(2));
  expect(details).toEqual([]);
});

test('only the selected certificates are accepted, and without a selection none can be', async () => {
  const { answers, accepts } = hubWith(3);
  const { user, dialog } = await review(answers);
  expect(screen.getByRole('button', { name: 'Accept 0 certificates' })).toBeDisabled();
  expect(within(dialog).getAllByText('AB:AB:AB:AB')).toHaveLength(24);
  await user.click(selectAll());
  await user.click(screen.getByRole('checkbox', { name: /pump-1$/ }));
  expect(selectAll()).not.toBeChecked();
  await user.click(screen.getByRole('button', { name: 'Accept 2 certificates' }));
  await waitFor(() => expect(within(dialog).queryByText('rpi-4f2a')).toBeNull());
  expect(accepts).toEqual([['d_c_0', 'd_c_2']]);
  expect(within(dialog).getByText('pump-1')).toBeVisible();
  expect(acceptButton()).toHaveTextContent('Accept 0 certificates');
});

test('certificates that were decided meanwhile are named with a sentence', async () => {
  const { answers } = hubWith(3, () => ({ acceptedIds: ['d_c_0', 'd_c_1'], unchangedIds: ['d_c_2'] }));
  const { user, dialog } = await review(answers);
  await user.click(selectAll());
  await user.click(acceptButton());
  expect(await within(dialog).findByRole('status')).toHaveTextContent(
    /pump-2.*Not accepted: someone else has accepted/,
  );
  expect(within(dialog).getByText('No certificates are pending.')).toBeVisible();
  expect(screen.getByText('2 certificates were accepted')).toBeVisible();
  expect(screen.getByText('1 no longer pending')).toBeVisible();
});

test('a failed call keeps the selection and says why', async () => {
  let failures = 1;
  const { answers, accepts } = hubWith(3, ({ certificateIds }) => {
    if (failures-- > 0) throw new ActionError('Invalid', 'The database is full.');
    return { acceptedIds: [...certificateIds], unchangedIds: [] };
  });
  const { user, dialog } = await review(answers);
  await user.click(screen.getByRole('checkbox', { name: /pump-1$/ }));
  await user.click(screen.getByRole('checkbox', { name: /pump-2$/ }));
  await user.click(acceptButton());
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('The database is full.');
  expect((await screen.findAllByText('Not all certificates were accepted'))[0]).toBeVisible();
  expect(screen.getByRole('checkbox', { name: /pump-2$/ })).toBeChecked();
  await user.click(screen.getByRole('button', { name: 'Accept 2 certificates' }));
  await waitFor(() => expect(within(dialog).queryByText('pump-2')).toBeNull());
  expect(within(dialog).queryByRole('alert')).toBeNull();
  expect(accepts).toEqual([
    ['d_c_1', 'd_c_2'],
    ['d_c_1', 'd_c_2'],
  ]);
});

test('more than 500 are loaded on request and accepted 500 in a call, and the progress is shown', async () => {
  const second = held<Answer>();
  let calls = 0;
  const { answers, reads, accepts } = hubWith(620, ({ certificateIds }) =>
    (calls += 1) === 2 ? second.promise : { acceptedIds: [...certificateIds], unchangedIds: [] },
  );
  const { dialog } = await review(answers);
  expect(selectAll()).toHaveAccessibleName('Select all 500');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Load more' }));
  await within(dialog).findByText('pump-619');
  expect(reads.at(-1)).toEqual({ projectId, limit: 500, after: 'd_c_499' });
  fireEvent.click(selectAll());
  fireEvent.click(screen.getByRole('button', { name: 'Accept 620 certificates' }));
  await waitFor(() => expect(accepts.map(({ length }) => length)).toEqual([500, 120]));
  for (const bar of await screen.findAllByRole('progressbar', { name: 'Accepting certificates' }))
    expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuemax')]).toEqual(['500', '620']);
  expect(screen.getByText('500 of 620')).toBeVisible();
  second.resolve({ acceptedIds: accepts[1] as Answer['acceptedIds'], unchangedIds: [] });
  expect(await screen.findByText('620 certificates were accepted')).toBeVisible();
  expect(screen.queryByRole('progressbar')).toBeNull();
});

test('a page that could not be read is read again, and the certificates before it stay', async () => {
  const { answers } = hubWith(620);
  const certificates = pendingOf(620);
  let failures = 1;
  const { dialog } = await review({
    ...answers,
    projects_QueryPendingCertificates: (input) => {
      if (input.after !== undefined && (failures -= 1) >= 0)
        throw new ActionError('Invalid', 'The database is full.');
      return pageOf(certificates, input);
    },
  });
  const loadMore = () => within(dialog).getByRole('button', { name: 'Load more' });
  fireEvent.click(loadMore());
  expect(await within(dialog).findByText('The database is full.')).toBeVisible();
  expect(within(dialog).getByText('pump-499')).toBeVisible();
  fireEvent.click(loadMore());
  expect(await within(dialog).findByText('pump-619')).toBeVisible();
  expect(within(dialog).queryByText('The database is full.')).toBeNull();
});

test('the dialog of a long list reads the certificates and no device', async () => {
  const { answers, reads, details } = hubWith(2);
  const many = Array.from({ length: 500 }, (_, index) => ({
    ...devices[0]!,
    deviceId: `d_many${index}` as const,
  }));
  const filters: unknown[] = [];
  await review({
    ...answers,
    projects_GetProjectDetails: () => ({
      projectId,
      name: 'Fleet',
      deviceCount: 100_000,
      connectedDeviceCount: 1,
      pendingCertificateCount: 2,
    }),
    projects_QueryProjectDevices: ({ filter }) => {
      filters.push(filter);
      return { devices: many };
    },
  });
  expect(reads).toHaveLength(1);
  expect(details).toEqual([]);
  expect(filters.filter((filter) => filter !== undefined)).toEqual([]);
});

test('a certificate that an open rotation expects says so, and is selected apart from the others', async () => {
  const { answers, accepts } = hubWith(3);
  const certificates = pendingOf(3).map((one, index) => (index === 2 ? { ...one, isExpected: true } : one));
  const { user, dialog } = await review({
    ...answers,
    projects_QueryPendingCertificates: () => ({ certificates }),
  });
  const items = within(dialog).getAllByRole('listitem');
  const sentence = /Same fingerprint, same bound token, window open/u;
  expect(items.map((item) => sentence.test(item.textContent))).toEqual([false, false, true]);
  await user.click(screen.getByRole('checkbox', { name: 'Select the one of open rotations' }));
  expect(screen.getByRole('checkbox', { name: 'pump-2' })).toBeChecked();
  await user.click(screen.getByRole('button', { name: 'Accept 1 certificate' }));
  await waitFor(() => expect(accepts).toEqual([['d_c_2']]));
});
