import { ActionError } from '@corral/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderConsole } from '../../../test/render-console.tsx';
import {
  packageDetails,
  packageId,
  repositoryAnswers,
  repositoryId,
  version,
  versionId,
} from '../../../test/repository-answers.ts';

const packagePath = `/repositories/${repositoryId}/packages/${packageId}`;

/** Renders a page, and deletes its package or version once it shows. */
async function deleteWhileOpen(path: string, deleted: 'package' | 'version') {
  let isDeleted = false;
  const unless = <Answer,>(what: typeof deleted, answer: Answer) => {
    if (isDeleted && what === deleted) throw new ActionError('Invalid', `This ${what} does not exist.`);
    return answer;
  };
  const { queryClient } = renderConsole(path, {
    ...repositoryAnswers,
    repositories_GetPackageDetails: () => unless('package', packageDetails),
    repositories_GetPackageVersionDetails: () => unless('version', version),
  });
  expect(await screen.findByRole('heading', { level: 1 })).not.toHaveTextContent('Page not Found');
  isDeleted = true;
  await queryClient.invalidateQueries();
}

test.each(['', '/files', '/tags', '/compare', `/versions/${versionId}`])(
  'a page of a package, %s, is not found once the package is deleted',
  async (page) => {
    await deleteWhileOpen(`${packagePath}${page}`, 'package');
    expect(await screen.findByRole('heading', { level: 1, name: 'Page not Found' })).toBeVisible();
  },
);

test('the page of a version is not found once the version is deleted', async () => {
  await deleteWhileOpen(`${packagePath}/versions/${versionId}`, 'version');
  expect(await screen.findByRole('heading', { level: 1, name: 'Page not Found' })).toBeVisible();
});
