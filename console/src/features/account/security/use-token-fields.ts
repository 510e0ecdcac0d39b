import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { terms } from '../../../copy/terms.ts';
import { userProjectsQuery, userQuery } from '../../../data/queries-account.ts';
import { userRepositoriesQuery } from '../../../data/queries-repositories.ts';
import { securityCopy as words } from './copy.ts';
import { userTokensCopy } from '../../../parts/user-tokens/copy.ts';
import {
  choicesOf,
  dayChoices,
  defaultDays,
  choicesOfRights,
} from '../../../parts/user-tokens/token-form.ts';

const select = { kind: 'select' } as const;
const multiSelect = { kind: 'multi-select' } as const;

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
  return {
    name: { label: terms.name, hint: userTokensCopy.nameHint, required: true },
    may: {
      ...multiSelect,
      label: userTokensCopy.may,
      hint: userTokensCopy.mayHint,
      options: choicesOfRights(user?.isAdmin === true),
      placeholder: userTokensCopy.everything,
    },
    projects: {
      ...multiSelect,
      label: words.project,
      options: choicesOf(projects),
      placeholder: words.allProjects,
    },
    repositories: {
      ...multiSelect,
      label: words.repository,
      options: choicesOf(repositories),
      placeholder: words.allRepositories,
    },
    days: { ...select, label: userTokensCopy.validFor, options: dayChoices(), initial: defaultDays },
  };
}
