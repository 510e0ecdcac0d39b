// What the other domains, and the commands of operators, use of this one.
export {
  findDeviceOperationAccess,
  findFleetOperationAccess,
  findProjectAccess,
  findProjectViewer,
  mustBeDevice,
  mustBeOwner,
  mustOwnPairingKey,
  mustOwnProject,
  mustOwnProjectInvitation,
  mustOwnWebhook,
  mustSeeCertificate,
  mustSeeDevice,
  mustSeeDeviceOperation,
  mustSeeFleetJob,
  mustSeeFleetOperation,
  mustSeeProject,
  mustSeeTerminal,
  mustHaveDeviceAccess,
  type ProjectAccess,
  type ProjectViewer,
} from './policy/projects.ts';
export {
  isCovered,
  isSamePerson,
  mustBeApproved,
  needsApproval,
  readOwners,
  whoMayStart,
} from './policy/approval.ts';
export {
  foldProjectCounts,
  projectCounts,
  readDeviceRoom,
  type ProjectCounts,
} from './sql/project-counts.ts';
export { deleteProjects } from './sql/project-deletion.ts';
export {
  announceEndedLinks,
  endLinksOf,
  endUnconfirmedLinks,
  type ProjectLink,
} from './sql/project-links.ts';
