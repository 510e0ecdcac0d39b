// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { BeginAuthenticatorEnrolment } from './BeginAuthenticatorEnrolment.ts';
import { CompleteRegistration } from './CompleteRegistration.ts';
import { ConfirmAuthenticatorEnrolment } from './ConfirmAuthenticatorEnrolment.ts';
import { ConfirmUserEmail } from './ConfirmUserEmail.ts';
import { CreateUser } from './CreateUser.ts';
import { CreateUserToken } from './CreateUserToken.ts';
import { DecideLogin } from './DecideLogin.ts';
import { DeleteRegistration } from './DeleteRegistration.ts';
import { DeleteUser } from './DeleteUser.ts';
import { DeleteUserToken } from './DeleteUserToken.ts';
import { FindLogin } from './FindLogin.ts';
import { GetActor } from './GetActor.ts';
import { GetDevicePermissions } from './GetDevicePermissions.ts';
import { GetSecondFactors } from './GetSecondFactors.ts';
import { GetUserDeletion } from './GetUserDeletion.ts';
import { GetUserDetails } from './GetUserDetails.ts';
import { InitiateUserSession } from './InitiateUserSession.ts';
import { IssuePasswordLink } from './IssuePasswordLink.ts';
import { IssueRegistrationLink } from './IssueRegistrationLink.ts';
import { QueryRegistrations } from './QueryRegistrations.ts';
import { QueryUserProjects } from './QueryUserProjects.ts';
import { QueryUserRepositories } from './QueryUserRepositories.ts';
import { QueryUserSessions } from './QueryUserSessions.ts';
import { QueryUserTokens } from './QueryUserTokens.ts';
import { QueryUsers } from './QueryUsers.ts';
import { QueryWaitingMails } from './QueryWaitingMails.ts';
import { RedeemLogin } from './RedeemLogin.ts';
import { RegisterUser } from './RegisterUser.ts';
import { RemoveSecondFactors } from './RemoveSecondFactors.ts';
import { RenewRecoveryCodes } from './RenewRecoveryCodes.ts';
import { RequestLogin } from './RequestLogin.ts';
import { ResendRegistrationEmail } from './ResendRegistrationEmail.ts';
import { ResolveAccountLink } from './ResolveAccountLink.ts';
import { SendPasswordLink } from './SendPasswordLink.ts';
import { SetPasswordByLink } from './SetPasswordByLink.ts';
import { SetUserDisplayName } from './SetUserDisplayName.ts';
import { SetUserIsAdmin } from './SetUserIsAdmin.ts';
import { SetUserIsDisabled } from './SetUserIsDisabled.ts';
import { SetUserPassword } from './SetUserPassword.ts';
import { TerminateUserSession } from './TerminateUserSession.ts';

/** The actions of this domain by wire name. */
export const usersActions = {
  users_BeginAuthenticatorEnrolment: BeginAuthenticatorEnrolment,
  users_CompleteRegistration: CompleteRegistration,
  users_ConfirmAuthenticatorEnrolment: ConfirmAuthenticatorEnrolment,
  users_ConfirmUserEmail: ConfirmUserEmail,
  users_CreateUser: CreateUser,
  users_CreateUserToken: CreateUserToken,
  users_DecideLogin: DecideLogin,
  users_DeleteRegistration: DeleteRegistration,
  users_DeleteUser: DeleteUser,
  users_DeleteUserToken: DeleteUserToken,
  users_FindLogin: FindLogin,
  actor_GetActor: GetActor,
  users_GetDevicePermissions: GetDevicePermissions,
  users_GetSecondFactors: GetSecondFactors,
  users_GetUserDeletion: GetUserDeletion,
  users_GetUserDetails: GetUserDetails,
  users_InitiateUserSession: InitiateUserSession,
  users_IssuePasswordLink: IssuePasswordLink,
  users_IssueRegistrationLink: IssueRegistrationLink,
  users_QueryRegistrations: QueryRegistrations,
  users_QueryUserProjects: QueryUserProjects,
  users_QueryUserRepositories: QueryUserRepositories,
  users_QueryUserSessions: QueryUserSessions,
  users_QueryUserTokens: QueryUserTokens,
  users_QueryUsers: QueryUsers,
  users_QueryWaitingMails: QueryWaitingMails,
  users_RedeemLogin: RedeemLogin,
  users_RegisterUser: RegisterUser,
  users_RemoveSecondFactors: RemoveSecondFactors,
  users_RenewRecoveryCodes: RenewRecoveryCodes,
  users_RequestLogin: RequestLogin,
  users_ResendRegistrationEmail: ResendRegistrationEmail,
  users_ResolveAccountLink: ResolveAccountLink,
  users_SendPasswordLink: SendPasswordLink,
  users_SetPasswordByLink: SetPasswordByLink,
  users_SetUserDisplayName: SetUserDisplayName,
  users_SetUserIsAdmin: SetUserIsAdmin,
  users_SetUserIsDisabled: SetUserIsDisabled,
  users_SetUserPassword: SetUserPassword,
  users_TerminateUserSession: TerminateUserSession,
};
