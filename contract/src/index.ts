export { alertMessage } from './alert-message.ts';
export type { AlertMessage } from './alert-message.ts';
export { channelReasons, goElsewhere } from './channel-reasons.ts';
export { isRevocation, revocationReasons } from './revocation-reasons.ts';
export { actions, isActionName } from './catalogue.ts';
export type { ActionName, CallInput, Input, Output } from './catalogue.ts';
export { defaultMaxInputBytes, type ActionDefinition, type AuditRule } from './define.ts';
export type {
  AuthenticationMethod,
  AuditLogActionStatus,
  DeviceCertificateStatus,
  DeviceEventSeverity,
  OtlpStream,
  ProxyTokenFault,
  TokenVerb,
  WebhookFormat,
} from './enums.ts';
export { maxEnrolledCounted } from './enrolled-devices.ts';
export { maxDots } from './max-dots.ts';
export { passkeyAssertion } from './passkey-assertion.ts';
export type { PasskeyAssertion, PasskeyRequest } from './passkey-assertion.ts';
export { ActionError, errorKinds } from './errors.ts';
export type { ErrorBody, ErrorKind, ErrorReason, WireErrorKind } from './errors.ts';
export { events } from './events.ts';
export { eventOffsetMs, eventTime } from './event-times.ts';
export type { EventTimes } from './event-times.ts';
export {
  isLongInteger,
  mayHaveLongIntegers,
  parseExactJson,
  parseJsonWithBigInts,
  quoteLongIntegers,
  restoreLongIntegers,
} from './exact-json.ts';
export { exprSchema, mutationSchema, type Expr, type Mutation } from './expressions.ts';
export type { DomainEvent, EntityKind, EventPersistence, EventName, StaleTopics } from './events.ts';
export { resumableForwards } from './resumable-forwards.ts';
export { type MaintenanceWindow, nextWindow, windowProblem } from './maintenance-window.ts';
export { liveTopics } from './live-topics.ts';
export { connectPath } from './connect-path.ts';
export { isLoopbackHost } from './loopback.ts';
export type { LiveChange, LiveTopic } from './live-topics.ts';
export { verbOf } from './token-verbs.ts';
export { fileCommands, filePartBytes, isFileCommand } from './device-files.ts';
export { defaultTerminalPolicy, recordingMarks, terminalEnds } from './terminal-rules.ts';
export type { TerminalEnd, TerminalPolicy, TerminalRole, TerminalState } from './terminal-shapes.ts';
export type { TerminalClientMessage, TerminalHubMessage, TerminalPerson } from './terminal-messages.ts';
export { timelineKinds } from './timeline-kinds.ts';
export { queryTopics } from './query-topics.gen.ts';
export { datedRaw, idAlphabet, ids, randomSymbols } from './ids.ts';
export type { Id, IdKind, RandomBytes } from './ids.ts';
export type { HistoryRange } from './history-shapes.ts';
export { hubOnlyNames } from './hub-names.ts';
export { actionNamed, isNewerName, maxInputBytesOf, newerNames } from './newer-names.ts';
export { maxAddressesAtOnce, maxPendingInvitations } from './member-shapes.ts';
export {
  maxOpenPairingKeys,
  maxPairingKeySecs,
  pairingKeySymbols,
  readPairingKey,
  writePairingKey,
  type PairingKeyParts,
} from './pairing-key.ts';
export { maxSelectedDevices } from './operation-shapes.ts';
export { nearestNames } from './near-names.ts';
export { decodeMessage, encodeMessage, messageHeader } from './message-header.ts';
export {
  noPublicEndpoint,
  objectStoreEndpoint,
  objectStorePrefix,
  objectStoreProblem,
  objectStorePublicEndpoint,
  objectStoreRules,
} from './object-store-rules.ts';
export { checkJsonSchema, type SchemaCheckOptions } from './json-schema/check-json-schema.ts';
export { isDamaged, isStored, storedBytesHeader } from './stored-bytes.ts';
export { maxConditionsOfPublisher, maxPublishers, wellKnownIssuers } from './publisher-rules.ts';
export { deviceQuotas, userQuotas, type DeviceQuota, type UserQuota } from './quotas.ts';
export type { Comparison, Filter, FilterTest, FilterValue } from './filter/filter.ts';
export { testsOf } from './filter/filter.ts';
export { checkFilter, mistakeRange } from './filter/check-filter.ts';
export { completionAt } from './filter/completion.ts';
export type { FilterCandidate, FilterCompletion } from './filter/completion.ts';
export {
  choiceOf,
  findField,
  isFixedField,
  flagOf,
  possibleProperties,
  validateComparison,
} from './filter/fields.ts';
export type { FilterFields, FoundField } from './filter/fields.ts';
export { FilterError, filterErrorIn } from './filter/FilterError.ts';
export {
  commandFields,
  deviceFields,
  eventFields,
  logFields,
  projectEventFields,
} from './filter/list-fields.ts';
export { maxFilterCharacters, parseFilter } from './filter/parse-filter.ts';
export { numberIn, readDuration, readTime } from './filter/values.ts';
export { writtenValue } from './filter/written-value.ts';
export { openApiDocument, openApiSteps } from './openapi.ts';
export { parseInput } from './parse-input.ts';
export {
  quotaAssetsProblem,
  quotaBytesProblem,
  readCount,
  readSize,
  sizeInWords,
  writeSize,
} from './quota-rules.ts';
export {
  filenameProblem,
  labelProblem,
  maxAssetBytes,
  maxChunks,
  maxChunksAtOnce,
  maxDigestsAtOnce,
  maxFileMetadataKib,
  maxFiles,
  maxMetadataKib,
  maxTagsOfVersion,
  maxTagSteps,
  pathNameProblem,
  repositoryNameProblem,
} from './repository-rules.ts';
export { compareNames, foldText, orderKey } from './name-order.ts';
export {
  canonicalEmail,
  characterCount,
  labelNameProblem,
  labelValueProblem,
  maxVersionFields,
  versionFieldsProblem,
  maxLabelNameCharacters,
  maxLabelValueCharacters,
  emailProblem,
  emailSpellings,
  maxCertificatesAtOnce,
  maxFilenameCharacters,
  maxNameCharacters,
  maxPasswordBytes,
  maxPathNameCharacters,
  maxCountedFilters,
  maxSavedViews,
  maxTokenBounds,
  maxViewNameCharacters,
  minPasswordCharacters,
  nameProblem,
  passwordProblem,
  portProblem,
  problemMessages,
} from './rules.ts';
export {
  announcedProperty,
  rotationDefaults,
  rotationProperty,
  type RotationState,
} from './rotation-shapes.ts';
export { certificateDays, foreignCertificateDays } from './certificate-rules.ts';
export type { AlertChannels, AlertCondition, AlertEnd, AlertSeverity, AlertState } from './alert-shapes.ts';
export type { Problem } from './rules.ts';
export type { Json, Timestamp } from './scalars.ts';
export { deviceCommand } from './shapes.ts';
export type { Actor, AuditLogEvent, DeviceCommand, DeviceEvent } from './shapes.ts';
export { signInProblem, signInMessages } from './sign-in-rules.ts';
