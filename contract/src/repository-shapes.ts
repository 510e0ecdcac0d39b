import { z } from 'zod';
import { command, defaultMaxInputBytes, type ActionDefinition } from './define.ts';
import { assetStorage, repositoryAssetStatus } from './enums.ts';
import { ids } from './ids.ts';
import { maxFileMetadataKib, maxMetadataKib, maxTagsOfVersion } from './repository-rules.ts';
import { digest, jsonMap, listOf, text, timestamp, uint64 } from './scalars.ts';

const objectOfJson = { type: 'object', additionalProperties: {} } as const;

/** The metadata of a package or version in an input; the action applies the limit. */
export const metadataInput = jsonMap.meta({
  ...objectOfJson,
  description: `At most ${maxMetadataKib} KiB as JSON.`,
});

/** The metadata of a file in an input; the action applies the limit. */
export const fileMetadataInput = jsonMap.meta({
  ...objectOfJson,
  description: `At most ${maxFileMetadataKib} KiB as JSON.`,
});

/** Defines a command whose input has metadata: as JSON it may be larger on the wire than it is stored. */
export function commandWithMetadata<Input extends z.ZodType, Output extends z.ZodType>(options: {
  readonly doc: string;
  readonly input: Input;
  readonly output: Output;
}): ActionDefinition<Input, Output> & { readonly kind: 'command' } {
  return command({ ...options, maxInputBytes: 4 * defaultMaxInputBytes });
}

/** A file of a package or version. */
export const packageFile = z.object({
  filename: text,
  assetId: ids.asset.schema,
  size: uint64,
  digest,
  status: repositoryAssetStatus,
  storage: assetStorage.optional(),
  metadata: jsonMap,
});

/** A tag of a version. */
export const versionTag = z.object({ tag: text, locked: z.boolean() });

/** A version, where something else is shown with it. */
export const versionLabel = z.object({
  versionId: ids.packageVersion.schema,
  name: text.optional(),
  createdAt: timestamp,
});

/** Tags to set. `locked` (false by default) never unlocks; `reassign` false (true by default) refuses a tag of another version. */
export const tagRequests = listOf(
  z.object({ tag: text, locked: z.boolean().optional(), reassign: z.boolean().optional() }),
  maxTagsOfVersion,
);

/** The result of attaching a file. */
export const addedFile = z.discriminatedUnion('result', [
  z.object({ result: z.literal('Added') }),
  z.object({ result: z.literal('FilenameAlreadyExists') }),
]);

/** The result of renaming a package. */
export const renamed = z.discriminatedUnion('result', [
  z.object({ result: z.literal('Success') }),
  z.object({ result: z.literal('NameAlreadyExists') }),
]);
