import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { terms } from '../../../copy/terms.ts';
import { userProjectsQuery, userQuery } from '../../../data/queries-account.ts';
import { userRepositoriesQuery } from '../../../data/queries-repositories.ts';
import { securityCopy as words } from './copy.ts';
import { accessChoices, dayChoices, oneOrAll, tokenDefaults } from './token-form.ts';

const select = { kind: 'select' } as const;

/** The fields of a new user token; the projects and repositories of the user are read while the form is open. */
export function useTokenFields(userId: Id<'user'>, open: boolean) {
  const { data: user } = useQuery(userQuery(userId));
  const { data: own } = useQuery({ ...userProjectsQuery(userId), enabled: open });
  const { data: read } = useQuery({ ...userRepositoriesQuery(userId), enabled: open });
  const projects = (own?.projects ?? []).map(({ projectId, name }) => ({ id: projectId, name }));
  const repositories = (read?.repositories ?? []).map(({ repositoryId, name }) => ({
    id: repositoryId,
    name,
  }));
  const { access, project, repository, days } = tokenDefaults;
  return {
    name: { label: terms.name, hint: words.tokenNameHint, required: true },
    access: {
      ...select,
      label: words.access,
      hint: words.accessHint,
      options: accessChoices(user?.isAdmin === true),
      initial: access,
    },
    project: {
      ...select,
      label: words.project,
      options: oneOrAll(words.allProjects, projects),
      initial: project,
    },
    repository: {
      ...select,
      label: words.repository,
      options: oneOrAll(words.allRepositories, repositories),
      initial: repository,
    },
    days: { ...select, label: words.validFor, options: dayChoices(), initial: days },
  };
}
