// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { CreateProjectServiceAccount } from './CreateProjectServiceAccount.ts';
import { CreateRepositoryServiceAccount } from './CreateRepositoryServiceAccount.ts';
import { DeleteServiceAccount } from './DeleteServiceAccount.ts';
import { QueryProjectServiceAccounts } from './QueryProjectServiceAccounts.ts';
import { QueryRepositoryServiceAccounts } from './QueryRepositoryServiceAccounts.ts';

/** The actions of this domain by wire name. */
export const servicesActions = {
  projects_CreateProjectServiceAccount: CreateProjectServiceAccount,
  repositories_CreateRepositoryServiceAccount: CreateRepositoryServiceAccount,
  users_DeleteServiceAccount: DeleteServiceAccount,
  projects_QueryProjectServiceAccounts: QueryProjectServiceAccounts,
  repositories_QueryRepositoryServiceAccounts: QueryRepositoryServiceAccounts,
};
