import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { httpExecutor } from '@corral/client';
import type { Output } from '@corral/contract';
import type { Filling } from './fill-hub.ts';
import type { Answer } from './read-hub.ts';
import { signInOverHttp } from './sign-in.ts';

/**
 * Checks what answers do not show: the bytes of all files, the token, the second factor of the member, and that the audit log fits its seals. Returns the number of
 * files; rejects with what is wrong.
 */
export async function checkHub(url: string, filling: Filling, answers: readonly Answer[]): Promise<number> {
  const { invoke } = filling.readers.administrator;
  const assets = answers
    .filter(({ name, reader }) => name === 'repositories_GetAssetDetails' && reader === 'administrator')
    .flatMap(({ answer }) => answer as Output<'repositories_GetAssetDetails'>[]);
  for (const { assetId, digest } of assets) {
    const issued = await invoke('repositories_IssueAssetDownloadUrl', { assetId });
    const bytes = await (await fetch(issued.url)).bytes();
    const found = `sha256_${createHash('sha256').update(bytes).digest('hex')}`;
    if (found !== digest) throw new Error(`The asset ${assetId} has other bytes: ${found}, not ${digest}.`);
  }
  await httpExecutor({ baseUrl: url, token: filling.token }).invoke('projects_QueryProjects', {});
  await signInWithSecondFactor(url, filling);
  await invoke('audit_VerifyLog', {});
  for (;;) {
    const { check } = await invoke('audit_GetSealState', {});
    if (check?.isIntact === false) throw new Error(check.sentence);
    if (check?.isIntact === true) return assets.length;
    await delay(100);
  }
}

/** Signs the member in and out; a code that was used is good once, so the next one may have to be waited for. */
async function signInWithSecondFactor(url: string, { member, projectId }: Filling): Promise<void> {
  const until = Date.now() + 40_000;
  for (;;) {
    try {
      const session = await signInOverHttp(url, member);
      await session.invoke('projects_GetProjectDetails', { projectId });
      return await session.signOut();
    } catch (error) {
      if (Date.now() > until) throw error;
      await delay(5_000);
    }
  }
}
