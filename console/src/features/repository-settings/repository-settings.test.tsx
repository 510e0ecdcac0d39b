import type { AnswerTable } from '@corral/client';
import { ActionError } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderConsole } from '../../../test/render-console.tsx';
import { repository, repositoryAnswers, repositoryId } from '../../../test/repository-answers.ts';

type Repository = typeof repository;

/** Opens the settings of a repository whose visibility changes as the hub would change it. */
function open(change: Partial<Repository> = {}, answers: AnswerTable = {}) {
  const hub = { repository: { ...repository, ...change } };
  const calls: unknown[] = [];
  const view = renderConsole(`/repositories/${repositoryId}/settings`, {
    ...repositoryAnswers,
    repositories_GetRepositoryDetails: () => hub.repository,
    repositories_SetRepositoryVisibility: (input) => {
      calls.push(input);
      hub.repository = { ...hub.repository, visibility: input.visibility };
      return {};
    },
    ...answers,
  });
  return { ...view, calls };
}

test('"button reads Make Public when Private, otherwise Make Private": the prompt states the consequence, Undo reverts', async () => {
  const { user, calls } = open({ assetCount: 214 });
  await user.click(await screen.findByRole('button', { name: 'Make Public' }));
  const prompt = within(await screen.findByRole('alertdialog', { name: 'Make “harbour-firmware” public' }));
  expect(prompt.getByText(/Anyone with the address will be able to download its 214 assets/)).toBeVisible();
  await user.click(prompt.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(calls).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Make Public' }));
  await user.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Make Public' }),
  );
  expect(await screen.findByRole('button', { name: 'Make Private' })).toBeVisible();
  expect(screen.getByText(/\/r\/harbour-firmware\/<package>\/<tag>\/<filename>$/)).toBeVisible();
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('button', { name: 'Make Public' })).toBeVisible();
  expect(calls).toEqual([
    { repositoryId, visibility: 'Public' },
    { repositoryId, visibility: 'Private' },
  ]);
});

test('Make Private names the linked projects that stay and counts those that end; an owner confirms a link', async () => {
  const calls: unknown[] = [];
  const linked = ['Harbour', 'Quay', 'Strangers'].map((name, index) => ({
    projectId: `p_${index + 1}` as const,
    name,
    devices: 0,
    isConfirmed: name === 'Harbour',
  }));
  const { user } = open(
    { visibility: 'Public' },
    {
      repositories_QueryRepositoryProjects: () => ({ projects: [...linked] }),
      projects_AddProjectRepository: (input) => {
        calls.push(input);
        linked[1] = { ...linked[1]!, isConfirmed: true };
        return {};
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Confirm the link of project “Quay”' }));
  expect(
    await screen.findByText('Project “Quay” stays linked when the repository becomes private'),
  ).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Confirm the link.*Quay/ })).toBeNull());
  expect(calls).toEqual([{ projectId: 'p_2', repositoryId }]);
  expect(screen.queryByRole('button', { name: /^Confirm the link.*Harbour/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Make Private' }));
  const prompt = within(await screen.findByRole('alertdialog', { name: 'Make “harbour-firmware” private' }));
  expect(prompt.getByText(/^Public addresses stop working at once\./)).toHaveTextContent(
    'Projects that an owner linked go on reading it: Harbour and Quay. The links of 1 other project end, and Undo does not bring them back;',
  );
});

test('a rename says first what happens to addresses and clients, keeps a taken name in the dialog, and is undone', async () => {
  const calls: unknown[] = [];
  const hub = { name: 'harbour-firmware' };
  const { user } = open(
    {},
    {
      repositories_GetRepositoryDetails: () => ({ ...repository, name: hub.name, visibility: 'Public' }),
      repositories_SetDisplayName: (input) => {
        calls.push(input);
        if (input.displayName === 'taken')
          throw new ActionError('Invalid', 'There is a repository named taken already. Choose another name.');
        hub.name = input.displayName;
        return {};
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Rename Repository' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename “harbour-firmware”' }));
  expect(
    dialog.getByText(/^Public addresses with the current name stop working at once\. Manifests, scripts/),
  ).toHaveTextContent('The name “harbour-firmware” is kept for it for 30 days');
  const name = dialog.getByLabelText('Name (required)');
  const rename = async (text: string, key = '{Enter}') => {
    await user.clear(name);
    await user.click(name);
    await user.paste(text);
    await user.keyboard(key);
  };
  await rename('a/b', '{Tab}');
  expect(await dialog.findByText(/^Repository name must not contain slashes/)).toBeVisible();
  await rename('taken');
  expect(await dialog.findByText(/^There is a repository named taken already\./)).toBeVisible();
  expect(name).toHaveValue('taken');
  await rename(' quay ');
  await waitFor(() => expect(name).not.toBeInTheDocument());
  // By their texts, because the toast leaves after a while and roles take long to find.
  expect(screen.getByText('The repository is now called “quay”')).toBeVisible();
  await user.click(screen.getByText('Undo'));
  await waitFor(() =>
    expect(calls).toEqual([
      { repositoryId, displayName: 'taken' },
      { repositoryId, displayName: 'quay' },
      { repositoryId, displayName: 'harbour-firmware' },
    ]),
  );
});

test('a quota is shown before it is reached, and when it is', async () => {
  const { unmount } = open({ usedBytes: 9, maxBytes: 10 });
  expect(await screen.findByText('The quota is almost reached')).toBeVisible();
  expect(screen.getByRole('meter', { name: 'Stored' })).toHaveAttribute(
    'aria-valuetext',
    '9 bytes of 10 bytes',
  );
  unmount();
  open({ assetCount: 5, maxAssets: 5 });
  expect(await screen.findByRole('alert')).toHaveTextContent('The quota is reached');
});

const admin: AnswerTable = {
  users_GetUserDetails: ({ userId }) => ({ userId, email: 'root@harbour.example', isAdmin: true }),
};

test('an administrator edits the quotas in units, and undoes it', async () => {
  const calls: unknown[] = [];
  const { user } = open(
    { maxBytes: 53_687_091_200 },
    { ...admin, repositories_SetQuota: (input) => (calls.push(input), {}) },
  );
  await user.click(await screen.findByRole('button', { name: 'Edit Quotas' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Quotas of “harbour-firmware”' }));
  const [size, assets] = [dialog.getByLabelText(/^Size/), dialog.getByLabelText(/^Assets/)];
  expect([size, assets].map((field) => (field as HTMLInputElement).value)).toEqual(['50 GiB', '']);
  const save = dialog.getByRole('button', { name: 'Save' });
  await user.clear(size);
  await user.type(size, '50 GB');
  await user.tab();
  expect(await dialog.findByText(/^Size must be a number with KiB, MiB, GiB or TiB/)).toBeVisible();
  expect(save).toBeDisabled();
  await user.clear(size);
  await user.type(size, '1.5 TiB');
  await user.type(assets, '10k');
  await user.tab();
  expect(await dialog.findByText(/^Assets must be a whole number/)).toBeVisible();
  await user.clear(assets);
  await user.type(assets, '10000');
  await user.click(save);
  await waitFor(() => expect(size).not.toBeInTheDocument());
  await user.click(await screen.findByText('Undo'));
  await waitFor(() =>
    expect(calls).toEqual([
      { repositoryId, maxBytes: 1_649_267_441_664, maxAssets: 10_000 },
      { repositoryId, maxBytes: 53_687_091_200 },
    ]),
  );
});

test('empty fields are no quotas; a refusal stays in the dialog', async () => {
  const calls: unknown[] = [];
  const { user } = open(
    { maxBytes: 1024, maxAssets: 5 },
    {
      ...admin,
      repositories_SetQuota: (input) => {
        calls.push(input);
        throw new ActionError('Forbidden', 'Only administrators may do this.');
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Edit Quotas' }));
  const dialog = within(await screen.findByRole('dialog', { name: /^Quotas of/ }));
  await user.clear(dialog.getByLabelText(/^Size/));
  await user.clear(dialog.getByLabelText(/^Assets/));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Only administrators may do this.')).toBeVisible();
  expect(calls).toEqual([{ repositoryId }]);
});

test('nobody but an administrator can edit quotas', async () => {
  open({ maxBytes: 1024 });
  expect(await screen.findByRole('meter', { name: 'Stored' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Edit Quotas' })).toBeNull();
});

test('the deletion counts what goes with it, asks for the name, and leads to the list', async () => {
  const calls: unknown[] = [];
  const { user, address } = open(
    {},
    {
      repositories_QueryRepositoryProjects: () => ({
        projects: [{ projectId: 'p_1', name: 'Harbour', devices: 14, isConfirmed: true }],
      }),
      repositories_DeleteRepository: (input) => (calls.push(input), {}),
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Delete Repository' }));
  const prompt = within(
    await screen.findByRole('alertdialog', { name: 'Delete repository “harbour-firmware”' }),
  );
  expect(prompt.getByText('2 packages and 2 assets are deleted with it.')).toBeVisible();
  expect(await prompt.findByText('Harbour and 14 devices lose access to it.')).toBeVisible();
  await user.type(prompt.getByRole('textbox'), 'harbour-firmware');
  await user.click(prompt.getByRole('button', { name: 'Delete Repository' }));
  await waitFor(() => expect(address()).toBe('/repositories'));
  expect(calls).toEqual([{ repositoryId }]);
});

test('a reader sees nothing of its linked projects', async () => {
  const asked: unknown[] = [];
  open(
    { isOwner: false, canWrite: false },
    { repositories_QueryRepositoryProjects: (input) => (asked.push(input), { projects: [] }) },
  );
  expect(await screen.findByRole('heading', { name: 'Usage' })).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Linked projects' })).toBeNull();
  expect(asked).toEqual([]);
});

test('a member who is no owner is told so', async () => {
  open(
    { isOwner: false },
    {
      repositories_QueryRepositoryProjects: () => ({
        projects: [{ projectId: 'p_1', name: 'Harbour', devices: 14, isConfirmed: true }],
      }),
    },
  );
  expect(await screen.findByRole('button', { name: 'Unlink project “Harbour”' })).toHaveAccessibleDescription(
    'Only an owner of the repository may unlink projects here.',
  );
  expect(await screen.findByRole('button', { name: 'Rename Repository' })).toHaveAccessibleDescription(
    'Only an owner of the repository may rename it.',
  );
  expect(await screen.findByRole('button', { name: 'Make Public' })).toHaveAccessibleDescription(
    'Only an owner of the repository may change its visibility.',
  );
  expect(screen.getByRole('button', { name: 'Delete Repository' })).toHaveAccessibleDescription(
    'Only an owner of the repository may delete it.',
  );
});

test('the store says in sentences what it enforces, and is changed without its secret', async () => {
  const calls: unknown[] = [];
  const s3Config = {
    endpoint: 'https://s3.example',
    bucket: 'firmware',
    accessKeyId: 'AKIA1',
    forcePathStyle: true,
  };
  const findings = [
    { name: 'checksum', isFine: true, text: 'The store refuses wrong bytes.' },
    { name: 'clock', isFine: false, text: 'The clock of the store is 600 s ahead.' },
  ];
  const { user } = open(
    {},
    {
      repositories_GetObjectStore: () => ({
        kind: 'Own',
        s3Config,
        findings,
        checkedAt: '2026-11-20T10:00:00Z',
      }),
      repositories_SetS3Config: (input) => (calls.push(input), { findings }),
    },
  );
  const list = (await screen.findByText('The clock of the store is 600 s ahead.')).closest('ul')!;
  expect(within(list).getAllByRole('listitem')[0]).toHaveTextContent('600 s ahead');
  expect(screen.getByText('https://s3.example')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Change store' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change store' }));
  const bucket = dialog.getByLabelText('Bucket (required)');
  await user.clear(bucket);
  await user.type(bucket, 'a');
  await user.tab();
  expect(dialog.getByText(/^Bucket must be 3 to 255 letters/)).toBeVisible();
  await user.type(bucket, 'rchive');
  await user.click(dialog.getByRole('button', { name: 'Change store' }));
  await waitFor(() =>
    expect(calls).toEqual([
      { repositoryId, s3Config: { ...s3Config, publicEndpoint: '', bucket: 'archive' } },
    ]),
  );
  // By its name, because the toast is a dialog too.
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Change store' })).toBeNull());
});

test('a store that only the hub reaches has no public endpoint', async () => {
  const calls: { s3Config: { publicEndpoint?: string } }[] = [];
  const s3Config = {
    endpoint: 'http://minio:9000',
    publicEndpoint: 'none',
    bucket: 'firmware',
    accessKeyId: 'AKIA1',
    forcePathStyle: true,
  };
  const { user } = open(
    {},
    {
      repositories_GetObjectStore: () => ({ kind: 'Own', s3Config, findings: [] }),
      repositories_SetS3Config: (input) => (calls.push(input as (typeof calls)[number]), { findings: [] }),
    },
  );
  expect(await screen.findByText('None, because only the hub reaches the store')).toBeVisible();
  const save = async (change: (dialog: ReturnType<typeof within>) => Promise<void>): Promise<void> => {
    await user.click(screen.getByRole('button', { name: 'Change store' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change store' }));
    await change(dialog);
    await user.click(dialog.getByRole('button', { name: 'Change store' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Change store' })).toBeNull());
  };
  await save(async (dialog) => {
    const isForHubOnly = dialog.getByRole('checkbox', { name: 'Only the hub reaches the store' });
    expect(isForHubOnly).toBeChecked();
    const endpoint = dialog.getByLabelText(/^Public endpoint/);
    expect(endpoint).toHaveValue('');
    await user.type(endpoint, 'https://files.example');
    await user.tab();
    expect(dialog.getByText('Leave it empty, because only the hub reaches the store.')).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Change store' })).toBeDisabled();
    await user.clear(endpoint);
  });
  await save(async (dialog) => {
    await user.click(dialog.getByRole('checkbox', { name: 'Only the hub reaches the store' }));
    await user.type(dialog.getByLabelText(/^Public endpoint/), 'https://files.example');
  });
  await save((dialog) =>
    user.click(dialog.getByRole('checkbox', { name: 'Only the hub reaches the store' })),
  );
  expect(calls.map((call) => call.s3Config.publicEndpoint)).toEqual(['none', 'https://files.example', '']);
});

test('a store that the hub refuses is said in the dialog, which keeps what was typed', async () => {
  const { user } = open(
    {},
    {
      repositories_SetS3Config: () => {
        throw new ActionError('Invalid', 'The store refused the key.');
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Use an S3 store' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Use an S3 store' }));
  const submit = dialog.getByRole('button', { name: 'Use an S3 store' });
  await user.type(dialog.getByLabelText('Endpoint (required)'), 'https://s3.example');
  await user.type(dialog.getByLabelText('Bucket (required)'), 'firmware');
  await user.type(dialog.getByLabelText('Access key ID (required)'), 'AKIA1');
  expect(submit).toBeDisabled();
  await user.type(dialog.getByLabelText('Secret access key (required)'), 'secret');
  await user.click(submit);
  expect(await dialog.findByRole('alert')).toHaveTextContent('The store refused the key.');
  expect(dialog.getByLabelText('Bucket (required)')).toHaveValue('firmware');
});

test('the fields of a store keep their text after Escape, except its secret', async () => {
  const { user } = open({}, {});
  const openDialog = async () => {
    await user.click(await screen.findByRole('button', { name: 'Use an S3 store' }));
    return within(await screen.findByRole('dialog', { name: 'Use an S3 store' }));
  };
  const dialog = await openDialog();
  await user.type(dialog.getByLabelText('Endpoint (required)'), 'https://s3.example');
  await user.type(dialog.getByLabelText('Secret access key (required)'), 'secret');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const again = await openDialog();
  expect(again.getByLabelText('Endpoint (required)')).toHaveValue('https://s3.example');
  expect(again.getByLabelText('Secret access key (required)')).toHaveValue('');
});
