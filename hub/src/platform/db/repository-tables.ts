import type { Actor, Json } from '@corral/contract';
import type { Generated } from 'kysely';
import type { JsonColumn, TimestampColumn } from './tables.ts';

interface Repositories {
  repository_id: string;
  name: string;
  visibility: 'Public' | 'Private';
  /** Quotas; null for none. */
  max_bytes: number | null;
  max_assets: number | null;
  created_at: TimestampColumn;
}

/** Names that repositories had, which others cannot take. */
interface KeptRepositoryNames {
  name: string;
  /** The raw id of the last repository of this name; it may be deleted. */
  repository_id: string;
  /** The raw ids of the users who owned a deleted repository, and may take its name again. */
  owners: Generated<string[]>;
  /** Null for as long as the repository exists. */
  kept_until: TimestampColumn | null;
}

interface RepositoryMembers {
  repository_id: string;
  user_id: string;
  is_owner: boolean;
  added_at: TimestampColumn;
}

interface ProjectRepositories {
  project_id: string;
  repository_id: string;
  linked_at: TimestampColumn;
  /** Whether an owner of the repository made or confirmed the link, so that it stays when the repository becomes private. */
  is_confirmed: Generated<boolean>;
}

/** S3-compatible stores. The current one of a repository has no `replaced_at`; earlier ones stay for the assets that they hold. */
interface ObjectStores {
  store_id: string;
  /** Null for the store of the instance. */
  repository_id: string | null;
  endpoint: string;
  /** Where clients reach the store; null if it is `endpoint`. */
  public_endpoint: string | null;
  bucket: string;
  region: string | null;
  prefix: Generated<string>;
  force_path_style: Generated<boolean>;
  /** Whether the right size of an object is enough where the store keeps no digest of the whole. */
  access_key_id: string;
  /** Sealed by the vault. */
  secret_access_key: Buffer;
  /** The id of the vault's key. */
  sealed_under: string | null;
  /** What the store enforces, as the probe found; null before the first probe. */
  capabilities: JsonColumn | null;
  probed_at: TimestampColumn | null;
  created_at: TimestampColumn;
  replaced_at: TimestampColumn | null;
  /** Since when it is one of a restored copy, which deletes nothing in it; null where the hub may delete. */
  unclaimed_since: TimestampColumn | null;
}

/** Assets by repository and digest. A row outlives its repository until its bytes are deleted. */
interface Assets {
  asset_id: string;
  repository_id: string;
  /** The SHA-256 of the bytes. */
  digest: Buffer;
  /** In bytes. */
  size: number;
  status: Generated<'Dangling' | 'Available' | 'Deleting'>;
  /** Null for the data folder of the hub. */
  store_id: string | null;
  storage_key: string;
  storage_status: Generated<'Unknown' | 'Present' | 'Verified' | 'Missing' | 'Mismatched' | 'Error'>;
  storage_detail: string | null;
  storage_checked_at: TimestampColumn | null;
  created_at: TimestampColumn;
  /** When it was last created, attached or detached; the collector spares what was touched recently. */
  touched_at: TimestampColumn;
  /** When the last issued upload URL expires. */
  upload_url_ends_at: TimestampColumn | null;
  /** Who is writing its bytes; one at a time. */
  upload_lease: string | null;
  upload_lease_ends_at: TimestampColumn | null;
  /** The unfinished upload in parts, as the store names it. */
  multipart_id: string | null;
  /** The user who has begun an upload in parts, raw. */
  begun_by: string | null;
  /** How many files refer to it, without the changes that are not folded yet. */
  reference_count: Generated<number>;
}

/** Changes of the number of files that refer to assets. Written by the trigger count_asset_uses. */
interface AssetUseChanges {
  asset_id: string;
  uses: number;
}

/** The SHA-256 of each MiB of an asset, joined. */
interface AssetChunks {
  asset_id: string;
  digests: Buffer;
}

interface Packages {
  package_id: string;
  repository_id: string;
  name: string;
  /** Free text, such as what installs it. */
  kind: string | null;
  metadata: Generated<JsonColumn<Record<string, Json>>>;
  /** Written, with the newest version, by the triggers count_versions and rename_newest_version. */
  version_count: Generated<number>;
  newest_version_id: string | null;
  newest_at: TimestampColumn | null;
  /** What the name of the newest version, or else its id, is sorted by. */
  newest_key: string | null;
  created_at: TimestampColumn;
}

interface PackageVersions {
  version_id: string;
  package_id: string;
  repository_id: string;
  name: string | null;
  metadata: JsonColumn<Record<string, Json>>;
  created_at: TimestampColumn;
  /** The token that made it; null of versions that were made in a session, or before this was recorded. */
  created_by_token_id: Generated<string | null>;
}

interface PackageTags {
  package_id: string;
  tag: string;
  version_id: string;
  /** A locked tag is neither moved nor removed. */
  locked: boolean;
  tagged_at: TimestampColumn;
}

/** The history of tags: each time that one was set, moved, locked or removed. Its versions may be deleted. */
interface PackageTagMoves {
  package_id: string;
  tag: string;
  moved_at: TimestampColumn;
  /** The raw id of the audit event of the move. */
  move_id: string;
  /** Null if the tag was not set before. */
  from_version_id: string | null;
  /** Null if the tag was removed. */
  to_version_id: string | null;
  locked: boolean;
  actor: JsonColumn<Actor>;
}

interface PackageAssets {
  package_id: string;
  filename: string;
  asset_id: string;
  metadata: JsonColumn<Record<string, Json>>;
  added_at: TimestampColumn;
}

interface VersionAssets {
  version_id: string;
  filename: string;
  asset_id: string;
  metadata: JsonColumn<Record<string, Json>>;
  added_at: TimestampColumn;
}

/** Counts of a repository, or changes of them that are not added yet. Written by the triggers count_packages and count_assets. */
interface RepositoryCounts {
  repository_id: string;
  packages: number;
  assets: number;
  bytes: number;
}

/** Downloads that are in the audit log, for an hour each. */
interface RecordedDownloads {
  asset_id: string;
  /** As the function `actor_key` writes an actor. */
  actor_key: string;
  recorded_at: TimestampColumn;
}

/** Jobs of CIs that may publish, as a service account of the repository. */
interface Publishers {
  publisher_id: string;
  repository_id: string;
  user_id: string;
  name: string;
  kind: 'GitHub' | 'GitLab' | 'Forgejo' | 'Other';
  issuer: string;
  conditions: JsonColumn<{ claim: string; expected: string }[]>;
  allows_pull_requests: boolean;
  created_at: TimestampColumn;
  last_used_at: Generated<string | null>;
  last_used_by: Generated<string | null>;
}

/** Why ID tokens for a repository were refused, of which only the last are kept. */
interface PublishingRefusals {
  refusal_number: Generated<string>;
  repository_id: string;
  refused_at: TimestampColumn;
  job: string;
  reason: string;
}

/** The ID tokens of CIs that were exchanged, by a digest, until they expire. */
interface UsedIdTokens {
  replay_key: Buffer;
  expires_at: TimestampColumn;
}

/** The tables of repositories, packages and assets. */
export interface RepositoryTables {
  repositories: Repositories;
  kept_repository_names: KeptRepositoryNames;
  repository_members: RepositoryMembers;
  project_repositories: ProjectRepositories;
  object_stores: ObjectStores;
  assets: Assets;
  asset_chunks: AssetChunks;
  packages: Packages;
  package_versions: PackageVersions;
  publishers: Publishers;
  publishing_refusals: PublishingRefusals;
  used_id_tokens: UsedIdTokens;
  package_tags: PackageTags;
  package_tag_moves: PackageTagMoves;
  package_assets: PackageAssets;
  version_assets: VersionAssets;
  recorded_downloads: RecordedDownloads;
  repository_counts: RepositoryCounts;
  repository_count_changes: RepositoryCounts;
  asset_use_changes: AssetUseChanges;
}
