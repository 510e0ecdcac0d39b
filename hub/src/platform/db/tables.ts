import type { Json, TerminalPolicy, TokenVerb } from '@corral/contract';
import type { ColumnType, Generated } from 'kysely';
import type { AlertMessage, AlertTables } from './alert-tables.ts';
import type { CertificateAuthorityTables } from './certificate-authority-tables.ts';
import type { CertificateRotationTables } from './certificate-rotation-tables.ts';
import type { AuditTables } from './audit-tables.ts';
import type { ClusterTables } from './cluster-tables.ts';
import type { DeviceTables } from './device-tables.ts';
import type { HistoryTables } from './history-tables.ts';
import type { OperationTables } from './operation-tables.ts';
import type { OtlpTables } from './otlp-tables.ts';
import type { PairingTables } from './pairing-tables.ts';
import type { PropertyIndexTables } from './property-index-tables.ts';
import type { RepositoryTables } from './repository-tables.ts';
import type { SignInTables } from './sign-in-tables.ts';
import type { TerminalTables } from './terminal-tables.ts';
import type { WebhookTables } from './webhook-tables.ts';

/** A point in time: read as RFC 3339 text with microseconds, written as a Date or text. */
export type TimestampColumn = ColumnType<string, Date | string, Date | string>;

/** A JSON document: read as a parsed value, written as JSON text. */
export type JsonColumn<Value = Json> = ColumnType<Value, string, string>;

interface Users {
  user_id: string;
  email: string;
  display_name: string | null;
  password_hash: string | null;
  is_admin: boolean;
  /** Whether that came with a group at the provider, and goes with it. */
  is_admin_from_groups: Generated<boolean>;
  created_at: TimestampColumn;
  /** Null of users who did not register themselves. */
  consented_to_terms_at: TimestampColumn | null;
  consented_to_marketing_at: TimestampColumn | null;
  /** Since when the user can neither sign in nor use tokens. */
  disabled_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>;
  /** A service account has neither a password nor an address: in its place is a text that none is. */
  is_service: Generated<boolean>;
  /** The project of a service account. */
  service_project_id: ColumnType<string | null, string | null | undefined, never>;
  /** The repository of a service account. */
  service_repository_id: ColumnType<string | null, string | null | undefined, never>;
  /** While the address is unconfirmed: the raw id of the invitation by whose link the account was made, the only one that it may accept. */
  only_invitation_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** When the user first signed in under the present policy of second factors. */
  factor_grace_from: ColumnType<string | null, Date | string | null | undefined, Date | string | null>;
}

/** Links by which a user sets a password; a user has at most one. */
interface PasswordLinks {
  link_id: string;
  user_id: string;
  /** Whether it went to the address of the user, and not to an administrator. */
  is_mailed: Generated<boolean>;
  created_at: TimestampColumn;
  expires_at: TimestampColumn;
}

/** The counts of the instance on a day, as last recorded; of connected devices the most of the day. */
interface InstanceDays {
  day: string;
  users: number;
  projects: number;
  devices: number;
  connected_devices: number;
}

/** Unconfirmed registrations; an address may have several, the first confirmed one wins. */
interface UserRegistrations {
  /** The id that the account will have. */
  user_id: string;
  email: string;
  display_name: string | null;
  password_hash: string;
  consented_to_marketing: boolean;
  created_at: TimestampColumn;
  expires_at: TimestampColumn;
  email_sent_at: TimestampColumn | null;
}

/** Requests in a time window, by a keyed digest of who made them. */
interface RequestCounts {
  subject: string;
  requests: number;
  window_ends_at: TimestampColumn;
}

/** Queued e-mails. A row refers to its recipient and contains neither address nor link. */
interface QueuedMails {
  mail_id: string;
  kind:
    | 'Activation'
    | 'AddressTaken'
    | 'PasswordChanged'
    | 'Invitation'
    | 'PasswordLink'
    | 'TokenExpiring'
    | 'IdentityLinked'
    | 'IdentityUnlinked'
    | 'FactorAdded'
    | 'FactorRemoved'
    | 'FactorLocked'
    | 'RecoveryCodeUsed'
    | 'RecoveryCodesRenewed'
    | 'TokenCreated'
    | 'WebhookDisabled'
    | 'RecordingWaived'
    | 'Alert';
  /** The user or the registration that it goes to; null for an invitation. */
  user_id: string | null;
  invitation_id: string | null;
  /** The user token that it is about. */
  token_id: string | null;
  /** The webhook that it is about. */
  webhook_id: Generated<string | null>;
  /** The terminal that it is about. */
  terminal_session_id: Generated<string | null>;
  /** The alert rule that it is about. */
  rule_id: Generated<string | null>;
  /** What it says of alerts. */
  alert_message: JsonColumn<AlertMessage> | null;
  attempts: Generated<number>;
  created_at: TimestampColumn;
  next_attempt_at: TimestampColumn;
}

interface UserTokens {
  token_id: string;
  secret_hash: Buffer;
  user_id: string;
  name: string | null;
  created_at: TimestampColumn;
  last_used_at: TimestampColumn | null;
  is_read_only: Generated<boolean>;
  /** The projects that it reaches, by raw ids; null for all of its user. */
  project_ids: string[] | null;
  /** The same for repositories. */
  repository_ids: string[] | null;
  /** Whether it has the rights of an administrator while its user is one. */
  is_administrator: Generated<boolean>;
  /** What it may do besides reading; null for all that its user may. */
  verbs: readonly TokenVerb[] | null;
  /** Null for tokens that were made before tokens expired. */
  expires_at: TimestampColumn | null;
  expiry_announced_at: TimestampColumn | null;
  /** The publisher that it was issued for, by its raw id. */
  publisher_id: Generated<string | null>;
}

/** Requests of command lines for a user token, until the token is fetched or the request expires. */
interface LoginRequests {
  /** The lookup key of the secret that the command line polls with. */
  request_id: string;
  secret_hash: Buffer;
  /** The code that a person types. */
  user_code: string;
  /** A keyed digest of the network that the request came from. */
  network: string;
  address: string | null;
  name: string;
  is_read_only: boolean;
  project_ids: string[] | null;
  repository_ids: string[] | null;
  is_administrator: boolean;
  verbs: readonly TokenVerb[] | null;
  token_valid_secs: number;
  /** Who decided, and how; null before that. */
  user_id: string | null;
  is_approved: boolean | null;
  /** The raw id of the session in which it was decided, with which it ends. */
  session_id: string | null;
  created_at: TimestampColumn;
  expires_at: TimestampColumn;
  polled_at: TimestampColumn | null;
}

/** What administrators have set; settings without a row have their defaults. */
interface InstanceSettings {
  key: string;
  /** Null of a secret, which is sealed. */
  value: JsonColumn | null;
  sealed: Buffer | null;
  sealed_under: string | null;
  changed_at: TimestampColumn;
}

/** Failed sign-ins by a keyed digest of account and network; never the address itself. */
interface SignInFailures {
  subject: string;
  failures: number;
  blocked_until: TimestampColumn;
  last_failed_at: TimestampColumn;
}

/** Random keys of the instance, by purpose. */
interface InstanceKeys {
  purpose: string;
  /** Sealed, unless it was stored before the vault was introduced. */
  key: Buffer;
  /** The id of the vault's key; null for an unencrypted value. */
  sealed_under: string | null;
  created_at: TimestampColumn;
}

interface Projects {
  project_id: string;
  name: string;
  version_fields: string[] | null;
  /** Which operations need a second person; null where none does. */
  approval: JsonColumn | null;
  /** Who may open terminals; null where no owner has chosen. */
  terminal_policy: JsonColumn<TerminalPolicy> | null;
  /** For how many days issued certificates are valid. */
  certificate_days: Generated<number>;
  /** Whether devices need a certificate of an authority of the project. */
  demands_certificates: Generated<boolean>;
  created_at: TimestampColumn;
}

/** Counts of a project, or changes of them that are not added yet; the node is empty but for connections. Written by the triggers count_added_devices, count_pending_certificates,
 * note_added_connections, note_ended_connections and subtract_deleted_connection, and by the deletion of devices. */
interface ProjectCounts {
  project_id: string;
  node_id: string;
  devices: number;
  pending_certificates: number;
  open_connections: number;
}

interface ProjectMembers {
  project_id: string;
  user_id: string;
  is_owner: boolean;
  added_at: TimestampColumn;
  /** What a group at the provider gave of it, and what goes with it. */
  from_groups: ColumnType<
    'membership' | 'ownership' | null,
    'membership' | 'ownership' | null | undefined,
    'membership' | 'ownership' | null
  >;
}

/** Pending invitations to a project or a repository; exactly one of the two is set. A row is deleted when the invitation ends in any way. */
interface Invitations {
  invitation_id: string;
  project_id: string | null;
  repository_id: string | null;
  /** Canonical. */
  email: string;
  /** Null if that account is deleted, or the hub itself invited. */
  invited_by: string | null;
  created_at: TimestampColumn;
  expires_at: TimestampColumn;
  /** The outcome of the newest e-mail. */
  mail_status: Generated<'Queued' | 'Sent' | 'Refused' | 'NotMailed'>;
  mailed_at: TimestampColumn | null;
}

interface DeploymentTokens {
  token_id: string;
  secret_hash: Buffer;
  project_id: string;
  name: string;
  auto_accept: boolean;
  created_at: TimestampColumn;
  last_used_at: TimestampColumn | null;
  /** When it stops enrolling devices. */
  expires_at: ColumnType<string | null, Date | string | null | undefined, never>;
  /** How many devices it may enrol. */
  max_uses: ColumnType<number | null, number | null | undefined, never>;
  /** How many devices it has enrolled, those that are deleted included. */
  uses: Generated<number>;
  /** Whether the first device that uses it is the only one. */
  is_for_one: Generated<boolean>;
  /** That device. */
  device_id: ColumnType<string | null, string | null | undefined, string>;
  /** Until when the first certificate of that device is accepted; null when there was one. */
  accepts_until: ColumnType<string | null, Date | null | undefined, null>;
}

/** The ids of projects, also of deleted ones that still have devices. */
interface AllProjects {
  project_id: string;
  /** When the trigger note_property_names found that no more names of properties fit on its list. */
  property_names_full_at: ColumnType<string | null, never, never>;
}

/** Saved views of the devices of a project, each of one user; deleted with the membership. */
interface SavedViews {
  project_id: string;
  user_id: string;
  name: string;
  filter: string | null;
  status: 'connected' | 'disconnected' | 'pending' | null;
  sort_order: string | null;
  columns: string[] | null;
}

/** Names of properties that devices of a project have or had, at most 5,000 a project. Written by the trigger note_property_names; a job deletes those that no device has. */
interface ProjectPropertyNames {
  project_id: string;
  name: string;
}

/** The tables of the hub's database; primary keys are the raw parts of the public ids. */
export interface Tables
  extends
    DeviceTables,
    RepositoryTables,
    AuditTables,
    PropertyIndexTables,
    ClusterTables,
    HistoryTables,
    OperationTables,
    OtlpTables,
    PairingTables,
    SignInTables,
    TerminalTables,
    WebhookTables,
    AlertTables,
    CertificateRotationTables,
    CertificateAuthorityTables {
  users: Users;
  user_tokens: UserTokens;
  user_registrations: UserRegistrations;
  request_counts: RequestCounts;
  queued_mails: QueuedMails;
  login_requests: LoginRequests;
  instance_settings: InstanceSettings;
  password_links: PasswordLinks;
  instance_days: InstanceDays;
  sign_in_failures: SignInFailures;
  instance_keys: InstanceKeys;
  projects: Projects;
  project_counts: ProjectCounts;
  project_count_changes: ProjectCounts;
  project_property_names: ProjectPropertyNames;
  saved_views: SavedViews;
  project_members: ProjectMembers;
  invitations: Invitations;
  deployment_tokens: DeploymentTokens;
  all_projects: AllProjects;
}
