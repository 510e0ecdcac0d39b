/** Actions of features that this hub does not have, on jobs without a queue, of a store that no repository here has, on an asset that is a file, for the parts of an asset on disk, and on devices by a preview or a change that has ended; refused for every permitted caller. */
export const ofAbsentFeatures = [
  // The terminal here waits for no approval.
  'devices_ApproveTerminal',
  // No certificate here is being rotated.
  'devices_CancelCertificateRotation',
  // No device here is connected.
  'devices_IssueCertificate',
  // No device here offers its files.
  'devices_IssueFileUrl',
  // No terminal here has to be recorded.
  'devices_WaiveTerminalRecording',
  'fleet_ApplyChange',
  // The operation here has started.
  'fleet_PreviewDraft',
  'fleet_UndoChange',
  'jobs_CancelJob',
  'jobs_RetryJob',
  // Whoever has no right key is refused.
  'projects_RedeemDevicePairingKey',
  'projects_RedeemPairingKeyForToken',
  // No project here exports.
  'projects_SendOtlpTestEvent',
  // No CI is allowed, and none has signed a token.
  'repositories_AddPublisher',
  'repositories_DeleteAsset',
  'repositories_ExchangeIdToken',
  'repositories_GetS3Config',
  // Nobody here has a second factor, or has begun to set one up.
  'users_AddPasskey',
  'users_ConfirmAuthenticatorEnrolment',
  'users_DeletePasskey',
  'users_DeleteServiceAccount',
  'users_RenewRecoveryCodes',
  'users_SetPasskeyName',
  // Nobody here has signed in at a provider.
  'users_UnlinkIdentity',
];
