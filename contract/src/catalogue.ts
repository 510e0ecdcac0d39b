import type { z } from 'zod';
import { actorActions } from './actions/actor.ts';
import { alertsActions } from './actions/alerts.ts';
import { assetsActions } from './actions/assets.ts';
import { auditActions } from './actions/audit.ts';
import { clusterActions } from './actions/cluster.ts';
import { connectionsActions } from './actions/connections.ts';
import { devicesActions } from './actions/devices.ts';
import { instanceActions } from './actions/instance.ts';
import { jobsActions } from './actions/jobs.ts';
import { loginsActions } from './actions/logins.ts';
import { objectStoresActions } from './actions/object-stores.ts';
import { deviceOperationsActions } from './actions/device-operations.ts';
import { fleetActions } from './actions/fleet.ts';
import { certificateAuthorityActions } from './actions/certificate-authorities.ts';
import { certificateRotationActions } from './actions/certificate-rotations.ts';
import { fleetChangeActions } from './actions/fleet-changes.ts';
import { otlpActions } from './actions/otlp.ts';
import { packageFilesActions } from './actions/package-files.ts';
import { packageTagsActions } from './actions/package-tags.ts';
import { packageVersionsActions } from './actions/package-versions.ts';
import { packagesActions } from './actions/packages.ts';
import { pairingActions } from './actions/pairing.ts';
import { projectMembersActions } from './actions/project-members.ts';
import { projectOverviewActions } from './actions/project-overview.ts';
import { projectsActions } from './actions/projects.ts';
import { propertiesActions } from './actions/properties.ts';
import { publishersActions } from './actions/publishers.ts';
import { registrationsActions } from './actions/registrations.ts';
import { repositoriesActions } from './actions/repositories.ts';
import { repositoryMembersActions } from './actions/repository-members.ts';
import { identitiesActions } from './actions/identities.ts';
import { secondFactorsActions } from './actions/second-factors.ts';
import { serviceAccountsActions } from './actions/service-accounts.ts';
import { terminalsActions } from './actions/terminals.ts';
import { timelineActions } from './actions/timeline.ts';
import { userInvitationsActions } from './actions/user-invitations.ts';
import { userSessionsActions } from './actions/user-sessions.ts';
import { userTokensActions } from './actions/user-tokens.ts';
import { usersActions } from './actions/users.ts';
import { webhooksActions } from './actions/webhooks.ts';

/** Every action of the hub: wire name to definition. */
export const actions = {
  ...actorActions,
  ...usersActions,
  ...registrationsActions,
  ...userTokensActions,
  ...userSessionsActions,
  ...secondFactorsActions,
  ...identitiesActions,
  ...userInvitationsActions,
  ...loginsActions,
  ...serviceAccountsActions,
  ...projectsActions,
  ...projectMembersActions,
  ...projectOverviewActions,
  ...pairingActions,
  ...devicesActions,
  ...connectionsActions,
  ...propertiesActions,
  ...timelineActions,
  ...deviceOperationsActions,
  ...terminalsActions,
  ...fleetActions,
  ...fleetChangeActions,
  ...certificateRotationActions,
  ...certificateAuthorityActions,
  ...webhooksActions,
  ...alertsActions,
  ...otlpActions,
  ...repositoriesActions,
  ...repositoryMembersActions,
  ...publishersActions,
  ...packagesActions,
  ...packageVersionsActions,
  ...packageTagsActions,
  ...packageFilesActions,
  ...assetsActions,
  ...objectStoresActions,
  ...auditActions,
  ...jobsActions,
  ...instanceActions,
  ...clusterActions,
} as const;

/** The wire name of an action. */
export type ActionName = keyof typeof actions;

/** What a handler of the action receives, after validation. */
export type Input<Name extends ActionName> = z.output<(typeof actions)[Name]['input']>;

/** What a caller of the action sends. */
export type CallInput<Name extends ActionName> = z.input<(typeof actions)[Name]['input']>;

/** What the action answers. */
export type Output<Name extends ActionName> = z.output<(typeof actions)[Name]['output']>;

/** Whether an action has this name. */
export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(actions, name);
}
