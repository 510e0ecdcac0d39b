import { newToken } from '../fixtures/operator.ts';
import { startFleet } from '../fixtures/fleet.ts';
import { expect, test } from '../fixtures/test.ts';

test('selected devices are renamed by a pattern with Undo, reviewed, and deleted together', async ({
  signedIn: page,
  hub,
  operator,
  project,
}) => {
  const { projectId } = project;
  const [{ token }, { token: approvalToken }] = await Promise.all([
    newToken(operator, project),
    newToken(operator, project, { name: 'needs approval', autoAccept: false }),
  ]);
  const fleet = await startFleet(hub, { token, approvalToken, devices: 5 });
  try {
    const namesOf = async () => {
      const { devices } = await operator.invoke('projects_QueryProjectDevices', { projectId });
      return devices.map(({ name = '' }) => name).toSorted((a, b) => a.localeCompare(b));
    };
    await expect.poll(async () => (await namesOf()).length).toBeGreaterThanOrEqual(5);
    const before = await namesOf();
    await page.goto(`/projects/${projectId}/devices`);
    const bar = page.getByRole('toolbar', { name: 'Actions for the selected rows' });
    await page.getByRole('checkbox', { name: /^Select all/ }).click();
    await expect(bar.getByText(`${before.length} selected`)).toBeVisible();

    await bar.getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog', { name: `Rename ${before.length} devices` });
    await dialog.getByRole('textbox', { name: 'Pattern' }).fill('dock-{n}');
    await dialog.getByRole('button', { name: /^Rename/ }).click();
    await expect(page.getByText(`${before.length} devices were renamed`)).toBeVisible();
    expect(await namesOf()).toEqual(before.map((_, index) => `dock-${index + 1}`));
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText(`${before.length} devices got back what they had`)).toBeVisible();
    expect(await namesOf()).toEqual(before);

    await bar.getByRole('button', { name: 'Review certificates' }).click();
    const review = page.getByRole('dialog', { name: 'Pending certificates' });
    await expect(review.getByRole('listitem').getByRole('checkbox').first()).toBeVisible();
    await review.getByRole('button', { name: 'Close' }).first().click();

    await bar.getByRole('button', { name: 'Clear' }).click();
    await expect(bar).toBeHidden();
    const { devices } = await operator.invoke('projects_QueryProjectDevices', { projectId });
    const deleted = devices.slice(0, 1).map(({ deviceId }) => deviceId);
    const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ });
    await boxes.nth(0).click();
    await boxes.nth(1).click();
    await bar.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete 2 devices' });
    await question.getByRole('textbox').fill('2 devices');
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('2 devices were deleted')).toBeVisible();
    await expect(bar).toBeHidden();
    const { devices: left } = await operator.invoke('projects_QueryProjectDevices', { projectId });
    expect(left.map(({ deviceId }) => deviceId)).not.toEqual(expect.arrayContaining(deleted));
  } finally {
    await fleet.end();
  }
});
