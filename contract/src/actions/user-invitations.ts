import { z } from 'zod';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import { linkedInvitation, receivedInvitation } from '../member-shapes.ts';
import { pagedQuery } from '../paging.ts';
import { empty, text } from '../scalars.ts';

const user = z.object({ userId: ids.user.schema });
const projectInvitation = { invitationId: ids.projectInvitation.schema };
const repositoryInvitation = { invitationId: ids.repositoryInvitation.schema };

/** The actions of invited people, and the upkeep of invitations. */
export const userInvitationsActions = {
  users_QueryUserProjectInvitations: pagedQuery({
    doc: "Lists the pending invitations to projects that are addressed to a user's e-mail address, newest first.",
    reads: ['invitations'],
    input: user,
    output: z.object({
      invitations: z.array(
        z.object({
          ...projectInvitation,
          project: z.object({ projectId: ids.project.schema, name: text }),
          ...receivedInvitation,
        }),
      ),
    }),
  }),
  users_QueryUserRepositoryInvitations: pagedQuery({
    doc: "Lists the pending invitations to repositories that are addressed to a user's e-mail address, newest first.",
    reads: ['invitations'],
    input: user,
    output: z.object({
      invitations: z.array(
        z.object({
          ...repositoryInvitation,
          repository: z.object({ repositoryId: ids.repository.schema, name: text }),
          ...receivedInvitation,
        }),
      ),
    }),
  }),
  users_ResolveInvitation: query({
    doc: 'Returns what the link of an invitation is about; for the page that the link leads to.',
    reads: ['invitations'],
    input: z.object({ invitationToken: text }),
    output: linkedInvitation,
  }),
  users_AcceptProjectInvitation: command({
    doc: "Accepts an invitation to a project for the calling user; only in a session of the invited address's account.",
    input: z.object(projectInvitation),
    output: empty,
  }),
  users_AcceptRepositoryInvitation: command({
    doc: "Accepts an invitation to a repository for the calling user; only in a session of the invited address's account.",
    input: z.object(repositoryInvitation),
    output: empty,
  }),
  users_DeclineProjectInvitation: command({
    doc: "Declines an invitation to a project; only in a session of the invited address's account.",
    input: z.object(projectInvitation),
    output: empty,
  }),
  users_DeclineRepositoryInvitation: command({
    doc: "Declines an invitation to a repository; only in a session of the invited address's account.",
    input: z.object(repositoryInvitation),
    output: empty,
  }),
} as const;
