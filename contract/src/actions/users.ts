import { z } from 'zod';
import { command, query } from '../define.ts';
import { repositoryVisibility } from '../enums.ts';
import { ids } from '../ids.ts';
import { orderOf, pagedQuery } from '../paging.ts';
import { versionLabel } from '../repository-shapes.ts';
import {
  emailText,
  empty,
  linkToken,
  nameText,
  passwordText,
  searchText,
  text,
  timestamp,
  uint32,
  uint64,
} from '../scalars.ts';

/** The actions of accounts: their administration, and memberships. */
export const usersActions = {
  users_QueryUsers: pagedQuery({
    doc: 'Lists every user of the instance, ordered by e-mail address unless another order is asked for; administrators only.',
    reads: ['users'],
    input: z.object({
      /** Only users whose e-mail address, display name or id contains this, in any case. */
      search: searchText.optional(),
      /** Only administrators, or only the others. */
      isAdmin: z.boolean().optional(),
      /** Only disabled users, or only the others. */
      isDisabled: z.boolean().optional(),
      order: orderOf(['id', 'name', 'email', 'admin']).optional(),
    }),
    output: z.object({
      users: z.array(
        z.object({
          userId: ids.user.schema,
          email: text,
          displayName: text.optional(),
          isAdmin: z.boolean(),
          /** Whether groups at the provider made the user an administrator, and take that again. */
          isAdminFromGroups: z.boolean().optional(),
          isDisabled: z.boolean().optional(),
          /** False for a user who has never set a password. */
          hasPassword: z.boolean().optional(),
          /** Whether signing in takes more than the password. */
          hasSecondFactor: z.boolean().optional(),
          /** Whether the account was made by the link of an invitation, and nothing has shown since that its address belongs to it. */
          isEmailUnconfirmed: z.boolean().optional(),
          createdAt: timestamp.optional(),
        }),
      ),
    }),
  }),
  users_CountUsers: query({
    doc: 'Counts the users of the instance, and among them the administrators and the disabled ones; administrators only.',
    reads: ['users'],
    input: empty,
    output: z.object({ users: uint32, administrators: uint32, disabled: uint32 }),
  }),
  users_GetUserDetails: query({
    doc: 'Returns a user; users see themselves, administrators everyone.',
    reads: ['users'],
    input: z.object({ userId: ids.user.schema }),
    output: z.object({
      userId: ids.user.schema,
      email: text,
      displayName: text.optional(),
      isAdmin: z.boolean(),
      isDisabled: z.boolean().optional(),
      /** Whether the account may accept only the invitation by whose link it was made, until its address is confirmed. */
      isEmailUnconfirmed: z.boolean().optional(),
    }),
  }),
  users_GetUserDeletion: query({
    doc: 'Returns what the deletion of a user deletes and ends, and why it would be refused, if it would be; for the user and administrators.',
    reads: ['users', 'members', 'projects', 'repositories', 'tokens', 'sessions'],
    input: z.object({ userId: ids.user.schema }),
    output: z.object({
      /** Why the user cannot be deleted now. */
      refusal: text.optional(),
      /** The projects that nobody else uses, at most 100 of them. */
      projects: z.array(z.object({ projectId: ids.project.schema, name: text, devices: uint32 })),
      projectCount: uint32,
      /** The repositories that nobody else uses, at most 100 of them. */
      repositories: z.array(
        z.object({ repositoryId: ids.repository.schema, name: text, packageCount: uint32 }),
      ),
      repositoryCount: uint32,
      /** How many projects and repositories of others the user leaves. */
      membershipCount: uint32,
      tokenCount: uint32,
      sessionCount: uint32,
    }),
  }),
  users_CreateUser: command({
    doc: 'Creates a user, who can sign in once a password is set; administrators only.',
    input: z.object({
      email: emailText,
      displayName: nameText.optional(),
      password: passwordText.optional(),
      isAdmin: z.boolean().optional(),
      /** Whether to mail the user a link to a page where to set a password; false by default. */
      sendPasswordLink: z.boolean().optional(),
    }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('Created'), userId: ids.user.schema }),
      z.object({ result: z.literal('EmailAlreadyExists') }),
    ]),
  }),
  users_DeleteUser: command({
    doc: 'Deletes a user with its sessions, tokens and memberships; refused while it is the last owner of a project or the last administrator.',
    input: z.object({ userId: ids.user.schema }),
    output: empty,
  }),
  users_SetUserDisplayName: command({
    doc: 'Sets the display name of a user.',
    input: z.object({ userId: ids.user.schema, displayName: nameText }),
    output: empty,
  }),
  users_SetUserPassword: command({
    doc: 'Sets the password of a user and ends the other sessions of that user; needs a session of the user or of an administrator.',
    input: z.object({
      userId: ids.user.schema,
      password: passwordText,
      /** The present password; required of the user itself, except in the first 10 minutes of the session. */
      currentPassword: passwordText.optional(),
    }),
    output: empty,
  }),
  users_SetUserIsAdmin: command({
    doc: 'Sets whether a user is an administrator; the last administrator stays one.',
    input: z.object({ userId: ids.user.schema, isAdmin: z.boolean() }),
    output: empty,
  }),
  users_SetUserIsDisabled: command({
    doc: 'Disables a user, which ends its sessions, connections and proxied pages at once and rejects its tokens, or enables it again; administrators only.',
    input: z.object({ userId: ids.user.schema, isDisabled: z.boolean() }),
    output: empty,
  }),
  users_SendPasswordLink: command({
    doc: 'Mails a user a link to a page where to set a password, which works once, for 24 hours, instead of earlier ones, and confirms the address; for the user and administrators.',
    input: z.object({ userId: ids.user.schema }),
    output: z.object({ expiresAt: timestamp }),
  }),
  users_IssuePasswordLink: command({
    doc: 'Returns such a link instead of mailing it, for an administrator to pass on; needs a session of an administrator.',
    input: z.object({ userId: ids.user.schema }),
    output: z.object({ url: text, expiresAt: timestamp }),
  }),
  users_ConfirmUserEmail: command({
    doc: 'Confirms that the e-mail address of a user belongs to the user, who may then accept all invitations to it; administrators only.',
    input: z.object({ userId: ids.user.schema }),
    output: empty,
  }),
  users_SetPasswordByLink: command({
    doc: 'Sets a password with the token of a mailed link, once, and ends all sessions of the user.',
    input: z.object({ token: linkToken, password: passwordText }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('Completed') }),
      z.object({ result: z.literal('Failed') }),
    ]),
  }),
  users_QueryUserProjects: pagedQuery({
    doc: 'Lists the projects that a user is a member of, ordered by name, with their number of devices.',
    reads: ['projects', 'devices', 'certificates', 'connections', 'members'],
    input: z.object({ userId: ids.user.schema }),
    output: z.object({
      projects: z.array(
        z.object({
          projectId: ids.project.schema,
          name: text,
          devices: uint32,
          connectedDevices: uint32.optional(),
          pendingCertificates: uint32.optional(),
          isOwner: z.boolean().optional(),
        }),
      ),
    }),
  }),
  users_QueryUserRepositories: pagedQuery({
    doc: 'Lists the repositories that a user is a member of, ordered by name, and on request those linked to projects of the user.',
    reads: ['repositories', 'packages', 'assets', 'members'],
    input: z.object({
      userId: ids.user.schema,
      /** Whether to list also the repositories that are linked to projects of the user; false by default. */
      includeLinked: z.boolean().optional(),
    }),
    output: z.object({
      repositories: z.array(
        z.object({
          repositoryId: ids.repository.schema,
          name: text,
          createdAt: timestamp,
          packageCount: uint32,
          isOwner: z.boolean(),
          /** False if the user may only read the repository. */
          isMember: z.boolean(),
          visibility: repositoryVisibility,
          usedBytes: uint64,
          newestVersion: versionLabel.extend({ packageId: ids.package.schema, packageName: text }).optional(),
        }),
      ),
    }),
  }),
  users_GetDevicePermissions: query({
    doc: 'Returns whether a user may access a device.',
    reads: ['members'],
    input: z.object({ userId: ids.user.schema, deviceId: ids.device.schema }),
    output: z.object({ hasAccess: z.boolean() }),
  }),
} as const;
